"""
A page over its sockets.
"""

from __future__ import annotations

import pytest

from reticle.bridge.page import BridgedPage
from reticle.model.browser import Attestation
from reticle.model.codes import CloseCode, CommandName
from reticle.model.ids import BrowserLeaseId, Cursor
from reticle.model.limits import COMMAND_SECONDS, PANEL_COMMANDS, SUCCESSOR_SECONDS
from reticle.model.page import Loss
from reticle.model.window import Question
from reticle.testing.bridge import Bridge, refusal_of, result_of


def test_a_command_gets_the_pages_answer(bridge: Bridge) -> None:
    """
    Name and arguments reach the page, its result comes back.
    """
    end = bridge.connect()
    asked = bridge.page().ask(CommandName.QUERY, {"role": "button"})
    [command] = end.commands()
    assert (command["name"], command["args"]) == ("query", {"role": "button"})
    assert command["id"].startswith("c7-")
    end.answer({"elements": [], "count": 0})
    assert result_of(asked) == {"elements": [], "count": 0}


def test_answers_may_come_in_any_order(bridge: Bridge) -> None:
    """
    Each call gets its own answer.
    """
    end = bridge.connect()
    first = bridge.page().ask(CommandName.QUERY, {})
    second = bridge.page().ask(CommandName.SNAPSHOT, {})
    end.answer("second", number=1)
    end.answer("first", number=0)
    assert (result_of(first), result_of(second)) == ("first", "second")


def test_a_pages_refusal_keeps_its_code(bridge: Bridge) -> None:
    """
    The agent reads the page's own words, code, recovery and candidates.
    """
    end = bridge.connect()
    asked = bridge.page().ask(CommandName.ACT, {"ref": "e1", "action": "click"})
    end.refuse("gone", code="stale_ref", recovery="query again", details={"candidates": [1]})
    refusal = refusal_of(asked)
    assert (refusal.code, refusal.message, refusal.recovery) == ("stale_ref", "gone", "query again")
    assert refusal.details == {"candidates": [1]}


def test_an_unknown_code_is_a_page_error(bridge: Bridge) -> None:
    """
    A page cannot invent refusal codes.
    """
    end = bridge.connect()
    asked = bridge.page().ask(CommandName.ACT, {})
    end.refuse("", code="token_missing_or_so")
    assert refusal_of(asked).code == "page_error"


def test_a_silent_page_ends_the_call_in_time(bridge: Bridge) -> None:
    """
    After 8 s the agent hears that the page did not answer, and an action may have happened.
    """
    bridge.connect()
    asked = bridge.page().ask(CommandName.SNAPSHOT, {})
    acted = bridge.page().ask(CommandName.ACT, {}, timeout_seconds=3)
    bridge.clock.advance(3)
    refusal = refusal_of(acted)
    assert (refusal.code, refusal.details) == ("command_timeout", {"may_have_happened": True})
    bridge.clock.advance(COMMAND_SECONDS - 3)
    refusal = refusal_of(asked)
    assert (refusal.code, refusal.details) == ("command_timeout", {})
    assert refusal.message == (
        "The page did not answer snapshot in time. Nothing was heard from it for 8 s: it may be frozen."
    )


def test_a_background_tab_is_named_as_the_reason(bridge: Bridge) -> None:
    """
    The agent learns that the tab is hidden.
    """
    end = bridge.connect()
    end.event("page.health", {"hidden": True, "focused": False, "reason": "visibilitychange"})
    asked = bridge.page().ask(CommandName.SNAPSHOT, {})
    bridge.clock.advance(COMMAND_SECONDS)
    assert "in the background" in refusal_of(asked).message
    assert bridge.page().health().hidden


def test_a_dialog_that_a_rule_answers_stops_nobody(bridge: Bridge) -> None:
    """
    In a browser that the daemon drives a dialog is over at once: nothing is kept from the page meanwhile.
    A page that dialled in has no such rule, whatever it says.
    """
    said = {"id": "d1", "kind": "confirm", "message": "Sure?", "by": "rule", "state": "open"}
    driven = bridge.dial(attested=Attestation(BrowserLeaseId("l1"), "http://localhost:8000/"))
    driven.hello("b1", "doc00001")
    driven.event("dialog", said)
    assert bridge.page("b1").health().dialog == ""
    bridge.connect().event("dialog", said)
    assert bridge.page().health().dialog == 'confirm "Sure?"'


