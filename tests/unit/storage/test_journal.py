"""
The journal in the database.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

import msgspec
import pytest
from msgspec.structs import replace
from twisted.internet.defer import Deferred

from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalEvent, JournalNote, RecordingState
from reticle.model.journal_limits import JOURNAL_PRUNE_SECONDS, JOURNAL_RETRY_SECONDS
from reticle.model.page import App
from reticle.storage.connection import OpenDatabase
from reticle.storage.database import Database
from reticle.storage.driver import Driver
from reticle.storage.history import DaemonStart, History
from reticle.storage.journal import StoredJournal
from reticle.storage.journal_rows import chunk_from_bytes, chunk_to_bytes, prune, recall
from reticle.storage.store import DATABASE_FILE
from reticle.storage.tables import journal_chunk
from reticle.testing.threads import ThreadCalls

S1, S2 = PageId("s1"), PageId("s2")
NOW = 1_750_000_000.0
Databases = Callable[[Path], Database]


class Time:
    """
    Seconds since the epoch, moved by hand.
    """

    now = NOW

    def __call__(self) -> float:
        """
        The present moment.
        """
        return self.now


@pytest.fixture
def time() -> Time:
    """
    The time of day.
    """
    return Time()


@pytest.fixture
def place(state_dir: Path) -> Path:
    """
    A file: the journal is a daemon's own, also where it shares its work.
    """
    return state_dir / DATABASE_FILE


@pytest.fixture
def journal(database: Database, calls: ThreadCalls, time: Time) -> StoredJournal:
    """
    An open, empty journal of a daemon's first life.
    """
    calls.result_of(History(database).begin_life(DaemonStart(time(), "9", 1)))
    made = StoredJournal(database, time, mib=1)
    calls.result_of(Deferred.fromCoroutine(made.open()))
    return made


def chunk(
    number: int, page: PageId = S1, *, at: float = NOW, clean: bool = False, text: str = ""
) -> JournalChunk:
    """
    One event.
    """
    raw = msgspec.json.encode({"n": number, "text": text})
    event = JournalEvent(number, 10 * number, "signal", raw, app=App("shop", "http://localhost"))
    return JournalChunk(
        page_id=page,
        first=number,
        newest=number,
        at=at,
        clean=clean,
        events=[event],
        state=RecordingState(newest=number, t_ms=10 * number),
    )


def keep(journal: StoredJournal, *chunks: JournalChunk, size: int = 100) -> list[bool]:
    """
    Hand them over; what was taken.
    """
    taken = []
    for each in chunks:
        taken.append(journal.admits(len(each.events), size))
        if taken[-1]:
            journal.keep(each.page_id, len(each.events), size, partial(replace, each))
    return taken


def recalled(journal: StoredJournal, calls: ThreadCalls, page: PageId = S1) -> list[int]:
    """
    The numbers of the first events of the chunks that come back.
    """
    return [each.first for each in calls.result_of(journal.recall(page))]


def test_what_was_handed_over_comes_back_in_another_life(
    journal: StoredJournal, database: Database, calls: ThreadCalls, time: Time, open_databases: Databases
) -> None:
    """
    Chunks of each page in their order, event for event; its own word that it ended counts once.
    """
    told = [chunk(1), chunk(2, clean=True)]
    keep(journal, told[0], chunk(1, S2), told[1])
    calls.result_of(journal.drained())
    calls.result_of(database.stopService())
    for life, is_clean in ((2, True), (3, False)):
        again = open_databases(database.path)
        calls.result_of(History(again).begin_life(DaemonStart(time(), "9", life)))
        later = StoredJournal(again, time)
        assert later.may_hold(PageId("never"))
        calls.result_of(Deferred.fromCoroutine(later.open()))
        assert (later.may_hold(PageId("never")), later.holds(S1), later.holds(S2)) == (False, True, True)
        found = calls.result_of(later.recall(S1))
        assert [each.events for each in found] == [each.events for each in told]
        assert [each.clean for each in found] == [False, is_clean]
        calls.result_of(again.stopService())


def test_a_recall_waits_for_what_was_handed_over_before(journal: StoredJournal, calls: ThreadCalls) -> None:
    """
    Also in the same life.
    """
    keep(journal, chunk(1), chunk(2))
    assert recalled(journal, calls) == [1, 2]


def test_a_reader_gets_what_reaches_its_cursor(journal: StoredJournal, calls: ThreadCalls) -> None:
    """
    Older chunks are left out, and so are those of other pages.
    """
    keep(journal, *(chunk(number) for number in range(1, 6)), chunk(9, S2))
    part = calls.result_of(journal.read(S1, 4))
    assert ([each.first for each in part.chunks], part.next) == ([4, 5], None)


def test_a_long_journal_is_read_in_parts(journal: StoredJournal, calls: ThreadCalls) -> None:
    """
    Each part names where the next one begins, and together they are all of it.
    """
    keep(journal, *(chunk(number, text="x" * 300_000) for number in range(1, 10)))
    found, after = list[int](), 0
    while True:
        part = calls.result_of(journal.read(S1, 0, after))
        found += [each.first for each in part.chunks]
        if part.next is None:
            break
        after = part.next
    assert found == [*range(1, 10)]


def test_what_is_too_old_goes(journal: StoredJournal, calls: ThreadCalls, time: Time) -> None:
    """
    Nothing that a page said is kept beyond the age.
    """
    keep(journal, chunk(1, at=time.now), chunk(1, S2, at=time.now))
    time.now += 24 * 3600 - 10
    keep(journal, chunk(2, at=time.now))
    time.now += 20 + JOURNAL_PRUNE_SECONDS
    keep(journal, chunk(3, at=time.now))
    assert (recalled(journal, calls), recalled(journal, calls, S2)) == ([2, 3], [])


def random_text(seed: int) -> str:
    """
    What does not compress.
    """
    import random

    return random.Random(seed).randbytes(60_000).hex()


def test_beyond_the_size_the_oldest_go_and_each_page_keeps_its_place(
    journal: StoredJournal, database: Database, calls: ThreadCalls, time: Time
) -> None:
    """
    A noisy page pushes a quiet one's past out, but not its number: no cursor is given out twice.
    """
    keep(journal, chunk(1, S2), chunk(2, S2))
    for number in range(1, 40):
        time.now += JOURNAL_PRUNE_SECONDS
        keep(journal, chunk(number, at=time.now, text=random_text(number)))
        calls.result_of(journal.drained())
    held = recalled(journal, calls)
    assert held == [*range(held[0], 40)]
    assert held[0] > 1
    assert recalled(journal, calls, S2) == [2]
    size = "SELECT sum(length(document)) FROM journal_chunk"
    [(taken,)] = calls.result_of(database.run_on_driver(lambda driver: driver.execute(size).fetchall()))
    assert taken < 1_200_000


def test_many_names_do_not_get_round_the_size(
    journal: StoredJournal, database: Database, calls: ThreadCalls
) -> None:
    """
    Pages that call themselves anew each time cannot fill the disk.
    """
    keep(journal, *(chunk(1, PageId(f"p{number}"), text=random_text(number)) for number in range(40)))
    calls.result_of(journal.drained())
    calls.result_of(database.run_on_driver(lambda driver: prune(driver, -1.0, 500_000)))
    names = "SELECT count(*) FROM journal_chunk"
    [(left,)] = calls.result_of(database.run_on_driver(lambda driver: driver.execute(names).fetchall()))
    assert 7 <= left <= 12


def test_what_comes_too_fast_is_left_out_and_counted(
    database: Database, calls: ThreadCalls, time: Time
) -> None:
    """
    A flood costs no more than its share of the disk; later there is room again.
    """
    journal = StoredJournal(database, time, bytes_per_second=1_000, burst_bytes=5_000)
    taken = keep(journal, *(chunk(number) for number in range(8)), size=1_000)
    assert taken == [True] * 5 + [False] * 3
    calls.result_of(journal.drained())
    time.now += 2.0
    assert keep(journal, chunk(9), chunk(10), chunk(11), size=1_000) == [True, True, False]
    calls.result_of(journal.drained())
    figures = journal.figures()
    assert (figures.chunks, figures.events, figures.lost_chunks, figures.lost_events) == (7, 7, 4, 4)


def test_a_full_disk_costs_chunks_and_nothing_else(
    journal: StoredJournal, database: Database, calls: ThreadCalls, time: Time
) -> None:
    """
    It is said while it lasts, and the journal goes on by itself when there is room again.
    """

    def fill(driver: Driver) -> None:
        [(pages,)] = driver.execute("PRAGMA page_count").fetchall()
        driver.execute(f"PRAGMA max_page_count = {pages}")

    keep(journal, chunk(1))
    calls.result_of(journal.drained())
    for number in range(2, 5):
        time.now += JOURNAL_RETRY_SECONDS + 1
        # A failure brings a fresh connection, which knows of no limit.
        calls.result_of(database.run_beside(lambda: None))
        limit = database._submit(lambda opened: fill(cast("OpenDatabase", opened).driver))
        calls.result_of(limit)
        keep(journal, chunk(number, text=random_text(number)))
        calls.result_of(journal.drained())
        assert "full" in str(journal.figures().fault)
        assert keep(journal, chunk(9)) == [False]
    time.now += JOURNAL_RETRY_SECONDS + 1
    keep(journal, chunk(5, text=random_text(5)))
    assert recalled(journal, calls) == [1, 5]
    figures = journal.figures()
    assert (figures.fault, figures.lost_events) == (None, 6)


def test_half_characters_do_not_cost_a_chunk() -> None:
    """
    A page may say what UTF-8 cannot; the rest of the chunk is as it was.
    """
    odd = JournalNote(1, 1, "command", {"name": "act", "args": {"ref": "\ud83d"}})
    told = replace(chunk(1), notes=[odd])
    found = chunk_from_bytes(chunk_to_bytes(told))
    assert found.notes[0].fields["args"] == {"ref": "?"}
    assert found.events == told.events


def test_a_damaged_chunk_is_lost_with_all_before_it(
    journal: StoredJournal, database: Database, calls: ThreadCalls
) -> None:
    """
    A page comes back with what can be read behind it.
    """
    keep(journal, chunk(1), chunk(2), chunk(3))
    calls.result_of(journal.drained())
    damage = "UPDATE journal_chunk SET document = ? WHERE first_seq = 2"
    calls.result_of(database.run_on_driver(lambda driver: driver.execute(damage, (b"0",)).rowcount))
    found = calls.result_of(database.run_on_driver(lambda driver: recall(driver, S1)))
    assert [each.first for each in found] == [3]


def test_the_statements_name_the_columns_of_the_table() -> None:
    """
    Text for the driver that no schema checks says what the schema says.
    """
    from reticle.storage import journal_rows

    written = journal_rows._INSERT.partition("(")[2].partition(")")[0].split(", ")
    assert written == [column.name for column in journal_chunk.columns if column.name != "seq"]
