"""
Chunks of the journal as rows: their bytes, and the statements. Everything here runs in the writer thread.

The statements are text for the driver (DESIGN §10), and a test compares them with the table.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalPart, judged_clean
from reticle.model.journal_limits import JOURNAL_READ_BYTES, JOURNAL_READ_ENTRIES, RECALL_ROWS
from reticle.model.limits import PAGE_EVENT_BYTES, PAGE_EVENTS
from reticle.storage.driver import Driver
from reticle.storage.surrogates import without_surrogates

LEVEL: Final = 1
"""Of zlib, as for windows: events shrink to a tenth at any level, and this one is the quickest."""

_INSERT: Final = (
    "INSERT INTO journal_chunk (page_id, first_seq, last_seq, at, bytes_until, document)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_BYTES: Final = "SELECT bytes_until FROM journal_chunk ORDER BY seq DESC LIMIT 1"
_NEWEST_FIRST: Final = "SELECT document FROM journal_chunk WHERE page_id = ? ORDER BY seq DESC LIMIT ?"
_BEHIND: Final = (
    "SELECT seq, document FROM journal_chunk WHERE page_id = ? AND seq > ? AND last_seq >= ? ORDER BY seq"
)
_FORGET: Final = "DELETE FROM journal_chunk"
_LIFE: Final = "SELECT max(seq) FROM daemon_start"
_PAGES: Final = "SELECT DISTINCT page_id FROM journal_chunk"
_PRUNE_AGE: Final = "DELETE FROM journal_chunk WHERE at < ?"
_PRUNE_SIZE: Final = (
    "DELETE FROM journal_chunk WHERE bytes_until <= ?"
    " AND seq NOT IN (SELECT max(seq) FROM journal_chunk GROUP BY page_id)"
)
_LEFT_OVER: Final = "SELECT seq, length(document) FROM journal_chunk WHERE bytes_until <= ? ORDER BY seq DESC"
_PRUNE_UNTIL: Final = "DELETE FROM journal_chunk WHERE seq <= ?"

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(JournalChunk).decode


def chunk_to_bytes(chunk: JournalChunk) -> bytes:
    """
    The bytes to store. Half surrogate pairs, which a page's text may hold and UTF-8 cannot, become ``?``.
    """
    try:
        plain = _encode(chunk)
    except UnicodeEncodeError:
        plain = _encode(without_surrogates(msgspec.to_builtins(chunk, builtin_types=(bytes,))))
    return zlib.compress(plain, LEVEL)


def chunk_from_bytes(stored: bytes) -> JournalChunk:
    """
    The chunk that was stored.

    Raises:
        msgspec.ValidationError: The bytes hold no chunk of this program.
        zlib.error: The bytes are damaged.
    """
    return _decode(zlib.decompress(stored))


def insert(driver: Driver, chunks: Sequence[JournalChunk]) -> int:
    """
    Append chunks; gives the bytes that they take.
    """
    found = driver.execute(_BYTES).fetchone()
    until = began = 0 if found is None else int(found[0])
    rows = []
    life = life_of(driver)
    for chunk in chunks:
        document = chunk_to_bytes(replace(chunk, life=life))
        until += len(document)
        rows.append((chunk.page_id, chunk.first, chunk.newest, chunk.at, until, document))
    driver.executemany(_INSERT, rows)
    return until - began


def prune(driver: Driver, oldest_at: float, most_bytes: int) -> int:
    """
    Let go what is older than that moment (seconds since the epoch), then the oldest beyond the size; gives
    how many chunks went.

    The newest chunk of each page stays until its age: its numbers say how much is missing, so that no page
    begins again at 1 while somebody holds a cursor of it. Were there so many names that these alone took
    a quarter of the size, the oldest of them go too.
    """
    gone = driver.execute(_PRUNE_AGE, (oldest_at,)).rowcount
    found = driver.execute(_BYTES).fetchone()
    if found is not None:
        cut, room = int(found[0]) - most_bytes, most_bytes // 4
        gone += driver.execute(_PRUNE_SIZE, (cut,)).rowcount
        for seq, size in driver.execute(_LEFT_OVER, (cut,)).fetchall():
            room -= size
            if room < 0:
                gone += driver.execute(_PRUNE_UNTIL, (seq,)).rowcount
                break
    return gone


def forget(driver: Driver) -> None:
    """
    Let everything go: where no journal is kept, none is left, and no page of a life without one is taken for
    one of before.
    """
    driver.execute(_FORGET)


def pages(driver: Driver) -> set[PageId]:
    """
    The names of all pages with a chunk.
    """
    return {PageId(name) for (name,) in driver.execute(_PAGES)}


def life_of(driver: Driver) -> int:
    """
    The number of this life of the daemon, which is counted before anything else is written in it.
    """
    found = driver.execute(_LIFE).fetchone()[0]
    return 0 if found is None else int(found)


def recall(driver: Driver, page_id: PageId) -> Sequence[JournalChunk]:
    """
    See ``ports.Journal.recall``. A chunk that cannot be read counts as lost with all before it.
    """
    found: list[JournalChunk] = []
    events = size = 0
    for (document,) in driver.execute(_NEWEST_FIRST, (page_id, RECALL_ROWS)):
        if events >= PAGE_EVENTS or size >= PAGE_EVENT_BYTES:
            break
        try:
            chunk = chunk_from_bytes(document)
        except (zlib.error, msgspec.MsgspecError):
            break
        found.append(chunk)
        events += len(chunk.events)
        size += sum(len(event.raw) for event in chunk.events)
    return judged_clean(found[::-1], life_of(driver))


def read(driver: Driver, page_id: PageId, since: int, after: int) -> JournalPart:
    """
    See ``ports.Journal.read``.
    """
    found: list[JournalChunk] = []
    entries = size = row = 0
    for seq, document in driver.execute(_BEHIND, (page_id, after, since)):
        if entries >= JOURNAL_READ_ENTRIES or size >= JOURNAL_READ_BYTES:
            return JournalPart(chunks=found, next=row)
        row = seq
        chunk = chunk_from_bytes(document)
        found.append(chunk)
        entries += len(chunk.events) + len(chunk.notes)
        size += sum(len(event.raw) for event in chunk.events)
    return JournalPart(chunks=found)
