"""
The words of a probe's lines: kinds of facts, and the few values that the daemon compares.

The daemon's list is ``reticle.model.server_facts``; a test compares both, since neither may import the other.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

VERSION: Final = 1
"""The version of the lines; the daemon refuses what it does not know."""

ACTION_HEADER: Final = "X-Reticle-Action"
"""Request header in which anybody may name the action that it is busy with."""

LANGUAGE_HEADER: Final = "content-language"
"""
Request header in which the page script does, because browsers send it on without asking for leave where the
app's server redirects a write to another origin; it is hidden from the app.
"""

LANGUAGE_MARK: Final = "x-reticle-"
"""What the page's word in it begins with."""

TOKEN_HEADER: Final = "X-Reticle-Ingest-Token"  # noqa: S105 - a header's name
"""Request header with the daemon's ingest token."""

TIMING_NAME: Final = "reticle"
"""Metric of ``Server-Timing`` whose description is the request's id."""

NAVIGATION_COOKIE: Final = "__reticle_nav"
"""Cookie that carries the chain of request ids over redirects."""

SOURCE_ATTRIBUTE: Final = "data-reticle-source"
"""Attribute of an opening tag that names the template and line which wrote it."""


HELLO: Final = "hello"
"""The kind of each batch's first line, which is no fact: who sends, and its clocks."""


class FactKind(StrEnum):
    """
    What a line tells.
    """

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


class Link(StrEnum):
    """
    What ties a request to an action of the page: the page's header, the navigation cookie, or nothing.
    """

    HEADER = "header"
    COOKIE = "cookie"
    NONE = "none"


class Fate(StrEnum):
    """
    What became of an exception: nobody caught it, or the app caught and logged it.
    """

    UNHANDLED = "unhandled"
    LOGGED = "logged"


class Outcome(StrEnum):
    """
    How a transaction ended; ``OPEN``: not at all by the end of the request that wrote in it.
    """

    COMMITTED = "committed"
    ROLLED_BACK = "rolled_back"
    OPEN = "open"


class Injection(StrEnum):
    """
    What became of the script tag of a response.
    """

    INSERTED = "inserted"
    SKIPPED = "skipped"


class Skip(StrEnum):
    """
    Why a response got no script tag, or why the app's own origin serves nothing of ours.
    """

    METHOD = "method"
    STATUS = "status"
    NOT_HTML = "not_html"
    PARTIAL = "partial"
    DESTINATION = "destination"
    ENCODED = "encoded"
    RANGE = "range"
    ATTACHMENT = "attachment"
    SENDFILE = "sendfile"
    CHARSET = "charset"
    NO_DOCUMENT = "no_document"
    PROLOGUE = "prologue"
    POLICY = "policy"
    NO_SCRIPT = "no_script"
    PEER = "peer"
    HOST = "host"
    PRODUCTION = "production"
    FAULT = "fault"


WORTH_TELLING: Final = frozenset(Skip) - {
    Skip.METHOD, Skip.STATUS, Skip.NOT_HTML, Skip.PARTIAL, Skip.DESTINATION,
}  # fmt: skip
"""Reasons that a person may want to change; the others are every image, every answer to a script."""
