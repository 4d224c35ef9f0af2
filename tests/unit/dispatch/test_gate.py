"""
The one road of every call.
"""

from __future__ import annotations

import hashlib
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call, Caller, cancelled_by_client
from reticle.dispatch.holding import conversation_name
from reticle.errors import PeerFault, Refusal
from reticle.model.audit import AuditDraft
from reticle.model.codes import AuditTransport, Capability, Carrier, EventType, RefusalCode, RepositoryScope
from reticle.model.ids import TokenId, VerdictId
from reticle.model.trust import LOCAL, Principal, PrincipalKind
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.stores import MemoryAudit
from reticle.testing.tokens import a_grant, a_repository
from reticle.tools.arguments import PageArguments
from reticle.tools.attendance import present_page
from reticle.tools.spec import Arguments, ToolAnswer


async def _look(context: CallContext, arguments: PageArguments) -> ToolAnswer:
    page = await present_page(context, arguments.sessionId, ["e5"])
    return ToolAnswer({"page": page.identity.page_id}, "e5 and e6")


async def _look_and_wait(context: CallContext, arguments: PageArguments) -> ToolAnswer:
    await present_page(context, arguments.sessionId)
    await Deferred()
    raise AssertionError("nobody lets it go on")


async def _act(context: CallContext, arguments: PageArguments) -> ToolAnswer:
    await present_page(context, arguments.sessionId)
    return ToolAnswer({"done": True}, actions=1)


LOOK = scripted_tool("test_look", _look, PageArguments)
ACT = attrs.evolve(scripted_tool("test_act", _act, PageArguments), acts=True)
CALLER = Caller(LOCAL, Carrier.SSE, "conversation_1")


def start(bench: GateBench, call: Call) -> list[CallResult]:
    """
    A call under way; its result is in the list once it has one.
    """
    results: list[CallResult] = []
    Deferred.fromCoroutine(bench.gate.call(call)).addCallback(results.append)
    return results


def run(bench: GateBench, name: str, arguments: bytes = b"{}", caller: Caller = CALLER) -> CallResult:
    """
    The result of a call that does not wait.
    """
    [result] = start(bench, Call(caller, name, arguments))
    return result


def test_an_answer_with_its_row() -> None:
    """
    A call is answered with the id of its row, which tells who called what and not with which words.
    """
    bench = GateBench()
    arguments = b'{"text": "hi", "times": 2}'
    result = run(bench, "test_echo", arguments)
    assert result.structured == {
        "ok": True,
        "method": "test_echo",
        "audit_id": "audit_1",
        "text": "hihi",
        "sessionId": None,
    }
    [row] = bench.audit.rows
    assert row.audit_id == result.structured["audit_id"]
    assert row.draft == AuditDraft(
        principal="local",
        transport=AuditTransport.MCP,
        carrier=Carrier.SSE,
        tool="test_echo",
        repository_id=None,
        decision="allowed",
        reason="",
        arguments_sha256=hashlib.sha256(arguments).hexdigest(),
        duration_ms=0.0,
    )
    assert bench.told == [("test_echo", "allowed", 0.0)]


def test_a_tools_own_refusal() -> None:
    """
    A tool that will not do something says so in the same shape as the gate does.
    """
    bench = GateBench()
    result = run(bench, "test_refuse")
    assert result.is_error
    assert result.structured["error"] == "no_session"
    assert result.structured["candidates"] == ["p1"]
    assert bench.audit.decisions() == [("test_refuse", "refused:no_session")]


def test_an_unknown_tool() -> None:
    """
    A misspelt tool is a refusal with the right spelling, has its row, and makes no label of its own.
    """
    bench = GateBench()
    result = run(bench, "test_ecko")
    assert result.structured["error"] == "method_unknown"
    assert result.structured["recovery"] == "Did you mean test_echo? reticle_tools describes every tool."
    assert "test_hidden" in result.structured["available"]  # type: ignore[operator]  # a list of names
    assert bench.audit.decisions() == [("test_ecko", "refused:method_unknown")]
    assert bench.told == [("unknown", "refused", 0.0)]


