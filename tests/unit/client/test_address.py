"""
URLs become a host, a port and a request target; an announced endpoint stays on its origin.
"""

from __future__ import annotations

import pytest

from reticle.client.address import Address, join_endpoint, parse_address
from reticle.client.errors import ProtocolBroken

HERE = Address("127.0.0.1", 4400, "/mcp/sse")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:4400/mcp/sse", HERE),
        ("http://127.0.0.1:4400", HERE),
        ("HTTP://localhost", Address("localhost", 80, "/mcp/sse")),
        ("http://[::1]:4400/x?y=1#z", Address("::1", 4400, "/x?y=1")),
        ("http://user:pw@h:1/", Address("h", 1, "/mcp/sse")),
        ("http://h:1?token=t", Address("h", 1, "/mcp/sse?token=t")),
    ],
)
def test_url_is_read(url: str, address: Address) -> None:
    """
    Every spelling a user may paste reaches the right place.
    """
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url", ["https://h/", "h:4400", "http://", "http://:80/", "http://h:x/", "http://h:99999/", "http://[::1"]
)
def test_bad_url_is_refused(url: str) -> None:
    """
    What is not an http URL is refused before anything is dialled.
    """
    with pytest.raises(ValueError, match=r"http|port|host|bracket"):
        parse_address(url)


def test_ipv6_host_gets_brackets() -> None:
    """
    The Host header of an IPv6 address has its brackets.
    """
    assert Address("::1", 4400, "/").authority == "[::1]:4400"


@pytest.mark.parametrize(
    ("endpoint", "target"),
    [
        ("/mcp/message?sessionId=a", "/mcp/message?sessionId=a"),
        ("message?sessionId=a", "/tools/mcp/message?sessionId=a"),
        ("http://127.0.0.1:4400/p?sessionId=a", "/p?sessionId=a"),
    ],
)
def test_endpoint_is_joined(endpoint: str, target: str) -> None:
    """
    The announced path is used verbatim, relative ones below the folder of the stream.
    """
    assert join_endpoint(HERE._replace(target="/tools/mcp/sse?x=/"), endpoint) == HERE._replace(target=target)


@pytest.mark.parametrize(
    "endpoint", ["", "//evil/x", "http://evil:4400/x", "http://127.0.0.1:1/x", "ftp://h/"]
)
def test_foreign_endpoint_is_refused(endpoint: str) -> None:
    """
    Messages and the token are never sent to an origin that the stream names but is not.
    """
    with pytest.raises(ProtocolBroken):
        join_endpoint(HERE, endpoint)
