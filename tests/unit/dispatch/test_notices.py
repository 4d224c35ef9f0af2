"""
Changes reach whoever listens.
"""

from __future__ import annotations

from typing import Any

from reticle.dispatch.notices import Notices
from reticle.model.mcp import Notice, ResourcesChanged, ResourceUpdated, ToolsChanged


def test_every_listener_hears_every_notice_until_it_leaves() -> None:
    """
    A client that went away is told nothing more, and the others hear of everything in order.
    """
    notices, first, second = Notices(), list[Notice](), list[Notice]()
    leave = notices.subscribe(Listening(first).hear)
    notices.subscribe(Listening(second).hear)
    notices.publish(ToolsChanged())
    leave()
    leave()
    notices.publish(ResourcesChanged())
    assert first == [ToolsChanged()]
    assert second == [ToolsChanged(), ResourcesChanged()]


def test_a_resource_is_told_to_whoever_watches_it() -> None:
    """
    A client hears of the resource that it named, once each time, until it no longer wants to.
    """
    notices, heard, other = Notices(), list[Notice](), list[Notice]()
    updated = ResourceUpdated("reticle://sessions")
    one, another = Listening(heard), Listening(other)
    notices.subscribe(one.hear)
    notices.watch("reticle://sessions", one.hear)
    notices.watch("reticle://sessions", one.hear)
    notices.watch("reticle://verdict/v1", another.hear)
    notices.publish(updated)
    notices.unwatch("reticle://sessions", one.hear)
    notices.unwatch("reticle://sessions", one.hear)
    notices.publish(updated)
    assert (heard, other) == ([updated], [])
    assert list(notices._watchers) == ["reticle://verdict/v1"]


class Listening:
    """
    A client with a list of what it heard.
    """

    def __init__(self, heard: list[Notice]) -> None:
        self._heard = heard

    def hear(self, notice: Notice) -> None:
        """
        Keep it.
        """
        self._heard.append(notice)


def test_a_listener_that_fails_silences_nobody(logged_failures: Any) -> None:
    """
    A fault with one client is in the log, and the next client still hears of the change.
    """
    notices, heard = Notices(), list[Notice]()

    def fail(_: Notice) -> None:
        raise ZeroDivisionError

    notices.subscribe(fail)
    notices.subscribe(Listening(heard).hear)
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
