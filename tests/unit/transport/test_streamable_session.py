"""
The streams of a session: which message goes where, what happens when a connection breaks, who resumes what.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.error import ConnectionDone
from twisted.python.failure import Failure

from reticle.model.limits import (
    OUTBOX_BYTES,
    REPLAY_EVENTS,
    REPLAY_SECONDS,
    RESUMABLE_AFTER_SECONDS,
    STREAM_AFTER_SECONDS,
)
from reticle.testing.conversations import FakeConversation, follow_handshake, leave_open
from reticle.transport.streamable_session import EventPlace, read_event_id
from tests.unit.transport.conftest import Served

BOTH = "Accept: application/json, text/event-stream"
JSON = "Content-Type: application/json"


@attrs.frozen
class Event:
    """
    One event of a stream.
    """

    event_id: str
    event: str
    data: str
    retry: str


def events(wire: Any) -> list[Event]:
    """
    Every event that came on a connection.
    """
    text = wire.response().text
    assert not text or text.endswith("\n")
    found = []
    for block in text.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        found.append(Event(*(fields.get(name, "") for name in ("id", "event", "data", "retry"))))
    return found


def data(wire: Any) -> list[str]:
    """
    What the messages on a connection say, primings aside.
    """
    return [event.data for event in events(wire) if event.data]


def finished(wire: Any) -> bool:
    """
    Whether the response is complete.
    """
    return bool(wire.received().endswith(b"0\r\n\r\n"))


class Client:
    """
    A client with a session, on a daemon of the test's own.
    """

    def __init__(self, served: Any, revision: str) -> None:
        self.served = served
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": revision}}
        ).encode()
        wire = served.ask("POST", "/mcp", JSON, BOTH, body=body)
        self.session_id = wire.response().headers["mcp-session-id"]
        self.header = f"Mcp-Session-Id: {self.session_id}"

    @property
    def conversation(self) -> FakeConversation:
        """
        The other end, as it is at present.
        """
        found: FakeConversation = self.served.conversations.opened[-1]
        return found

    def get(self, *headers: str, last: str | None = None, target: str = "/mcp") -> Any:
        """
        A stream of the session.
        """
        resumed = [] if last is None else [f"Last-Event-ID: {last}"]
        return self.served.ask("GET", target, "Accept: text/event-stream", self.header, *resumed, *headers)

    def call(self, accept: str = BOTH) -> Any:
        """
        A call that is not answered yet.
        """
        return self.served.ask(
            "POST", "/mcp", JSON, accept, self.header, body=b'{"jsonrpc":"2.0","id":1,"method":"hang"}'
        )


@pytest.fixture
def open_client(serve: Callable[..., Any]) -> Callable[..., Client]:
    """
    Open sessions.
    """
    return lambda revision="2025-11-25", served=None: Client(
        served or serve(script=follow_handshake), revision
    )


def hang_up(wire: Any) -> None:
    """
    The client's end of a connection breaks.
    """
    wire.protocol.connectionLost(Failure(ConnectionDone()))


def error_of(wire: Any) -> tuple[int, str]:
    """
    Status and code of a refusal.
    """
    response = wire.response()
    return response.status, json.loads(response.body)["error"]["data"]["code"]


@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse"])
def test_the_standalone_stream_brings_what_belongs_to_no_request(
    open_client: Callable[..., Client], target: str
) -> None:
    """
    It begins with an event without data, says when to come back, and stays open.
    """
    client = open_client()
    wire = client.get(target=target)
    client.conversation.sink.send(b'{"a":1}')
    response = wire.response()
    assert response.status == 200
    assert {
        name: response.headers[name] for name in ("content-type", "cache-control", "x-accel-buffering")
    } == {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
    }
    priming, message = events(wire)
    assert (priming.data, priming.event, priming.retry) == ("", "", "500")
    assert (message.data, message.event) == ('{"a":1}', "message")
    assert priming.event_id != message.event_id
    assert not finished(wire)


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18"])
def test_older_clients_get_no_event_without_data(open_client: Callable[..., Client], revision: str) -> None:
    """
    They would parse its empty text; their stream is open all the same as soon as its head is there.
    """
    client = open_client(revision)
    wire = client.get()
    assert wire.response().status == 200
    assert events(wire) == []
    client.conversation.sink.send(b"{}")
    assert [event.event for event in events(wire)] == ["message"]


def test_one_reader_at_a_time(open_client: Callable[..., Client]) -> None:
    """
    A second standalone stream is 409 while the first is open, and served once that is gone.
    """
    client = open_client()
    first = client.get()
    assert error_of(client.get()) == (409, "stream_taken")
    assert not finished(first)
    hang_up(first)
    assert client.get().response().status == 200


def test_a_reader_that_comes_back_takes_over(open_client: Callable[..., Client]) -> None:
    """
    A client whose connection died unnoticed is not locked out of its own stream.
    """
    client = open_client()
    first = client.get()
    second = client.get(last=events(first)[0].event_id)
    client.conversation.sink.send(b'"x"')
    assert finished(first)
    assert (data(first), data(second)) == ([], ['"x"'])


def test_what_nobody_heard_is_told_to_the_next_reader(open_client: Callable[..., Client]) -> None:
    """
    A notification before the stream is open, or between two, is not lost; nothing comes twice.
    """
    client = open_client()
    client.conversation.sink.send(b"1")
    first = client.get()
    client.conversation.sink.send(b"2")
    hang_up(first)
    client.conversation.sink.send(b"3")
    second = client.get()
    client.conversation.sink.send(b"4")
    assert (data(first), data(second)) == (["1", "2"], ["3", "4"])


def test_a_stream_is_resumed_behind_the_last_event(open_client: Callable[..., Client]) -> None:
    """
    Each later event comes exactly once, under the id that it has.
    """
    client = open_client()
    first = client.get()
    for text in (b"1", b"2", b"3"):
        client.conversation.sink.send(text)
    seen = [event.event_id for event in events(first) if event.data]
    hang_up(first)
    second = client.get(last=seen[0])
    assert data(second) == ["2", "3"]
    assert [event.event_id for event in events(second) if event.data] == seen[1:]
    ids = [event.event_id for event in [*events(first), *events(second)]]
    assert len(ids) - len(set(ids)) == 2


@given(
    st.lists(
        st.one_of(
            st.just("say"), st.just("open"), st.just("hang up"), st.tuples(st.just("lose"), st.integers(0, 4))
        ),
        max_size=40,
    )
)
def test_every_message_comes_once_and_in_order(steps: list[Any]) -> None:
    """
    However often the connection breaks, and whatever was on its way then: a client that resumes behind the
    last event that it got has seen everything, once.
    """
    served = Served(token=None, script=follow_handshake, exchange_script=leave_open, mount=b"")
    served.life.attached()
    client = Client(served, "2025-11-25")
    said: list[str] = []
    seen: list[Event] = []
    wire: Any = None

    def leave(unread: int) -> None:
        """
        Hang up with so many events unread.
        """
        nonlocal wire
        if wire is not None:
            came = events(wire)
            seen.extend(came[: len(came) - unread] if unread else came)
            hang_up(wire)
            wire = None

    for step in [*steps, "hang up", "open", "hang up"]:
        if step == "say":
            said.append(f'"{len(said)}"')
            client.conversation.sink.send(said[-1].encode())
        elif step == "open" and wire is None:
            wire = client.get(last=seen[-1].event_id if seen else None)
            assert wire.response().status == 200
        elif step == "hang up":
            leave(0)
        elif step != "open" and seen:
            leave(step[1])
    assert [event.data for event in seen if event.data] == said
    assert len({event.event_id for event in seen}) == len(seen)


def test_a_short_call_is_answered_by_one_body(open_client: Callable[..., Client]) -> None:
    """
    An answer within the quarter of a second costs no stream.
    """
    client = open_client()
    wire = client.call()
    client.served.clock.advance(RESUMABLE_AFTER_SECONDS * 0.9)
    assert wire.received() == b""
    replies = client.conversation.replies
    assert replies is not None
    replies.answer(b'{"id":1}')
    replies.done()
    response = wire.response()
    assert (response.status, response.headers["content-type"], response.body) == (
        200, "application/json", b'{"id":1}',
    )  # fmt: skip
    assert response.headers["content-length"] == "8"
    assert client.served.streamable.sessions.all()[0].is_busy is False


def test_a_long_call_is_answered_on_a_stream_that_can_be_resumed(open_client: Callable[..., Client]) -> None:
    """
    The client has an event id before anything can break; the answer ends the stream.
    """
    client = open_client()
    wire = client.call()
    client.served.clock.advance(RESUMABLE_AFTER_SECONDS)
    assert [event.data for event in events(wire)] == [""]
    replies = client.conversation.replies
    assert replies is not None
    replies.tell(b'"progress"')
    replies.answer(b'"answer"')
    replies.done()
    assert data(wire) == ['"progress"', '"answer"']
    assert finished(wire)


@pytest.mark.parametrize("answered_first", [False, True])
def test_an_answer_survives_a_broken_connection(
    open_client: Callable[..., Client],
    answered_first: bool,  # noqa: FBT001
) -> None:
    """
    The call goes on without its client, and the answer is delivered exactly once, whether it was there
    before the client came back or not (ST-06).
    """
    client = open_client()
    wire = client.call()
    client.served.clock.advance(2)
    last = events(wire)[0].event_id
    hang_up(wire)
    replies = client.conversation.replies
    assert replies is not None
    if answered_first:
        replies.answer(b'"answer"')
        replies.done()
    back = client.get(last=last)
    if not answered_first:
        assert not finished(back)
        replies.answer(b'"answer"')
        replies.done()
    assert data(back) == ['"answer"']
    assert finished(back)
    assert client.conversation.closed == 0
    again = client.get(last=next(event.event_id for event in events(back) if event.data))
    assert (data(again), finished(again)) == ([], True)


def test_an_answer_is_kept_for_a_time(open_client: Callable[..., Client]) -> None:
    """
    After that the client hears that it is gone instead of waiting for it.
    """
    client = open_client()
    wire = client.call()
    client.served.clock.advance(2)
    last = events(wire)[0].event_id
    hang_up(wire)
    replies = client.conversation.replies
    assert replies is not None
    replies.answer(b'"answer"')
    replies.done()
    client.served.clock.advance(REPLAY_SECONDS + 1)
    client.served.streamable.sessions.all()[0].tidy()
    assert error_of(client.get(last=last)) == (404, "event_unknown")


def test_a_history_with_a_hole_is_refused(open_client: Callable[..., Client]) -> None:
    """
    When more happened than is kept, the client that was away is told so.
    """
    client = open_client()
    first = client.get()
    last = events(first)[0].event_id
    hang_up(first)
    for number in range(REPLAY_EVENTS + 1):
        client.conversation.sink.send(b"%d" % number)
    assert error_of(client.get(last=last)) == (404, "event_unknown")
    assert client.get().response().status == 200


@pytest.mark.parametrize("last", ["x", "b00t1-0", "b00t1-0-1x", "-0-1", "b00t1-0-99999999999", "é-0-1"])
def test_an_event_id_of_another_form_is_refused(open_client: Callable[..., Client], last: str) -> None:
    """
    400 at once, not an empty stream.
    """
    assert error_of(open_client().get(last=last)) == (400, "event_unknown")


@pytest.mark.parametrize("place", ["0-9", "7-1"])
def test_an_event_that_was_never_given_out_is_refused(open_client: Callable[..., Client], place: str) -> None:
    """
    404 at once, not an empty stream.
    """
    client = open_client()
    life = events(client.get())[0].event_id.partition("-")[0]
    assert error_of(client.get(last=f"{life}-{place}")) == (404, "event_unknown")


def test_an_event_of_another_session_replays_nothing_of_it(open_client: Callable[..., Client]) -> None:
    """
    Event ids are scoped to the session: with another's id a client gets a fresh stream of its own.
    """
    client = open_client()
    other = open_client(served=client.served)
    client.served.conversations.opened[0].sink.send(b'"secret"')
    foreign = events(client.get())[0].event_id
    wire = other.get(last=foreign)
    assert data(wire) == ['{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}']


def test_an_event_of_an_earlier_life_begins_afresh(
    open_client: Callable[..., Client], serve: Callable[..., Any]
) -> None:
    """
    After a restart the client's stream goes on, and it is told to look again at what may have changed.
    """
    client = open_client()
    last = events(client.get())[0].event_id
    later = serve(script=follow_handshake)
    client.served = later
    wire = client.get(last=last.replace("b00t", "b00f"))
    assert wire.response().status == 200
    assert '"notifications/tools/list_changed"' in data(wire)[0]
    assert not finished(wire)


def test_a_message_of_a_call_goes_to_that_calls_stream(open_client: Callable[..., Client]) -> None:
    """
    Progress comes where the client waits for the answer; the standalone stream has none of it.
    """
    client = open_client()
    standalone, wire = client.get(), client.call()
    replies = client.conversation.replies
    assert replies is not None
    replies.tell(b'"progress"')
    assert wire.response().headers["content-type"] == "text/event-stream"
    assert data(wire) == ['"progress"']
    assert data(standalone) == []


def test_a_client_that_reads_json_is_told_beside(open_client: Callable[..., Client]) -> None:
    """
    A question to a client that takes one body can only come on its standalone stream.
    """
    client = open_client()
    standalone, wire = client.get(), client.call("Accept: application/json")
    replies = client.conversation.replies
    assert replies is not None
    replies.tell(b'"question"')
    client.served.clock.advance(STREAM_AFTER_SECONDS + 1)
    replies.answer(b'"answer"')
    replies.done()
    assert data(standalone) == ['"question"']
    assert wire.response().text == '"answer"'


@pytest.mark.parametrize("late", [False, True])
def test_a_cancelled_call_ends_with_an_error(
    open_client: Callable[..., Client],
    late: bool,  # noqa: FBT001
) -> None:
    """
    A response that simply ended would bring the client back for ever; it hears that it cancelled.
    """
    client = open_client()
    wire = client.call()
    if late:
        client.served.clock.advance(2)
    replies = client.conversation.replies
    assert replies is not None
    replies.done()
    text = data(wire)[0] if late else wire.response().text
    error = json.loads(text)
    assert (error["id"], error["error"]["code"]) == (1, -32800)


@pytest.mark.parametrize("late", [False, True])
def test_the_end_of_a_session_ends_its_calls(
    open_client: Callable[..., Client],
    late: bool,  # noqa: FBT001
) -> None:
    """
    Who waits for an answer when the session is deleted is told, and not left waiting.
    """
    client = open_client()
    wire = client.call()
    if late:
        client.served.clock.advance(2)
    assert client.served.ask("DELETE", "/mcp", client.header).response().status == 204
    error = json.loads(data(wire)[0] if late else wire.response().text)
    assert (error["id"], error["error"]["data"]["code"]) == (1, "session_unknown")
    assert client.conversation.closed == 1


@pytest.mark.parametrize("late", [False, True])
def test_a_request_behind_an_answer_does_not_bring_an_ended_session_back(
    open_client: Callable[..., Client],
    late: bool,  # noqa: FBT001
) -> None:
    """
    DELETE is for ever, also for what the client had already sent behind a call that ended by it.
    """
    client = open_client()
    wire = client.call()
    if late:
        client.served.clock.advance(2)
    body = b'{"jsonrpc":"2.0","id":2,"method":"ping"}'
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{JSON}\r\n{BOTH}\r\n{client.header}\r\n"
    wire.send(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    assert client.served.ask("DELETE", "/mcp", client.header).response().status == 204
    assert b"HTTP/1.1 404" in wire.received()
    assert client.served.ask("POST", "/mcp", JSON, BOTH, client.header, body=body).response().status == 404
    assert client.served.streamable.session_count == 0


def test_what_is_told_to_who_hung_up_is_dropped(open_client: Callable[..., Client]) -> None:
    """
    A call whose client left before there was a stream goes on, and keeps nothing for it.
    """
    client = open_client()
    wire = client.call()
    hang_up(wire)
    replies = client.conversation.replies
    assert replies is not None
    for _ in range(3):
        replies.tell(b'"progress"')
    replies.answer(b'"answer"')
    replies.done()
    assert wire.received() == b""
    assert not client.served.streamable.sessions.all()[0].is_busy


def test_a_slow_reader_costs_itself_alone(open_client: Callable[..., Client]) -> None:
    """
    A reader that does not read is cut off at the cap; what is still kept can be resumed.
    """
    client = open_client()
    wire = client.get()
    last = events(wire)[0].event_id
    wire.protocol.pauseProducing()
    for _ in range(5):
        client.conversation.sink.send(b"x" * (OUTBOX_BYTES // 4))
    assert wire.transport.disconnecting
    hang_up(wire)
    assert not client.served.streamable.sessions.all()[0].is_busy
    assert error_of(client.get(last=last)) == (404, "event_unknown")


def test_an_ended_stream_does_not_wait_for_its_reader(open_client: Callable[..., Client]) -> None:
    """
    A connection that another took over holds its bytes for two sweeps at most when nobody reads them.
    """
    client = open_client()
    first = client.get()
    last = events(first)[0].event_id
    first.protocol.pauseProducing()
    client.conversation.sink.send(b'"unread"')
    client.get(last=last)
    client.served.streams.startService()
    client.served.clock.pump([15.0, 0.01])
    assert not first.transport.disconnecting
    client.served.clock.pump([15.0, 0.01])
    assert first.transport.disconnecting
    client.served.streams.sweep.stop()


def test_silent_streams_are_kept_alive(open_client: Callable[..., Client]) -> None:
    """
    A comment line every 15 seconds, on the standalone stream and on a call's.
    """
    client = open_client()
    standalone, call = client.get(), client.call()
    client.served.streams.startService()
    for _ in range(3):
        client.served.clock.advance(15)
    client.served.clock.advance(0.01)
    assert standalone.response().text.count(": keepalive\n") >= 2
    assert call.response().text.count(": keepalive\n") >= 2
    client.served.streams.sweep.stop()


@pytest.mark.parametrize(
    ("headers", "status"),
    [(["Accept: application/json"], 406), (["Accept: */*"], 200), ([], 200)],
)
def test_a_stream_is_given_to_who_takes_one(
    open_client: Callable[..., Client], headers: list[str], status: int
) -> None:
    """
    A GET that excludes event streams is 406; any other gets one.
    """
    client = open_client()
    wire = client.served.ask("GET", "/mcp", client.header, *headers)
    assert wire.response().status == status


def test_a_get_with_a_body_is_refused(open_client: Callable[..., Client]) -> None:
    """
    What follows a body in one segment would wait for the stream's end.
    """
    client = open_client()
    wire = client.served.ask("GET", "/mcp", client.header, "Content-Length: 2", body=b"")
    wire.send(b"{}")
    assert error_of(wire) == (400, "invalid_request")


def test_event_ids_are_read_strictly() -> None:
    """
    Only our own form is one.
    """
    assert read_event_id("b00t1-0-12") == EventPlace("b00t1", 0, 12)
    assert [read_event_id(text) for text in ("", "a-1", "a-1-2-3", "A-1-2", "a-٣-2", "a" * 70 + "-1-2")] == [
        None
    ] * 6
    assert re.fullmatch(r"[\x21-\x7e]+", "b00t1-0-12")
