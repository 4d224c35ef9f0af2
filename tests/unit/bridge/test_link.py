"""
One page socket: who may speak when.
"""

from __future__ import annotations

import json

import pytest

from reticle.model.bridge_limits import MESSAGE_SECRETS
from reticle.model.codes import CommandName
from reticle.model.ids import Cursor
from reticle.model.limits import FAREWELL_SECONDS, HELLO_SECONDS
from reticle.testing.bridge import PAIRING_TOKEN, Bridge, refusal_of, result_of


def test_a_socket_without_a_hello_is_closed_in_time(bridge: Bridge) -> None:
    """
    Silence for 5 s ends with 1008.
    """
    end = bridge.dial()
    bridge.clock.advance(HELLO_SECONDS - 0.1)
    assert end.writer.closed is None
    bridge.clock.advance(0.1)
    assert end.writer.closed == (1008, "hello timeout")


def test_nothing_before_the_hello_counts(bridge: Bridge) -> None:
    """
    Events and answers of a page that has not introduced itself are ignored.
    """
    end = bridge.dial()
    end.event("signal")
    end.say({"kind": "command_result", "id": "c7-1", "ok": True})
    end.hello()
    assert bridge.page().cursor() == 0


def test_a_wrong_version_is_told_to_stay_away(bridge: Bridge) -> None:
    """
    A page script of another protocol is refused with 1008, and the agent can see why.
    """
    end = bridge.dial()
    end.hello(protocolVersion=2)
    assert end.writer.closed == (1008, "protocol version 2 is not spoken here, only 1")
    [dial] = bridge.directory.refused_dials()
    assert (dial.origin, dial.reason) == ("http://localhost:8000", end.writer.closed[1])
    end.event("signal")
    assert list(bridge.directory.all()) == []


def test_a_second_hello_of_another_session_ends_the_socket(bridge: Bridge) -> None:
    """
    One socket is one page.
    """
    end = bridge.connect()
    asked = bridge.page().ask(CommandName.ACT, {})
    end.hello("s2")
    assert end.writer.closed == (1008, "hello already received")
    assert refusal_of(asked).code == "session_gone"
    assert list(bridge.directory.all()) == []
    end.lose(1008)
    assert bridge.clock.getDelayedCalls() == []


@pytest.mark.parametrize(
    ("payload", "lost"),
    [
        (b"", 0),
        (b"{}", 0),
        (b"{" * 40, 1),
        (b"[[[[[[[[[[]]]]]]]]]]", 1),
        (b'{"kind":"dance"}', 0),
        (b'{"kind":"events","events":[1,2,3]}', 3),
    ],
)
def test_garbage_never_ends_the_connection(bridge: Bridge, payload: bytes, lost: int) -> None:
    """
    One malformed message costs itself and nothing else; where it may have held events, that is known.
    """
    end = bridge.connect()
    end.say_raw(payload)
    end.say_raw(payload)
    end.event("signal")
    assert end.writer.closed is None
    assert bridge.page().cursor() == 1
    assert end.link is not None
    assert end.link.ignored == 2 * max(lost, 1)  # type: ignore[attr-defined]  # the real link
    losses = bridge.page().window(Cursor(0)).losses
    assert [(loss.channel, loss.dropped, loss.where) for loss in losses] == [("*", 2 * lost, "page")] * (
        lost > 0
    )


def test_the_newest_socket_is_the_page(bridge: Bridge) -> None:
    """
    A reload whose old socket closes late does not drop the new document (WS-03).
    """
    old = bridge.connect()
    old.event("signal")
    new = bridge.connect(document_id="doc00002")
    old.lose()
    new.event("signal")
    page = bridge.page()
    assert [event.document_id for event in page.events(Cursor(0))] == ["doc00001", "doc00002"]
    assert [each.identity.page_id for each in bridge.directory.all()] == ["s1"]


def test_the_farewell_of_a_replaced_document_is_kept(bridge: Bridge) -> None:
    """
    Events of the old document that arrive just after the new hello are evidence, not another tab.
    """
    old = bridge.connect()
    bridge.connect(document_id="doc00002")
    bridge.clock.advance(FAREWELL_SECONDS / 2)
    old.event("error.uncaught", {"message": "late"})
    [event] = bridge.page().events(Cursor(0))
    assert (event.document_id, event.data) == ("doc00001", {"message": "late"})
    assert len(bridge.directory.all()) == 1


def test_an_older_socket_that_talks_is_another_tab(bridge: Bridge) -> None:
    """
    A duplicated tab shows up under a name of its own, with its own events.
    """
    old = bridge.connect(title="first")
    new = bridge.connect(document_id="doc00002", title="second")
    bridge.clock.advance(FAREWELL_SECONDS)
    old.event("page.health", {"hidden": True, "focused": False, "reason": "heartbeat"})
    new.event("signal")
    assert {page.identity.page_id: page.identity.title for page in bridge.directory.all()} == {
        "s1": "second",
        "s1~2": "first",
    }
    assert bridge.page("s1~2").health().hidden
    assert [event.type for event in bridge.page("s1").events(Cursor(0))] == ["signal"]
    bridge.page("s1~2").ask(CommandName.SNAPSHOT, {}).addErrback(lambda _: None)
    assert len(old.commands()) == 1