def test_an_endless_name_is_cut_everywhere() -> None:
    """
    A name that nobody can have meant does not fill the audit log.
    """
    bench = GateBench()
    result = run(bench, "x" * 100_000)
    assert len(bench.audit.rows[0].tool) <= 128
    assert len(result.text) < 2_000


def test_bad_arguments_have_a_row_too() -> None:
    """
    A call that never ran is in the audit log.
    """
    bench = GateBench()
    assert run(bench, "test_echo", b'{"txt":"x"}').structured["error"] == "bad_arguments"
    assert bench.audit.decisions() == [("test_echo", "refused:bad_arguments")]


def test_a_principal_without_grants() -> None:
    """
    A token without a grant is refused by capability, and sees no tool as available.
    """
    bench = GateBench()
    stranger = Caller(bench.token(name="t9"), Carrier.HTTP, "c")
    result = run(bench, "test_echo", b'{"text":"x"}', stranger)
    assert result.structured["error"] == "capability_missing"
    assert result.structured["required_capability"] == "observe"
    assert run(bench, "nonsense", b"{}", stranger).structured["available"] == []
    assert [row.principal for row in bench.audit.rows] == ["token:t9", "token:t9"]


def test_a_bug_is_told_by_its_number_only(logged_failures: Any) -> None:
    """
    A failing tool ends its own call; the peer gets a number that stands in the log and in the row.
    """
    bench = GateBench()
    result = run(bench, "test_break")
    incident = result.structured["incident"]
    assert result.structured["error"] == "internal_error"
    assert "secret" not in result.text + str(result.structured)
    assert bench.audit.decisions() == [("test_break", f"failed:{incident}")]
    assert bench.told[0][1] == "failed"
    assert [failure.type for failure in logged_failures.flush(ZeroDivisionError)] == [ZeroDivisionError]


@pytest.mark.parametrize("name", ["ok", "audit_id"])
def test_a_tool_with_a_stolen_field(name: str, logged_failures: Any) -> None:
    """
    A tool that would hide the gate's fields is a bug, not an answer.
    """

    async def steal(_: CallContext, __: NoArguments) -> ToolAnswer:
        return ToolAnswer({name: True})

    bench = GateBench([scripted_tool("test_steal", steal)])
    assert run(bench, "test_steal").structured["error"] == "internal_error"
    assert len(logged_failures.flush()) == 1


def test_a_tool_may_return_a_deferred_and_raise_at_once() -> None:
    """
    However a tool is written, its outcome is the same.
    """

    def at_once(_: CallContext, __: NoArguments) -> Any:
        raise PeerFault("malformed_body", "the page sent nonsense")

    bench = GateBench([scripted_tool("test_at_once", at_once)])
    result = run(bench, "test_at_once")
    assert (result.structured["error"], result.is_error) == ("malformed_body", True)
    assert bench.audit.decisions() == [("test_at_once", "refused:malformed_body")]


def test_no_row_no_answer() -> None:
    """
    While the audit log cannot be written, calls are refused, whatever they would have said.
    """
    bench = GateBench()
    bench.audit.failing = True
    for name in ("test_echo", "test_refuse", "nonsense"):
        result = run(bench, name, b'{"text":"x"}')
        assert (result.structured["error"], result.structured["audit_id"]) == ("storage_failed", None)
        assert "xx" not in result.text
    assert [outcome for _, outcome, _ in bench.told] == ["refused"] * 3


def test_a_store_with_a_bug_gives_no_answer(logged_failures: Any) -> None:
    """
    A bug in the store is an incident, not an answer without a row.
    """

    class Broken(MemoryAudit):
        """
        A log that fails in no foreseen way.
        """

        def record(self, draft: AuditDraft) -> Any:
            """
            Fail.
            """
            del draft
            raise OSError("disk")

    bench = GateBench()
    bench.gate._audit = Broken()
    result = run(bench, "test_echo", b'{"text":"x"}')
    assert (result.structured["error"], result.structured["audit_id"]) == ("internal_error", None)
    assert len(logged_failures.flush(OSError)) == 1