def test_an_open_dialog_is_named_as_the_reason(bridge: Bridge) -> None:
    """
    The agent learns which alert stops the page and what ends it, and no more once it was answered.
    """
    end = bridge.connect()
    acted = bridge.page().ask(CommandName.ACT, {})
    end.event("dialog", {"id": "d1", "kind": "alert", "message": "Saved", "state": "open"})
    bridge.clock.advance(COMMAND_SECONDS)
    refusal = refusal_of(acted)
    assert refusal.message == (
        'The page did not answer act in time. Its alert "Saved" is open,'
        " and the page stands still until somebody answers it."
    )
    assert refusal.recovery is not None
    assert refusal.recovery.startswith("Have a person answer the dialog")
    assert refusal.details == {"may_have_happened": True}
    end.event("dialog", {"id": "d0", "kind": "alert", "message": "Older", "state": "closed"})
    assert bridge.page().health().dialog == 'alert "Saved"'
    end.event("dialog", {"id": "d1", "kind": "alert", "message": "Saved", "state": "closed"})
    assert bridge.page().health().dialog == ""


def test_another_app_is_another_document_whatever_the_script(bridge: Bridge) -> None:
    """
    Published packages name no documents: what the one app had open is not taken for the next one's.
    """
    bridge.connect(own=False, url="http://localhost:1/").event(
        "dialog", {"id": "d1", "kind": "alert", "message": "Saved", "state": "open"}
    )
    before, app = bridge.page().identity, bridge.page().identity.app
    end = bridge.connect(own=False, url="http://localhost:2/")
    end.event("page.health", {"reason": "initial", "hidden": False})
    end.event("signal", {"name": "new"})
    page = bridge.page()
    assert page.health().dialog == ""
    assert page.identity.document_id not in {None, before.document_id}
    assert [event.app for event in page.events(Cursor(0))] == [app, page.identity.app, page.identity.app]
    assert len({event.document_id for event in page.events(Cursor(1))}) == 1


@pytest.mark.parametrize("command", [CommandName.ACT, CommandName.SNAPSHOT])
def test_nothing_is_sent_to_a_page_that_stands_still(bridge: Bridge, command: CommandName) -> None:
    """
    A click that an open dialog refused is not made behind the agent's back once somebody answers.
    """
    end = bridge.connect()
    end.event("dialog", {"id": "d1", "kind": "confirm", "message": "Sure?", "state": "open"})
    sent = end.commands()
    refusal = refusal_of(bridge.page().ask(command, {}))
    assert refusal.message == (
        f'{command} was not sent to the page: its confirm "Sure?" is open,'
        " and the page stands still until somebody answers it."
    )
    assert refusal.details == {}
    assert end.commands() == sent
    end.event("page.health", {"hidden": False, "focused": True, "reason": "heartbeat"})
    assert bridge.page().health().dialog == ""


def test_late_and_unknown_answers_are_counted_and_dropped(bridge: Bridge) -> None:
    """
    An answer that comes after its call ended answers nothing else.
    """
    end = bridge.connect()
    asked = bridge.page().ask(CommandName.SNAPSHOT, {})
    bridge.clock.advance(COMMAND_SECONDS)
    refusal_of(asked)
    end.answer("late")
    end.say({"kind": "command_result", "id": "c6-1", "ok": True})
    figures = bridge.page().figures()
    assert (figures["lateAnswers"], figures["unknownAnswers"], figures["commandsInFlight"]) == (1, 1, 0)


def test_an_action_whose_page_goes_may_have_happened(bridge: Bridge) -> None:
    """
    It ends at once as unknown and is never sent again (WS-03).
    """
    end = bridge.connect()
    acted = bridge.page().ask(CommandName.ACT, {"ref": "e1", "action": "click"})
    end.lose()
    refusal = refusal_of(acted)
    assert (refusal.code, refusal.details) == ("session_gone", {"may_have_happened": True})
    successor = bridge.connect(document_id="doc00002")
    assert successor.commands() == []


@pytest.mark.parametrize("own", [True, False])
def test_our_script_is_told_what_it_acts_for(bridge: Bridge, *, own: bool) -> None:
    """
    An act has the name of its action; reads have none, nor has anything that the published packages get.
    """
    end = bridge.connect(own=own)
    page = bridge.page()
    action = page.begin_action()
    asked = [
        page.ask(CommandName.ACT, {"ref": "e1", "action": "click"}),
        page.ask(CommandName.SNAPSHOT, {}),
    ]
    page.end_action(action)
    asked.append(page.ask(CommandName.ACT, {"ref": "e1", "action": "click"}))
    told = [command.get("action") for command in end.commands()]
    end.lose()
    for answer in asked:
        answer.addErrback(lambda _: None)
    assert (told == [action, None, None]) if own else not any(told)


