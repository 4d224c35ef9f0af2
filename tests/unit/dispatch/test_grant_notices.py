"""
What clients hear of grants.
"""

from __future__ import annotations

from twisted.internet.task import Clock

from reticle.dispatch.grant_notices import GrantNotices
from reticle.dispatch.notices import Notices
from reticle.model.codes import Capability
from reticle.model.ids import TokenId
from reticle.model.limits import GRANT_LOOK_SECONDS, GRANT_NOTICE_SECONDS
from reticle.model.mcp import Notice, ResourcesChanged, ToolsChanged
from reticle.testing.drafts import a_draft
from reticle.testing.grants import MemoryTokens
from reticle.testing.tokens import a_grant, a_token

CHANGED = [ToolsChanged(), ResourcesChanged()]


class Scene:
    """
    Tokens, time, and what is told.
    """

    def __init__(self) -> None:
        self.clock, self.tokens, self.heard = Clock(), MemoryTokens(), list[Notice]()
        notices = Notices()
        notices.subscribe(self.heard.append)
        self.told = GrantNotices(notices, self.tokens, self.clock, self.clock.seconds)

    def after(self, seconds: float) -> list[Notice]:
        """
        What is told in that time.
        """
        self.clock.advance(seconds)
        heard, self.heard[:] = list(self.heard), []
        return heard


def test_changes_together_are_told_once() -> None:
    """
    A client whose grants changed reads its list anew, once for several changes.
    """
    scene = Scene()
    scene.told.start()
    for name in ("a", "b"):
        scene.tokens.create(a_token(a_grant(Capability.READ), name=name), a_draft())
    assert scene.after(GRANT_NOTICE_SECONDS) == CHANGED
    assert scene.after(GRANT_LOOK_SECONDS) == []
    scene.tokens.revoke(TokenId("a"), 1.0, "", a_draft())
    assert scene.after(GRANT_NOTICE_SECONDS) == CHANGED


def test_an_end_is_told_when_it_comes() -> None:
    """
    A list that lost tools because a grant or its token ran out is told as changed at that time.
    """
    scene = Scene()
    scene.tokens.keep(
        a_token(a_grant(Capability.READ, expires_at=100), a_grant(Capability.OBSERVE), expires_at=200),
        a_token(a_grant(Capability.READ), name="taken", expires_at=50, revoked_at=1),
    )
    scene.told.start()
    assert scene.after(99) == []
    assert scene.after(1 + GRANT_NOTICE_SECONDS) == CHANGED
    assert scene.after(90) == []
    assert scene.after(10) == CHANGED
    assert scene.after(10 * GRANT_LOOK_SECONDS) == []


def test_it_ends_with_the_daemon() -> None:
    """
    Nothing of it stays in the reactor of an application that embeds the daemon.
    """
    scene = Scene()
    scene.told.stop()
    scene.told.start()
    scene.tokens.create(a_token(a_grant(Capability.READ)), a_draft())
    scene.told.stop()
    scene.told.stop()
    assert scene.clock.getDelayedCalls() == []
    scene.tokens.revoke(TokenId("t1"), 1.0, "", a_draft())
    assert scene.after(GRANT_LOOK_SECONDS) == []
