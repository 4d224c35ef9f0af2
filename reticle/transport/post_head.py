"""
What the head of a Streamable POST says, read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from twisted.web.http_headers import Headers

from reticle.model.mcp import RoutingHeaders
from reticle.transport.accept import Form, answer_form

PARAM_PREFIX = b"mcp-param-"


class PostHead(NamedTuple):
    """
    ``session_ids`` and ``versions`` hold every value that came, ``raw`` the headers for what is rarely asked.
    """

    is_json: bool
    form: Form
    session_ids: tuple[str, ...]
    versions: tuple[str, ...]
    raw: Headers

    def routing(self) -> RoutingHeaders:
        """
        The headers that a 2026-07-28 request is routed by, as they came.
        """
        params = {
            name[len(PARAM_PREFIX) :].decode("latin-1").lower(): _texts(values)
            for name, values in self.raw.getAllRawHeaders()
            if name.lower().startswith(PARAM_PREFIX)
        }
        return RoutingHeaders(
            version=self.versions,
            method=header_values(self.raw, b"Mcp-Method"),
            name=header_values(self.raw, b"Mcp-Name"),
            params=params,
        )


def read_head(headers: Headers) -> PostHead:
    """
    Read a request's headers.
    """
    types = headers.getRawHeaders(b"Content-Type", ())
    return PostHead(
        is_json=len(types) == 1 and types[0].partition(b";")[0].strip().lower() == b"application/json",
        form=answer_form(header_values(headers, b"Accept")),
        session_ids=header_values(headers, b"Mcp-Session-Id"),
        versions=header_values(headers, b"MCP-Protocol-Version"),
        raw=headers,
    )


def header_values(headers: Headers, name: bytes) -> tuple[str, ...]:
    """
    Every value of a header, in the order in which they came.
    """
    return _texts(headers.getRawHeaders(name, ()))


def _texts(values: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(value.decode("latin-1") for value in values)
