"""
A page that comes back after the daemon was started anew.

A second directory with the same journal and clock is the daemon after a restart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.codes import CloseCode, CommandName
from reticle.model.ids import BrowserLeaseId, Cursor, PageId
from reticle.model.journal import JournalChunk
from reticle.model.journal_limits import CHUNK_SECONDS, RECALL_HELD_BYTES, RECALL_SECONDS
from reticle.model.limits import FAREWELL_SECONDS, FORMER_PAGES
from reticle.testing.bridge import Bridge, result_of
from reticle.testing.journal import MemoryJournal
from reticle.testing.sockets import PageEnd

Held = list[Deferred[Sequence[JournalChunk]]]


@pytest.fixture
def before() -> Bridge:
    """
    The daemon before the restart.
    """
    return Bridge(journal=MemoryJournal())


def say(end: PageEnd, *events: Mapping[str, object]) -> None:
    """
    One batch.
    """
    end.say({"kind": "events", "events": events})


def report(end: PageEnd, *types: str, first: int, document: str = "doc00001") -> None:
    """
    Events of our script, numbered from ``first`` on.
    """
    say(
        end,
        *(
            {"type": each, "data": {"n": number}, "seq": number, "documentId": document}
            for number, each in enumerate(types, first)
        ),
    )


def killed(bridge: Bridge, seconds: float = 1.0) -> Bridge:
    """
    The daemon after a kill: nothing was said to the old one, and what it had not handed over is gone.
    """
    kept = MemoryJournal()
    kept.chunks = [*disk(bridge).chunks]
    kept.life = disk(bridge).life + 1
    bridge.clock.advance(seconds)
    return Bridge(journal=kept, clock=bridge.clock)


def disk(bridge: Bridge) -> MemoryJournal:
    """
    Its journal.
    """
    assert bridge.journal is not None
    return bridge.journal


def stopped(bridge: Bridge, seconds: float = 1.0) -> Bridge:
    """
    The daemon after an orderly stop.
    """
    bridge.directory.close_all()
    return killed(bridge, seconds)


def types(bridge: Bridge, since: int = 0) -> list[str]:
    """
    What is read from that cursor on.
    """
    return [event.type for event in bridge.page().events(Cursor(since))]


def lost(bridge: Bridge, since: int) -> list[tuple[str, str]]:
    """
    Which losses a window from that cursor on has.
    """
    return [(loss.channel, loss.where) for loss in bridge.page().window(Cursor(since)).losses]


def test_a_cursor_of_before_an_orderly_restart_reads_the_same_events(before: Bridge) -> None:
    """
    Nothing is lost and nothing said to be; numbers and time go on.
    """
    report(before.connect(), "signal", "state.change", "signal", first=1)
    was = before.page().events(Cursor(1))
    elapsed = before.page().elapsed_ms()
    after = stopped(before, 3.0)
    report(after.connect(), "route.change", first=4)
    page = after.page()
    assert [*page.events(Cursor(1))][:2] == [*was]
    assert types(after, 3) == ["route.change"]
    assert lost(after, 0) == []
    assert page.events(Cursor(3))[0].t_ms == elapsed + 3_000
    assert page.cursor() > 3


def test_what_a_killed_daemon_had_not_handed_over_is_a_declared_loss(before: Bridge) -> None:
    """
    A window over the restart cannot prove an absence; one that begins after it can.
    """
    end = before.connect()
    report(end, "signal", first=1)
    before.clock.advance(CHUNK_SECONDS)
    report(end, "error.uncaught", first=2)
    given_out = before.page().cursor()
    after = killed(before, 0.1)
    report(after.connect(), "signal", first=3)
    assert types(after, 0) == ["signal", "signal"]
    assert ("*", "journal") in lost(after, 0)
    assert ("*", "journal") in lost(after, given_out)
    assert after.page().cursor() > given_out
    assert types(after, given_out) == ["signal"]
    here = after.page().cursor()
    assert lost(after, here) == []


def test_a_window_right_after_a_kill_is_not_held_to_what_was_before(before: Bridge) -> None:
    """
    The first act after a restart can be verified.
    """
    report(before.connect(), "signal", first=1)
    before.clock.advance(CHUNK_SECONDS)
    after = killed(before)
    end = after.connect()
    since = after.page().cursor()
    report(end, "signal", first=7)
    assert lost(after, since) == []
    assert types(after, since) == ["signal"]


def test_a_gap_of_the_page_after_an_orderly_restart_is_a_loss(before: Bridge) -> None:
    """
    What the page had sent into a closing socket is missed by its own numbers, from every cursor of before.
    """
    report(before.connect(), "signal", first=1)
    given_out = before.page().cursor()
    after = stopped(before)
    report(after.connect(), "signal", first=4)
    assert ("*", "page") in lost(after, given_out)


def test_numbers_go_beyond_all_that_a_flood_can_have_given_out(before: Bridge) -> None:
    """
    However long the journal was not written, no cursor of before reads past an event unsaid.
    """
    end = before.connect()
    report(end, "signal", first=1)
    before.clock.advance(CHUNK_SECONDS)
    disk(before).full = True
    for second in range(5):
        say(end, *({"type": "dom.text", "data": {}} for _ in range(9_000)))
        say(end, *({"type": "net.request", "data": {}} for _ in range(9_000)))
        before.clock.advance(1.0 + second % 2)
    given_out = before.page().cursor()
    disk(before).full = False
    after = killed(before, 0.0)
    report(after.connect(), "signal", first=200_000)
    assert after.page().cursor() > given_out
    assert ("*", "journal") in lost(after, given_out)


def test_chunks_that_were_left_out_are_a_declared_loss(before: Bridge) -> None:
    """
    While the disk was full, the page went on; after a restart the hole is known and the rest is there.
    """
    end = before.connect()
    report(end, "signal", first=1)
    before.clock.advance(CHUNK_SECONDS)
    disk(before).full = True
    report(end, "error.uncaught", first=2)
    before.clock.advance(CHUNK_SECONDS)
    disk(before).full = False
    report(end, "state.change", first=3)
    after = stopped(before)
    after.connect()
    assert types(after) == ["signal", "state.change"]
    assert lost(after, 0) == [("*", "journal")]
    assert lost(after, 2) == []


def test_requests_that_were_open_still_are(before: Bridge) -> None:
    """
    After a restart a page is not called settled while its request is under way.
    """
    end = before.connect()
    say(
        end,
        {"type": "net.pending", "data": {"id": "r1"}, "seq": 1, "documentId": "doc00001"},
        {"type": "net.pending", "data": {"id": "r2"}, "seq": 2, "documentId": "doc00001"},
        {"type": "net.request", "data": {"id": "r1"}, "seq": 3, "documentId": "doc00001"},
    )
    before.clock.advance(CHUNK_SECONDS)
    for damaged in (False, True):
        if damaged:
            disk(before).full = True
            say(end, {"type": "net.pending", "data": {"id": "r3"}, "seq": 4, "documentId": "doc00001"})
            before.clock.advance(CHUNK_SECONDS)
            disk(before).full = False
            report(end, "signal", first=5)
            before.clock.advance(CHUNK_SECONDS)
        after = killed(before)
        after.connect()
        page = after.page()
        opened = [event.data["id"] for event in page.window(page.cursor()).open_requests_before]
        assert opened == (["r2", "r3"] if damaged else ["r2"])


def test_another_document_of_the_page_is_a_new_one_with_a_loss(before: Bridge) -> None:
    """
    A reload while the daemon was away: the old cursor goes on, the old document's last events are lost.
    """
    report(before.connect(), "signal", first=1)
    after = stopped(before)
    after.connect(document_id="doc00002")
    window = after.page().window(Cursor(1))
    assert window.new_document
    assert window.document_id == "doc00002"
    assert ("*", "document") in [(loss.channel, loss.where) for loss in window.losses]


def test_a_past_that_cannot_be_read_costs_the_name(before: Bridge) -> None:
    """
    The page is served under another name: a cursor of before means no page, instead of a wrong one.
    """
    report(before.connect(), "signal", first=1)
    after = stopped(before)
    disk(after).failing = True
    after.connect()
    assert [page.identity.page_id for page in after.directory.all()] == ["s1~2"]


def test_a_past_that_does_not_come_in_time_costs_the_name(before: Bridge) -> None:
    """
    A stuck disk does not keep a page out; what comes late is not used.
    """
    report(before.connect(), "signal", first=1)
    after = stopped(before)
    held: Held = []
    disk(after).held = held
    end = after.connect()
    assert after.directory.all() == []
    report(end, "signal", first=2)
    after.clock.advance(RECALL_SECONDS)
    [page] = after.directory.all()
    assert page.identity.page_id == "s1~2"
    assert [event.type for event in page.events(Cursor(0))] == ["signal"]
    held[0].callback(disk(after).of(PageId("s1")))
    assert [event.type for event in page.events(Cursor(0))] == ["signal"]


def test_what_is_said_before_the_past_is_there_is_not_lost(before: Bridge) -> None:
    """
    Events behind the hello wait and come in their order.
    """
    report(before.connect(), "signal", first=1)
    after = stopped(before)
    held: Held = []
    disk(after).held = held
    end = after.connect()
    report(end, "state.change", first=2)
    report(end, "route.change", first=3)
    held[0].callback(disk(after).of(PageId("s1")))
    assert types(after) == ["signal", "state.change", "route.change"]
    assert lost(after, 0) == []


def test_too_much_said_before_the_past_is_there_is_put_off(before: Bridge) -> None:
    """
    A page cannot fill the memory while it waits: it is to come back later.
    """
    report(before.connect(), "signal", first=1)
    after = stopped(before)
    held: Held = []
    disk(after).held = held
    end = after.connect()
    say(end, {"type": "signal", "data": {"text": "x" * RECALL_HELD_BYTES}})
    assert end.writer.closed is not None
    assert end.writer.closed[0] == CloseCode.TRY_LATER


def test_a_socket_that_goes_before_the_past_is_there_leaves_nothing(before: Bridge) -> None:
    """
    Its timer ends with it, and the next socket gets the past.
    """
    report(before.connect(), "signal", first=1)
    after = stopped(before)
    held: Held = []
    disk(after).held = held
    after.connect().lose()
    assert after.clock.getDelayedCalls() == []
    held[0].callback(disk(after).chunks)
    disk(after).held = None
    after.connect()
    assert types(after) == ["signal"]


def test_what_the_daemon_opened_itself_does_not_come_back(before: Bridge) -> None:
    """
    A page that dials in cannot take over what was recorded of a tab that the daemon drove.
    """
    driven = before.dial(attested=Attestation(BrowserLeaseId("b1"), "http://localhost:8000/"))
    driven.hello("s1", "doc00001")
    report(driven, "signal", first=1)
    after = stopped(before)
    after.connect()
    [page] = after.directory.all()
    assert (page.identity.page_id, [*page.events(Cursor(0))]) == ("s1~2", [])


def test_published_packages_begin_anew(before: Bridge) -> None:
    """
    They name no documents, so that nobody can tell whose past it would be; their old name is not used again.
    """
    say(before.connect(own=False), {"type": "signal", "data": {}})
    after = stopped(before)
    after.connect(own=False)
    assert [page.identity.page_id for page in after.directory.all()] == ["s1~2"]


def test_commands_and_replies_are_in_the_journal_without_what_was_typed(before: Bridge) -> None:
    """
    Whoever reads the journal sees what was asked and how it ended, and no password.
    """
    end = before.connect()
    asked = before.page().ask(CommandName.ACT, {"ref": "e1", "action": "type", "args": {"text": "hunter2"}})
    end.answer({"ok": True})
    result_of(asked)
    refused = before.page().ask(CommandName.QUERY, {"text": "hunter2"})
    end.refuse("no", code="stale_ref")
    refused.addErrback(lambda _failure: None)
    before.directory.close_all()
    notes = [(note.kind, note.fields) for chunk in disk(before).chunks for note in chunk.notes]
    assert notes == [
        ("command", {"name": "act", "args": {"ref": "e1", "action": "type", "args": "…"}}),
        ("reply", {"name": "act", "ok": True, "code": "", "ms": 0}),
        ("command", {"name": "query", "args": {"text": "…"}}),
        ("reply", {"name": "query", "ok": False, "code": "stale_ref", "ms": 0}),
    ]
    assert isinstance(refused, Deferred)


def test_what_went_on_before_a_restart_is_known_to_the_first_act_after_it(before: Bridge) -> None:
    """
    A clock on the page that ticked before is no reaction to the act, although the numbers leapt.
    """
    report(before.connect(), "dom.text", "signal", "net.request", first=1)
    before.clock.advance(CHUNK_SECONDS)
    after = killed(before)
    end = after.connect()
    report(end, "dom.text", first=4)
    window = after.page().window(after.page().cursor())
    assert [event.type for event in window.changes_before] == ["dom.text", "signal", "dom.text"]
    assert [event.type for event in window.answers_before] == ["net.request"]


def test_a_page_that_was_forgotten_comes_back_in_the_same_life(before: Bridge) -> None:
    """
    Its number goes on beyond all that were given out, so that no cursor of it is met twice.
    """
    end = before.connect()
    report(end, "signal", first=1)
    end.lose()
    for number in range(FORMER_PAGES + 1):
        before.clock.advance(1.0)
        before.connect(f"other{number}", f"docother{number}").lose()
    with pytest.raises(Refusal):
        before.page()
    report(before.connect(), "state.change", first=2)
    assert types(before) == ["signal", "state.change"]
    assert ("*", "journal") in lost(before, 1)


def test_two_tabs_of_one_name_are_not_taken_for_one_another(before: Bridge) -> None:
    """
    The second tab's name of before means nobody after a restart: its past came back with no tab.
    """
    first = before.connect()
    second = before.connect(document_id="doc00002")
    before.clock.advance(FAREWELL_SECONDS)
    report(first, "signal", first=1)
    report(second, "signal", first=1, document="doc00002")
    assert sorted(page.identity.page_id for page in before.directory.all()) == ["s1", "s1~2"]
    after = stopped(before)
    again, other = after.connect(document_id="doc00002"), after.connect()
    after.clock.advance(FAREWELL_SECONDS)
    report(again, "state.change", first=2, document="doc00002")
    report(other, "state.change", first=2)
    names = sorted(page.identity.page_id for page in after.directory.all())
    assert (names[0], len(names)) == ("s1", 2)
    assert names[1] != "s1~2"


def test_a_window_of_before_is_the_same_after_an_orderly_restart(before: Bridge) -> None:
    """
    Documents, apps, losses, blind spots, requests, actions, connections: whatever verdicts are made of.
    """
    end = before.connect(url="http://localhost:8000/", projectId="shop")
    page = before.page()
    report(end, "signal", first=1)
    say(
        end,
        {"type": "blind-spot", "data": {"kind": "canvas", "count": 2}, "seq": 2, "documentId": "doc00001"},
    )
    say(end, {"type": "net.pending", "data": {"id": "r1"}, "seq": 3, "documentId": "doc00001"})
    page.begin_action()
    before.clock.advance(0.7)
    report(end, "net.request", "state.change", first=7)
    end.lose(CloseCode.INTERNAL)
    before.clock.advance(5.0)
    report(
        before.connect(document_id="doc00002", projectId="other"), "dom.added", first=1, document="doc00002"
    )
    cursors = [Cursor(number) for number in range(page.cursor())]
    stretches = [(since, until) for since in cursors for until in cursors if since <= until]
    told = [page.window(since, until) for since, until in stretches]
    apps = [page.apps(since) for since in cursors]
    figures = (page.buffer(), page.last_action_cursor())
    after = stopped(before)
    after.connect(document_id="doc00002", projectId="other")
    again = after.page()
    for (since, until), window in zip(stretches, told, strict=True):
        found = again.window(since, until)
        assert attrs.asdict(found, filter=of_the_past) == attrs.asdict(window, filter=of_the_past)
    assert [again.apps(since) for since in cursors] == apps
    assert (again.buffer(), again.last_action_cursor()) == figures
    whole = again.window(Cursor(0))
    assert (whole.document_id, whole.connection_lost) == ("doc00002", False)
    assert [loss.where for loss in whole.losses] == ["page", "document"]


def of_the_past(attribute: attrs.Attribute[object], _value: object) -> bool:
    """
    What belongs to the stretch and not to the moment of looking.
    """
    return attribute.name not in {"page", "hidden", "silent_ms", "pending"}


def test_a_kill_is_a_lost_connection_until_the_page_is_back(before: Bridge) -> None:
    """
    A window that ends at the kill says that nobody listened then.
    """
    report(before.connect(), "signal", first=1)
    before.clock.advance(CHUNK_SECONDS)
    last = before.page().cursor()
    after = killed(before)
    after.connect()
    assert after.page().window(Cursor(0), last).connection_lost
    assert not after.page().window(Cursor(0)).connection_lost
