"""
The way of a recording into the journal.
"""

from __future__ import annotations

from twisted.internet.task import Clock

from reticle.bridge.ring import Entry
from reticle.bridge.tape import Tape, Tapes, without_values
from reticle.model.ids import PageId
from reticle.model.journal import RecordingState
from reticle.model.journal_limits import CHUNK_BYTES, CHUNK_EVENTS, CHUNK_NOTES, CHUNK_SECONDS
from reticle.testing.journal import MemoryJournal


class Deck:
    """
    A tape and what came of it.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.journal = MemoryJournal()
        self.tapes = Tapes(self.journal, self.clock, lambda: 1_000.0 + self.clock.seconds())
        self.newest = 0
        self.tape = Tape(PageId("s1"), self.tapes, lambda: RecordingState(newest=self.newest, t_ms=0))

    def take(self, number: int, size: int = 2) -> None:
        """
        So many events.
        """
        entries = [Entry(self.newest + each, 0, "signal", b"x" * size) for each in range(1, number + 1)]
        self.newest += number
        self.tape.took(entries)

    def rows(self) -> list[tuple[int, int, int]]:
        """
        First number, newest number and events of each chunk.
        """
        return [(chunk.first, chunk.newest, len(chunk.events)) for chunk in self.journal.chunks]


def test_a_little_is_handed_over_soon() -> None:
    """
    A kill costs the last moments only, and a page that says nothing costs no row.
    """
    deck = Deck()
    deck.take(1)
    deck.take(2)
    assert deck.rows() == []
    deck.clock.advance(CHUNK_SECONDS)
    assert deck.rows() == [(1, 3, 3)]
    assert deck.journal.chunks[0].at == 1_000.0 + CHUNK_SECONDS
    deck.clock.advance(60)
    assert deck.rows() == [(1, 3, 3)]
    assert deck.clock.getDelayedCalls() == []


def test_much_is_handed_over_at_once() -> None:
    """
    By number and by size; what was handed over is not handed over again by the timer.
    """
    deck = Deck()
    deck.take(CHUNK_EVENTS)
    deck.take(1, CHUNK_BYTES)
    deck.clock.advance(CHUNK_SECONDS)
    assert deck.rows() == [(1, CHUNK_EVENTS, CHUNK_EVENTS), (CHUNK_EVENTS + 1, CHUNK_EVENTS + 1, 1)]


def test_a_change_without_an_event_is_a_row() -> None:
    """
    Documents, losses and connections are known after a restart, too.
    """
    deck = Deck()
    deck.tape.changed()
    deck.clock.advance(CHUNK_SECONDS)
    assert deck.rows() == [(1, 0, 0)]


def test_notes_go_with_the_events_around_them() -> None:
    """
    And do not wait in any number.
    """
    deck = Deck()
    for number in range(CHUNK_NOTES):
        deck.tape.note(0, number, "command", {"name": "query"})
    [chunk] = deck.journal.chunks
    assert len(chunk.notes) == CHUNK_NOTES


def test_nothing_comes_behind_the_end() -> None:
    """
    The last chunk says that it is the last, and is.
    """
    deck = Deck()
    deck.take(1)
    deck.tape.hand_over(clean=True)
    deck.take(1)
    deck.tape.changed()
    deck.tape.hand_over(clean=True)
    deck.clock.advance(CHUNK_SECONDS)
    assert [(chunk.newest, chunk.clean) for chunk in deck.journal.chunks] == [(1, True)]


def test_a_chunk_that_is_left_out_is_seen_in_the_numbers() -> None:
    """
    The next one begins behind a gap, also when it has no event.
    """
    deck = Deck()
    deck.journal.full = True
    deck.take(3)
    deck.clock.advance(CHUNK_SECONDS)
    deck.journal.full = False
    deck.tape.changed()
    deck.clock.advance(CHUNK_SECONDS)
    assert deck.rows() == [(4, 3, 0)]


def test_stopped_tapes_leave_no_timer() -> None:
    """
    A daemon that stops waits for nothing.
    """
    deck = Deck()
    deck.take(1)
    deck.tapes.stop()
    deck.take(1)
    assert deck.clock.getDelayedCalls() == []


def test_values_are_not_told() -> None:
    """
    Only what names a place or a manner; a text, a URL and whatever is nested may be a secret.
    """
    args = {"ref": "e1", "action": "type", "args": {"text": "hunter2"}, "url": "http://x/?k=1", "by": ["a"]}
    assert without_values(args) == {"ref": "e1", "action": "type", "args": "…", "url": "…", "by": "…"}
