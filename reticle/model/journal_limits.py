"""
Limits of the journal; others are in ``limits``.
"""

from __future__ import annotations

from typing import Final

JOURNAL_MIB: Final = 64
"""
Mebibytes that the journal takes on the disk, compressed; the oldest go first. As much as the windows of
verdicts: some millions of events of a busy day. What people set is bounded by ``JOURNAL_MOST_MIB``.
"""

JOURNAL_MOST_MIB: Final = 4_096
"""So that a slip of the finger does not fill a disk."""

JOURNAL_HOURS: Final = 24
"""How long an entry is kept: a day's work can be gone back to, and what pages said is not kept for ever."""

JOURNAL_MOST_HOURS: Final = 720
"""A month; who needs longer keeps verdicts, which have no age."""

CHUNK_EVENTS: Final = 256
CHUNK_BYTES: Final = 128 * 1024
"""
A chunk is handed over when it has so much, which costs 15 µs at once: a twentieth of a microsecond for each
small event, half a one for events of 4 KB.
"""

CHUNK_SECONDS: Final = 0.25
"""Or when it is that old: what a kill takes away is the last quarter of a second."""

CHUNK_NOTES: Final = 256
"""Commands and replies in one chunk; a page that is asked faster than that has it handed over earlier."""

JOURNAL_BYTES_PER_SECOND: Final = 1024 * 1024
"""
What all pages may write in the long run, some 2 % of a processor: 4,000 small events a second. More is left
out and declared; a flood would turn the whole journal over within a minute.
"""

JOURNAL_BURST_BYTES: Final = 4 * 1024 * 1024
"""
What may come at once above that rate, and what may wait for the disk: more small events than a page has in
memory. Measured: with twice as much, a flood of all pages cost a quarter more for each event.
"""

JOURNAL_COMMIT_BYTES: Final = 256 * 1024
"""Of one transaction, 3 ms of compressing: the audit rows of calls wait for it in the same thread."""

JOURNAL_RETRY_SECONDS: Final = 5.0
"""After a failed write, chunks are left out for so long before the disk is tried again."""

JOURNAL_PRUNE_SECONDS: Final = 30.0
"""Between two looks for what is too old or too much."""

RECALL_SECONDS: Final = 2.0
"""How long a page that comes back waits for its past; then it begins anew, under another name."""

RECALL_HELD_BYTES: Final = 8 * 1024 * 1024
"""What a page may say meanwhile, two of the largest messages; one that says more is to come back later."""

RECALL_ROWS: Final = 20_000
"""Chunks looked at for one page: twice as many as it has events in memory."""

REQUESTS_JOURNALLED: Final = 100
"""Open requests that each chunk carries, the newest; a page with more comes back with the loss of some."""

JOURNAL_SHOWN_CHARS: Final = 2_000
"""Of one event's data in an answer of ``journal.read``; the rest is for machines, in verdicts."""

JOURNAL_READ_ENTRIES: Final = 1_000
JOURNAL_READ_BYTES: Final = 1024 * 1024
"""Entries in one answer of ``journal.read``, and their data: an eighth of the largest HTTP body."""
