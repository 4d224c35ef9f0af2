"""
Bringing a page elsewhere.
"""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from reticle.domain.browser_lease import Asker, begin
from reticle.errors import Refusal
from reticle.model.browser import BrowserWish
from reticle.model.codes import CommandName, EventType
from reticle.model.ids import RepositoryId
from reticle.model.limits import NAVIGATE_SECONDS
from reticle.testing.bridge import result_of
from reticle.testing.context import FakeContext
from reticle.testing.pages import Asked, FakePage, FakePages
from reticle.testing.toolcalls import Scene, refusal_of, start_call
from reticle.tools.navigate import TOOLS
from reticle.tools.spec import ToolAnswer

NAVIGATE = TOOLS[0]


def answered(scene: Scene, call: Deferred[ToolAnswer], seconds: float = 3.0) -> ToolAnswer:
    """
    The answer, once the new page has come to rest.
    """
    for _ in range(round(seconds / 0.05)):
        if call.called:
            break
        scene.clock.advance(0.05)
    assert isinstance(call.result, ToolAnswer)
    return call.result


def test_a_new_document_of_the_page_confirms(scene: Scene) -> None:
    """
    A navigation is confirmed as soon as the page says hello from its new document.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True, "url": "http://localhost:8000/cart"})
    call = start_call(NAVIGATE, scene.context, {"url": "/cart"})
    assert not call.called
    scene.page.disconnect()
    scene.clock.advance(0.2)
    assert not call.called
    scene.page.load_document("doc00002", "http://localhost:8000/cart")
    scene.clock.advance(0.2)
    answer = answered(scene, call)
    assert answer.fields == {
        "confirmed": True,
        "settled": True,
        "url": "http://localhost:8000/cart",
        "sessionId": "p1",
        "since": 0,
    }
    assert scene.page.asked == [Asked(CommandName.NAVIGATE, {"url": "http://localhost:8000/cart"})]


def test_a_route_change_of_the_page_confirms(scene: Scene) -> None:
    """
    A jump inside a single-page app needs no new document.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"url": "#/cart"})
    scene.page.record(
        EventType.ROUTE_CHANGE, {"from": "http://localhost:8000/", "to": "http://localhost:8000/#/cart"}
    )
    answer = answered(scene, call)
    assert answer.fields["confirmed"] is True
    assert scene.page.asked[0].args == {"url": "http://localhost:8000/#/cart"}


def test_another_tab_at_the_address_confirms_nothing(scene: Scene) -> None:
    """
    Only the page that was sent away can arrive, though another tab is there already (defect 26 of
    reticle-tools §9.2).
    """
    other = FakePage("p2", clock=scene.clock.reactor, url="http://localhost:8000/cart")
    context = FakeContext(FakePages(scene.page, other), clock=scene.clock)
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, context, {"url": "/cart", "sessionId": "p1"})
    other.record(EventType.ROUTE_CHANGE, {"to": "/cart"})
    for _ in range(40):
        scene.clock.advance(0.15)
    answer = answered(scene, call)
    assert (answer.fields["confirmed"], answer.fields["url"]) == (False, "http://localhost:8000/")
    assert "No new document" in str(answer.fields["note"])


