"""
What a test may open.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from reticle.pytest_plugin.outcomes import NotServed
from reticle.pytest_plugin.serving import address_of, serve


@pytest.mark.parametrize(
    ("where", "address"),
    [
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        (SimpleNamespace(url="http://localhost:8081"), "http://localhost:8081"),
        (SimpleNamespace(url=lambda: "http://localhost:5000"), "http://localhost:5000"),
        (lambda _environ, _start: [], None),
    ],
    ids=["text", "pytest-django", "pytest-flask", "app"],
)
def test_addresses(where: object, address: str | None) -> None:
    """
    Live servers of other plugins are opened as they are.
    """
    assert address_of(where) == address


def test_what_is_no_app_is_refused() -> None:
    """
    A test that passes the wrong thing is told what may be opened.
    """
    with pytest.raises(NotServed, match=r"an address, a live server with \.url, or a WSGI or ASGI app"):
        serve(42, wsgi=lambda app: app, asgi=lambda app: app)
