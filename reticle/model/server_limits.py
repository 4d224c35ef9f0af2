"""
The bounds of what servers tell; each with its reason.
"""

from __future__ import annotations

from typing import Final

INGEST_BYTES: Final = 1024 * 1024
"""One batch. A probe sends at most 160 KiB at once and an exporter 512 spans of a kilobyte; over it: 413."""

INGEST_LINES: Final = 2_000
"""Facts of one batch: twice what a probe's queue holds. What is beyond counts as lost."""

INGEST_BYTES_PER_SECOND: Final = 4 * 1024 * 1024
"""What all probes may send; an app under load test sends a tenth of it. Over it: 429, and the probe drops."""

INGEST_BURST_BYTES: Final = 8 * 1024 * 1024
"""What may come at once, as when several workers flush together after a pause."""

INGEST_PENDING: Final = 64
"""Batches whose audit rows wait for the disk; more means that the disk is stuck: 503."""

FACT_TEXT_CHARS: Final = 2_000
"""The longest text of a fact: a statement. Probes cut at the same length."""

FACT_LIST: Final = 20
"""Frames, tables and recipients of one fact, as probes cut them."""

CALLS_READ: Final = 40
"""Functions of one fact that ran for a request, as probes cut them."""

CALL_WORDS_READ: Final = 120
"""Words that one such function or constant speaks of, as probes cut them."""

PROBED_PROCESSES: Final = 32
"""Processes remembered: a few services of a few workers, and those that a reloader replaced."""

PROCESS_FACTS: Final = 4_000
"""Facts kept of one process: minutes of an app that is clicked through; older ones go, and are counted."""

PROCESS_BYTES: Final = 4 * 1024 * 1024
"""What they may weigh, as JSON."""

SERVERS_BYTES: Final = 16 * 1024 * 1024
"""What the facts of all processes may weigh; those of the process that was silent longest go first."""

RIDS_REMEMBERED: Final = 4_000
"""Requests of one process by which a page is known to be served by it."""

LOSSES_REMEMBERED: Final = 200
"""Losses of one process, each with its time; above that the oldest are told together."""

PAGES_REMEMBERED: Final = 256
"""Pages of which it is known who serves them; one that is gone from here is known by its next request."""

WINDOW_FACTS: Final = 1_000
"""Facts of one window. Those of the page's own requests come first; what is beyond counts as lost."""

CLOCK_SLACK_MS: Final = 100
"""By how much the clocks of a page, a server and the daemon may differ after they were compared."""

SERVER_WORD_MS: Final = 400
"""
How long the probe's word on a request is waited for after the page saw the answer: facts leave in batches of
50 ms, and a busy machine is late by several.
"""

SERVER_WORK_MS: Final = 5_000
"""How long a request that the server still works on, though the page has its answer, is waited for."""

STATEMENT_REPEATS: Final = 10
"""The same statement from one line so often in one request is a query per row; pages show ten rows."""

SLOW_STATEMENT_MS: Final = 1_000.0
"""A statement this slow over a development database's few rows is missing an index, or waits for a lock."""

SKIPS_SHOWN: Final = 5
"""Reasons for a missing page script in one answer; the first says what to do."""

SERVER_SHOWN: Final = 50
"""Entries of one kind in one answer of ``reticle_server``."""
