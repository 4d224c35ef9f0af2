"""
What is known of a page after a restart, whatever became of its chunks.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from reticle.bridge.past import MOST_PER_SECOND, entries_of, past_of
from reticle.bridge.recording import Recording
from reticle.bridge.tape import Tape, Tapes
from reticle.bridge.wire import WireEvent
from reticle.model.ids import ActionId, Cursor, DocumentId, PageId
from reticle.model.journal import JournalChunk, JournalEvent, RecordingState, judged_clean, missing_between
from reticle.model.page import App, PageIdentity
from reticle.testing.journal import MemoryJournal

PAGE = PageId("s1")
IDENTITY = PageIdentity(PAGE, "http://localhost/", "Shop", own_script=True, document_id=DocumentId("d1"))


def chunk(
    first: int, newest: int, *, resumed_at: int = 0, at: float = 0.0, clean: bool = False
) -> JournalChunk:
    """
    One without events.
    """
    state = RecordingState(newest=newest, t_ms=10 * newest, resumed_at=resumed_at)
    return JournalChunk(
        page_id=PAGE,
        first=first,
        newest=newest,
        at=at,
        resumed_from=min(4, resumed_at),
        resumed_at=resumed_at,
        clean=clean,
        state=state,
    )


def test_numbers_that_no_event_had_are_missing_only_once() -> None:
    """
    A restart skips numbers, which its own losses declare; what was left out beside them is missed.
    """
    assert missing_between(4, chunk(5, 9)) is None
    assert missing_between(4, chunk(7, 9)) == (5, 6)
    assert missing_between(4, chunk(101, 109, resumed_at=100)) is None
    assert missing_between(4, chunk(103, 109, resumed_at=100)) == (101, 102)
    assert missing_between(104, chunk(106, 109, resumed_at=100)) == (105, 105)
    assert missing_between(2, chunk(101, 109, resumed_at=100)) == (3, 100)
    assert missing_between(0, chunk(101, 109, resumed_at=100)) == (1, 100)


def test_an_orderly_end_goes_on_and_a_kill_leaps() -> None:
    """
    After a kill the numbers go beyond all that can have been given out since the last chunk.
    """
    clean = past_of([chunk(1, 9, at=100.0, clean=True)], 107.0)
    assert (clean.resumed_at, clean.losses, clean.elapsed_ms) == (10, [], 7_090)
    killed = past_of([chunk(1, 9, at=100.0)], 107.0)
    assert killed.resumed_at == 10 + 9 * MOST_PER_SECOND
    [loss] = killed.losses
    assert (loss.channel, loss.where, loss.first, loss.last) == ("*", "journal", 9, killed.resumed_at - 1)


def test_what_an_event_goes_back_to_outlives_the_daemon() -> None:
    """
    Events of an earlier life are judged as they were; those that were journalled before have none.
    """
    event = JournalEvent(1, 10, "signal", b"{}", cause="a1-2")
    before = msgspec.json.decode(
        b'[1, 10, "signal", "e30=", null, null, null, null, null]', type=JournalEvent
    )
    assert [entry.event().cause for entry in entries_of([event, before])] == ["a1-2", None]
    life = Life()
    life.recording.record(
        [WireEvent(type="signal", document_id="d1", page_seq=1, cause="load")], None, counted=True
    )
    life.restart(clean=True)
    assert [each.cause for each in life.recording.events(0)] == ["load"]


def test_a_clock_that_went_back_leaps_further() -> None:
    """
    A clock that was set back between two lives makes no number be given out twice, and time goes on.
    """
    past = past_of([chunk(1, 9, at=100.0)], 50.0)
    assert past.resumed_at > 86_400 * MOST_PER_SECOND
    assert past.elapsed_ms == 90


Step = tuple[str, int]

STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(
        st.sampled_from(["events", "flush", "full", "well", "act", "document", "kill", "stop", "prune"]),
        st.integers(1, 5),
    ),
    min_size=1,
    max_size=40,
)


class Life:
    """
    One page over several lives of the daemon, and beside it everything that really happened.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.journal = MemoryJournal()
        self.truth: dict[int, str] = {}
        self.given_out = [0]
        self.document = 1
        self.page_seq = 0
        self.begin(())

    def begin(self, chunks: Sequence[JournalChunk]) -> None:
        """
        A daemon starts and the page is there again.
        """
        self.tapes = Tapes(self.journal, self.clock, self.clock.seconds)
        self.recording = recording = Recording(self.clock.seconds)
        if chunks:
            recording.resume(past_of(chunks, self.clock.seconds()))
        else:
            recording.document_loaded(DocumentId(f"d{self.document}"))
        self.tape = Tape(PAGE, self.tapes, lambda: recording.state(Cursor(0), attested=False))
        recording.journalled(self.tape)
        recording.shows(App("shop", "http://localhost"), DocumentId(f"d{self.document}"))
        recording.connection(connected=True)
        self.given_out.append(recording.cursor())

    def restart(self, *, clean: bool) -> None:
        """
        The daemon ends, and another one starts; without a journal the page is another page.
        """
        if clean:
            self.recording.connection(connected=False)
            self.tape.hand_over(clean=True)
        self.tapes.stop()
        self.clock.advance(0.5)
        if not self.journal.chunks:
            self.truth, self.given_out = {}, [0]
        self.journal.life += 1
        self.begin(judged_clean(self.journal.chunks, self.journal.life))

    def step(self, what: str, number: int) -> None:
        """
        One thing happens.
        """
        if what == "events":
            for _ in range(number):
                self.page_seq += 1
                text = f"e{self.page_seq}"
                name = DocumentId(f"d{self.document}")
                data = msgspec.Raw(f'{{"n":"{text}"}}'.encode())
                event = WireEvent("signal", data=data, page_seq=self.page_seq, document_id=name)
                self.recording.record([event], name, counted=True)
                self.truth[self.recording.cursor()] = text
                self.given_out.append(self.recording.cursor())
        elif what == "flush":
            self.clock.advance(0.3)
        elif what in {"full", "well"}:
            self.journal.full = what == "full"
        elif what == "act":
            self.recording.attribute(ActionId(f"a{number}"))
        elif what == "document":
            self.document += 1
            self.page_seq = 0
            self.recording.document_loaded(DocumentId(f"d{self.document}"))
        elif what == "prune":
            del self.journal.chunks[: min(number, len(self.journal.chunks) - 1)]
        else:
            self.restart(clean=what == "stop")