def test_the_answer_waits_for_its_row() -> None:
    """
    Nothing is told before the row is committed, and rows of one moment are committed together.
    """
    bench = GateBench()
    bench.audit.holding = True
    first = start(bench, Call(CALLER, "test_echo", b'{"text":"a"}'))
    second = start(bench, Call(CALLER, "test_refuse"))
    assert (first, second, bench.gate.calls_in_flight) == ([], [], 2)
    bench.audit.commit()
    assert bench.gate.calls_in_flight == 0
    assert [first[0].structured["audit_id"], second[0].structured["audit_id"]] == ["audit_1", "audit_2"]


def test_a_verdict_is_named_in_its_row() -> None:
    """
    The row of a call that gave a verdict leads to the verdict.
    """

    async def judge(context: CallContext, _: NoArguments) -> ToolAnswer:
        return ToolAnswer({}, verdict_id=context.new_verdict_id())

    bench = GateBench([scripted_tool("test_judge", judge)])
    run(bench, "test_judge")
    assert bench.audit.rows[0].draft.verdict_id == VerdictId("verdict_id00000000000001")


def test_what_a_tool_gets_to_know() -> None:
    """
    A tool knows who calls, in which conversation, what it may, where the daemon is, and its time.
    """
    seen: list[object] = []

    async def look(context: CallContext, _: NoArguments) -> ToolAnswer:
        seen.extend((context.principal, context.conversation_id, context.daemon_url))
        seen.append([context.may(capability) for capability in Capability])
        seen.append([entry["name"] for entry in context.catalogue()][:2])
        seen.extend((context.clock, context.agent, context.is_operator))
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_look", look)])
    run(bench, "test_look")
    assert seen[:3] == [LOCAL, "conversation_1", "http://127.0.0.1:4400"]
    may = {Capability.OBSERVE, Capability.DRIVE}
    assert seen[3] == [capability in may for capability in Capability]
    assert seen[4:5] == [["test_echo", "test_refuse"]]
    assert seen[5] is bench.clock
    assert seen[6:] == [conversation_name("conversation_1"), False]


def stopped(code: RefusalCode) -> Refusal:
    """
    A reason to stop.
    """
    return Refusal(code, "stopped", "again later")


@pytest.mark.parametrize(
    ("code", "decision", "outcome"),
    [
        (RefusalCode.CANCELLED, "cancelled", "cancelled"),
        (RefusalCode.SHUTTING_DOWN, "refused:shutting_down", "refused"),
    ],
)
def test_a_stopped_call(code: RefusalCode, decision: str, outcome: str) -> None:
    """
    Stopping a call stops the tool's waits, and the row says why it ended.
    """
    bench = GateBench()
    call = Call(CALLER, "test_wait")
    results = start(bench, call)
    bench.clock.advance(1.5)
    call.stop(stopped(code))
    call.stop(stopped(RefusalCode.INTERNAL_ERROR))
    assert bench.waiting.cancelled == 1
    assert results[0].structured["error"] == code
    assert bench.audit.decisions() == [("test_wait", decision)]
    assert bench.audit.rows[0].draft.duration_ms == 1500.0
    assert bench.told == [("test_wait", outcome, 1.5)]


def test_a_call_that_has_answered_cannot_be_stopped() -> None:
    """
    What has happened is recorded as it happened, also if the stop comes before the commit.
    """
    bench = GateBench()
    bench.audit.holding = True
    call = Call(CALLER, "test_echo", b'{"text":"x"}')
    results = start(bench, call)
    call.stop(stopped(RefusalCode.CANCELLED))
    assert results == []
    bench.audit.commit()
    assert results[0].structured["text"] == "x"
    assert bench.audit.decisions() == [("test_echo", "allowed")]


def test_a_tool_that_cancels_itself_is_a_bug(logged_failures: Any) -> None:
    """
    A tool that loses track of its own waits is an incident, not a call that the client cancelled.
    """

    async def lose(_: CallContext, __: NoArguments) -> ToolAnswer:
        wait: Deferred[None] = Deferred()
        wait.cancel()
        await wait
        return ToolAnswer({})

    bench = GateBench([scripted_tool("test_lose", lose)])
    assert run(bench, "test_lose").structured["error"] == "internal_error"
    assert len(logged_failures.flush()) == 1


