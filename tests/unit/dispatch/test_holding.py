"""
Two agents and one page, through the real gate.
"""

from __future__ import annotations

from typing import Any

import msgspec
from twisted.internet.defer import Deferred

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call, Caller
from reticle.dispatch.holding import agent_name, conversation_name, is_there, shown_name
from reticle.model.codes import Capability, Carrier, EventType
from reticle.model.trust import LOCAL, PAIRING, Principal
from reticle.testing.gate import GateBench, scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository
from reticle.tools.act import TOOLS as ACT
from reticle.tools.session import TOOLS as SESSION
from reticle.tools.sessions import TOOLS as SESSIONS

ONE = Caller(LOCAL, Carrier.SSE, "conversation_1")
TWO = Caller(LOCAL, Carrier.HTTP, "conversation_2")


def bench() -> GateBench:
    """
    A gate with the tools that matter here, and one page.
    """
    return GateBench([*SESSION, *SESSIONS, *ACT], pages=FakePages(FakePage("p1")))


def call(bench: GateBench, caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    """
    The structured content of a call that needs no time.
    """
    got: list[CallResult] = []
    asked = Call(caller, tool, msgspec.json.encode(arguments))
    Deferred.fromCoroutine(bench.gate.call(asked)).addCallback(got.append)
    assert got, f"{tool} did not end"
    return dict(got[0].structured)


def session(bench: GateBench, caller: Caller, **arguments: Any) -> dict[str, Any]:
    """
    One action of ``reticle_session``.
    """
    return call(bench, caller, "reticle_session", **arguments)


def act(bench: GateBench, caller: Caller) -> Any:
    """
    How an act that the page itself would refuse is refused.
    """
    return call(bench, caller, "reticle_act", action="click", ref="e1")["error"]


def bearer(bench: GateBench, name: str, *capabilities: Capability) -> Principal:
    """
    Whoever has a token with these capabilities everywhere.
    """
    return bench.token(*map(a_grant, capabilities), name=name)


def test_another_agent_is_refused_in_words() -> None:
    """
    While one agent holds a page the other's acts do nothing, and it is told by whom, what for and how long.
    """
    shared = bench()
    held = session(shared, ONE, action="hold", seconds=60, note="mending\nthe cart, token=s3cr3tvalue")
    assert (held["held"], held["secondsLeft"]) == (True, 60)
    shared.clock.advance(20)
    refused = call(shared, TWO, "reticle_act", action="click", ref="e1")
    assert (refused["error"], refused["heldBy"], refused["secondsLeft"]) == ("page_held", held["agent"], 40)
    assert "mending the cart, token=[REDACTED]" in refused["message"]
    page = shared.pages.all()[0]
    assert isinstance(page, FakePage)
    assert page.asked == []
    assert act(shared, ONE) != "page_held"
    assert call(shared, TWO, "reticle_sessions")["ok"] is True
    shared.clock.advance(40)
    assert act(shared, TWO) != "page_held"


def test_a_person_writes_to_the_holder() -> None:
    """
    A message in the panel is not read away by an agent that only looks, nor by one that asks for it.
    """
    shared = bench()
    session(shared, ONE, action="hold")
    page = shared.pages.all()[0]
    assert isinstance(page, FakePage)
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "use the other form"})
    for other in (
        session(shared, TWO, action="messages"),
        session(shared, TWO, action="end"),
        call(shared, TWO, "reticle_act", action="click", ref="e1"),
    ):
        assert other["error"] == "page_held"
        assert "control" not in other
    assert session(shared, ONE, action="messages")["messages"] == ["use the other form"]


def test_one_row_for_each_change_and_each_refusal() -> None:
    """
    The audit has what was changed with its change, and each refusal once.
    """
    shared = bench()
    held = session(shared, ONE, action="hold")
    refused = session(shared, TWO, action="hold")
    released = session(shared, ONE, action="release")
    assert [held["audit_id"], refused["audit_id"], released["audit_id"]] == ["audit_1", "audit_2", "audit_3"]
    assert [row.decision for row in shared.audit.rows] == ["allowed", "refused:page_held", "allowed"]


