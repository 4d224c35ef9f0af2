"""
Changes reach whoever listens.
"""

from __future__ import annotations

from typing import Any

from reticle.dispatch.notices import Notices
from reticle.model.mcp import Notice, ResourceUpdated, ToolsChanged


def test_every_listener_hears_every_notice_until_it_leaves() -> None:
    """
    A client that went away is told nothing more, and the others hear of everything in order.
    """
    notices, first, second = Notices(), list[Notice](), list[Notice]()
    leave = notices.subscribe(first.append)
    notices.subscribe(second.append)
    notices.publish(ToolsChanged())
    leave()
    leave()
    notices.publish(ResourceUpdated("reticle://sessions"))
    assert first == [ToolsChanged()]
    assert second == [ToolsChanged(), ResourceUpdated("reticle://sessions")]


def test_a_listener_that_fails_silences_nobody(logged_failures: Any) -> None:
    """
    A fault with one client is in the log, and the next client still hears of the change.
    """
    notices, heard = Notices(), list[Notice]()

    def fail(_: Notice) -> None:
        raise ZeroDivisionError

    notices.subscribe(fail)
    notices.subscribe(heard.append)
    notices.publish(ToolsChanged())
    assert heard == [ToolsChanged()]
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


def test_a_listener_may_leave_while_it_is_told() -> None:
    """
    A client whose stream ends because of a notice disturbs nobody.
    """
    notices, heard = Notices(), list[Notice]()

    def once(notice: Notice) -> None:
        heard.append(notice)
        leave()

    leave = notices.subscribe(once)
    notices.publish(ToolsChanged())
    notices.publish(ToolsChanged())
    assert heard == [ToolsChanged()]