def test_a_read_is_asked_once_more_on_the_successor(bridge: Bridge) -> None:
    """
    A snapshot during a reload comes from the new document (WS-03).
    """
    end = bridge.connect()
    asked = bridge.page().ask(CommandName.SNAPSHOT, {"mode": "full"})
    end.lose()
    bridge.clock.advance(0.5)
    successor = bridge.connect(document_id="doc00002")
    [command] = successor.commands()
    assert (command["name"], command["args"]) == ("snapshot", {"mode": "full"})
    assert command["id"] != end.commands()[0]["id"]
    successor.answer({"tree": "new"})
    assert result_of(asked) == {"tree": "new"}


def test_a_read_is_not_asked_a_third_time(bridge: Bridge) -> None:
    """
    A page that reloads in a loop ends the call instead of being asked for ever.
    """
    ends = [bridge.connect()]
    asked = bridge.page().ask(CommandName.SNAPSHOT, {})
    for number in range(2, 4):
        ends[-1].lose()
        ends.append(bridge.connect(document_id=f"doc0000{number}"))
    assert refusal_of(asked).code == "session_gone"
    assert [len(end.commands()) for end in ends] == [1, 1, 0]


def test_a_replaced_page_fails_its_action_and_reasks_its_read(bridge: Bridge) -> None:
    """
    The new document dials in while the old socket is still open: newest wins, nothing hangs.
    """
    old = bridge.connect()
    read = bridge.page().ask(CommandName.QUERY, {"role": "link"})
    acted = bridge.page().ask(CommandName.ACT, {})
    new = bridge.connect(document_id="doc00002")
    assert refusal_of(acted).details == {"may_have_happened": True}
    new.answer("fresh")
    assert result_of(read) == "fresh"
    old.lose()
    assert bridge.page().health().connected
    assert result_of_ask_is_sent(bridge, new)


def result_of_ask_is_sent(bridge: Bridge, end: object) -> bool:
    """
    Whether a call right now reaches this end.
    """
    before = len(end.commands())  # type: ignore[attr-defined]  # a PageEnd
    bridge.page().ask(CommandName.SNAPSHOT, {}).addErrback(lambda _: None)
    return len(end.commands()) == before + 1  # type: ignore[attr-defined]  # a PageEnd


def test_a_page_that_does_not_come_back_ends_its_reads(bridge: Bridge) -> None:
    """
    A closed tab is told after 2 s, later calls at once.
    """
    end = bridge.connect()
    page = bridge.page()
    asked = page.ask(CommandName.SNAPSHOT, {})
    end.lose()
    bridge.clock.advance(SUCCESSOR_SECONDS)
    assert refusal_of(asked).code == "session_gone"
    assert refusal_of(page.ask(CommandName.SNAPSHOT, {})).code == "session_gone"
    assert refusal_of(page.ask(CommandName.ACT, {})).details == {}
    assert bridge.clock.getDelayedCalls() == []


def test_a_tab_of_ours_that_is_gone_ends_its_reads_at_once(bridge: Bridge) -> None:
    """
    When the browser that the daemon drives died, nobody waits for a page that cannot come back.
    """
    end = bridge.connect()
    page = bridge.page()
    asked = page.ask(CommandName.SNAPSHOT, {})
    assert not page.health().gone
    end.lose(CloseCode.TAB_GONE)
    assert page.health().gone
    assert refusal_of(asked).code == "session_gone"
    end = bridge.connect(document_id="doc00002")
    asked = bridge.page().ask(CommandName.SNAPSHOT, {})
    end.lose()
    bridge.connect(document_id="doc00003").answer("fresh")
    assert result_of(asked) == "fresh"


def test_a_given_up_call_leaves_nothing_behind(bridge: Bridge) -> None:
    """
    Cancelling a call stops its deadline.
    """
    bridge.connect()
    asked = bridge.page().ask(CommandName.SNAPSHOT, {})
    asked.addErrback(lambda _: None)
    asked.cancel()
    assert bridge.page().figures()["commandsInFlight"] == 0
    assert bridge.clock.getDelayedCalls() == []