def test_a_page_is_handed_over() -> None:
    """
    The refused agent tells its name to the holder, who gives it the page, and then may not act itself.
    """
    shared = bench()
    session(shared, ONE, action="hold", seconds=60)
    name = session(shared, TWO, action="messages")["yourAgentName"]
    assert session(shared, ONE, action="hand_over", to="agent:nobody")["error"] == "not_found"
    assert session(shared, TWO, action="hand_over", to=name)["error"] == "page_held"
    given = session(shared, ONE, action="hand_over", to=name)
    assert (given["handedTo"], given["secondsLeft"]) == (name, 60)
    assert act(shared, ONE) == "page_held"
    assert act(shared, TWO) != "page_held"


def test_a_token_is_one_agent_wherever_it_connects() -> None:
    """
    A hold belongs to the token that took it: its other session may act, another token may not.
    """
    shared = bench()
    anne, ben = (bearer(shared, name, Capability.OBSERVE, Capability.DRIVE) for name in ("anne", "ben"))
    session(shared, Caller(anne, Carrier.SSE, "conversation_3"), action="hold")
    assert act(shared, Caller(anne, Carrier.HTTP, "conversation_4", lasting=False)) != "page_held"
    for other in (Caller(ben, Carrier.SSE, "conversation_3"), ONE):
        assert act(shared, other) == "page_held"


def test_a_hold_does_not_follow_its_page_to_another_repository() -> None:
    """
    Who holds a page that was led to an app it may not act on keeps nobody there away, and is not named there;
    when the page comes back in time it is held again.
    """
    shared = bench()
    for name, origin in (("r1", "http://localhost:8000"), ("r2", "http://localhost:9000")):
        shared.repositories.keep(a_repository(name, [origin]))
    capabilities = (Capability.OBSERVE, Capability.DRIVE)
    anne, ben = (
        Caller(
            shared.token(*(a_grant(each, place) for each in capabilities), name=name), Carrier.SSE, f"c{name}"
        )
        for name, place in (("anne", "r1"), ("ben", "r2"))
    )
    session(shared, anne, action="hold", note="mending")
    page = shared.pages.all()[0]
    assert isinstance(page, FakePage)
    page.load_document("elsewhere", "http://localhost:9000/")
    assert "anne" not in str(call(shared, ben, "reticle_sessions"))
    for attempt in ({"action": "release"}, {"action": "hand_over", "to": "token:ben"}):
        refused = session(shared, ben, **attempt)
        assert (refused["error"], "anne" in str(refused)) == ("conflict", False)
    for other in (ben, ONE):
        assert act(shared, other) != "page_held"
    page.load_document("back", "http://localhost:8000/")
    assert act(shared, ONE) == "page_held"
    page.load_document("elsewhere", "http://localhost:9000/")
    assert session(shared, ben, action="hold")["held"] is True
    assert act(shared, ONE) == "page_held"


def test_a_page_is_handed_to_nobody_who_may_not_act_on_it() -> None:
    """
    A hold that would bind nobody is not made by mistake.
    """
    shared = bench()
    bearer(shared, "looker", Capability.OBSERVE)
    session(shared, ONE, action="hold")
    refused = session(shared, ONE, action="hand_over", to="token:looker")
    assert (refused["error"], "may not act" in refused["message"]) == ("conflict", True)
    assert act(shared, TWO) == "page_held"


def test_an_operator_ends_another_s_hold() -> None:
    """
    A page that a lost agent holds is freed by whoever has admin for all repositories, and by nobody else.
    """
    shared = bench()
    session(shared, ONE, action="hold")
    operator = Caller(bearer(shared, "op", Capability.DRIVE, Capability.ADMIN), Carrier.SOCKET, "c5")
    assert session(shared, TWO, action="release")["error"] == "page_held"
    assert session(shared, operator, action="release")["released"] is True
    assert act(shared, TWO) != "page_held"
    assert session(shared, operator, action="release")["error"] == "conflict"


