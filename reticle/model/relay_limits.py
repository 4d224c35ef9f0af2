"""
Limits of the stdio front, each with its reason; apart from ``limits``, which it has no time to read at start.
"""

from __future__ import annotations

LINE_BYTES = 8 * 1024 * 1024
"""One JSON-RPC message of the client: what the daemon takes as a body (``HTTP_BODY_BYTES``)."""

BATCH_MESSAGES = 100
"""Messages in one 2025-03-26 batch, as the daemon has it."""

PENDING_REQUESTS = 256
"""Requests without an answer; four times what the daemon runs at once for one client."""

PENDING_BYTES = 64 * 1024 * 1024
"""Bodies of those requests together; eight of the largest, kept so that a lost one can be sent again."""

POSTS_BYTES = 16 * 1024 * 1024
"""Messages on their way to the daemon; beyond it standard input is not read until some have left."""

OUTPUT_BYTES = 4 * 1024 * 1024
"""Lines that the client has not read; beyond it the daemon's stream is not read (its own cap is 32 MiB)."""

KEPT_ANSWERS_BYTES = 4 * 1024 * 1024
"""The file of the daemon's answers; a real one has some 40 KB. A larger one is not believed."""

SUBSCRIPTIONS = 1_000
"""Resource subscriptions that are renewed on a new link; further ones end with the link."""

OPEN_SECONDS = 3.0
"""From dialling to the stream's first frame; a healthy daemon needs 10 ms, a swapped-out one a second."""

POST_SECONDS = 10.0
"""From a message to its ``202``: the daemon answers before it begins to work."""

SILENCE_SECONDS = 50.0
"""A stream brings a comment each 15 s; three missing ones mean that nobody is there."""

START_SECONDS = 30.0
"""From starting a daemon to its announcement: 1 s alone, 20 s when twenty clients start on a slow disk."""

ORPHAN_SECONDS = 5.0
"""How long after the end of a daemon that we started another client's may still announce itself."""

FRUITLESS_STARTS = 2
"""Daemons that were started one after the other and did not serve; then the request gets the reason."""

PATIENCE_SECONDS = 3.0
"""How long a request waits for a daemon that is away for a moment: a restart takes a second or two."""

LIST_SECONDS = 1.0
"""How long ``tools/list`` waits for the daemon's own list before the kept one answers."""

RETRY_SECONDS = (0.05, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses between attempts that nobody waits for; while a request waits, the second at most."""

IDLE_POST_SECONDS = 20.0
"""A kept connection older than this is not used again: the daemon closes idle ones after 60 s."""

HELD_SECONDS = 0.5
"""Pause after a 503: the daemon is stopping, and the end of its stream follows."""

FAILURES_IN_A_ROW = 5
"""Bugs of ours with nothing that went well between them: then the front is broken, and would only spin."""

EOF_SECONDS = 0.5
"""
How long answers to the last requests may take once the client has closed standard input, and how long it may
take to read the errors that stand for those that did not come.
"""
