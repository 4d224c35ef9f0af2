"""
The second road of reading a page message, beside the first.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.wire import parse_message
from reticle.bridge.wire_forgiving import mend_surrogates, parse_forgivingly
from reticle.bridge.wire_values import CommandResult, Events, Hello, Ignored, WireEvent
from reticle.model.limits import LONE_SURROGATES, MESSAGE_EVENTS, RESULT_VALUES
from tests.unit.bridge.test_wire import JSON

EVENTS = st.fixed_dictionaries(
    {"type": st.text(min_size=1, max_size=64)},
    optional={
        "data": JSON,
        "ref": st.none() | st.text(max_size=128),
        "seq": st.none() | st.integers(min_value=-(2**63), max_value=2**63),
        "t": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 2**40),
        "documentId": st.text(min_size=1, max_size=64),
        "editEpoch": st.integers(min_value=0, max_value=2**31),
        "cause": st.none() | st.text(min_size=1, max_size=64),
        "later": JSON,
    },
)


def plain(event: WireEvent) -> tuple[object, ...]:
    """
    All that an event says.
    """
    named = event.document_id, event.edit_epoch, event.ref, event.cause
    return event.type, bytes(event.data), event.page_seq, event.page_time, *named


@given(st.lists(EVENTS, max_size=6))
def test_both_roads_give_the_same_events(events: list[dict[str, object]]) -> None:
    """
    What a page reports does not depend on whether something else in its message was wrong.
    """
    payload = json.dumps({"kind": "events", "events": events}).encode()
    fast, forgiving = parse_message(payload), parse_forgivingly(payload)
    assert isinstance(fast, Events)
    assert isinstance(forgiving, Events)
    assert list(map(plain, fast.events)) == list(map(plain, forgiving.events))
    assert (len(fast.events), forgiving.malformed) == (len(events), 0)


@given(JSON, st.booleans(), st.text(max_size=20))
def test_both_roads_give_the_same_result(value: object, ok: bool, error: str) -> None:  # noqa: FBT001 - drawn
    """
    What a page answers does not either.
    """
    message = {"kind": "command_result", "id": "c1-7", "ok": ok, "result": value, "error": error, "code": "x"}
    payload = json.dumps(message).encode()
    assert parse_message(payload) == parse_forgivingly(payload)


@pytest.mark.parametrize("member", [b'{"type":"a"}', b"{}", b"0", rb'{"\u0074ype":"a"}'])
def test_a_message_of_far_too_many_events_may_have_reported(member: bytes) -> None:
    """
    A page that puts thousands of events into one message loses them, and it is known that some are missing.
    """
    payload = b'{"kind":"events","events":[%b]}' % b",".join([member] * (MESSAGE_EVENTS + 1))
    assert parse_message(payload) == Ignored("too many events in one message", may_report=True)
    payload = b'{"kind":"events","events":[%b]}' % b",".join([member] * 200_000)
    assert parse_message(payload) == Ignored("too many events in one message", may_report=True)


@pytest.mark.parametrize("extra", ["", ',"code":5'])
def test_an_answer_of_too_many_values_is_not_read(extra: str) -> None:
    """
    A page cannot hold the daemon by an answer; the command ends with an error that says why.
    """
    answer = (
        f'{{"kind":"command_result","id":"c1","ok":true{extra},"result":[{"0," * (RESULT_VALUES + 1)}0]}}'
    )
    result = parse_message(answer.encode())
    assert isinstance(result, CommandResult)
    assert (result.ok, result.result, "more values" in result.error) == (False, None, True)


def test_a_long_text_with_commas_is_an_answer_like_any() -> None:
    """
    A page's whole tree of some 200 KB comes through.
    """
    tree = "- a, b: c\n" * 20_000
    answer = json.dumps({"kind": "command_result", "id": "c1", "ok": True, "result": {"tree": tree}})
    result = parse_message(answer.encode())
    assert isinstance(result, CommandResult)
    assert result.result == {"tree": tree}


def test_a_text_of_nothing_but_half_characters_is_given_up() -> None:
    """
    Mending ends after so many; what is not read is accounted for.
    """
    few, many = rb"\ud800" * LONE_SURROGATES, rb"\ud800" * (LONE_SURROGATES * 3)
    event = b'{"kind":"event","event":{"type":"a","data":{"text":"%b"}}}'
    assert isinstance(parse_message(event % few), Events)
    assert parse_message(event % many) == Ignored("not a JSON object", may_report=True)
    assert mend_surrogates(few) == rb"\ufffd" * LONE_SURROGATES


def test_a_hello_among_many_fields_is_a_hello() -> None:
    """
    What a page says beside its hello does not matter, however much it is.
    """
    fields = {f"k{number}": number for number in range(100_000)}
    hello = parse_message(json.dumps({**fields, "kind": "hello", "sessionId": "s1"}).encode())
    assert isinstance(hello, Hello)
    assert hello.session_id == "s1"


def test_the_wrong_type_of_a_field_leaves_the_others() -> None:
    """
    An event whose number is a list is still an event.
    """
    event = {
        "type": "signal",
        "seq": [1],
        "t": {},
        "ref": 5,
        "documentId": 7,
        "editEpoch": "1",
        "cause": 3,
        "data": {"a": 1},
    }
    batch = parse_message(json.dumps({"kind": "event", "event": event}).encode())
    assert isinstance(batch, Events)
    assert list(map(plain, batch.events)) == [("signal", b'{"a": 1}', *[None] * 6)]