def test_an_operator_ends_a_hold_that_binds_nobody_now() -> None:
    """
    So that it does not bind again when its holder may act once more, on a page that comes back.
    """
    shared = bench()
    shared.repositories.keep(a_repository("r1", ["http://localhost:8000"]))
    anne = Caller(shared.token(a_grant(Capability.DRIVE, "r1"), name="anne"), Carrier.SSE, "c1")
    operator = Caller(bearer(shared, "op", Capability.DRIVE, Capability.ADMIN), Carrier.SOCKET, "c5")
    session(shared, anne, action="hold")
    page = shared.pages.all()[0]
    assert isinstance(page, FakePage)
    page.load_document("elsewhere", "http://localhost:9000/")
    assert session(shared, operator, action="release")["released"] is True
    page.load_document("back", "http://localhost:8000/")
    assert act(shared, ONE) != "page_held"


def test_the_list_of_pages_says_who_holds_them() -> None:
    """
    An agent sees beforehand which page is taken, and which is its own.
    """
    shared = bench()
    held = session(shared, ONE, action="hold", seconds=60, note="checkout")
    told = {"secondsLeft": 60, "purpose": "checkout"}
    assert call(shared, ONE, "reticle_sessions")["sessions"][0]["hold"] == {"by": "you", **told}
    assert call(shared, TWO, "reticle_sessions")["sessions"][0]["hold"] == {"by": held["agent"], **told}
    shared.clock.advance(60)
    assert "hold" not in call(shared, TWO, "reticle_sessions")["sessions"][0]


def test_a_hold_that_comes_in_the_middle_stops_the_act() -> None:
    """
    An act that waits finds out before it touches the page that another agent has taken it meanwhile.
    """

    async def slow(context: Any, _: object) -> None:
        page = context.pages.resolve(None)
        session(shared, ONE, action="hold")
        context.refuse_held(page)

    shared = GateBench(
        [*SESSION, scripted_tool("test_slow", slow, capability=Capability.DRIVE)],
        pages=FakePages(FakePage("p1")),
    )
    assert call(shared, TWO, "test_slow")["error"] == "page_held"


def test_the_names_of_agents() -> None:
    """
    A name says who it is without giving away a session id, and one that nobody has is not known.
    """
    shared = bench()
    token = bearer(shared, "lane", Capability.DRIVE)
    assert agent_name(Caller(token, Carrier.SSE, "c1")) == "token:lane"
    assert agent_name(Caller(PAIRING, Carrier.HTTP, "c1", lasting=False)) == "pairing"
    assert agent_name(ONE) == conversation_name("conversation_1")
    assert "conversation_1" not in agent_name(ONE)
    assert shown_name("token:lane", shared.tokens) == "lane (token:lane)"
    assert shown_name("token:gone", shared.tokens) == "token:gone"
    assert is_there("token:lane", shared.tokens, [], 0.0)
    assert not is_there("token:gone", shared.tokens, ["conversation_1"], 0.0)
    assert is_there(agent_name(ONE), shared.tokens, ["conversation_1"], 0.0)
    assert not is_there(agent_name(TWO), shared.tokens, ["conversation_1"], 0.0)
    assert [is_there(name, shared.tokens, [], 0.0) for name in ("local", "pairing", "token", "x")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_whoever_is_gone_holds_nothing() -> None:
    """
    When a conversation has ended, or a token, its page is free at once and another agent can take it.
    """
    shared = bench()
    session(shared, ONE, action="hold")
    assert act(shared, TWO) == "page_held"
    shared.gate.forget("conversation_1")
    assert act(shared, TWO) != "page_held"
    assert "hold" not in call(shared, TWO, "reticle_sessions")["sessions"][0]
    assert session(shared, TWO, action="hold")["held"] is True
    lane = shared.token(a_grant(Capability.DRIVE), name="lane", expires_at=shared.clock.now() + 10)
    session(shared, TWO, action="release")
    session(shared, Caller(lane, Carrier.SSE, "c3"), action="hold")
    assert act(shared, TWO) == "page_held"
    shared.clock.advance(10)
    assert act(shared, TWO) != "page_held"


def test_a_closed_stream_gives_its_pages_back() -> None:
    """
    An agent that hangs up keeps nobody from the page it held.
    """
    shared = bench()
    conversation, _ = shared.open()
    params = {"name": "reticle_session", "arguments": {"action": "hold"}}
    conversation.receive(
        msgspec.json.encode({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    )
    assert act(shared, TWO) == "page_held"
    conversation.close()
    assert act(shared, TWO) != "page_held"
