"""
When a client is told that the tools changed.
"""

from __future__ import annotations

import json

from reticle.relay.memory import Memory
from reticle.relay.messages import Kind, Message
from reticle.relay.offer import Offer
from reticle.relay.tool_list import ToolList

REVISION = "2025-11-25"
ASKED = Message(Kind.REQUEST, "1", "tools/list", {}, b"")


def tool_list() -> ToolList:
    """
    The list of a client that has asked for nothing.
    """
    return ToolList(Offer(None), Memory("x", REVISION))


def test_a_client_that_never_asked_is_not_told() -> None:
    """
    There is nothing that could have changed for it.
    """
    tools = tool_list()
    assert tools.learn(REVISION, {"tools": [{"name": "a"}]}) is None
    assert not tools.has_changed()


def test_a_list_from_memory_that_differs_is_told_once() -> None:
    """
    SP-07: the client learns that the daemon has other tools than it was shown, once per difference.
    """
    tools = tool_list()
    tools.from_memory()
    tools.learn(REVISION, {"tools": [{"name": "a"}]})
    assert [tools.has_changed(), tools.has_changed()] == [True, False]
    tools.ask()
    tools.learn(REVISION, {"tools": [{"name": "b"}]})
    assert tools.has_changed()
    assert tools.from_memory() == {"tools": [{"name": "b"}]}


def test_the_daemons_own_answer_is_no_change() -> None:
    """
    A client that got the list from the daemon is not sent to ask again.
    """
    tools = tool_list()
    tools.shown(ASKED, {"tools": [{"name": "a"}]})
    tools.learn(REVISION, {"tools": [{"name": "a"}]})
    assert not tools.has_changed()


def test_a_list_of_several_pages_is_read_whole() -> None:
    """
    What is kept for the time without a daemon is every page, and says of no further one.
    """
    tools = tool_list()
    tools.ask()
    further = tools.learn(REVISION, {"tools": [{"name": "a"}], "nextCursor": "2"})
    assert further is not None
    assert json.loads(further)["params"]["cursor"] == "2"
    assert tools.learn(REVISION, {"tools": [{"name": "b"}]}) is None
    assert tools.from_memory() == {"tools": [{"name": "a"}, {"name": "b"}]}


def test_a_page_is_not_the_list() -> None:
    """
    A client that reads page by page is not told of a change because one page is shorter than the list.
    """
    tools = tool_list()
    tools.shown(ASKED, {"tools": [{"name": "a"}], "nextCursor": "2"})
    tools.learn(REVISION, {"tools": [{"name": "a"}, {"name": "b"}]})
    assert not tools.has_changed()
