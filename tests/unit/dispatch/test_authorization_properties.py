"""
Whatever the token, its grants, the repository, the page, the tool and the carrier: one decision, one row.

The expected decision is worked out here a second time, in the plainest way, from the second seed's words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from twisted.internet.defer import Deferred

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call, Caller
from reticle.mcp.strict_json import encode
from reticle.mcp.versions import REVISIONS
from reticle.model.codes import Capability, Carrier, Exposure, RepositoryScope, Toolset
from reticle.model.ids import PageId
from reticle.model.tokens import Grant, SealedToken
from reticle.model.trust import Principal
from reticle.ports import CallContext
from reticle.testing.gate import GateBench, NoArguments, scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository, a_token, bearer_of
from reticle.tools.arguments import PageArguments
from reticle.tools.spec import Arguments, Tool, ToolAnswer

EXAMPLES = 500
"""Enough that each rule that is left out is noticed; a second for each test."""

GRANTABLE = (Capability.OBSERVE, Capability.READ, Capability.WRITE)
PAGES = {"p0": None, "p1": "r1", "p2": "r2"}
"""Each page's repository."""


class PlaceArguments(Arguments, frozen=True, kw_only=True):
    """
    A repository, of whatever type until somebody looks.
    """

    repository_id: str | UnsetType = UNSET


async def use_page(context: CallContext, arguments: PageArguments) -> ToolAnswer:
    """
    Use the named page.
    """
    page = context.pages.resolve(PageId(arguments.sessionId or "p0"))
    return ToolAnswer({"seen": page.identity.page_id})


async def use_nothing(_: CallContext, __: object) -> ToolAnswer:
    """
    Be allowed.
    """
    return ToolAnswer({})


ARGUMENTS: Mapping[RepositoryScope, type[Arguments]] = {
    RepositoryScope.PAGE: PageArguments,
    RepositoryScope.SINGLE_REPO: PlaceArguments,
    RepositoryScope.DAEMON_GLOBAL: NoArguments,
}


def tools() -> list[Tool]:
    """
    One tool of each capability, scope and exposure.
    """
    made = []
    for capability in (None, *GRANTABLE):
        for scope in RepositoryScope:
            for exposure in Exposure:
                run = use_page if scope is RepositoryScope.PAGE else use_nothing
                tool = scripted_tool(f"{capability}.{scope}.{exposure}", run, ARGUMENTS[scope])
                made.append(
                    attrs.evolve(
                        tool, capability=capability, scope=scope, exposure=exposure, toolset=Toolset.WORK
                    )
                )
    return made


TOOLS = {tool.name: tool for tool in tools()}
LISTED = [tool for tool in TOOLS.values() if tool.exposure is Exposure.LISTED and tool.capability]
ADDRESSES = {"r1": "http://localhost:1", "r2": "http://localhost:2", None: "http://localhost:9"}


@pytest.fixture(scope="module")
def bench() -> GateBench:
    """
    A gate over all those tools, two repositories, and a page of each and of none.
    """
    pages = [FakePage(name, url=f"{ADDRESSES[place]}/") for name, place in PAGES.items()]
    made = GateBench(TOOLS.values(), pages=FakePages(*pages))
    made.repositories.keep(a_repository("r1", [ADDRESSES["r1"]]), a_repository("r2", [ADDRESSES["r2"]]))
    return made


@attrs.frozen
class Asked:
    """
    One call, without its carrier.
    """

    tool: Tool
    place: object
    beside: bool
    page: str
    alias: bool

    def call(self, principal: Principal, carrier: Carrier, *, through_run: bool = False) -> Call:
        """
        As the gate takes it.
        """
        arguments: dict[str, Any] = {}
        if self.tool.scope is RepositoryScope.PAGE:
            arguments = {"sessionId": self.page}
        elif self.tool.scope is RepositoryScope.SINGLE_REPO and self.place is not None and not self.beside:
            arguments = {"repository_id": self.place}
        beside = self.place if self.beside and isinstance(self.place, str) else None
        name = self.tool.name.replace(".", "_") if self.alias else self.tool.name
        if through_run:
            name, arguments = "reticle_run", {"tool": name, "args": arguments}
        return Call(Caller(principal, carrier, "c1", lasting=False), name, encode(arguments), beside)


