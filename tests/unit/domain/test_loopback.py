"""
Which spellings mean this machine.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.loopback import (
    is_loopback_address,
    is_loopback_host,
    is_loopback_origin,
    is_loopback_referer,
    is_loopback_web_address,
    shown_origin,
)

LOOPBACK_HOSTS = [
    "localhost", "localhost:4400", "LOCALHOST:4400", "localhost.", "localhost.:4400",
    "127.0.0.1", "127.0.0.1:4400", "127.0.0.2:4400", "127.255.255.254",
    "[::1]", "[::1]:4400", "[0:0:0:0:0:0:0:1]:4400", "[::ffff:127.0.0.1]", "[::FFFF:127.0.0.1]:4400",
    "reticle.localhost:4400", "a.b.localhost", "tauri.localhost",
]  # fmt: skip
FOREIGN_HOSTS = [
    "", " ", "evil.example", "evil.example:4400", "localhost.evil.example", "evillocalhost",
    "127.0.0.1.evil.example", "127.0.0.1.nip.io", "127.1", "0x7f.0.0.1", "2130706433", "127.0.0.01",
    "0.0.0.0", "10.0.0.5:4400", "192.168.1.4", "[::]", "[::2]", "[fe80::1]", "[::1%25lo]", "::1",
    "[127.0.0.1]", "user@localhost", "localhost:80:80", "localhost:", "localhost:x", "localhost:99999",
    "localhost..", ".localhost", "-.localhost", "lo calhost", "localhost\x00", "\uff4cocalhost",
    "localhost,evil.example", "localhost/evil", "%6cocalhost",
]  # fmt: skip


@pytest.mark.parametrize("host", LOOPBACK_HOSTS)
def test_a_true_spelling_of_this_machine_is_accepted(host: str) -> None:
    """
    Every spelling of AU-01 that real clients send is loopback, as Host, Origin and Referer.
    """
    assert is_loopback_host(host)
    assert is_loopback_origin(f"http://{host}")
    assert is_loopback_referer(f"https://{host}/a/b?c=http://evil.example/")


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_anything_a_resolver_could_send_elsewhere_is_refused(host: str) -> None:
    """
    A name that only looks like this machine is not loopback.
    """
    assert not is_loopback_host(host)
    assert not is_loopback_origin(f"http://{host}")


@pytest.mark.parametrize(
    "origin",
    ["null", "", "localhost", "http:localhost", "http:/localhost", "//localhost", "http://localhost/",
     "http://localhost/x", "http://evil.example\\@localhost", "http://localhost http://evil.example",
     "http://evil.example#@localhost", "1http://localhost", "file://", "moz-extension://d1a2-localhost"],
)  # fmt: skip
def test_an_origin_must_be_exactly_a_scheme_and_a_loopback_host(origin: str) -> None:
    """
    ``null`` and anything that is not a plain loopback origin is refused.
    """
    assert not is_loopback_origin(origin)


@pytest.mark.parametrize("origin", ["https://localhost:3000", "tauri://localhost", "http://[::1]:5173"])
def test_the_scheme_and_port_of_a_loopback_origin_do_not_matter(origin: str) -> None:
    """
    A dev server on any port, or a desktop shell with its own scheme, is local.
    """
    assert is_loopback_origin(origin)


@pytest.mark.parametrize(
    ("referer", "loopback"),
    [
        ("http://localhost:3000/", True),
        ("http://localhost:3000", True),
        ("http://localhost?x", True),
        ("http://evil.example/http://localhost/", False),
        ("http://localhost@evil.example/", False),
        ("http://evil.example\\.localhost/", False),
        ("about:blank", False),
        ("", False),
    ],
)
def test_a_referer_is_judged_by_its_authority_alone(referer: str, loopback: bool) -> None:  # noqa: FBT001
    """
    A path that mentions localhost does not make a foreign page local.
    """
    assert is_loopback_referer(referer) is loopback


@pytest.mark.parametrize(
    ("address", "served"),
    [
        ("http://localhost:5173/src/app.tsx?t=1", True), ("HTTPS://127.0.0.1/app.js", True),
        ("ftp://localhost/app.js", False), ("file://localhost/app.js", False),
        ("https://cdn.example/app.js", False), ("localhost:5173/app.js", False),
    ],
)  # fmt: skip
def test_only_a_web_servers_address_on_this_machine_is_read(address: str, *, served: bool) -> None:
    """
    No other scheme, no other machine.
    """
    assert is_loopback_web_address(address) is served


@pytest.mark.parametrize(
    ("address", "loopback"),
    [("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("::ffff:127.0.0.1", True),
     ("::ffff:10.0.0.1", False), ("10.0.0.1", False), ("fe80::1%eth0", False), ("::", False),
     ("localhost", False), ("", False)],
)  # fmt: skip
def test_a_peer_is_judged_by_its_address(address: str, loopback: bool) -> None:  # noqa: FBT001
    """
    Only an address of this machine is a local peer.
    """
    assert is_loopback_address(address) is loopback


@given(st.text())
def test_no_text_breaks_the_judgement(text: str) -> None:
    """
    Whatever arrives in a header, the answer is yes or no and never a failure.
    """
    assert isinstance(is_loopback_host(text), bool)
    assert isinstance(is_loopback_origin(text), bool)
    assert isinstance(is_loopback_referer(text), bool)
    assert isinstance(is_loopback_address(text), bool)
    assert isinstance(shown_origin(text), str)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:secret@evil.example:8/path?token=secret#x", "https://evil.example:8"),
        ("http://evil.example", "http://evil.example"),
        ("null", "null"),
        ("token=secret", "(unreadable)"),
    ],
)
def test_what_is_shown_of_a_refused_url_holds_no_secret(url: str, shown: str) -> None:
    """
    A refusal names where a request came from, without path, query or user.
    """
    assert shown_origin(url) == shown
