"""
Reading page messages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.wire import (
    CommandResult,
    Events,
    Hello,
    Ignored,
    encode_arguments,
    encode_command,
    parse_message,
    read_data,
)
from reticle.bridge.wire_forgiving import mend_surrogates
from reticle.errors import Refusal
from reticle.model.ids import ActionId, CommandId

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def parse(message: object) -> object:
    """
    A message as the page script would send it.
    """
    return parse_message(json.dumps(message).encode())


def test_a_hello_is_read_and_cut_to_bounds() -> None:
    """
    A page with an endless URL and title is connected all the same, with both cut.
    """
    hello = parse(
        {
            "kind": "hello", "protocolVersion": 1, "script": "reticle", "sdkVersion": "0.1.0",
            "contract": "9f2ab41c07de5583",
            "sessionId": "s" * 200, "documentId": "k3v9x0ab", "projectId": "shop",
            "url": "http://localhost/" + "u" * 5_000, "title": "t" * 600,
            "adapters": ["react", 5, *["a"] * 50], "hasCapabilities": True, "token": "pair me",
            "invariants": ["{}", 5, "x" * 3_000, *["a"] * 30],
        }
    )  # fmt: skip
    assert isinstance(hello, Hello)
    assert (len(hello.session_id), len(hello.url), len(hello.title)) == (128, 4_096, 512)
    assert hello.adapters == ("react", *["a"] * 30)
    assert hello.invariants == ("{}", "x" * 2_048, *["a"] * 13)
    assert (hello.own_script, hello.document_id, hello.project_id) == (True, "k3v9x0ab", "shop")
    assert (hello.has_capabilities, hello.script_version, hello.protocol_version) == (True, "0.1.0", 1)
    assert hello.script_hash == "9f2ab41c07de5583"
    assert (hello.frame_depth, hello.ancestors) == (0, ())
    assert hello.token is not None
    assert (repr(hello.token), hello.token.reveal()) == ("<Secret>", "pair me")


@pytest.mark.parametrize(
    ("depth", "ancestors", "read"),
    [
        (2, ["http://localhost:8000", ""], (2, ("http://localhost:8000", ""))),
        (1, None, (1, ())),
        (True, ["a", 5], (0, ("a",))),
        (-1, ["o" * 5_000] * 20, (0, ("o" * 4_096,) * 8)),
    ],
)
def test_a_frame_names_the_windows_around_it(depth: object, ancestors: object, read: object) -> None:
    """
    A page in a frame is recognised as one, whatever else it claims.
    """
    message = {"kind": "hello", "protocolVersion": 1, "frameDepth": depth, "ancestors": ancestors}
    hello = parse(message)
    assert isinstance(hello, Hello)
    assert (hello.frame_depth, hello.ancestors) == read


@pytest.mark.parametrize("version", [None, "1", 1.0, True])
def test_a_version_that_is_no_whole_number_is_none(version: object) -> None:
    """
    A hello with an unreadable version is refused later, not taken for version 1.
    """
    hello = parse({"kind": "hello", "protocolVersion": version, "sessionId": "s1"})
    assert isinstance(hello, Hello)
    assert hello.protocol_version == 0


def test_one_event_keeps_its_data_for_later() -> None:
    """
    What a page reports arrives with all its fields.
    """
    batch = parse(
        {
            "kind": "event",
            "event": {
                "seq": 41, "t": 5120, "type": "net.request", "documentId": "k3v9x0ab", "ref": "e12",
                "data": {"method": "POST", "status": 200},
            },
        }
    )  # fmt: skip
    assert isinstance(batch, Events)
    [event] = batch.events
    assert (event.type, event.ref, event.page_seq, event.page_time) == ("net.request", "e12", 41, 5120)
    assert event.document_id == "k3v9x0ab"
    assert read_data(event.data) == {"method": "POST", "status": 200}


def test_a_bad_event_does_not_cost_its_batch() -> None:
    """
    One malformed event among good ones loses only itself, and is counted.
    """
    batch = parse(
        {
            "kind": "events",
            "events": [{"type": "signal"}, "nonsense", {"data": {}}, {"type": "signal", "ref": 7}],
        }
    )
    assert isinstance(batch, Events)
    assert [(event.type, event.ref) for event in batch.events] == [("signal", None), ("signal", None)]
    assert batch.malformed == 2


def test_an_event_with_an_endless_name_is_cut() -> None:
    """
    A page cannot fill the daemon with names.
    """
    batch = parse(
        {"kind": "event", "event": {"type": "x" * 5_000, "ref": "r" * 500, "documentId": "d" * 500}}
    )
    assert isinstance(batch, Events)
    [event] = batch.events
    assert (len(event.type), len(event.ref or ""), len(event.document_id or "")) == (64, 128, 64)


def test_a_lone_surrogate_is_replaced_and_the_rest_kept() -> None:
    """
    Half an emoji in a page's text shows as U+FFFD; a whole one stays.
    """
    text = rb'"a\ud83d b\ude00 \ud83d\ude00 \\ud83d"'
    batch = parse_message(rb'{"kind":"event","event":{"type":"dom.text","data":{"text":' + text + b"}}}")
    assert isinstance(batch, Events)
    assert read_data(batch.events[0].data) == {"text": "a\ufffd b\ufffd \U0001f600 \\ud83d"}


def test_a_marker_in_place_of_data_is_still_seen() -> None:
    """
    A payload that the page could not serialise is not taken for an empty one.
    """
    batch = parse({"kind": "event", "event": {"type": "signal", "data": "[UNSERIALIZABLE]"}})
    assert isinstance(batch, Events)
    assert read_data(batch.events[0].data) == {"value": "[UNSERIALIZABLE]"}


def test_a_result_is_read_with_its_code() -> None:
    """
    A refusal of our page script keeps code, recovery and details.
    """
    result = parse(
        {"kind": "command_result", "id": "c1-7", "ok": False, "error": "gone", "code": "stale_ref",
         "recovery": "query again", "details": {"candidates": []}}
    )  # fmt: skip
    assert result == CommandResult(
        CommandId("c1-7"), False, None, "gone", "stale_ref", "query again", {"candidates": []}
    )


def test_a_result_with_wrong_types_still_ends_its_command() -> None:
    """
    A sloppy answer ends the wait instead of running into the timeout.
    """
    result = parse({"kind": "command_result", "id": "c1-7", "ok": "yes", "error": "e" * 9_000, "details": 3})
    assert isinstance(result, CommandResult)
    assert (result.ok, len(result.error), result.details) == (False, 4_096, None)


@pytest.mark.parametrize(
    "payload",
    [
        b"", b"nonsense", b"[]", b"7", b"{}", b'{"kind":"hullo"}', b'{"kind":7}', b'{"kind":"events"}',
        b'{"kind":"command_result","ok":true}', b"[" * 100_000, b'{"kind":"event"', b"\xff\xfe",
    ],
)  # fmt: skip
def test_what_is_no_message_is_ignored(payload: bytes) -> None:
    """
    Garbage from a page never ends its connection.
    """
    assert isinstance(parse_message(payload), Ignored)


@given(JSON, st.sampled_from(["hello", "event", "events", "command_result", "x"]))
def test_parsing_never_raises_for_any_json(value: object, kind: str) -> None:
    """
    Whatever JSON a page sends, the daemon lives.
    """
    message = (
        {**value, "kind": kind}
        if isinstance(value, dict)
        else {"kind": kind, "event": value, "events": value}
    )
    assert isinstance(parse(message), Hello | Events | CommandResult | Ignored)


@given(st.binary(max_size=200))
def test_parsing_never_raises_for_any_bytes(payload: bytes) -> None:
    """
    Whatever bytes a page sends, the daemon lives.
    """
    assert isinstance(parse_message(payload), Hello | Events | CommandResult | Ignored)


@given(st.text(alphabet=st.characters(categories=["Cs", "Lu", "Po"]), max_size=20))
def test_mended_text_is_what_a_browser_shows(text: str) -> None:
    """
    Mending agrees with the decoder that keeps surrogates, for any mixture.
    """
    expected = json.loads(json.dumps(text)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json.loads(mend_surrogates(json.dumps(text).encode())) == expected


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_event_data_survives_the_fast_and_the_forgiving_road(fields: Mapping[str, object]) -> None:
    """
    The same data is read whether or not its neighbour is malformed.
    """
    event = {"type": "signal", "data": fields}
    fast = parse({"kind": "events", "events": [event]})
    forgiving = parse({"kind": "events", "events": [event, 5]})
    assert isinstance(fast, Events)
    assert isinstance(forgiving, Events)
    assert read_data(fast.events[0].data) == read_data(forgiving.events[0].data)


def test_a_command_is_one_json_object() -> None:
    """
    A page gets id, name and args, nothing else.
    """
    args = encode_arguments("query", {"role": "button"})
    assert json.loads(encode_command(CommandId("c1-1"), "query", args)) == {
        "kind": "command",
        "id": "c1-1",
        "name": "query",
        "args": {"role": "button"},
    }


def test_a_command_that_acts_names_its_action() -> None:
    """
    So that the page can say of what comes of it that it does.
    """
    command = json.loads(
        encode_command(CommandId("c1-1"), "act", encode_arguments("act", {}), ActionId("a1-2"))
    )
    assert command["action"] == "a1-2"


def test_arguments_that_are_no_json_are_refused() -> None:
    """
    What cannot be sent is refused before anything runs.
    """
    with pytest.raises(Refusal) as refused:
        encode_arguments("act", {"ref": object()})
    assert refused.value.code == "bad_arguments"


@pytest.mark.parametrize(
    ("sent", "read"), [({"editEpoch": 3}, 3), ({}, None), ({"editEpoch": "3", "ref": "r" * 500}, None)]
)
def test_an_event_tells_how_many_hot_updates_came_before_it(
    sent: dict[str, object], read: int | None
) -> None:
    """
    Evidence of code that was replaced can be told from evidence of the code that runs; nonsense is none.
    """
    batch = parse({"kind": "event", "event": {"type": "signal", **sent}})
    assert isinstance(batch, Events)
    assert [each.edit_epoch for each in batch.events] == [read]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"cause": "a1-2"}, "a1-2"),
        ({}, None),
        ({"cause": ""}, None),
        ({"cause": 3}, None),
        ({"cause": "a" * 65}, None),
    ],
)
def test_an_event_tells_what_set_it_going(sent: dict[str, object], read: str | None) -> None:
    """
    A name that is too long is none: cut, it would be another's.
    """
    batch = parse({"kind": "event", "event": {"type": "signal", **sent}})
    assert isinstance(batch, Events)
    assert [each.cause for each in batch.events] == [read]
