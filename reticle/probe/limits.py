"""
Limits of the part that runs in the user's process, each with its reason.

They are smaller than the daemon's: an app must not notice that it is watched.
"""

from __future__ import annotations

from typing import Final

QUEUE_FACTS: Final = 1_000
"""Facts that wait; a page view of a heavy app makes about a hundred, so ten of them fit."""

QUEUE_BYTES: Final = 1024 * 1024
"""Bytes that wait; what an app may lose in memory to us without anybody noticing."""

BATCH_SECONDS: Final = 0.05
"""How long a fact waits for others: a verdict settles in hundreds of milliseconds, so it is not late."""

BATCH_BYTES: Final = 64 * 1024
"""When a batch goes at once; far below the daemon's limit of a body (8 MiB)."""

FACT_BYTES: Final = 16 * 1024
"""One fact; its texts are cut long before, so a larger one is a fault of ours and is counted as lost."""

EXIT_FLUSH_SECONDS: Final = 0.2
"""How long the end of the process waits for the last facts; a person does not notice it."""

CONNECT_SECONDS: Final = 0.5
"""To dial the daemon, which is on this machine."""

ANSWER_SECONDS: Final = 2.0
"""For the daemon's answer; only our own thread waits."""

ANSWER_BYTES: Final = 64 * 1024
"""Of an answer, which is a line; more is not the daemon."""

BACKOFF_SECONDS: Final = (0.5, 1.0, 2.0, 5.0)
"""Pauses after failures to reach a daemon; the last repeats, so that a daemon started later is found soon."""

RETRY_AFTER_SECONDS: Final = 30.0
"""The longest pause that a daemon may ask for."""

TEXT_CHARS: Final = 1_000
"""A log record's or warning's message; as in the contract of the lines."""

EXCEPTION_CHARS: Final = 500
"""An exception's message; it often holds a whole document."""

STATEMENT_CHARS: Final = 2_000
"""A statement; the tables and the shape of a longer one are in its beginning."""

NAME_CHARS: Final = 300
"""A route, template, task or logger name."""

PATH_CHARS: Final = 2_000
"""A path or URL, as browsers cut them."""

FRAMES: Final = 20
"""Frames of one exception; the innermost of the app comes first."""

RECIPIENTS: Final = 20
"""Addresses of one mail; the rest is counted by nobody, a check names one."""

TABLES: Final = 10
"""Tables of one statement."""

STACK_DEPTH: Final = 200
"""Frames looked at for the app's own line; deeper stacks are recursions."""

REPEATED_LOGS: Final = 100
"""Records of one line of code within one request; a loop that warns must not push out everything else."""

ACTION_CHARS: Final = 160
"""The value of the action header: two ids and a dot."""