def test_run_takes_the_same_road() -> None:
    """
    A tool called through reticle_run is checked and recorded as itself.
    """
    bench = GateBench()
    result = run(bench, "reticle_run", b'{"tool":"test_hidden","args":{"text":"x"},"sessionId":"p1"}')
    assert (result.structured["text"], result.structured["sessionId"]) == ("x", "p1")
    refused = run(bench, "reticle_run", b'{"tool":"test_hidden","args":{"txt":"x"}}')
    assert refused.structured["error"] == "bad_arguments"
    unknown = run(bench, "reticle_run", b'{"tool":"test_ecko"}')
    assert (unknown.structured["error"], "test_echo" in unknown.text) == ("method_unknown", True)
    assert bench.audit.decisions() == [
        ("test_hidden", "allowed"),
        ("reticle_run", "allowed"),
        ("test_hidden", "refused:bad_arguments"),
        ("reticle_run", "refused:bad_arguments"),
        ("test_ecko", "refused:method_unknown"),
        ("reticle_run", "refused:method_unknown"),
    ]


@pytest.mark.parametrize(
    ("code", "decision"),
    [(RefusalCode.CANCELLED, "cancelled"), (RefusalCode.SHUTTING_DOWN, "refused:shutting_down")],
)
def test_stopping_a_call_stops_the_one_inside(code: RefusalCode, decision: str) -> None:
    """
    A stopped reticle_run stops the tool that it runs, and both rows name the same reason.
    """
    bench = GateBench()
    call = Call(CALLER, "reticle_run", b'{"tool":"test_wait"}')
    results = start(bench, call)
    call.stop(stopped(code))
    assert bench.waiting.cancelled == 1
    assert results[0].structured["error"] == code
    assert bench.audit.decisions() == [("test_wait", decision), ("reticle_run", decision)]


def test_stopping_while_the_inner_row_is_written() -> None:
    """
    A stop that meets a commit loses no row and hides no action.
    """
    bench = GateBench()
    bench.audit.holding = True
    call = Call(CALLER, "reticle_run", b'{"tool":"test_echo","args":{"text":"x"}}')
    results = start(bench, call)
    call.stop(stopped(RefusalCode.CANCELLED))
    bench.audit.commit()
    assert results[0].structured["error"] == "cancelled"
    assert bench.audit.decisions() == [("test_echo", "allowed"), ("reticle_run", "cancelled")]


def test_a_pause_holds_for_every_road_to_an_act() -> None:
    """
    A person's Pause stops an act called by name and through reticle_run, with their words and a row for each.
    """
    page = FakePage("p1")
    bench = GateBench(extra=[LOOK, ACT], pages=FakePages(page))
    page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "not this form"})
    refused = run(bench, "test_act")
    assert (refused.is_error, refused.structured["error"], refused.structured["paused"]) == (
        True,
        "paused",
        True,
    )
    assert refused.structured["control"] == {"state": "paused", "guidance": ["not this form"]}
    assert "guidance: [not this form]" in refused.text
    again = run(bench, "reticle_run", b'{"tool": "test_act"}')
    assert again.structured["error"] == "paused"
    assert again.structured["control"] == {"state": "paused", "guidance": []}
    looked = run(bench, "test_look")
    assert (looked.is_error, looked.structured["page"]) == (False, "p1")
    assert bench.audit.decisions() == [
        ("test_act", "refused:paused"), ("test_act", "refused:paused"), ("reticle_run", "refused:paused"),
        ("test_look", "allowed"),
    ]  # fmt: skip


