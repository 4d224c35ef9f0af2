"""
What is a JSON-RPC message and what is not.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import (
    Invalid,
    Notification,
    Request,
    Response,
    error_message,
    notification_message,
    parse,
    result_message,
)
from reticle.model.limits import BATCH_MESSAGES, JSON_DEPTH, REQUEST_ID_CHARS

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2.0, None]),
        "id": JSON_VALUES,
        "method": st.sampled_from(["ping", "tools/call", 7, None]),
        "params": JSON_VALUES,
        "result": JSON_VALUES,
        "error": JSON_VALUES,
    },
)


def fault_of(body: bytes) -> tuple[str, int]:
    """
    Code and number of the fault that a body raises.
    """
    with pytest.raises(PeerFault) as raised:
        parse(body)
    return raised.value.code, raised.value.jsonrpc_code


def parsed_or_fault(body: bytes) -> object:
    """
    What the parser makes of a body, or the code of the fault that it raises; anything else fails.
    """
    try:
        return parse(body)
    except PeerFault as fault:
        return fault.code


def test_request_keeps_its_parameters_raw() -> None:
    """
    A request is told from the rest and its parameters are left as they were sent.
    """
    message = parse(b'{"jsonrpc":"2.0","id":"a","method":"x","params":{"b": [1, 2.50]}}')
    assert isinstance(message, Request)
    assert (message.request_id, message.method) == ("a", "x")
    assert message.params is not None
    assert bytes(message.params) == b'{"b": [1, 2.50]}'


@pytest.mark.parametrize("params", [b"", b',"params":null'])
def test_absent_and_null_parameters_are_none(params: bytes) -> None:
    """
    A client that sends null for "no parameters" is understood.
    """
    assert parse(b'{"jsonrpc":"2.0","method":"x"%b}' % params) == Notification("x", None)


@pytest.mark.parametrize(
    "request_id", [0, 1, -7, 2**53 + 1, 2**63, "1", "", "ä\u2028", "x" * REQUEST_ID_CHARS]
)
def test_ids_come_back_as_what_they_were(request_id: object) -> None:
    """
    An id is echoed with its type and value, so that 1 and "1" never meet.
    """
    body = json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "x"}).encode()
    message = parse(body)
    assert isinstance(message, Request)
    echoed = json.loads(result_message(message.request_id, b"{}"))["id"]
    assert (type(echoed), echoed) == (type(request_id), request_id)


@pytest.mark.parametrize("text", ["null", "true", "1.0", "1e2", "[]", "{}", "9" * 40, '"%s"' % ("x" * 257)])
def test_what_is_no_id_makes_no_request(text: str) -> None:
    """
    null, booleans, fractions, containers and absurd ids are refused, not taken for notifications.
    """
    message = parse(f'{{"jsonrpc":"2.0","id":{text},"method":"x"}}'.encode())
    assert isinstance(message, Invalid)
    assert (message.request_id, message.fault.code, message.fault.jsonrpc_code) == (
        None,
        "invalid_request",
        -32600,
    )


@pytest.mark.parametrize(
    "body",
    [
        '{"id":5,"method":"x"}',
        '{"jsonrpc":"1.0","id":5,"method":"x"}',
        '{"jsonrpc":2.0,"id":5,"method":"x"}',
        '{"jsonrpc":"2.0","id":5,"method":7}',
        '{"jsonrpc":"2.0","id":5}',
    ],
)
def test_a_broken_request_can_be_answered_by_its_id(body: str) -> None:
    """
    A client whose request is broken but has an id gets an error with that id.
    """
    message = parse(body.encode())
    assert isinstance(message, Invalid)
    assert message.request_id == 5


@pytest.mark.parametrize(
    "body",
    [
        '{"jsonrpc":"2.0","id":5,"result":1,"error":{}}',
        '{"jsonrpc":"2.0","id":5,"method":"x","result":1}',
        '{"jsonrpc":"2.0","result":1}',
        '{"jsonrpc":"2.0","id":null,"result":1}',
        '{"id":5,"result":1}',
        "7",
        '"text"',
        "null",
    ],
)
def test_a_broken_response_is_never_answered(body: str) -> None:
    """
    An answer to a broken response would be taken for the answer to a request of the other side.
    """
    message = parse(body.encode())
    assert isinstance(message, Invalid)
    assert message.request_id is None


def test_responses_are_told_apart() -> None:
    """
    Results and errors of the other side are recognised, also an error without a readable id.
    """
    result = parse(b'{"jsonrpc":"2.0","id":3,"result":{"a":1}}')
    assert isinstance(result, Response)
    assert result.result is not None
    assert (result.request_id, bytes(result.result)) == (3, b'{"a":1}')
    assert parse(b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}') == Response(None)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   ",
        b"{",
        b'{"jsonrpc":"2.0","id":1,"method":"x"} x',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"x"}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":Infinity}}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\xff"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\xed\xa0\x80"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\n"}}',
        b'{"jsonrpc":"2.0","id":1e999,"method":"x"}',
        b'{"jsonrpc":"2.0","id":%b,"method":"x"}' % (b"9" * 5000),
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":%b%b}' % (b"[" * 100_000, b"]" * 100_000),
        b"[" * 100_000,
        b"[1,",
    ],
)
def test_what_is_no_json_is_a_parse_error(body: bytes) -> None:
    """
    Bad text, also in places that nobody has looked at yet, is one parse error and never a traceback.
    """
    assert fault_of(body) == ("malformed_body", -32700)


def nested(depth: int, filling: str = "") -> bytes:
    """
    A request whose parameters make the whole message nest ``depth`` deep.
    """
    inner = "[" * (depth - 2) + filling + "]" * (depth - 2)
    return f'{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{inner}}}}}'.encode()


def test_depth_has_a_limit_and_width_has_none() -> None:
    """
    Wide messages and brackets in texts pass; only real nesting over the limit is refused.
    """
    assert isinstance(parse(nested(JSON_DEPTH)), Request)
    assert fault_of(nested(JSON_DEPTH + 1)) == ("malformed_body", -32700)
    assert isinstance(parse(nested(3, ",".join(["[[]]"] * 5_000))), Request)
    assert isinstance(parse(nested(3, json.dumps('["{' * 5_000))), Request)


def test_a_batch_is_a_tuple_of_messages() -> None:
    """
    An array gives each of its messages, broken ones among them.
    """
    messages = parse(b' [{"jsonrpc":"2.0","method":"x"}, 7, [], {"jsonrpc":"2.0","id":1,"method":"y"}]')
    assert isinstance(messages, tuple)
    assert [type(message) for message in messages] == [Notification, Invalid, Invalid, Request]


def test_a_batch_is_bounded() -> None:
    """
    An empty or endless array is refused as a whole.
    """
    assert fault_of(b"[]") == ("invalid_request", -32600)
    assert fault_of(b"[%b]" % b",".join([b"1"] * (BATCH_MESSAGES + 1))) == ("invalid_request", -32600)


def test_messages_are_written_on_one_line() -> None:
    """
    What leaves is exactly one line of JSON.
    """
    assert result_message("a", b"{}") == b'{"jsonrpc":"2.0","id":"a","result":{}}'
    assert json.loads(error_message(None, PeerFault("c", "m\n", -32600))) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "m\n", "data": {"code": "c"}},
    }
    assert notification_message("n", {"a": "\n"}) == b'{"jsonrpc":"2.0","method":"n","params":{"a":"\\n"}}'


@given(st.binary(max_size=200) | ENVELOPES.map(lambda value: json.dumps(value).encode()))
@example(b'{"jsonrpc":"2.0","id":1,"method":"\\u0000"}')
def test_no_bytes_break_the_parser(body: bytes) -> None:
    """
    Whatever is sent, the parser gives messages or a fault that names the other side.
    """
    parsed = parsed_or_fault(body)
    assert isinstance(parsed, Request | Notification | Response | Invalid | tuple) or parsed in {
        "malformed_body",
        "invalid_request",
    }


@given(
    st.lists(
        st.sampled_from([b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"1", b"\xff", b"a"]), max_size=90
    )
)
def test_no_brackets_break_the_parser(pieces: list[bytes]) -> None:
    """
    Brackets and quotes in any disorder are a parse error and nothing worse.
    """
    body = b'{"params":' + b"".join(pieces)
    parsed = parsed_or_fault(body)
    assert parsed == "malformed_body" or isinstance(parsed, Invalid)


def test_no_token_stands_in_an_error() -> None:
    """
    Who takes a token for a method or an address does not read it again in the answer.
    """
    whole = f"dtok_{'a' * 16}.{'s' * 43}"
    said = error_message(1, PeerFault("c", f"there is no {whole}", -32600, {"uri": whole}))
    assert b"sss" not in said
    assert said.count(b"[REDACTED]") == 2
