"""
What a listening client gets to hear, and how it is tagged.
"""

from __future__ import annotations

import json

import pytest

from reticle.mcp.capabilities import Offered
from reticle.mcp.modern.params import ListenFilter
from reticle.mcp.modern.subscriptions import (
    Honoured,
    acknowledged,
    finished,
    honoured,
    notice_message,
    task_message,
)
from reticle.model.mcp import Notice, PromptsChanged, ResourcesChanged, ResourceUpdated, ToolsChanged

TAG = "io.modelcontextprotocol/subscriptionId"
ALL = Offered(tools_changes=True, resources=True, resources_changes=True, prompts=True, prompts_changes=True)
WANTED = ListenFilter(
    toolsListChanged=True,
    promptsListChanged=True,
    resourcesListChanged=True,
    resourceSubscriptions=["b", "a"],
    taskIds=["t"],
)
NOTHING = Honoured(tools=False, prompts=False, resources=False, uris=frozenset(), task_ids=frozenset())


def test_all_that_is_offered_is_honoured() -> None:
    """
    A client gets what it wants where we have it.
    """
    assert honoured(WANTED, ALL, tasks=True).fields() == {
        "toolsListChanged": True,
        "promptsListChanged": True,
        "resourcesListChanged": True,
        "resourceSubscriptions": ["a", "b"],
        "taskIds": ["t"],
    }


def test_what_is_not_offered_is_left_out() -> None:
    """
    A client is not promised what never comes.
    """
    assert honoured(WANTED, Offered(), tasks=False).fields() == {}
    assert honoured(ListenFilter(), ALL, tasks=True).fields() == {}


@pytest.mark.parametrize(
    ("notice", "method", "wanted"),
    [
        (ToolsChanged(), "notifications/tools/list_changed", ListenFilter(toolsListChanged=True)),
        (PromptsChanged(), "notifications/prompts/list_changed", ListenFilter(promptsListChanged=True)),
        (ResourcesChanged(), "notifications/resources/list_changed", ListenFilter(resourcesListChanged=True)),
        (ResourceUpdated("a"), "notifications/resources/updated", ListenFilter(resourceSubscriptions=["a"])),
    ],
)
@pytest.mark.parametrize("request_id", [1, "1"])
def test_only_the_wanted_kind_is_told(
    notice: Notice, method: str, wanted: ListenFilter, request_id: int | str
) -> None:
    """
    A client hears of what it named, tagged with the id as it sent it, and of nothing else.
    """
    message = notice_message(request_id, honoured(wanted, ALL, tasks=False), notice)
    assert message is not None
    told = json.loads(message)
    assert told["method"] == method
    assert told["params"]["_meta"][TAG] == request_id
    assert type(told["params"]["_meta"][TAG]) is type(request_id)
    assert notice_message(request_id, NOTHING, notice) is None


def test_another_resource_is_not_told() -> None:
    """
    A client that watches one resource is not woken by another.
    """
    what = honoured(ListenFilter(resourceSubscriptions=["a"]), ALL, tasks=False)
    assert notice_message(1, what, ResourceUpdated("b")) is None


def test_first_last_and_tasks_carry_the_tag_too() -> None:
    """
    On a shared stream a client can tell which subscription speaks.
    """
    for message in (acknowledged("s", NOTHING), task_message("s", {"taskId": "t"})):
        assert json.loads(message)["params"]["_meta"][TAG] == "s"
    assert json.loads(finished("s"))["_meta"][TAG] == "s"