def moments(now: float) -> st.SearchStrategy[float | None]:
    """
    Never, past, this very moment, to come.
    """
    return st.sampled_from([None, now - 1, now, now + 1])


NOW = GateBench().clock.now()
grants = st.builds(
    a_grant,
    st.sampled_from(GRANTABLE),
    st.sampled_from([None, "r1", "r2"]),
    expires_at=moments(NOW),
    revoked_at=st.sampled_from([None, None, NOW - 1]),
)
tokens = st.builds(
    lambda granted, expires_at, revoked_at: a_token(*granted, expires_at=expires_at, revoked_at=revoked_at),
    st.lists(grants, max_size=6),
    st.sampled_from([None, None, None, None, NOW - 1, NOW, NOW + 1]),
    st.sampled_from([None, None, None, None, None, None, NOW - 1]),
)
calls = st.builds(
    Asked,
    st.sampled_from(LISTED) | st.sampled_from(list(TOOLS.values())),
    st.sampled_from(["r1", "r2", "r9"]) | st.sampled_from([None, "", 5, ["r1"]]),
    st.booleans(),
    st.sampled_from([*PAGES, "p9"]),
    st.booleans(),
)


def expected(asked: Asked, token: SealedToken, carrier: Carrier) -> str | None:
    """
    Why the call is denied; None when it is allowed.
    """
    tool, place = asked.tool, asked.place if isinstance(asked.place, str) and asked.place else None
    from_socket = tool.exposure is Exposure.HANDSHAKE and carrier is Carrier.SOCKET
    if tool.exposure in {Exposure.HIDDEN, Exposure.HANDSHAKE} and not from_socket:
        return "tool_hidden"
    if tool.scope is RepositoryScope.SINGLE_REPO and place is None:
        return "repo_not_registered"
    unknown_page = tool.scope is RepositoryScope.PAGE and asked.page not in PAGES
    if tool.capability is None:
        return "unknown_session" if unknown_page else None
    mine = [g for g in token.token.grants if g.capability is tool.capability and g.revoked_at is None]
    live = [g for g in mine if g.expires_at is None or g.expires_at > NOW]
    return ended(token) or (
        on_page(asked.page, mine, live)
        if tool.scope is RepositoryScope.PAGE
        else in_repository(place if tool.scope is RepositoryScope.SINGLE_REPO else None, mine, live)
    )


def ended(token: SealedToken) -> str | None:
    """
    Why a token does not count.
    """
    if token.token.revoked_at is not None:
        return "token_revoked"
    over = token.token.expires_at is not None and token.token.expires_at <= NOW
    return "token_expired" if over else None


def on_page(page: str, mine: Sequence[Grant], live: Sequence[Grant]) -> str | None:
    """
    Why it is denied on a page, by the grants of the capability and those of them that count.
    """
    if not live:
        return "capability_expired" if mine else "capability_missing"
    if page not in PAGES:
        return "unknown_session"
    allowed = any(g.repository_id in {None, PAGES[page]} for g in live)
    return None if allowed else "capability_scope_mismatch"


def in_repository(place: str | None, mine: Sequence[Grant], live: Sequence[Grant]) -> str | None:
    """
    As ``on_page``, in a repository or (None) in all.
    """
    if any(g.repository_id in {None, place} for g in live):
        return "repo_not_registered" if place == "r9" else None
    if any(g.repository_id in {None, place} for g in mine):
        return "capability_expired"
    return "capability_scope_mismatch" if live else "capability_missing"


def run(bench: GateBench, call: Call) -> CallResult:
    """
    Its result.
    """
    told: list[CallResult] = []
    Deferred.fromCoroutine(bench.gate.call(call)).addCallback(told.append)
    return told[0]


