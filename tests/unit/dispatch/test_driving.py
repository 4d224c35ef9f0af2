"""
Several agents and the browser contexts that the daemon opened for them, through the real gate.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from twisted.internet.defer import Deferred

from reticle.dispatch.answers import CallResult
from reticle.dispatch.call import Call, Caller
from reticle.dispatch.holding import agent_name
from reticle.domain.browser_lease import Asker, begin
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.codes import Capability, Carrier, CommandName
from reticle.model.ids import RepositoryId
from reticle.model.trust import LOCAL
from reticle.ports import CallContext
from reticle.testing.bridge import result_of
from reticle.testing.gate import GateBench, scripted_tool
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository
from reticle.tools.act import TOOLS as ACT
from reticle.tools.arguments import PageArguments
from reticle.tools.attendance import present_page
from reticle.tools.session import TOOLS as SESSION
from reticle.tools.spec import ToolAnswer

URL = "http://127.0.0.1:8000/"
ONE = Caller(LOCAL, Carrier.SSE, "conversation_1")
TWO = Caller(LOCAL, Carrier.HTTP, "conversation_2")
PASSING = Caller(LOCAL, Carrier.HTTP, "request_1", lasting=False)
DONE = {"ok": True, "ref": "e1", "role": "button", "effect": {"dispatched": True}, "settled": True}


async def _look(context: CallContext, arguments: PageArguments) -> ToolAnswer:
    page = await present_page(context, arguments.sessionId)
    return ToolAnswer({"page": page.identity.page_id})


LOOK = scripted_tool("test_look", _look, PageArguments)


def bench(*tabs: FakePage) -> GateBench:
    """
    A gate with a tool that looks, tools that act, and tabs of a person's.
    """
    return GateBench([*SESSION, *ACT, LOOK], pages=FakePages(*tabs))


def opened(
    bench: GateBench, caller: Caller, seconds: float = 300, *, shared: bool = False, within: str | None = None
) -> BrowserLease:
    """
    A context that an agent has opened; its page lets itself be clicked.
    """
    call(bench, caller, "test_echo", text="here I am")
    place = None if within is None else RepositoryId(within)
    wish = BrowserWish(URL, seconds=seconds, shared=shared, project_id=place, within=place)
    mine = begin(Asker(agent_name(caller), bench.clock.now()), "somebody", seconds)
    lease = result_of(bench.browser.acquire(wish, mine))
    bench.pages.resolve(lease.page_id).answer(CommandName.ACT, DONE)
    return lease


def call(bench: GateBench, caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    """
    The structured content of a call that needs no time.
    """
    got: list[CallResult] = []
    asked = Call(caller, tool, msgspec.json.encode(arguments))
    Deferred.fromCoroutine(bench.gate.call(asked)).addCallback(got.append)
    assert got, f"{tool} did not end"
    return dict(got[0].structured)


def click(bench: GateBench, caller: Caller, **arguments: Any) -> dict[str, Any]:
    """
    An act.
    """
    return call(bench, caller, "reticle_act", action="click", ref="e1", **arguments)


def left(bench: GateBench) -> list[float]:
    """
    Seconds that each context has left.
    """
    return [each.lease.until - bench.clock.now() for each in bench.browser.leases()]


def test_an_agent_that_drives_a_page_need_not_name_it() -> None:
    """
    With a person's tab and another agent's page open, both agents' clicks land on their own pages.
    """
    shared = bench(FakePage("tab"))
    mine, yours = opened(shared, ONE), opened(shared, TWO)
    for caller in (ONE, TWO, ONE):
        assert click(shared, caller)["ok"] is True
    asked = {page.identity.page_id: len(page.asked) for page in shared.pages.all()}
    assert asked == {"tab": 0, mine.page_id: 2, yours.page_id: 1}


def test_another_agent_s_driven_page_is_looked_at_and_not_touched() -> None:
    """
    An act on a page that another agent drives is refused with its name and the time left; looking goes on.
    """
    shared = bench()
    lease = opened(shared, ONE, seconds=120)
    refused = click(shared, TWO, sessionId=lease.page_id)
    assert (refused["error"], refused["heldBy"], refused["secondsLeft"]) == ("page_held", "somebody", 120)
    assert shared.pages.resolve(lease.page_id).asked == []
    held = call(shared, TWO, "reticle_session", action="hold", sessionId=lease.page_id)
    assert held["error"] == "page_held"
    assert call(shared, TWO, "test_look", sessionId=lease.page_id)["page"] == lease.page_id


def test_a_shared_context_is_for_every_agent() -> None:
    """
    What a person opened with `reticle drive` is acted on by whichever agent comes.
    """
    shared = bench()
    opened(shared, ONE, shared=True)
    assert click(shared, TWO)["ok"] is True


def test_an_agent_that_is_gone_keeps_nobody_away() -> None:
    """
    After its conversation ended another agent goes on with its page.
    """
    shared = bench()
    lease = opened(shared, ONE)
    shared.gate.forget(ONE.conversation_id)
    assert click(shared, TWO)["ok"] is True
    assert len(shared.pages.resolve(lease.page_id).asked) == 1


def test_other_agents_pages_make_no_call_ambiguous() -> None:
    """
    The one free tab is meant, however many contexts others have; with none free the refusal names the way.
    """
    shared = bench(FakePage("tab"))
    opened(shared, ONE)
    opened(shared, PASSING)
    assert call(shared, TWO, "test_look")["page"] == "tab"
    shared.pages.resolve(shared.pages.all()[0].identity.page_id).disconnect()
    refused = call(shared, Caller(LOCAL, Carrier.HTTP, "conversation_3"), "test_look")
    assert refused["error"] == "no_session"
    assert "reticle_lease" in refused["recovery"]


def test_callers_without_a_session_are_never_given_one_another_s_context() -> None:
    """
    They are one agent by name: with two contexts open each has to say which, since nobody remembers it.
    """
    shared = bench()
    first = opened(shared, PASSING)
    assert click(shared, PASSING)["ok"] is True
    shared.clock.advance(30)
    opened(shared, PASSING)
    refused = click(shared, PASSING)
    assert refused["error"] == "multiple_sessions"
    assert click(shared, PASSING, sessionId=first.page_id)["ok"] is True


def test_each_call_keeps_the_page_it_uses() -> None:
    """
    An agent at work never loses its page; what it leaves alone, or another one watches, ends with its time.
    """
    shared = bench()
    lease = opened(shared, ONE, seconds=100)
    shared.clock.advance(90)
    assert click(shared, ONE)["ok"] is True
    assert left(shared) == [100]
    shared.clock.advance(90)
    assert call(shared, TWO, "test_look", sessionId=lease.page_id)["ok"] is True
    assert left(shared) == [10]
    shared.clock.advance(11)
    assert shared.browser.leases() == []


def test_a_token_of_one_repository_has_its_own_context_alone() -> None:
    """
    Under a token too an unnamed call means the page that the token drives, of those it may use.
    """
    shared = bench(FakePage("tab"))
    caller = Caller(
        shared.token(a_grant(Capability.DRIVE), a_grant(Capability.OBSERVE)), Carrier.HTTP, "c", lasting=False
    )
    lease = opened(shared, caller)
    opened(shared, ONE)
    assert click(shared, caller)["ok"] is True
    assert len(shared.pages.resolve(lease.page_id).asked) == 1


def test_a_page_that_was_led_to_another_repository_s_app_is_open_to_its_agents() -> None:
    """
    An agent for one repository whose page went to another's app may not act there: those who may are not kept
    away from it, while the lease goes on for the app that it was opened for and stays its holder's to end.
    """
    shared = bench()
    shared.repositories.keep(
        a_repository("r1", ["http://127.0.0.1:8000"]), a_repository("r2", ["http://127.0.0.1:9000"])
    )
    one, two = (
        Caller(
            shared.token(a_grant(Capability.DRIVE, place), a_grant(Capability.OBSERVE, place), name=place),
            Carrier.HTTP,
            place,
        )
        for place in ("r1", "r2")
    )
    lease = opened(shared, one, within="r1")
    page = shared.pages.resolve(lease.page_id)
    assert isinstance(page, FakePage)
    assert click(shared, two, sessionId=lease.page_id)["error"] == "capability_scope_mismatch"
    page.load_document("d2", "http://127.0.0.1:9000/")
    assert click(shared, one, sessionId=lease.page_id)["error"] == "capability_scope_mismatch"
    assert click(shared, two, sessionId=lease.page_id)["ok"] is True
    assert click(shared, ONE, sessionId=lease.page_id)["ok"] is True
    page.load_document("d3", URL)
    assert click(shared, one, sessionId=lease.page_id)["ok"] is True
    assert click(shared, ONE, sessionId=lease.page_id)["error"] == "page_held"


def test_whoever_may_act_everywhere_keeps_the_context_wherever_it_goes() -> None:
    """
    An agent that is for all repositories goes from app to app with its own context, undisturbed.
    """
    shared = bench()
    shared.repositories.keep(a_repository("r2", ["http://127.0.0.1:9000"]))
    lease = opened(shared, ONE)
    page = shared.pages.resolve(lease.page_id)
    assert isinstance(page, FakePage)
    page.load_document("d2", "http://127.0.0.1:9000/")
    assert click(shared, TWO, sessionId=lease.page_id)["error"] == "page_held"


def test_a_person_s_tab_does_not_take_the_place_of_a_driven_page() -> None:
    """
    When an agent's isolated page was closed, its next click does not land in the person's own tab of the same
    app, with their login; a look goes there and says so.
    """
    tab = FakePage("tab", url=URL)
    shared = bench(tab)
    lease = opened(shared, ONE)
    assert click(shared, ONE)["ok"] is True
    result_of(shared.browser.release(lease.lease_id))
    refused = click(shared, ONE)
    assert refused["error"] == "session_gone"
    assert "opened by a person" in refused["message"]
    assert tab.asked == []
    assert call(shared, ONE, "test_look")["session_switched"]["to"] == "tab"
    assert click(shared, ONE, sessionId="tab")["error"] != "session_gone"


@pytest.mark.parametrize("acts", [True, False])
def test_a_page_of_another_project_is_not_taken_for_one_s_own(*, acts: bool) -> None:
    """
    When the page of a project is gone, the one of another project at the same address is not used unasked.
    """
    mine, theirs = FakePage("mine", project_id="shop"), FakePage("theirs", project_id="blog")
    shared = bench(mine, theirs)
    assert call(shared, ONE, "test_look", sessionId="mine")["ok"] is True
    mine.disconnect()
    refused = click(shared, ONE) if acts else call(shared, ONE, "test_look")
    assert refused["error"] == "scope_mismatch"
    assert "shop" in refused["message"]
    assert theirs.asked == []
    assert call(shared, ONE, "test_look", sessionId="theirs")["ok"] is True
