"""
Who gets to see anything of the probe.
"""

from __future__ import annotations

import pytest

from reticle.probe.visitors import host_name, is_same_origin, refused


@pytest.mark.parametrize(
    ("peer", "headers", "reason"),
    [
        ("127.0.0.1", {"host": "localhost:8000"}, None),
        ("::1", {"host": "[::1]:8000"}, None),
        ("::ffff:127.0.0.1", {"host": "shop.localhost"}, None),
        ("127.0.0.1", {"host": "127.0.0.1"}, None),
        ("192.168.1.9", {"host": "localhost"}, "peer"),
        (None, {"host": "localhost"}, "peer"),
        ("", {"host": "localhost"}, "peer"),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "203.0.113.5, 127.0.0.1"}, "peer"),
        ("127.0.0.1", {"host": "localhost", "x-real-ip": "203.0.113.5"}, "peer"),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "127.0.0.1"}, None),
        ("127.0.0.1", {"host": "localhost", "forwarded": "for=203.0.113.5;proto=https"}, "peer"),
        ("127.0.0.1", {"host": "localhost", "forwarded": 'for=127.0.0.1, For="[2001:db8::1]:4711"'}, "peer"),
        ("127.0.0.1", {"host": "localhost", "forwarded": "for=unknown"}, "peer"),
        ("127.0.0.1", {"host": "localhost", "forwarded": 'by=x;for="127.0.0.1:4711",for="[::1]"'}, None),
        ("127.0.0.1", {"host": "localhost.example.net"}, "host"),
        ("127.0.0.1", {"host": "192.168.1.9:8000"}, "host"),
        ("127.0.0.1", {}, "host"),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-host": "tunnel.example"}, "host"),
    ],
)
def test_only_this_machine(peer: str | None, headers: dict[str, str], reason: str | None) -> None:
    """
    A page that leaves the machine tells nobody of the tool.
    """
    assert refused(peer, headers.get) == reason


def test_names_and_networks_can_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A container's gateway and a development name are a person's to allow; rubbish allows nobody.
    """
    monkeypatch.setenv("RETICLE_PROBE_PEERS", "172.17.0.0/16, nonsense")
    monkeypatch.setenv("RETICLE_PROBE_HOSTS", "myapp.test, *.dev.example")
    assert refused("172.17.0.1", {"host": "myapp.test:8000"}.get) is None
    assert refused("172.17.0.1", {"host": "a.dev.example"}.get) is None
    assert refused("172.18.0.1", {"host": "myapp.test"}.get) == "peer"
    assert refused("127.0.0.1", {"host": "dev.example.net"}.get) == "host"


def test_names_without_ports() -> None:
    """
    A port is no part of a name, and IPv6 has its brackets.
    """
    assert [host_name(text) for text in ("A.test:80", "[::1]:80", "::1", "a")] == [
        "a.test",
        "::1",
        "::1",
        "a",
    ]


@pytest.mark.parametrize(
    ("origin", "is_same"),
    [
        ("http://localhost:8000", True),
        ("https://LOCALHOST:8000", True),
        ("http://localhost:9000", False),
        ("http://localhost", False),
        ("null", False),
        (None, False),
    ],
)
def test_only_pages_of_the_app_itself(origin: str | None, is_same: bool) -> None:  # noqa: FBT001 - a table
    """
    Another port is another site, also on this machine.
    """
    assert is_same_origin({"origin": origin, "host": "localhost:8000"}.get) is is_same