def decide(bench: GateBench, token: SealedToken, asked: Asked, carrier: Carrier) -> str | None:
    """
    The code of the denial; exactly one row says the same.
    """
    bench.tokens.keep(token)
    before = len(bench.audit.rows)
    result = run(bench, asked.call(bearer_of(token), carrier))
    [row] = bench.audit.rows[before:]
    assert result.structured["audit_id"] == row.audit_id
    code = result.structured.get("error")
    hidden = code == "tool_hidden"
    assert row.draft.decision == ("hidden" if hidden else "refused" if result.is_error else "allowed")
    assert row.draft.reason == (code or "")
    assert (row.draft.tool, row.draft.carrier) == (asked.tool.name, carrier)
    assert row.draft.principal == "token:t1"
    return None if code is None else str(code)


@settings(deadline=None, max_examples=EXAMPLES)
@given(token=tokens, asked=calls)
def test_every_carrier_decides_as_the_rules_say(bench: GateBench, token: SealedToken, asked: Asked) -> None:
    """
    An agent is allowed or denied the same by each carrier and name, and each time there is one row of it.
    """
    for carrier in Carrier:
        assert decide(bench, token, asked, carrier) == expected(asked, token, carrier)


@settings(deadline=None, max_examples=EXAMPLES)
@given(token=tokens, asked=calls, data=st.data())
def test_a_grant_less_never_allows_more(
    bench: GateBench, token: SealedToken, asked: Asked, data: st.DataObject
) -> None:
    """
    Taking any grant away, or ending the token, lets nobody do what they could not do before.
    """
    granted: Sequence[Grant] = token.token.grants
    kept = [grant for grant in granted if data.draw(st.booleans())]
    for carrier in (Carrier.HTTP, Carrier.SOCKET):
        more = decide(bench, token, asked, carrier)
        less = decide(
            bench, attrs.evolve(token, token=attrs.evolve(token.token, grants=kept)), asked, carrier
        )
        ended = attrs.evolve(token, token=attrs.evolve(token.token, revoked_at=NOW - 1))
        assert less is not None or more is None
        assert asked.tool.capability is None or decide(bench, ended, asked, carrier) is not None


@settings(deadline=None, max_examples=EXAMPLES)
@given(token=tokens, asked=calls)
def test_a_meta_tool_opens_nothing(bench: GateBench, token: SealedToken, asked: Asked) -> None:
    """
    What is denied directly is denied through reticle_run, and both the call and the call inside have a row.
    """
    looker = attrs.evolve(
        token.token,
        grants=(*token.token.grants, a_grant(Capability.OBSERVE)),
        revoked_at=None,
        expires_at=None,
    )
    token = attrs.evolve(token, token=looker)
    bench.tokens.keep(token)
    before = len(bench.audit.rows)
    result = run(bench, asked.call(bearer_of(token), Carrier.HTTP, through_run=True))
    wanted = expected(asked, token, Carrier.HTTP)
    assert result.structured.get("error") == wanted
    inner, outer = bench.audit.rows[before:]
    assert (inner.draft.tool, outer.draft.tool) == (asked.tool.name, "reticle_run")
    assert inner.draft.reason == outer.draft.reason == (wanted or "")


@settings(deadline=None, max_examples=EXAMPLES)
@given(token=tokens, place=st.sampled_from([None, "r1", "r2", "r9"]))
def test_the_list_shows_what_can_be_called(bench: GateBench, token: SealedToken, place: str | None) -> None:
    """
    A listed tool is one that the token may call in that repository, and every such tool is listed.
    """
    bench.tokens.keep(token)
    listed = json.loads(bench.gate.tools_list(bearer_of(token), REVISIONS[3], place))["tools"]
    shown = {tool["name"] for tool in listed} & TOOLS.keys()
    places = ["r1", "r2"] if place is None else [place]
    pages = [*PAGES] if place is None else [name for name, its in PAGES.items() if its == place]
    for tool in TOOLS.values():
        if tool.exposure is not Exposure.LISTED or tool.capability is None:
            assert tool.name not in shown
            continue
        tried = [Asked(tool, each, beside=False, page="p0", alias=False) for each in places]
        if tool.scope is RepositoryScope.PAGE and place != "r9":
            tried = [Asked(tool, None, beside=False, page=page, alias=False) for page in pages]
        codes = [expected(asked, token, Carrier.HTTP) for asked in tried]
        if place == "r9" and tool.scope is not RepositoryScope.DAEMON_GLOBAL:
            continue
        assert (None in codes) is (tool.name in shown)
