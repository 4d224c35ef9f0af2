"""
Lists, reads, prompts and completions for whoever may.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.call import Call, Caller
from reticle.dispatch.features import Features, as_fault
from reticle.dispatch.prompting import Prompts
from reticle.dispatch.readable import Readable
from reticle.errors import PeerFault, Refusal
from reticle.mcp.versions import REVISIONS
from reticle.model.codes import Capability, Carrier, CommandName, RefusalCode
from reticle.model.content import audio_block
from reticle.model.mcp import ResourcesChanged, ResourceUpdated
from reticle.model.trust import LOCAL, Principal, PrincipalKind
from reticle.ports import CallContext
from reticle.prompts.debug import DEBUG
from reticle.prompts.spec import Prompt, PromptMessage
from reticle.prompts.verify import VERIFY
from reticle.resources.sessions import SESSIONS
from reticle.resources.snapshot import SNAPSHOT
from reticle.resources.verdict import VERDICT
from reticle.testing.gate import GateBench
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository

STRANGER = Principal(PrincipalKind.TOKEN, "t1")
NEWEST = REVISIONS[4]


async def _sound(_: CallContext, __: Mapping[str, str]) -> list[PromptMessage]:
    return [PromptMessage(audio_block(b"wav", "audio/wav"))]


@attrs.define(eq=False)
class Scene:
    """
    Features over the product's resources and prompts, one page connected.
    """

    page: FakePage = attrs.field(factory=lambda: FakePage("p1"))
    bench: GateBench = attrs.field(init=False)
    features: Features = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        pages = FakePages(self.page)
        self.bench = GateBench(pages=pages)
        self.bench.token(name="t1")
        self.features = Features(
            gate=self.bench.gate,
            readable=Readable([SESSIONS], [SNAPSHOT, VERDICT]),
            prompts=Prompts([VERIFY, DEBUG, Prompt("sound", "Sound", "Sounds.", (), _sound)]),
        )

    def result(self, coroutine: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
        """
        The fields of a result that needs no time.
        """
        got: list[Any] = []
        Deferred.fromCoroutine(coroutine).addBoth(got.append)
        [outcome] = got
        if not isinstance(outcome, dict):
            outcome.raiseException()
        return outcome  # type: ignore[no-any-return]  # a failure has raised

    def fault(self, coroutine: Coroutine[Any, Any, dict[str, Any]]) -> PeerFault:
        """
        The fault that it ended with.
        """
        try:
            fields = self.result(coroutine)
        except PeerFault as fault:
            return fault
        raise AssertionError(f"it gave {fields}")

    def call(self, name: str, arguments: bytes = b"{}", principal: Principal = LOCAL) -> Call:
        """
        A call of that name.
        """
        return Call(Caller(principal, Carrier.HTTP, "c1"), name, arguments)


def test_lists_show_what_a_caller_may_have() -> None:
    """
    A local client sees the page, the kinds of addresses and the prompts; a token without grants sees none.
    """
    scene = Scene()
    features = scene.features

    def listed(principal: Principal) -> list[Any]:
        return [
            features.resources_list(principal, NEWEST, None)["resources"],
            features.templates_list(principal, NEWEST, None)["resourceTemplates"],
            features.prompts_list(principal, NEWEST, None)["prompts"],
        ]

    assert [len(entries) for entries in listed(LOCAL)] == [2, 2, 3]
    assert listed(STRANGER) == [[], [], []]
    assert "title" not in features.prompts_list(LOCAL, REVISIONS[0], None)["prompts"][0]  # type: ignore[index]  # a list
    assert features.has_resources
    assert features.has_prompts
    assert features.has_completions
    assert scene.bench.audit.rows == []


def test_a_cursor_of_another_list_is_a_fault() -> None:
    """
    Every list checks its cursor.
    """
    features = Scene().features
    for listing in (
        features.tools_list,
        features.resources_list,
        features.templates_list,
        features.prompts_list,
    ):
        with pytest.raises(PeerFault, match="cursor"):
            listing(LOCAL, NEWEST, "")


def test_a_resource_is_read_with_a_row() -> None:
    """
    The contents name their address; the row tells who read, and a hash of what.
    """
    scene = Scene()
    scene.page.answer(CommandName.SNAPSHOT, {"tree": 'button "Save" e4'})
    uri = "reticle://session/p1/snapshot"
    assert scene.result(scene.features.read(scene.call(uri))) == {
        "contents": [{"uri": uri, "mimeType": "text/plain", "text": 'button "Save" e4'}]
    }
    assert scene.bench.audit.decisions() == [("resources/read", "allowed")]


def test_what_is_not_there_is_unknown_by_its_address() -> None:
    """
    A closed page, a verdict that never was and nonsense are told alike, each with a row.
    """
    scene = Scene()
    for uri in ("reticle://session/p2/snapshot", "reticle://verdict/v9", "file:///etc/passwd"):
        fault = scene.fault(scene.features.read(scene.call(uri)))
        assert (fault.code, fault.jsonrpc_code, fault.data) == ("resource_unknown", -32602, {"uri": uri})
    assert scene.bench.audit.decisions() == [("resources/read", "refused:resource_unknown")] * 3
    scene.features.check_uri(LOCAL, "reticle://verdict/v9")


def test_nobody_looks_without_the_capability() -> None:
    """
    A token that was granted nothing cannot tell what is there from what is not.
    """
    scene = Scene()
    for uri in ("reticle://sessions", "nonsense:"):
        fault = scene.fault(scene.features.read(scene.call(uri, principal=STRANGER)))
        assert (fault.code, fault.jsonrpc_code) == ("capability_missing", -31001)
    for principal, uri in ((STRANGER, "reticle://sessions"), (LOCAL, "nonsense:")):
        with pytest.raises(PeerFault, match="there is no resource"):
            scene.features.check_uri(principal, uri)


def test_a_prompt_is_made_in_the_words_of_the_revision() -> None:
    """
    A person's words become the first message; a sound is a line of text for clients that know none.
    """
    scene = Scene()
    features = scene.features
    made = scene.result(features.get_prompt(scene.call("verify", b'{"change":"Save saves"}'), NEWEST))
    assert "Save saves" in made["messages"][0]["content"]["text"]
    assert made["description"] == VERIFY.description
    new = scene.result(features.get_prompt(scene.call("sound"), NEWEST))
    old = scene.result(features.get_prompt(scene.call("sound"), REVISIONS[0]))
    kinds = [made["messages"][0]["content"]["type"] for made in (new, old)]
    assert kinds == ["audio", "text"]
    assert scene.bench.audit.decisions() == [("prompts/get", "allowed")] * 3
    assert scene.fault(features.get_prompt(scene.call("none"), NEWEST)).code == "prompt_unknown"


def test_arguments_are_completed_for_whoever_may() -> None:
    """
    A page's id is offered for a prompt and for an address; free texts offer nothing, unknown names fail.
    """
    scene = Scene()

    def complete(kind: str, name: str, argument: str, principal: Principal = LOCAL) -> Any:
        return scene.features.complete(principal, kind, name, argument, "p", {})

    found = {"completion": {"values": ["p1"], "total": 1, "hasMore": False}}
    assert scene.result(complete("ref/prompt", "verify", "page")) == found
    assert scene.result(complete("ref/resource", SNAPSHOT.listed.uri, "id")) == found
    free = scene.result(complete("ref/prompt", "verify", "change"))
    assert free["completion"]["values"] == []
    assert scene.fault(complete("ref/prompt", "verify", "nothing")).code == "bad_params"
    assert scene.fault(complete("ref/prompt", "none", "page")).code == "prompt_unknown"
    assert scene.fault(complete("ref/prompt", "verify", "page", STRANGER)).code == "prompt_unknown"
    assert scene.fault(complete("ref/resource", "reticle://sessions", "id")).code == "resource_unknown"


def test_a_refusal_keeps_its_code_and_its_next_step() -> None:
    """
    A read that a page refuses tells a client as much as a tool would.
    """
    fault = as_fault(Refusal(RefusalCode.COMMAND_TIMEOUT, "no answer", "Reload it.", {"a": 1}))
    assert (fault.code, fault.jsonrpc_code) == ("command_timeout", -32603)
    assert fault.data == {"recovery": "Reload it.", "a": 1}
    assert as_fault(Refusal(RefusalCode.BAD_ARGUMENTS, "m")).jsonrpc_code == -32602


def test_pages_of_others_are_in_no_list_and_complete_nothing() -> None:
    """
    A token for one repository reads its own pages' snapshots, and hears of no other page.
    """
    scene = Scene(FakePage("p1", url="http://localhost:1/"))
    scene.bench.repositories.keep(a_repository("r1", ["http://localhost:1"]), a_repository("r2"))
    features = scene.features
    for place, seen in (("r1", 1), ("r2", 0)):
        holder = scene.bench.token(a_grant(Capability.OBSERVE, place), name=place)
        resources: Any = features.resources_list(holder, NEWEST, None)["resources"]
        assert [each["uri"] for each in resources[1:]] == ["reticle://session/p1/snapshot"] * seen
        completed = scene.result(features.complete(holder, "ref/prompt", "verify", "page", "", {}))
        assert completed["completion"]["total"] == seen
        call = scene.call("reticle://session/p1/snapshot", principal=holder)
        if seen:
            features.check_uri(holder, "reticle://session/p1/snapshot")
        else:
            assert scene.fault(features.read(call)).code == "resource_unknown"
            with pytest.raises(PeerFault):
                features.check_uri(holder, "reticle://session/p1/snapshot")
        features.check_uri(holder, "reticle://sessions")
        with pytest.raises(PeerFault):
            features.check_uri(holder, "reticle://session/later/snapshot")
    features.check_uri(LOCAL, "reticle://session/later/snapshot")


def test_a_page_that_was_led_elsewhere_is_not_told_of() -> None:
    """
    A token that subscribed to its page hears no more of it while it shows another repository's app; whoever
    may see everything, and everybody once it is gone, still does.
    """
    page = FakePage("p1", url="http://localhost:1/")
    scene = Scene(page)
    scene.bench.repositories.keep(a_repository("r1", ["http://localhost:1"]))
    holder = scene.bench.token(a_grant(Capability.OBSERVE, "r1"))
    changed = ResourceUpdated("reticle://session/p1/snapshot")
    heard: list[bool] = []
    ways: list[Callable[[], None]] = [
        lambda: None,
        lambda: page.load_document("d2", "http://localhost:2/"),
        page.disconnect,
    ]
    for lead in ways:
        lead()
        heard.append(scene.features.may_hear(holder, changed))
        assert scene.features.may_hear(LOCAL, changed)
        assert scene.features.may_hear(holder, ResourceUpdated("reticle://sessions"))
        assert scene.features.may_hear(holder, ResourcesChanged())
    assert heard == [True, False, True]
