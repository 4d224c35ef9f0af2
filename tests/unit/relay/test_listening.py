"""
Open listens over several links.
"""

from __future__ import annotations

import json
from typing import Any

from reticle.model.relay_limits import HELD_SECONDS
from reticle.relay.listening import ACKNOWLEDGED, SUBSCRIPTION_KEY, Listening
from reticle.relay.messages import Message, parse


def message(value: dict[str, Any]) -> Message:
    """
    One message of the daemon.
    """
    (found,) = parse(json.dumps(value).encode())
    assert isinstance(found, Message)
    return found


ACK = message({"method": ACKNOWLEDGED, "params": {"_meta": {SUBSCRIPTION_KEY: "listen:0"}}})
END = message({"id": "listen:0", "result": {"resultType": "complete"}})
TORN = message({"method": "notifications/cancelled", "params": {"requestId": "listen:0"}})


def listening(*, tools: bool = True) -> Listening:
    """
    One open listen.
    """
    made = Listening()
    params = {"notifications": {"toolsListChanged": tools}}
    made.opened(message({"id": "listen:0", "method": "subscriptions/listen", "params": params}), "listen:0")
    return made


def test_only_the_first_acknowledgement_is_shown() -> None:
    """
    After a restart the client is not acknowledged twice.
    """
    listens = listening()
    assert [listens.takes(ACK, 0.0) for _ in range(3)] == [False, True, True]


def test_the_farewell_of_a_stopping_daemon_is_not_shown() -> None:
    """
    The subscription goes on with the next daemon, so its end with this one is no end.
    """
    listens = listening()
    listens.takes(ACK, 0.0)
    assert listens.takes(END, 1.0)
    assert listens.takes(TORN, 1.0)
    listens.lost()
    assert listens.due(1e9) == []
    assert listens.deadline() is None


def test_an_end_that_is_no_farewell_is_shown_a_moment_later() -> None:
    """
    A daemon that ends a listen and stays means it.
    """
    listens = listening()
    assert listens.takes(END, 1.0)
    assert listens.deadline() == 1.0 + HELD_SECONDS
    assert listens.due(1.0) == []
    assert listens.due(1.0 + HELD_SECONDS) == [('"listen:0"', [END.body])]
    assert not listens.takes(END, 9.0)


def test_a_changed_list_is_told_to_those_who_listen() -> None:
    """
    Each acknowledged listen for tools gets one notification with its own id.
    """
    listens = listening()
    assert listens.tools_changed() == []
    listens.takes(ACK, 0.0)
    (line,) = listens.tools_changed()
    assert json.loads(line)["params"]["_meta"] == {SUBSCRIPTION_KEY: "listen:0"}
    quiet = listening(tools=False)
    quiet.takes(ACK, 0.0)
    assert quiet.tools_changed() == []


def test_what_belongs_to_no_listen_passes() -> None:
    """
    Cancellations and errors of other requests are shown as ever.
    """
    listens = listening()
    assert not listens.takes(message({"method": "notifications/cancelled", "params": {"requestId": 3}}), 0)
    assert not listens.takes(message({"id": "listen:0", "error": {"code": -1}}), 0)
    assert not listens.takes(message({"method": ACKNOWLEDGED, "params": {}}), 0)
