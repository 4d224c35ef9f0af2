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

BATCH_BYTES: Final = 160 * 1024
"""When a batch goes at once, since a post costs as much as writing 40 facts; far below the daemon's limit of
a batch (1 MiB)."""

FACT_BYTES: Final = 16 * 1024
"""One fact; its texts are cut long before, so a larger one is a fault of ours and is counted as lost."""

SMALL_FACT_BYTES: Final = 1024
"""What a fact of the kinds that every request tells is counted as while it waits: a tuple, and texts of at
most ``SMALL_CHARS``; so a whole queue of them stays within ``QUEUE_BYTES``."""

SMALL_CHARS: Final = 500
"""The longest text of such a fact; a longer statement, or the beginning of a request with a longer path, is
encoded and weighed as it comes."""

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

KEPT_STATEMENTS: Final = 512
"""Texts of statements kept with what was read from them: more than an app has that writes its values as
parameters; where one does not, reading each costs some 20 µs."""

KEPT_STATEMENT_CHARS: Final = 16_384
"""Of a text that is kept. Longer ones are bulk inserts, few of them equal, and would fill the memory."""

KEPT_KINDS: Final = 128
"""Classes of connections and cursors of ``sqlite3`` that are kept; an app has one or two."""

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

BEHIND_SECONDS: Final = 0.05
"""How long an app may take to return behind its answer before the answer is told without it: one batch."""

VIA: Final = 3
"""Lines of the app around the one that ran a statement: from a shared function to the view that called it."""

UNENDED_REQUESTS: Final = 100
"""Requests whose writes wait in one transaction: a shared connection that nobody ever commits gathers all."""

RELEASED_PARTS: Final = 500
"""Savepoints with writes that were released into one transaction and wait for its end; an import that makes
one for each row would keep all. Of those beyond it the end is told as lost: half of what the queue takes."""

OPEN_PARTS: Final = 500
"""Savepoints that are open in one transaction at once; one that is made for each row and never released would
gather. The oldest beyond it is let go, and the end of what it wrote is told as lost."""

STACK_DEPTH: Final = 200
"""Frames looked at for the app's own line; deeper stacks are recursions."""

REPEATED_LOGS: Final = 100
"""Records of one line of code within one request; a loop that warns must not push out everything else."""

ACTION_CHARS: Final = 160
"""The value of the action header: two ids and a dot."""

PROLOGUE_BYTES: Final = 64 * 1024
"""What an answer may be held back for while the place of the script tag is looked for; real ones are decided
within 100 bytes, and what stands before a head is never this long but by mistake."""

PRESCAN_BYTES: Final = 1024
"""Where browsers look for ``<meta charset>`` (HTML standard, "prescan a byte stream")."""

SCRIPT_BYTES: Final = 4 * 1024 * 1024
"""Of the daemon's page script, which is a few hundred KiB; more is not the daemon."""

SCRIPT_FRESH_SECONDS: Final = 30.0
"""How long after the daemon's last answer its script is still inserted: without a daemon it is of no use."""

SCRIPT_REFRESH_SECONDS: Final = 5.0
"""How often the daemon is asked whether its script is still the same: a daemon that stops is noticed soon."""

SCRIPT_PAUSE_SECONDS: Final = 0.25
"""Between two questions for the script that pages without one wished for: a refused dial costs nothing."""

NAVIGATION_SECONDS: Final = 10
"""How long the navigation cookie lives: from a redirect to the request it leads to."""

RELAY_PAGES: Final = 8
"""Pages that one process relays for at once; each may hold one of the app's threads while it waits."""

RELAY_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""One message of a page, as at the daemon (close 1009)."""

RELAY_QUEUE_BYTES: Final = 1024 * 1024
"""Commands that wait for a page which does not fetch them; a page takes them at once or is gone."""

RELAY_HOLD_SECONDS: Final = 20.0
"""How long one long poll waits: below the 30 s after which servers and proxies end a silent request."""

RELAY_IDLE_SECONDS: Final = 60.0
"""After which a page that asked for nothing is taken for gone: three holds."""

CALLS_BURST: Final = 40
"""Requests at once whose functions are noted: what the pages of a short walk through an app ask for."""

CALLS_PER_SECOND: Final = 3.0
"""Further ones in a second: an agent's come more slowly, and a load test must not become dearer by it."""

CALL_EVENTS: Final = 100_000
"""Calls and returns of one request, libraries' too, after which no more is noted: about 20 ms of noting."""

CALLS_SEEN: Final = 200
"""Functions of the app that are noted for one request; heavy views run a few dozen."""

CALLS_TOLD: Final = 40
"""Functions that are told of one request: with their words they stay below the bytes of one fact."""

CALLS_BYTES: Final = 9 * 1024
"""Of one request's functions together, below the bytes of one fact."""

CALLS_KNOWN: Final = 5_000
"""Functions and files that are remembered; an app that one agent works on has a tenth of that."""

CALL_WORDS: Final = 30
"""Words of one function, in the order in which they stand in it."""

CALL_USES: Final = 6
"""Constants of one function."""

CALL_BESIDE: Final = 4
"""Functions inside of one, or called by it, that did not run."""

ANSWERED_LINES: Final = 3
"""Lines that may have chosen a status."""

SOURCES_READ: Final = 300
"""Loaded Python files of the app that are looked through for one cookie: those of a few apps of Django."""

PROJECT_FILES: Final = 1_500
"""Files of the project that are looked through for the name of one cookie, in about 50 ms."""

PROJECT_BYTES: Final = 12 * 1024 * 1024
"""Of those files together."""

PROJECT_FILE_BYTES: Final = 2 * 1024 * 1024
"""Of one of them: a larger one is data, or a picture."""

AT_WORK_SECONDS: Final = 0.7
"""How long a request of an action may take before it is told where it stands; most take a tenth of it."""

AT_WORK_PAUSE_SECONDS: Final = 0.35
"""Between looks at the requests that take longer."""

CONSTANT_LINES: Final = 100
"""Lines of one constant: a table of texts."""

CONSTANT_WORDS: Final = 120
"""Words of one constant."""

CONSTANTS_BYTES: Final = 5 * 1024
"""Of one request's constants together."""

WORD_CHARS: Final = 30
"""One word; what is longer is no name that a claim speaks of."""

WORDS_TEXT_CHARS: Final = 200
"""Of one text in a function: more is a document's."""