@given(STEPS)
def test_whatever_is_lost_is_said(steps: list[Step]) -> None:
    """
    After any order of batches, full disks, prunings, kills and stops: from any cursor that was ever given
    out, what is read is what happened, and where something of it is missing, the window says so.
    """
    life = Life()
    for what, number in [*steps, ("kill", 1)]:
        life.step(what, number)
    for since in sorted(set(life.given_out)):
        window = life.recording.window(IDENTITY, Cursor(since))
        held = {event.seq: event.data["n"] for event in window.events}
        wanted = {seq: text for seq, text in life.truth.items() if seq > since}
        assert held.items() <= wanted.items()
        if held != wanted:
            assert any(loss.channel == "*" for loss in window.losses)
    numbers = [event.seq for event in life.recording.events(0)]
    assert numbers == sorted(set(numbers))
    assert life.recording.cursor() >= max(life.given_out)


@given(STEPS)
def test_what_no_loss_covers_is_all_there(steps: list[Step]) -> None:
    """
    The same for stretches that ended in the past: between two cursors nothing is missing unsaid.
    """
    life = Life()
    for what, number in [*steps, ("stop", 1)]:
        life.step(what, number)
    cursors = sorted(set(life.given_out))
    for since, until in itertools.pairwise(cursors):
        window = life.recording.window(IDENTITY, Cursor(since), Cursor(until))
        wanted = {seq for seq in life.truth if since < seq <= until}
        if {event.seq for event in window.events} != wanted:
            assert window.losses
