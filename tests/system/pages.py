"""
Made-up pages that dial the bridge by hand.
"""

from __future__ import annotations

from reticle.client import Client

HELLO: dict[str, object] = {
    "kind": "hello",
    "protocolVersion": 1,
    "script": "reticle",
    "sdkVersion": "0.1.0",
    "sessionId": "bystander",
    "documentId": "k3v9x0ab",
    "url": "http://localhost:1/",
    "title": "Made up",
}


def page_names(client: Client) -> list[str]:
    """
    The ids of the connected pages.
    """
    listed = client.call("reticle_sessions").fields["sessions"]
    assert isinstance(listed, list)
    return [session["sessionId"] for session in listed]