def test_a_parked_document_is_no_other_tab(bridge: Bridge) -> None:
    """
    What the back/forward cache holds says that it is hidden and then nothing (WS-04).
    """
    old = bridge.connect()
    bridge.connect(document_id="doc00002")
    bridge.clock.advance(FAREWELL_SECONDS)
    old.event("page.health", {"hidden": True, "reason": "visibilitychange"})
    assert [page.identity.page_id for page in bridge.directory.all()] == ["s1"]
    assert old.writer.closed is None


def test_a_restored_document_is_the_page_again(bridge: Bridge) -> None:
    """
    Going back revives the old document under the same name; refs are valid because the document is the
    same (WS-04).
    """
    old = bridge.connect()
    bridge.connect(document_id="doc00002")
    old.lose()
    restored = bridge.connect(document_id="doc00001")
    assert bridge.page().identity.document_id == "doc00001"
    restored.event("signal")
    assert len(bridge.directory.all()) == 1


def test_a_hello_on_an_older_socket_is_another_tab_too(bridge: Bridge) -> None:
    """
    A duplicated tab that changes its title is heard.
    """
    old = bridge.connect()
    bridge.connect(document_id="doc00002")
    old.hello(title="renamed")
    assert bridge.page("s1~2").identity.title == "renamed"


def test_a_document_that_redials_replaces_its_dead_socket(bridge: Bridge) -> None:
    """
    The same document on a second socket closes the first, which can only be a leftover.
    """
    first = bridge.connect()
    first.event("signal")
    bridge.connect()
    assert first.writer.closed == (1001, "this document has a newer connection")
    assert bridge.page().window(Cursor(0)).losses == []


def test_a_tab_with_a_given_name_keeps_it_when_it_redials(bridge: Bridge) -> None:
    """
    The second tab's document is found again although its hello names the first tab's session.
    """
    old = bridge.connect()
    bridge.connect(document_id="doc00002")
    bridge.clock.advance(FAREWELL_SECONDS)
    old.event("signal")
    old.lose(1006)
    again = bridge.connect(document_id="doc00001")
    again.event("signal")
    assert bridge.page("s1~2").cursor() == 2
    assert bridge.page("s1").identity.document_id == "doc00002"
    assert len(bridge.directory.all()) == 2


TOKEN = f"dtok_{'a' * 16}.{'b' * 43}"


def test_a_credential_that_a_page_sends_is_kept_nowhere(bridge: Bridge) -> None:
    """
    A page whose script redacts nothing: what agents and verdicts read has no token in it, also of an answer
    to a command, and the daemon counts it.
    """
    end = bridge.connect(answers=lambda _name, _args: {"elements": [{"name": f"Key {TOKEN}"}]})
    end.event("console.log", {"message": f"logging in with {TOKEN}"})
    end.event("net.request", {"id": "n1", "url": f"/a?t={PAIRING_TOKEN}", "status": 200})
    page = bridge.page()
    [logged, asked] = page.events(Cursor(0))
    assert logged.data == {"message": "logging in with [REDACTED]"}
    assert asked.data["url"] == "/a?t=[REDACTED]"
    answer = result_of(page.ask(CommandName.QUERY, {}))
    assert answer == {"elements": [{"name": "Key [REDACTED]"}]}
    assert sum(bridge.redacted) == 3


def test_a_hello_keeps_the_token_that_it_is_judged_by(bridge: Bridge) -> None:
    """
    The one place where a page has to say a token; its title is looked at like everything else.
    """
    end = bridge.dial(needs_token=True)
    end.hello(token="right", title=f"Shop {PAIRING_TOKEN}")
    assert bridge.page().identity.title == "Shop [REDACTED]"
    assert end.writer.closed is None


def test_a_message_full_of_credentials_is_a_declared_loss(bridge: Bridge) -> None:
    """
    A page that floods with them costs little and harms only its own verdicts.
    """
    end = bridge.connect()
    end.event("console.log", {"message": f"{TOKEN} " * (MESSAGE_SECRETS + 1)})
    page = bridge.page()
    assert page.events(Cursor(0)) == []
    assert page.figures()["lost"] == 1


def test_messages_that_came_together_are_taken_in_their_order(bridge: Bridge) -> None:
    """
    Events, an answer and a new document in one segment: what an agent reads is in the order of the page.
    """
    end = bridge.connect()
    events = [
        {"kind": "event", "event": {"type": kind, "data": {}, "seq": number}}
        for number, kind in enumerate(("signal", "dom.text", "page.health", "signal"), start=1)
    ]
    batch = {"kind": "events", "events": [{"type": "dom.added", "data": {}, "seq": 5}]}
    said = [*events, {"kind": "nothing"}, batch, {"kind": "event", "event": {"type": "perf", "seq": 6}}]
    assert end.link is not None
    end.link.texts_received([json.dumps(one).encode() for one in said])
    page = bridge.page()
    kinds = [event.type for event in page.events(Cursor(0))]
    assert kinds == ["signal", "dom.text", "page.health", "signal", "dom.added", "perf"]
    assert [event.seq for event in page.events(Cursor(0))] == [1, 2, 3, 4, 5, 6]
    assert page.figures()["lost"] == 0