def test_a_message_waits_for_an_answer_that_leaves() -> None:
    """
    A person's words come with the refusal of a call that could not be audited, not with one nobody wants.
    """
    page = FakePage("p1")
    slow = scripted_tool("test_slow", _look_and_wait, PageArguments)
    bench = GateBench(extra=[LOOK, slow], pages=FakePages(page))
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "hello"})
    assert "control" not in run(bench, "test_echo", b'{"text": "x"}').structured
    assert run(bench, "test_look").structured["control"] == {"state": "active", "guidance": ["hello"]}
    assert "control" not in run(bench, "test_look").structured
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "still there?"})
    bench.audit.failing = True
    unaudited = run(bench, "test_look").structured
    assert (unaudited["error"], unaudited["control"]) == (
        "storage_failed", {"state": "active", "guidance": ["still there?"]},
    )  # fmt: skip
    bench.audit.failing = False
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "again"})
    unwanted = Call(CALLER, "test_slow")
    results = start(bench, unwanted)
    unwanted.stop(cancelled_by_client())
    assert results[0].structured["error"] == "cancelled"
    assert page.steering.waiting() == 1


def test_a_ref_shown_on_one_page_is_not_used_on_another() -> None:
    """
    The gate remembers which page a conversation's refs are of; another conversation knows nothing of it.
    """
    one, two = FakePage("one"), FakePage("two")
    bench = GateBench(extra=[LOOK], pages=FakePages(one))
    assert run(bench, "test_look").structured["page"] == "one"
    bench.pages.pages = [two]
    refused = run(bench, "test_look")
    assert refused.structured["error"] == "ref_of_another_page"
    assert "one" in str(refused.structured["message"])
    assert "two" in str(refused.structured["message"])
    stranger = Caller(LOCAL, Carrier.SSE, "conversation_2")
    assert run(bench, "test_look", caller=stranger).structured["page"] == "two"
    assert run(bench, "test_look", b'{"sessionId": "two"}').structured["page"] == "two"


def test_three_acts_without_a_verdict_are_minded() -> None:
    """
    The reminder counts a conversation's acts, each once, also through reticle_run.
    """
    bench = GateBench(extra=[ACT], pages=FakePages(FakePage("p1")))
    run(bench, "test_act")
    run(bench, "reticle_run", b'{"tool": "test_act"}')
    assert "verify_next" in run(bench, "test_act").structured


async def _place(_: CallContext, arguments: PlaceArguments) -> ToolAnswer:
    return ToolAnswer({"place": arguments.repository_id})


class PlaceArguments(Arguments, frozen=True, kw_only=True):
    """
    A repository.
    """

    repository_id: str


PLACE = attrs.evolve(
    scripted_tool("test.place", _place, PlaceArguments, capability=Capability.READ),
    scope=RepositoryScope.SINGLE_REPO,
    example={"repository_id": "r1"},
)


@pytest.mark.parametrize(
    ("name", "arguments", "beside", "place"),
    [
        ("test.place", b'{"repository_id":"r1"}', None, "r1"),
        ("test_place", b"{}", "r1", "r1"),
        ("test.place", b'{"repository_id":"r1"}', "r2", "r1"),
        ("reticle_run", b'{"tool":"test.place"}', "r2", "r2"),
        ("reticle_run", b'{"tool":"test_place","args":{"repository_id":"r1"}}', "r2", "r1"),
    ],
)
def test_a_repository_beside_the_arguments_counts_where_they_have_none(
    name: str, arguments: bytes, beside: str | None, place: str
) -> None:
    """
    It is copied only where absent, also through a meta tool, and the row says which repository it was.
    """
    bench = GateBench([PLACE])
    bench.repositories.keep(a_repository("r1"), a_repository("r2"))
    caller = Caller(bench.token(a_grant(Capability.READ), a_grant(Capability.OBSERVE)), Carrier.HTTP, "c1")
    [result] = start(bench, Call(caller, name, arguments, beside))
    assert result.structured["place"] == place
    rows = [row.draft for row in bench.audit.rows if row.draft.tool == "test.place"]
    assert [row.repository_id for row in rows] == [place]