def test_questions_are_asked_at_one_instant(bridge: Bridge) -> None:
    """
    One command carries all questions; each reading has its own answer or error.
    """
    end = bridge.connect()
    questions = [Question("match", {"query": {"role": "button"}}), Question("route")]
    read = bridge.page().read(questions)
    [command] = end.commands()
    assert command["name"] == "read"
    assert command["args"] == {
        "questions": [{"query": {"role": "button"}, "kind": "match"}, {"kind": "route"}]
    }
    end.event("signal")
    end.answer({"answers": [{"ok": True, "matched": True, "count": 1}, {"ok": False, "error": "no"}]})
    first, second = result_of(read)
    assert (first.question, first.at, first.answer, first.error) == (
        questions[0], 1, {"matched": True, "count": 1}, None,
    )  # fmt: skip
    assert (second.answer, second.error) == (None, "no")


@pytest.mark.parametrize("answer", [None, [], {"answers": []}, {"answers": "x"}, {"answers": [5]}])
def test_an_unreadable_answer_is_an_error_of_each_reading(bridge: Bridge, answer: object) -> None:
    """
    A broken page script never turns into "not there".
    """
    end = bridge.connect()
    read = bridge.page().read([Question("route")])
    end.answer(answer)
    [reading] = result_of(read)
    assert (reading.answer, reading.error) == (None, "the page gave no readable answer")


def test_reading_a_lost_page_is_an_error_at_once(bridge: Bridge) -> None:
    """
    A waiting call keeps its pace while the page is away.
    """
    end = bridge.connect()
    page = bridge.page()
    end.lose()
    [reading] = result_of(page.read([Question("route")]))
    assert reading.error == "Page s1 is no longer connected."


def test_evidence_is_there_before_the_answer(bridge: Bridge) -> None:
    """
    Events that the page sent before its answer are recorded when the call returns.
    """
    end = bridge.connect()
    page = bridge.page()
    seen: list[int] = []
    page.ask(CommandName.ACT, {}).addCallback(lambda _: seen.append(page.cursor()))
    end.event("dom.added")
    end.event("net.pending", {"id": "n1"})
    end.answer({"ok": True})
    assert seen == [2]


def test_waiting_ends_with_an_event_or_with_time(bridge: Bridge) -> None:
    """
    A waiting call wakes for the first event beyond its cursor, else after its time.
    """
    end = bridge.connect()
    page = bridge.page()
    woken, expired = page.changed(Cursor(0), 5), page.changed(Cursor(1), 5)
    end.event("signal")
    assert result_of(woken) is True
    bridge.clock.advance(5)
    assert result_of(expired) is False
    assert result_of(page.changed(Cursor(0), 5)) is True
    assert result_of(page.changed(Cursor(1), 0)) is False


def test_waiting_ends_when_the_page_goes_or_comes(bridge: Bridge) -> None:
    """
    A lost socket and a new document both wake a waiting call.
    """
    end = bridge.connect()
    page = bridge.page()
    lost = page.changed(Cursor(0), 5)
    end.lose()
    assert result_of(lost) is True
    bridge.connect(document_id="doc00002")
    replaced = page.changed(Cursor(0), 5)
    bridge.connect(document_id="doc00003")
    assert result_of(replaced) is True
    assert bridge.clock.getDelayedCalls() == []


def test_events_belong_to_the_action_under_way(bridge: Bridge) -> None:
    """
    An older action's end does not end the newer one.
    """
    end = bridge.connect()
    page = bridge.page()
    end.event("signal")
    first = page.begin_action()
    end.event("signal")
    second = page.begin_action()
    page.end_action(first)
    end.event("signal")
    page.end_action(second)
    end.event("signal")
    assert [event.action_id for event in page.events(Cursor(0))] == [None, first, second, None]
    assert page.last_action_cursor() == 2


def test_a_navigation_moves_the_last_action_unless_the_agent_caused_it(bridge: Bridge) -> None:
    """
    A form submit and the page it loads are one stretch; a user's reload later begins another.
    """
    end = bridge.connect()
    page = bridge.page()
    end.event("signal")
    page.end_action(page.begin_action())
    end.event("signal")
    end.lose()
    bridge.clock.advance(1)
    end = bridge.connect(document_id="doc00002")
    assert page.last_action_cursor() == 1
    end.event("signal")
    bridge.clock.advance(60)
    bridge.connect(document_id="doc00003")
    assert page.last_action_cursor() == 3


