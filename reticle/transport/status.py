"""
``/status``: what a person or ``reticle status`` wants to know of a running daemon, as JSON.

The fields are listed in ``docs/protocol/http-sse.md``. URLs of pages lose user, query values and
fragment here, because applications put tokens into them (DESIGN §2: no token in a status).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import attrs
from twisted.web.iweb import IRequest

from reticle.domain.daemon_life import LifeState
from reticle.errors import Refusal
from reticle.model.audit import AuditHead
from reticle.model.ids import PageId
from reticle.model.journal import JournalFigures
from reticle.model.page import RefusedDial
from reticle.model.trust import Principal
from reticle.transport.resource import Leaf, answer_json
from reticle.transport.trace import principal_of

if TYPE_CHECKING:
    from reticle.model.server_facts import ProbedProcess, SkippedInsertion


@attrs.frozen
class PageStatus:
    """
    One connected page.
    """

    page_id: PageId
    url: str
    title: str
    silent_seconds: float
    throttled: bool


@attrs.frozen
class DaemonStatus:
    """
    One daemon at one moment. ``started_at`` is seconds since the epoch; ``port`` is the one that listens,
    None while embedded in an application that does not say. ``storage_fault`` is why calls are refused with
    ``storage_failed`` at present; ``audit_head`` None before the store is open, ``journal`` None where it
    is off.
    """

    version: str
    pid: int
    started_at: float
    uptime_seconds: float
    port: int | None
    state: LifeState
    mcp_sessions: int
    pages: Sequence[PageStatus] = ()
    browser_leases: int = 0
    refused_dials: Sequence[RefusedDial] = ()
    secrets_redacted: int = 0
    calls_total: int = 0
    calls_in_flight: int = 0
    storage_fault: Refusal | None = None
    journal: JournalFigures | None = None
    audit_head: AuditHead | None = None
    probes: Sequence[ProbedProcess] = ()
    skipped: Sequence[SkippedInsertion] = ()


StatusSource = Callable[[Principal], DaemonStatus]
"""Gives the present status with the pages that somebody may look at; made by the composition root."""


def bare_url(url: str) -> str:
    """
    A URL without user, query values and fragment; what cannot be parsed is not shown at all.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    query = "…" if parts.query else ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))


def status_body(status: DaemonStatus) -> dict[str, object]:
    """
    The JSON object that ``/status`` answers.
    """
    return {
        "running": True,
        "name": "reticle",
        "version": status.version,
        "pid": status.pid,
        "started_at": _instant(status.started_at),
        "uptime_seconds": round(status.uptime_seconds, 3),
        "port": status.port,
        "state": status.state,
        "mcp_sessions": status.mcp_sessions,
        "pages": [
            {
                "sessionId": page.page_id,
                "url": bare_url(page.url),
                "title": page.title,
                "lastSeenMs": int(page.silent_seconds * 1000),
                "throttled": page.throttled,
            }
            for page in status.pages
        ],
        "browser_leases": status.browser_leases,
        "secrets_redacted": status.secrets_redacted,
        "refused_dials": [
            {
                "at": _instant(dial.at),
                "origin": bare_url(dial.origin),
                "reason": dial.reason,
                "next_step": dial.next_step,
                "count": dial.count,
            }
            for dial in status.refused_dials
        ],
        "calls": {"total": status.calls_total, "in_flight": status.calls_in_flight},
        "storage": _storage(status.storage_fault),
        "journal": _journal(status.journal),
        "audit": _audit(status.audit_head),
        "probes": [
            {
                "pid": probe.pid,
                "framework": probe.framework,
                "project": PurePath(probe.project).name,
                "attested": probe.attested,
                "lastHeardMs": probe.silent_ms,
            }
            for probe in status.probes
        ],
        "skipped_insertions": [_skip(skip) for skip in status.skipped],
    }


def _skip(skip: SkippedInsertion) -> dict[str, object]:
    from reticle.domain.skips import skip_words  # noqa: PLC0415 - when there are any

    why, step = skip_words(skip)
    return {"why": why, "next_step": step, "count": skip.count}


def _audit(head: AuditHead | None) -> dict[str, object] | None:
    return None if head is None else {"seq": head.seq, "head": head.row_hash}


def _journal(figures: JournalFigures | None) -> dict[str, object]:
    if figures is None:
        return {"on": False}
    return {
        "on": True,
        "events": figures.events,
        "bytes": figures.bytes,
        "lost_events": figures.lost_events,
        "fault": figures.fault,
    }


def _storage(fault: Refusal | None) -> dict[str, object]:
    if fault is None:
        return {"ok": True}
    return {"ok": False, "message": fault.message, "recovery": fault.recovery}


class StatusLeaf(Leaf):
    """
    Answers in every state of the daemon, also while it starts.
    """

    def __init__(self, source: StatusSource) -> None:
        super().__init__("status", {b"GET": self._answer, b"HEAD": self._answer})
        self._source = source

    def _answer(self, request: IRequest) -> bytes:
        return answer_json(request, 200, status_body(self._source(principal_of(request))))


def _instant(seconds: float) -> str:
    moment = dt.datetime.fromtimestamp(seconds, dt.UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
