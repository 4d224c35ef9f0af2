"""
What the probe answers under ``/__reticle__/`` of the app's own origin, without I/O.

The same origin needs no host in a policy, no CORS and no certificate. Strangers get 403, and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reticle.probe import emission, script, visitors
from reticle.probe.insertion.candidates import Header, Lookup
from reticle.probe.insertion.tag import PREFIX
from reticle.probe.words import FactKind, Injection, Skip

SCRIPT = "sdk.js"
POLL = "poll"
SOCKET = "ws"


class Served(NamedTuple):
    """
    A whole answer.
    """

    status: int
    headers: Sequence[Header]
    body: bytes

    @classmethod
    def plain(cls, status: int, text: str) -> Served:
        """
        A sentence for whoever looks.
        """
        body = f"{text}\n".encode()
        return cls(status, head("text/plain; charset=utf-8", body), body)


REASONS = {
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
    413: "Content Too Large", 415: "Unsupported Media Type", 200: "OK", 304: "Not Modified",
    400: "Bad Request",
    429: "Too Many Requests", 503: "Service Unavailable", 502: "Bad Gateway", 410: "Gone",
}  # fmt: skip
"""For servers that want the reason beside the number."""

_WHY = {
    Skip.PEER: "the visitor's address is not this machine's (RETICLE_PROBE_PEERS)",
    Skip.HOST: "the app was called by a name that is not this machine's (RETICLE_PROBE_HOSTS)",
}


def own_name(path: str) -> str | None:
    """
    The name below our prefix; None for every path of the app.
    """
    return path[len(PREFIX) :] if path.startswith(PREFIX) else None


def refused(peer: str | None, header: Lookup) -> Served | None:
    """
    The answer to a stranger, told as a fact; None where the visitor may.
    """
    reason = visitors.refused(peer, header)
    if reason is None:
        return None
    emission.emit(FactKind.INJECTION, outcome=Injection.SKIPPED, reason=reason, directive=None)
    return Served.plain(403, f"reticle serves nothing here: {_WHY[reason]}")


def serve(method: str, name: str, header: Lookup, peer: str | None) -> Served:
    """
    Answer a request for what needs neither a body nor a connection.
    """
    if (refusal := refused(peer, header)) is not None:
        return refusal
    if name != SCRIPT:
        return Served.plain(404, "reticle has no such thing")
    if method not in {"GET", "HEAD"}:
        return Served.plain(405, "only GET")
    known = script.copy.current() or script.copy.kept()
    if known is None:
        return Served.plain(503, "no reticle daemon answers")
    etag = f'"{known.version}"'
    headers = [*head("text/javascript; charset=utf-8", known.body), ("ETag", etag)]
    if header("if-none-match") == etag:
        return Served(304, [row for row in headers if row[0] != "Content-Length"], b"")
    return Served(200, headers, b"" if method == "HEAD" else known.body)


def head(content_type: str, body: bytes) -> list[Header]:
    """
    The head of an answer of ours.
    """
    return [
        ("Content-Type", content_type),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-cache, private"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