def test_a_navigate_command_is_an_action(bridge: Bridge) -> None:
    """
    What follows a navigation is looked at from before it.
    """
    end = bridge.connect()
    end.event("signal")
    bridge.page().ask(CommandName.NAVIGATE, {"url": "/x"}).addErrback(lambda _: None)
    end.event("signal")
    assert bridge.page().last_action_cursor() == 1


def test_identity_follows_routes_and_hellos(bridge: Bridge) -> None:
    """
    ``reticle_sessions`` shows the URL and title of now.
    """
    end = bridge.connect()
    end.event("route.change", {"from": "http://localhost:8000/", "to": "/cart?x=1#y"})
    assert bridge.page().identity.url == "http://localhost:8000/cart?x=1#y"
    end.hello(title="Cart (1)", adapters=["react"], hasCapabilities=True, url="http://localhost:8000/cart")
    identity = bridge.page().identity
    assert (identity.title, identity.adapters, identity.has_capabilities) == ("Cart (1)", ("react",), True)
    assert end.writer.closed is None


@pytest.mark.parametrize("to", [None, "", 7, "http://[broken"])
def test_a_strange_route_changes_nothing(bridge: Bridge, to: object) -> None:
    """
    A malformed report does not lose the URL.
    """
    end = bridge.connect()
    end.event("route.change", {"to": to})
    assert bridge.page().identity.url == "http://localhost:8000/"


def test_health_is_what_the_page_last_said(bridge: Bridge) -> None:
    """
    Age, visibility and focus follow the heartbeat.
    """
    end = bridge.connect()
    end.event("page.health", {"hidden": False, "focused": True, "reason": "heartbeat"})
    bridge.clock.advance(13)
    health = bridge.page().health()
    assert (health.hidden, health.focused, health.silent_seconds, health.connected) == (False, True, 13, True)
    assert health.throttled(12)


def test_a_socket_that_we_had_to_cut_impeaches_its_document(bridge: Bridge) -> None:
    """
    When a message was too big and another document comes, the old one's end was not seen (WS-06).
    """
    end = bridge.connect()
    end.event("signal")
    end.lose(1009)
    bridge.connect(document_id="doc00002")
    assert bridge.page().window(Cursor(0)).losses == [Loss(Cursor(1), "*", 1, "document")]


def test_an_ordinary_navigation_loses_nothing(bridge: Bridge) -> None:
    """
    A reload alone never makes a verdict unknown.
    """
    end = bridge.connect()
    end.event("signal")
    end.lose(1001)
    bridge.connect(document_id="doc00002")
    window = bridge.page().window(Cursor(0))
    assert (window.losses, window.connection_lost, window.document_id) == ([], False, "doc00002")


def test_what_was_recorded_outlives_the_socket(bridge: Bridge) -> None:
    """
    After the tab is closed its events can still be read.
    """
    end = bridge.connect()
    page = bridge.page()
    end.event("signal", {"name": "saved"})
    end.lose()
    window = page.window(Cursor(0))
    assert [event.data for event in window.events] == [{"name": "saved"}]
    assert window.connection_lost


def test_a_published_page_has_documents_too(bridge: Bridge) -> None:
    """
    Its second ``initial`` heartbeat is a new document, although it names none.
    """
    end = bridge.connect(own=False)
    page: BridgedPage = bridge.page()
    end.event("page.health", {"reason": "initial"})
    end.event("net.pending", {"id": "n1"})
    first = page.identity.document_id
    end.lose()
    end = bridge.connect(own=False)
    assert page.identity.document_id == first
    end.event("page.health", {"reason": "initial"})
    assert (first, page.identity.document_id) == ("published-1", "published-2")
    assert page.window(page.cursor()).open_requests_before == []


def test_a_window_tells_whether_the_page_was_hidden_and_how_long_it_was_silent(bridge: Bridge) -> None:
    """
    A browser slows a page that nobody sees: a verdict over it has to know.
    """
    end = bridge.connect()
    page: BridgedPage = bridge.page()
    end.event("page.health", {"reason": "visibilitychange", "hidden": True})
    bridge.clock.advance(3)
    window = page.window(Cursor(0))
    assert (window.hidden, window.silent_ms) == (True, 3_000)
    end.event("page.health", {"reason": "visibilitychange", "hidden": False})
    past = page.window(Cursor(0), Cursor(1))
    assert (page.window(Cursor(0)).hidden, past.hidden, past.silent_ms) == (False, False, 0)