def test_a_page_that_does_not_come_back_is_not_confirmed(scene: Scene) -> None:
    """
    A navigation to a page without the script ends in time and says what may be wrong.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"url": "http://localhost:9/"})
    scene.page.disconnect()
    elapsed = 0.0
    while not call.called:
        scene.clock.advance(0.05)
        elapsed += 0.05
    assert elapsed == pytest.approx(NAVIGATE_SECONDS, abs=0.2)
    answer = answered(scene, call)
    assert answer.fields["confirmed"] is False
    assert "does not carry the page script" in str(answer.fields["note"])
    session = answer.fields["session"]
    assert isinstance(session, dict)
    assert session["gone"] is True


@pytest.mark.parametrize("kept", [True, False])
def test_a_page_that_may_not_be_left_is_told_at_once(scene: Scene, *, kept: bool) -> None:
    """
    A driven page that asks before it is left stays where the lease dismisses that, and says what to do.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"url": "/cart"})
    asked = {"id": "u1", "kind": "beforeunload", "message": "", "state": "closed", "by": "rule"}
    scene.page.record(EventType.DIALOG, {**asked, "answer": not kept})
    scene.clock.advance(0.2)
    assert call.called is kept
    if kept:
        fields = answered(scene, call).fields
        assert (fields["confirmed"], fields["url"]) == (False, "http://localhost:8000/")
        assert "dialogs: accept" in str(fields["note"])
    else:
        scene.page.load_document("doc00002", "http://localhost:8000/cart")
        assert answered(scene, call).fields["confirmed"] is True


def test_a_page_that_left_before_it_answered_went_where_it_was_sent(scene: Scene) -> None:
    """
    Losing the answer to a navigation is no failure of it.
    """
    scene.page.answer(CommandName.NAVIGATE, Refusal("session_gone", "gone"))
    call = start_call(NAVIGATE, scene.context, {"url": "/cart"})
    scene.page.load_document("doc00002", "http://localhost:8000/cart")
    scene.clock.advance(0.2)
    answer = answered(scene, call)
    assert answer.fields["confirmed"] is True


def test_a_redirect_is_told(scene: Scene) -> None:
    """
    An agent that was sent to the login page instead learns it from the answer.
    """

    def go(_: object) -> object:
        scene.page.load_document("doc00002", "http://localhost:8000/login")
        return {"ok": True}

    scene.page.answer(CommandName.NAVIGATE, go)
    answer = answered(scene, start_call(NAVIGATE, scene.context, {"url": "/cart"}))
    assert answer.fields["url"] == "http://localhost:8000/login"
    assert answer.fields["note"] == "The page came to another address than http://localhost:8000/cart."


def test_a_reload_needs_a_new_document(scene: Scene) -> None:
    """
    A route change during a reload does not pass for the reload.
    """
    scene.page.answer(CommandName.REFRESH, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"reload": True, "hard": True})
    scene.page.record(EventType.ROUTE_CHANGE, {"to": "/x"})
    assert not call.called
    scene.page.load_document("doc00002")
    scene.clock.advance(0.2)
    answer = answered(scene, call)
    assert answer.fields["confirmed"] is True
    assert scene.page.asked == [Asked(CommandName.REFRESH, {"hard": True})]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"url": "/a", "reload": True},
        {"url": "/a", "hard": True},
        {"url": ""},
        {"url": "javascript:alert(1)"},
        {"url": "file:///etc/passwd"},
        {"url": "data:text/html,x"},
        {"url": "http://[::1"},
        {"url": "/" + "a" * 5_000},
    ],
)
def test_what_is_no_web_address_is_refused(scene: Scene, arguments: dict[str, object]) -> None:
    """
    Code and local files are no addresses to navigate to; the page is not asked.
    """
    assert refusal_of(NAVIGATE, scene.context, arguments).code == "bad_arguments"
    assert scene.page.asked == []


def test_a_page_that_will_not_go_is_refused_with_its_reason(scene: Scene) -> None:
    """
    The page's own objection reaches the agent.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": False, "reason": "only http(s)"})
    refusal = refusal_of(NAVIGATE, scene.context, {"url": "/x"})
    assert refusal.code == "page_error"
    assert "only http(s)" in refusal.message


def test_the_default_window_starts_at_the_navigation(scene: Scene) -> None:
    """
    A claim after a navigation is judged from its start.
    """
    scene.page.record(EventType.DOM_ADDED)

    def go(_: object) -> object:
        scene.page.record(EventType.ROUTE_CHANGE, {"to": "/cart"})
        return {"ok": True}

    scene.page.answer(CommandName.NAVIGATE, go)
    assert answered(scene, start_call(NAVIGATE, scene.context, {"url": "/cart"})).fields["since"] == 1
    assert scene.page.last_action_cursor() == 1


def test_a_route_change_to_elsewhere_confirms_nothing(scene: Scene) -> None:
    """
    The old document's own jump to its login page, a moment after the order, is not the arrival.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"url": "/cart"})
    scene.page.record(EventType.ROUTE_CHANGE, {"from": "/", "to": "http://localhost:8000/login"})
    scene.clock.advance(1)
    assert not call.called
    scene.page.load_document("doc00002", "http://localhost:8000/cart")
    assert answered(scene, call).fields["confirmed"] is True


