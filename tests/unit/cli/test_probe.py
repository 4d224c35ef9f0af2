"""
Only a reticle daemon is taken for one.
"""

from __future__ import annotations

import pytest

from reticle.cli.probe import Answering, Stranger, Unauthorised, _judge


@pytest.mark.parametrize(
    ("status", "body", "reply"),
    [
        (200, b'{"name":"reticle","running":true}', Answering({"name": "reticle", "running": True})),
        (200, b'{"running":true}', Stranger("HTTP 200 without a reticle status")),
        (200, b"<html>", Stranger("HTTP 200 without a reticle status")),
        (200, b"[]", Stranger("HTTP 200 without a reticle status")),
        (404, b"", Stranger("HTTP 404 without a reticle status")),
        (401, b'{"error":{"message":"a token is needed"}}', Unauthorised("a token is needed")),
        (401, b"Unauthorized", Stranger("HTTP 401 without a reticle status")),
    ],
)
def test_an_answer_is_judged_by_its_content(status: int, body: bytes, reply: object) -> None:
    """
    Another server on the port, whatever it answers, is not called a running daemon.
    """
    assert _judge(status, body) == reply
