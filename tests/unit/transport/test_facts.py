"""
What a request tells the trust rule.
"""

from __future__ import annotations

import pytest
from twisted.internet.address import IPv6Address, UNIXAddress
from twisted.web.http_headers import Headers

from reticle.transport.facts import trust_facts


class RequestOf:
    """
    As much of a request as the facts are made from.
    """

    clientproto = b"HTTP/1.1"

    def __init__(self, address: object) -> None:
        self.requestHeaders = Headers({b"Host": [b"localhost"], b"Origin": [b"http://\xe4.example"]})
        self.args = {b"token": [b"a", b"\xff"]}
        self.uri = b"/mcp?token=a"
        self._address = address

    def getClientAddress(self) -> object:
        """
        The peer.
        """
        return self._address


@pytest.mark.parametrize(
    ("address", "peer"),
    [(IPv6Address("TCP", "::1", 1), "::1"), (UNIXAddress(b"/x"), None), (object(), "")],
)
def test_the_facts_of_a_request(address: object, peer: str | None) -> None:
    """
    A Unix socket has no peer address, and an unknown kind of address is not loopback.
    """
    facts = trust_facts(RequestOf(address), query_token=True)  # type: ignore[arg-type]  # as much as needed
    assert (facts.peer, facts.hosts, facts.origins) == (peer, ("localhost",), ("http://\xe4.example",))
    assert facts.tokens_in_query == ("a", "\udcff")
    assert facts.http_1_0 is False
    assert trust_facts(RequestOf(address), query_token=False).tokens_in_query == ()  # type: ignore[arg-type]  # as above


def test_an_old_client_is_known_by_its_protocol() -> None:
    """
    HTTP/1.0 alone may come without a Host.
    """
    request = RequestOf(IPv6Address("TCP", "::1", 1))
    request.clientproto = b"HTTP/1.0"
    assert trust_facts(request, query_token=True).http_1_0 is True  # type: ignore[arg-type]  # as above


def test_a_capability_token_in_the_query_is_told_under_any_name() -> None:
    """
    It is refused wherever it stands, so that nobody believes that it counts there.
    """
    request = RequestOf(IPv6Address("TCP", "::1", 1))
    request.uri, request.args = b"/status?access=dtok_a&token=dtok_a", {b"access": [b"dtok_a"]}
    assert trust_facts(request, query_token=False).tokens_in_query == ("dtok_a",)  # type: ignore[arg-type]  # as above
