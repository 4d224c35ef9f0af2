"""
A write that set a cookie which nothing of the server reads is doubted.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings import cookie_unread
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import Verified
from reticle.testing.windows import WindowBuilder

A = "a" * 32
COOKIE = {"name": "tracker_user_id", "reads": "tracker_user", "file": "serve.py", "line": 79}
CLAIM = parse({"kind": "net", "method": "PUT", "urlContains": "/api/session", "status": 200})


def answered(method: str = "PUT", status: int = 200, *, attested: bool = True) -> WindowBuilder:
    """
    A request of which the probe told such a cookie.
    """
    window = WindowBuilder().probe(attested=attested).click()
    window.served(A, method, "/api/session", status).fact("calls", A, functions=[], cookies=[COOKIE])
    return window.net(method, "/api/session", status, rid=A)


def test_the_write_is_doubted_and_the_line_is_named() -> None:
    """
    The page shows the new user now, and the server will not know it with the next request.
    """
    decision = decide(CLAIM, answered().build())
    assert decision.verified is Verified.UNKNOWN
    [finding] = cookie_unread.find(answered().build(), CLAIM)
    assert finding.source == "serve.py:79"
    assert "tracker_user_id" in finding.claim


@pytest.mark.parametrize(
    "window",
    [answered("GET"), answered(status=422), answered(attested=False), WindowBuilder().click()],
)
def test_what_is_no_write_that_succeeded_is_let_be(window: WindowBuilder) -> None:
    """
    Nor what anybody may have told.
    """
    assert cookie_unread.find(window.build(), CLAIM) == ()