def test_the_new_page_gets_the_time_to_draw_itself(scene: Scene) -> None:
    """
    An agent that looks right after a navigation finds the page drawn, not empty.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"url": "/cart"})
    scene.page.load_document("doc00002", "http://localhost:8000/cart")
    request = {"id": "n1", "method": "GET", "url": "/api/cart"}
    scene.page.record(EventType.NET_PENDING, request)
    for _ in range(16):
        scene.clock.advance(0.05)
    assert not call.called
    scene.page.record(EventType.NET_REQUEST, {**request, "status": 200, "ok": True})
    scene.page.record(EventType.DOM_ADDED, {"role": "list"})
    for _ in range(4):
        scene.clock.advance(0.05)
    assert not call.called
    for _ in range(3):
        scene.clock.advance(0.05)
    assert answered(scene, call).fields["settled"] is True


def test_a_page_that_never_rests_is_answered_for(scene: Scene) -> None:
    """
    A page that redraws all the time costs two seconds and is said not to have settled.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    call = start_call(NAVIGATE, scene.context, {"url": "/cart"})
    scene.page.load_document("doc00002", "http://localhost:8000/cart")
    elapsed = 0.0
    while not call.called:
        scene.page.record(EventType.DOM_ADDED, {"role": "row"})
        scene.clock.advance(0.05)
        elapsed += 0.05
    assert elapsed == pytest.approx(2.0, abs=0.3)
    assert answered(scene, call).fields["settled"] is False


def test_a_fragment_that_the_page_is_at_already_is_not_waited_for(scene: Scene) -> None:
    """
    Going to where the page is, by a fragment, loads nothing; the agent is told so at once.
    """
    scene.page.answer(CommandName.NAVIGATE, {"ok": True})
    scene.page.load_document("doc00002", "http://localhost:8000/cart#top")
    call = start_call(NAVIGATE, scene.context, {"url": "#top"})
    answer = answered(scene, call, 0.4)
    assert answer.fields["confirmed"] is True
    assert "at that address already" in str(answer.fields["note"])


def test_a_driven_page_goes_where_it_could_have_been_opened(scene: Scene) -> None:
    """
    An agent whose token is for one repository cannot send the daemon's browser to another app, nor anywhere
    else that this machine reaches; a person's own tab is the person's.
    """
    lease = begin(Asker(scene.context.agent, scene.clock.now()), "me", 300)
    got = result_of(scene.context.browser.acquire(BrowserWish("http://localhost:8000/"), lease))
    scene.context.places = {"http://localhost:8000": RepositoryId("shop")}
    driven = scene.context.pages.resolve(got.page_id)
    assert isinstance(driven, FakePage)
    for page in (driven, scene.page):
        page.answer(CommandName.NAVIGATE, {"ok": True})
    asked = {"url": "http://169.254.169.254/", "sessionId": driven.identity.page_id}
    refused = refusal_of(NAVIGATE, scene.context, asked)
    assert (refused.code, driven.asked) == ("capability_scope_mismatch", [])
    start_call(NAVIGATE, scene.context, {**asked, "url": "/cart"})
    start_call(NAVIGATE, scene.context, {**asked, "sessionId": "p1"})
    assert [page.asked[0].args["url"] for page in (driven, scene.page)] == [
        "http://localhost:8000/cart",
        "http://169.254.169.254/",
    ]