def test_a_token_for_one_repository_uses_its_page_and_no_other() -> None:
    """
    Without a name it means its own page, whatever else is connected; the row names the repository.
    """
    ours, theirs = FakePage("ours", url="http://localhost:1/"), FakePage("theirs", url="http://localhost:2/")
    bench = GateBench([LOOK, ACT], pages=FakePages(theirs, ours))
    bench.repositories.keep(a_repository("r1", ["http://localhost:1"]))
    caller = Caller(bench.token(a_grant(Capability.OBSERVE, "r1")), Carrier.HTTP, "c1")
    assert run(bench, "test_look", caller=caller).structured["page"] == "ours"
    assert [page.identity.page_id for page in bench.gate.visible(caller.principal).all()] == ["ours"]
    refused = run(bench, "test_look", b'{"sessionId":"theirs"}', caller)
    assert refused.structured["error"] == "capability_scope_mismatch"
    assert [row.draft.repository_id for row in bench.audit.rows] == ["r1", None]


def test_the_row_names_the_repository_that_the_call_was_let_to() -> None:
    """
    Who leads a page to another repository's site is not written down as if it had been let to that one.
    """
    page = FakePage("p1", url="http://localhost:1/")

    async def lead_away(context: CallContext, arguments: PageArguments) -> ToolAnswer:
        await present_page(context, arguments.sessionId)
        page.load_document("d2", "http://localhost:2/")
        return ToolAnswer({"done": True})

    bench = GateBench([scripted_tool("test_lead", lead_away, PageArguments)], pages=FakePages(page))
    bench.repositories.keep(
        a_repository("r1", ["http://localhost:1"]), a_repository("r2", ["http://localhost:2"])
    )
    caller = Caller(bench.token(a_grant(Capability.OBSERVE, "r1")), Carrier.HTTP, "c1")
    assert not run(bench, "test_lead", caller=caller).is_error
    assert page.identity.url == "http://localhost:2/"
    assert run(bench, "test_lead", b'{"sessionId":"p1"}', caller).structured["error"] == (
        "capability_scope_mismatch"
    )
    assert [row.draft.repository_id for row in bench.audit.rows] == ["r1", None]


def test_a_token_that_ends_during_its_conversation_may_nothing_more() -> None:
    """
    Revocation and expiry hold from the next call on, also where a stream stays open.
    """
    bench = GateBench()
    caller = Caller(bench.token(a_grant(Capability.OBSERVE)), Carrier.SSE, "c1")
    assert not run(bench, "test_echo", b'{"text":"x"}', caller).is_error
    bench.tokens.revoke(TokenId("t1"), bench.clock.now(), "", bench.audit.rows[0].draft)
    ended = run(bench, "test_echo", b'{"text":"x"}', caller)
    assert ended.structured["error"] == "token_revoked"
    assert "revoked" in ended.text
    assert bench.audit.decisions()[-1] == ("test_echo", "refused:token_revoked")


@pytest.mark.parametrize("code", [RefusalCode.TOKEN_INVALID, RefusalCode.TOKEN_EXPIRED])
def test_a_token_that_was_refused_at_the_door_is_told_in_the_result(code: RefusalCode) -> None:
    """
    Whoever presents a wrong token gets its code as the result of the call, with a row, whatever it calls.
    """
    bench = GateBench()
    stranger = Caller(Principal(PrincipalKind.TOKEN, "t9", code), Carrier.HTTP, "c1")
    assert run(bench, "test_echo", b'{"text":"x"}', stranger).structured["error"] == code
    assert run(bench, "nonsense", b"{}", stranger).structured["available"] == []
    decided = [decision for _, decision in bench.audit.decisions()]
    assert decided == [f"refused:{code}", "refused:method_unknown"]


SECRET = "s" * 43
WHOLE = f"dtok_{'a' * 16}.{SECRET}"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [(WHOLE, "{}"), ("test_echo", f'{{"{WHOLE}":1}}'), ("test_look", f'{{"sessionId":"{WHOLE}"}}')],
)
def test_a_token_in_a_wrong_place_is_neither_repeated_nor_written_down(name: str, arguments: str) -> None:
    """
    Who takes a token for a name finds it in no answer and no audit row, so that no transcript keeps it.
    """
    bench = GateBench([LOOK])
    result = run(bench, name, arguments.encode())
    assert result.is_error
    assert SECRET not in result.text
    assert SECRET not in repr(result.structured)
    assert SECRET not in repr(bench.audit.rows)
