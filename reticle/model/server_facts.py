"""
What a probe in an app's server tells: the words, and the values that a window holds of it.

The words are those of the wire (``docs/protocol/ingest.md``); the probe has its own copy of them, since it
shares no module with the daemon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum, StrEnum

import attrs


class FactKind(StrEnum):
    """What a fact is about."""

    REQUEST_STARTED = "request.started"
    REQUEST_HANDLED = "request.handled"
    REQUEST_ABORTED = "request.aborted"
    REQUEST_DONE = "request.done"
    CALLS = "calls"
    EXCEPTION = "exception"
    LOG = "log"
    WARNING = "warning"
    SQL = "sql"
    TRANSACTION = "transaction"
    TEMPLATE = "template"
    MAIL = "mail"
    HTTP_OUT = "http.out"
    TASK = "task"
    INJECTION = "injection"
    GAP = "gap"


HELLO = "hello"
"""The kind of the first line of a batch, which is no fact."""


class RequestLink(StrEnum):
    """How the server learned which action a request belongs to."""

    HEADER = "header"
    COOKIE = "cookie"
    NONE = "none"


class ExceptionEnd(StrEnum):
    """What became of an exception."""

    UNHANDLED = "unhandled"
    LOGGED = "logged"


class TransactionOutcome(StrEnum):
    """How a transaction ended; ``OPEN``: not at all by the end of the request that wrote in it."""

    COMMITTED = "committed"
    ROLLED_BACK = "rolled_back"
    OPEN = "open"


class InjectionOutcome(StrEnum):
    """Whether the page script was put into a document."""

    INSERTED = "inserted"
    SKIPPED = "skipped"


class Strength(IntEnum):
    """
    How a fact is tied to what is judged: only ``ID`` may decide, ``INFERRED`` may support, ``AMBIENT`` is
    never blamed (DESIGN §6).
    """

    AMBIENT = 0
    INFERRED = 1
    ID = 2


@attrs.frozen
class ProcessHello:
    """
    What a process says of itself with every batch.

    ``process`` is new for each process, also after a fork. ``mono`` and ``wall`` are its clocks in seconds
    when the batch was sent. ``numbered`` says that its facts are counted without gaps, which exporters of
    OpenTelemetry do not. ``unseen``: drivers of databases that the app connects by and whose statements are
    not told.
    """

    process: str
    pid: int | None
    framework: str
    python: str
    project: str
    mono: float
    wall: float
    batch: int = 0
    numbered: bool = True
    unseen: Sequence[str] = ()


@attrs.frozen
class ReportedFact:
    """
    One fact as it came: ``mono`` is the process's clock in seconds when it happened.
    """

    kind: FactKind
    seq: int
    mono: float
    rid: str | None
    action: str | None
    data: Mapping[str, object]


@attrs.frozen
class FactBatch:
    """
    One batch: who, what, how many lines could not be read, and whether the runtime file's token came along.
    """

    hello: ProcessHello
    facts: Sequence[ReportedFact] = ()
    refused: int = 0
    attested: bool = False


@attrs.frozen
class ServerFact:
    """
    One fact in a window: ``t_ms`` is in the page's own milliseconds, files are relative to the project.

    ``rid`` names the server's request; None is outside of any. ``action`` is what the page sent with it:
    ``<page id>.<action id>``. ``attested`` is False for facts that anybody on this machine may have sent.
    """

    kind: FactKind
    process: str
    seq: int
    t_ms: int
    rid: str | None
    action: str | None
    data: Mapping[str, object]
    attested: bool = False


@attrs.frozen
class ProbedProcess:
    """
    A process that a probe sits in. ``serves`` says that it is known to serve the page of the window;
    ``silent_ms`` is for how long it said nothing at the window's end. ``restarted`` says that it took the
    place of another process of the same project within the window. ``unseen`` as in its hello; ``untold``:
    kinds of facts of which it says nothing, or nothing in time, so that their absence means nothing.
    """

    process: str
    pid: int | None
    framework: str
    project: str
    attested: bool
    serves: bool
    silent_ms: int
    restarted: bool = False
    unseen: Sequence[str] = ()
    untold: Sequence[str] = ()

    def __str__(self) -> str:
        named = self.framework or "a process"
        return named if self.pid is None else f"{named} (pid {self.pid})"


@attrs.frozen
class ServerSight:
    """
    What was seen of the servers behind a page in one window; facts are oldest first.
    """

    probes: Sequence[ProbedProcess] = ()
    facts: Sequence[ServerFact] = ()


@attrs.frozen
class SkippedInsertion:
    """
    That a probe did not put the page script into a document, and why; ``count`` is how often of late.
    """

    process: str
    framework: str
    reason: str
    directive: str
    path: str
    count: int = 1
