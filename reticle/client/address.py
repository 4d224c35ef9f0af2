"""
Where the daemon is: the parts of an ``http://`` URL that a socket and a request line need.
"""

from __future__ import annotations

from typing import NamedTuple

from reticle.client.errors import ProtocolBroken

STREAM_PATH = "/mcp/sse"
"""Where a stream is opened when the URL names no path."""

_HTTP_PORT = 80


class Address(NamedTuple):
    """
    Host without brackets, port, and the request target (path and query).
    """

    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """
        The Host header's value; an IPv6 address gets its brackets back.
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(url: str) -> Address:
    """
    Read an ``http://`` URL; a fragment is dropped, an absent path is ``/mcp/sse``.

    Raises:
        ValueError: not an http URL, or not a port.
    """
    scheme, separator, rest = url.partition("://")
    if scheme.lower() != "http" or not separator:
        raise ValueError(f"not an http:// URL: {url!r}")
    rest = rest.partition("#")[0]
    authority, slash, path = rest.partition("/")
    authority, question, query = authority.partition("?")
    target = f"{slash}{path}" if path else STREAM_PATH
    host, port = _host_and_port(authority, url)
    return Address(host, port, target + question + query)


def join_endpoint(stream: Address, endpoint: str) -> Address:
    """
    Resolve what the ``endpoint`` frame announced against the stream's own address.

    Raises:
        ProtocolBroken: it names another origin; messages, and the token, must not go there.
    """
    if "://" in endpoint:
        try:
            there = parse_address(endpoint)
        except ValueError as bad:
            raise ProtocolBroken(str(bad)) from None
        if (there.host, there.port) != (stream.host, stream.port):
            raise ProtocolBroken(f"the announced endpoint is on another origin: {there.authority}")
        return there
    if endpoint.startswith("//") or not endpoint:
        raise ProtocolBroken(f"not an endpoint of this origin: {endpoint[:80]!r}")
    if endpoint.startswith("/"):
        return stream._replace(target=endpoint)
    folder = stream.target.partition("?")[0].rpartition("/")[0]
    return stream._replace(target=f"{folder}/{endpoint}")


def _host_and_port(authority: str, url: str) -> tuple[str, int]:
    authority = authority.rpartition("@")[2]
    if authority.startswith("["):
        host, bracket, port = authority[1:].partition("]")
        if not bracket:
            raise ValueError(f"an IPv6 address without its bracket: {url!r}")
        port = port.removeprefix(":")
    else:
        host, _, port = authority.partition(":")
    if not host:
        raise ValueError(f"no host in {url!r}")
    if not port:
        return host, _HTTP_PORT
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16):
        raise ValueError(f"not a port: {port!r}")
    return host, int(port)
