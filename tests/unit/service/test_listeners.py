"""
The sockets that a supervisor hands us, and what is said of an address that cannot be had.
"""

from __future__ import annotations

import os
import socket

import pytest

from reticle.errors import ConfigurationFault
from reticle.service.listeners import (
    Listeners,
    PortInUse,
    inherited_listeners,
    open_listeners,
    with_second,
)
from reticle.settings import HttpAddress


def handed_over(address: str, *, listens: bool = True) -> int:
    """
    A descriptor as systemd would pass it.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as bound:
        bound.bind((address, 0))
        if listens:
            bound.listen()
        return bound.detach()


def refusal(descriptor: int, *, with_token: bool = False) -> str:
    """
    Why a descriptor is not served.
    """
    with pytest.raises(ConfigurationFault) as caught:
        inherited_listeners([descriptor], with_token=with_token)
    return caught.value.message


def test_a_socket_of_the_supervisor_is_announced_as_it_is() -> None:
    """
    The URL that agents read is the inherited socket's, whatever ``--port`` says.
    """
    taken = inherited_listeners([handed_over("127.0.0.5")], with_token=False)
    try:
        assert taken.url == f"http://127.0.0.5:{taken.sockets[0].getsockname()[1]}"
    finally:
        taken.close()


def test_a_socket_that_others_reach_needs_a_token() -> None:
    """
    Socket activation is no way round the rule that a daemon beyond loopback has a pairing token.
    """
    assert refusal(handed_over("0.0.0.0")) == (
        "the inherited socket on 0.0.0.0 is reachable from other machines and no pairing token is set"
    )
    taken = inherited_listeners([handed_over("0.0.0.0")], with_token=True)
    taken.close()
    assert taken.url == f"http://127.0.0.1:{taken.port}"


def test_what_is_no_listening_socket_is_refused_in_words() -> None:
    """
    A wrong unit is a wrong configuration and not a bug of ours.
    """
    read, write = os.pipe()
    os.close(write)
    for descriptor in (read, handed_over("127.0.0.1", listens=False)):
        assert refusal(descriptor) == f"inherited descriptor {descriptor} is not a listening TCP socket"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:4400"),
        ("localhost", "http://127.0.0.1:4400"),
        ("0.0.0.0", "http://127.0.0.1:4400"),
        ("::", "http://127.0.0.1:4400"),
        ("::1", "http://[::1]:4400"),
        ("192.0.2.7", "http://192.0.2.7:4400"),
    ],
)
def test_the_url_is_one_that_can_be_dialled(host: str, url: str) -> None:
    """
    What is announced is an address a client can connect to, in brackets where URLs want them.
    """
    assert Listeners((), host, 4400).url == url


def test_a_name_that_is_not_found_is_said_to_be() -> None:
    """
    The resolver's codes are no errno; the words are the resolver's own.
    """
    with pytest.raises(ConfigurationFault) as caught:
        open_listeners("host..invalid", 0)
    assert "Unknown error" not in caught.value.message
    assert caught.value.recovery == "choose another --host or --port"


def test_the_second_listener_is_exactly_where_it_was_told_to_be() -> None:
    """
    One loopback address and no other; with ``off`` there is none.
    """
    first = open_listeners("127.0.0.1", 0)
    both = with_second(first, HttpAddress("localhost", 0))
    try:
        assert both.second is not None
        assert [one.getsockname()[0] for one in both.second.sockets] == ["127.0.0.1"]
        assert both.second.url == f"http://127.0.0.1:{both.second.port}"
        assert with_second(first, None) is first
    finally:
        both.close()
    assert [one.fileno() for one in (*both.sockets, *both.second.sockets)] == [-1] * 3


def test_a_second_listener_that_cannot_be_had_gives_the_first_back() -> None:
    """
    A start that fails keeps no port, and says which setting to change.
    """
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        first = open_listeners("127.0.0.1", 0)
        with pytest.raises(PortInUse) as caught:
            with_second(first, HttpAddress("127.0.0.1", stranger.getsockname()[1]))
    assert "--mcp-http-addr" in caught.value.recovery
    assert {one.fileno() for one in first.sockets} == {-1}
