"""
What a client wants to be told.
"""

from __future__ import annotations

import json

import pytest

from reticle.dispatch.wishes import Wishes
from reticle.errors import PeerFault
from reticle.mcp.capabilities import Offered
from reticle.model.codes import LogLevel
from reticle.model.limits import SUBSCRIPTIONS
from reticle.model.mcp import (
    Notice,
    Preferences,
    PromptsChanged,
    ResourcesChanged,
    ResourceUpdated,
    ToolsChanged,
)

ALL_CHANGES = Offered(tools_changes=True, prompts_changes=True, resources_changes=True)


def logged(wishes: Wishes) -> list[str]:
    """
    The levels of which the client hears a message.
    """
    sent: list[bytes] = []
    log = wishes.logger(sent.append)
    for level in LogLevel:
        log(level, {"x": 1}, None)
    return [json.loads(message)["params"]["level"] for message in sent]


def test_only_messages_of_the_wished_gravity_are_sent() -> None:
    """
    A client that asked for warnings is not flooded with debugging, and hears of every worse thing.
    """
    wishes = Wishes()
    assert logged(wishes)[0] == "info"
    wishes.set_level(LogLevel.WARNING)
    assert logged(wishes) == ["warning", "error", "critical", "alert", "emergency"]
    wishes.set_level(LogLevel.DEBUG)
    assert len(logged(wishes)) == len(LogLevel)


def test_a_log_message_names_its_logger_if_it_has_one() -> None:
    """
    A client that sorts messages by logger gets its name, and no null where there is none.
    """
    sent: list[bytes] = []
    log = Wishes().logger(sent.append)
    log(LogLevel.ERROR, "bad", "page")
    log(LogLevel.ERROR, "bad", None)
    assert [json.loads(message)["params"] for message in sent] == [
        {"level": "error", "logger": "page", "data": "bad"},
        {"level": "error", "data": "bad"},
    ]


@pytest.mark.parametrize(
    ("notice", "method"),
    [
        (ToolsChanged(), "notifications/tools/list_changed"),
        (PromptsChanged(), "notifications/prompts/list_changed"),
        (ResourcesChanged(), "notifications/resources/list_changed"),
    ],
)
def test_changes_of_lists_are_told_where_that_was_offered(notice: Notice, method: str) -> None:
    """
    A client is told exactly what the handshake said that it would be told.
    """
    message = Wishes().told_of(notice, ALL_CHANGES)
    assert message is not None
    assert json.loads(message) == {"jsonrpc": "2.0", "method": method}
    assert Wishes().told_of(notice, Offered()) is None


def test_only_subscribed_resources_are_told() -> None:
    """
    A client hears of the resource that it subscribed to, and no more once it unsubscribed.
    """
    wishes = Wishes()
    wishes.unsubscribe("reticle://a")
    wishes.subscribe("reticle://a")
    assert wishes.told_of(ResourceUpdated("reticle://b"), Offered()) is None
    message = wishes.told_of(ResourceUpdated("reticle://a"), Offered())
    assert message is not None
    assert json.loads(message)["params"] == {"uri": "reticle://a"}
    wishes.unsubscribe("reticle://a")
    assert wishes.told_of(ResourceUpdated("reticle://a"), Offered()) is None


def test_wishes_survive() -> None:
    """
    After a restart of the daemon a client hears of what it had subscribed to, from the level it had set.
    """
    wishes = Wishes()
    wishes.set_level(LogLevel.ERROR)
    wishes.subscribe("reticle://a")
    assert wishes.preferences == Preferences(LogLevel.ERROR, ("reticle://a",))
    again = Wishes(wishes.preferences)
    assert again.preferences == wishes.preferences
    assert logged(again)[0] == "error"


def test_subscriptions_have_a_bound() -> None:
    """
    A client that subscribes without end is refused, and keeps what it has.
    """
    wishes = Wishes()
    for number in range(SUBSCRIPTIONS):
        wishes.subscribe(f"reticle://{number}")
    wishes.subscribe("reticle://0")
    with pytest.raises(PeerFault, match="unsubscribe"):
        wishes.subscribe("reticle://more")
    assert len(wishes.preferences.subscriptions) == SUBSCRIPTIONS
