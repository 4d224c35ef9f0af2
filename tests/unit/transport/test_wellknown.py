"""
The probes for an authorisation server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
@pytest.mark.parametrize(
    "target",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp/sse",
        "/.well-known/openid-configuration",
        "/mcp/.well-known/oauth-protected-resource",
        "/mcp/.well-known/openid-configuration",
        "/register",
    ],
)
def test_there_is_no_authorisation_server(serve: Serve, method: str, target: str) -> None:
    """
    Every place where a client looks answers 404 at once, also to one that is not trusted.
    """
    served = serve(token="pair")
    response = served.ask(method, target, host="box.lan", peer="10.0.0.9").response()
    assert (response.status, response.text) == (404, "not found")
    assert served.records[0].route == "well_known"