def test_a_page_with_an_old_script_is_told_of_once_until_it_loads_the_new_one(bridge: Bridge) -> None:
    """
    A copy that a service worker kept is noticed at every load, and no longer once the new one runs (SN-11).
    """
    end = bridge.connect(contract="0ld0000000000000")
    page = bridge.page()
    assert (page.identity.script_hash, page.identity.version_skew) == ("0ld0000000000000", True)
    end.hello(contract="0ld0000000000000", title="Shop 2")
    assert [page.take_skew(), page.take_skew()] == [True, False]
    bridge.connect(document_id="doc00002", contract=None)
    assert (page.identity.version_skew, page.take_skew(), page.take_skew()) == (True, True, False)
    bridge.connect(document_id="doc00003")
    assert (page.identity.version_skew, page.take_skew()) == (False, False)


def test_a_published_package_is_not_accused_of_being_old(bridge: Bridge) -> None:
    """
    A page with the published packages has no script of ours to be old (SN-11).
    """
    bridge.connect(own=False)
    assert (bridge.page().identity.version_skew, bridge.page().take_skew()) == (False, False)


def test_what_may_show_something_else_is_told(bridge: Bridge) -> None:
    """
    Who watches a page hears when it comes, changes, declares something and goes, not of every heartbeat.
    """
    end = bridge.connect()
    assert bridge.changed == ["s1"]
    for kind, data in (("page.health", {"hidden": True}), ("net.request", {}), ("dom.text", {"text": "x"})):
        end.event(kind, data)
    assert bridge.changed == ["s1"] * 2
    end.hello("s1", "doc00001", own=True, hasCapabilities=True)
    assert bridge.changed == ["s1"] * 3
    end.lose()
    assert bridge.changed == ["s1"] * 4


def test_a_page_that_flags_without_end_is_told_of_a_few(bridge: Bridge) -> None:
    """
    Notes to a panel that answers none are not sent by the thousand; one that answers hears of each.
    """
    silent = bridge.connect("silent", "doc-silent")
    quick = bridge.connect("quick", "doc-quick")
    quick.on("narrate", {"shown": True})
    for end in (silent, quick):
        for number in range(PANEL_COMMANDS * 2):
            end.event("human.mark", {"note": f"n{number}", "anchor": "a"})
    assert len(silent.commands()) == PANEL_COMMANDS
    assert len(quick.commands()) == PANEL_COMMANDS * 2


PLACED = {"source": "/app.js:1:9", "frames": [["http://localhost:8000/app.js", 1, 9]]}
AS_SERVED = "/app.js:1:9 (as served)"


def test_places_in_running_scripts_are_never_told_as_a_files(bridge: Bridge) -> None:
    """
    Not in an answer, a refusal or a window; here no map is read.
    """
    end = bridge.connect()
    page = bridge.page()
    asked = page.ask(CommandName.INSPECT, {"ref": "e1"})
    end.answer({"ref": "e1", **PLACED})
    assert result_of(asked) == {"ref": "e1", "source": AS_SERVED}
    refused = page.ask(CommandName.ACT, {"target": {"role": "button"}})
    end.refuse("ambiguous_target", details={"candidates": [{"ref": "e1", **PLACED}]})
    assert refusal_of(refused).details["candidates"] == [{"ref": "e1", "source": AS_SERVED}]
    end.event("error.uncaught", {"message": "no", "kind": "error", **PLACED})
    window = result_of(page.placed(page.window(Cursor(0)), 0.0))
    assert [event.data.get("source") for event in window.events] == [AS_SERVED]


def test_a_page_learns_its_places_before_it_is_asked_by_one(bridge: Bridge) -> None:
    """
    Ours only; a query in a target or a question counts too, and other commands do not wait for it.
    """
    end = bridge.connect()
    page = bridge.page()
    query = {"source": {"file": "src/cart.ts", "line": 10}}
    page.ask(CommandName.QUERY, query)
    page.read([Question("match", {"query": query})])
    page.ask(CommandName.QUERY, {"role": "button"})
    assert [command["name"] for command in end.commands()] == ["places", "places", "query"]
    end.answer({"unknown": []}, number=0)
    end.answer({"unknown": []}, number=1)
    assert [command["name"] for command in end.commands()[3:]] == ["query", "read"]
    published = bridge.connect("s2", own=False)
    bridge.page("s2").ask(CommandName.QUERY, query)
    assert "places" not in [command["name"] for command in published.commands()]
