"""
Clients that listen for changes.
"""

from __future__ import annotations

import pytest

from reticle.mcp.strict_json import encode
from reticle.model.codes import Capability
from reticle.model.limits import LISTENED_NAMES
from reticle.model.mcp import ResourceUpdated, ToolsChanged
from reticle.testing.gate import GateBench
from reticle.testing.modern import Sent, modern_request, send_modern
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_grant, a_repository

TOOLS = {"toolsListChanged": True}


def listen(bench: GateBench, **wanted: object) -> Sent:
    """
    Begin to listen.
    """
    return send_modern(bench, modern_request("subscriptions/listen", {"notifications": wanted}))


def test_a_watched_resource_is_told() -> None:
    """
    A client that watches one resource hears when it changes.
    """
    bench = GateBench()
    sent = listen(bench, resourceSubscriptions=["reticle://sessions"])
    bench.notices.publish(ResourceUpdated("reticle://sessions"))
    bench.notices.publish(ResourceUpdated("reticle://other"))
    assert [told["params"].get("uri") for told in sent.replies.told()] == [None, "reticle://sessions"]


def test_a_resource_that_can_never_be_read_is_not_promised() -> None:
    """
    A client learns at once that nobody will tell it of a resource that does not exist.
    """
    sent = listen(GateBench(), resourceSubscriptions=["reticle://sessions", "reticle://nothing", "x"])
    (acknowledged,) = sent.replies.told()
    assert acknowledged["params"]["notifications"] == {"resourceSubscriptions": ["reticle://sessions"]}


def test_places_are_bounded_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Listening clients cannot grow without end; one that goes makes room.
    """
    monkeypatch.setattr("reticle.dispatch.listening.LISTENERS", 2)
    bench = GateBench()
    first, second = listen(bench, **TOOLS), listen(bench, **TOOLS)
    assert listen(bench, **TOOLS).error()["data"]["code"] == "too_many_calls"
    first.exchange.cancel()
    second.exchange.drain("test")
    for _ in range(2):
        assert listen(bench, **TOOLS).replies.told()


def test_a_bad_filter_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A request that is refused does not count as a listener.
    """
    monkeypatch.setattr("reticle.dispatch.listening.LISTENERS", 1)
    bench = GateBench()
    for wanted in ({"toolsListChanged": 1}, {"taskIds": ["x"] * (LISTENED_NAMES + 1)}):
        refused = listen(bench, **wanted)
        assert refused.error()["code"] == -32602
        assert not refused.exchange.busy
    assert listen(bench, **TOOLS).replies.told()


def test_a_stopping_daemon_takes_no_listeners() -> None:
    """
    A client that begins to listen on a stream that is about to end is told so.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(modern_request("server/discover"))
    conversation.drain("test")
    sink.take()
    conversation.receive(modern_request("subscriptions/listen", {"notifications": TOOLS}, request_id=2))
    assert sink.take()[-1]["error"]["data"]["code"] == "shutting_down"


def test_after_its_end_a_listener_hears_nothing() -> None:
    """
    Nothing follows the result of a subscription.
    """
    bench = GateBench()
    sent = listen(bench, **TOOLS)
    sent.exchange.drain("test")
    sent.exchange.cancel()
    bench.notices.publish(ToolsChanged())
    assert len(sent.replies.told()) == 1
    assert sent.result()["resultType"] == "complete"


def test_a_listener_hears_nothing_of_a_page_that_was_led_elsewhere() -> None:
    """
    When another repository's page changes is told to no token for the one it was of, in either era.
    """
    page = FakePage("p1", url="http://localhost:1/")
    bench = GateBench(pages=FakePages(page))
    bench.repositories.keep(a_repository("r1", ["http://localhost:1"]))
    holder = bench.token(a_grant(Capability.OBSERVE, "r1"))
    uri = "reticle://session/p1/snapshot"
    asked = modern_request("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
    sent = send_modern(bench, asked, principal=holder)
    conversation, sink = bench.open(holder)
    for method, params in (
        ("initialize", {"protocolVersion": "2025-11-25"}),
        ("resources/subscribe", {"uri": uri}),
    ):
        conversation.receive(encode({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    sink.take()
    told = []
    for where in ("http://localhost:2/", "http://localhost:1/"):
        page.load_document(where, where)
        bench.notices.publish(ResourceUpdated(uri))
        told.append((len(sent.replies.told()), len(sink.take())))
    assert told == [(1, 0), (2, 1)]
