"""
Arguments and the refusals of bad ones.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from reticle.dispatch.arguments import decode, with_repository
from reticle.dispatch.registry import Entry, make_entry
from reticle.errors import Refusal
from reticle.model.codes import RepositoryScope
from reticle.model.limits import ARGUMENT_TEXT_CHARS, ARGUMENT_VALUES, ERROR_TEXT_CHARS
from reticle.testing.gate import EchoArguments, scripted_tool
from reticle.tools.spec import Arguments


class Taken(Arguments, frozen=True, kw_only=True):
    """
    Some of everything.
    """

    action: Literal["click", "fill"]
    ref: str | None = None
    timeout_ms: Annotated[int, Meta(ge=0, le=50)] = 0
    args: dict[str, object] | None = None
    tags: list[str] | None = None
    repository_id: str | None = None


ENTRY = make_entry(scripted_tool("test_take", None, Taken))


KEPT = make_entry(attrs.evolve(scripted_tool("test_kept", None, Taken), scope=RepositoryScope.SINGLE_REPO))


@pytest.mark.parametrize("raw", [b'"a\\u0000"', b'{"\\u0000": 1}', b'{"a": ["\\u0000"]}'])
def test_a_nul_goes_to_pages_and_into_no_database(raw: bytes) -> None:
    """
    An id with a NUL is a bad argument, and no bug of the database it is looked for in.
    """
    name = b"ref" if raw.startswith(b'"') else b"args"
    given = b'{"action": "click", "%s": %s}' % (name, raw)
    assert decode(ENTRY, given).action == "click"
    told = refusal_of(given, KEPT).message
    assert told == f'"{name.decode()}" holds a NUL character. Nothing ran.'
    assert decode(KEPT, rb'{"action": "click", "ref": "\\u0000"}').ref == r"\u0000"


class Numbered(Arguments, frozen=True, kw_only=True):
    """
    A number without a bound of its own.
    """

    after: int = 0


def test_a_number_that_no_database_can_hold_is_a_bad_argument() -> None:
    """
    A cursor of more than 64 bits is refused where it would be looked up, and no bug.
    """
    tool = attrs.evolve(scripted_tool("test_kept", None, Numbered), scope=RepositoryScope.DAEMON_GLOBAL)
    kept = make_entry(tool)
    assert decode(kept, b'{"after": 9223372036854775807}').after == 2**63 - 1
    told = refusal_of(b'{"after": 9223372036854775808}', kept).message
    assert told == '"after" holds a number that is too large. Nothing ran.'


def refusal_of(raw: bytes, entry: Entry = ENTRY) -> Refusal:
    """
    The refusal of some arguments.
    """
    with pytest.raises(Refusal) as raised:
        decode(entry, raw)
    assert raised.value.code == "bad_arguments"
    return raised.value


def test_good_arguments_are_decoded() -> None:
    """
    What a tool declares reaches it by type.
    """
    assert decode(ENTRY, b'{"action":"click","ref":"e1","args":{"a":[1]}}') == Taken(
        action="click", ref="e1", args={"a": [1]}
    )


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("{}", '"action" is missing. Nothing ran.'),
        (
            '{"action":"click","reff":"e1"}',
            'test_take does not take "reff"; did you mean "ref"? Nothing ran.',
        ),
        (
            '{"action":"click","timeoutMs":1,"Ref":"e1"}',
            'test_take does not take "timeoutMs", "Ref"; did you mean "timeout_ms", "ref"? Nothing ran.',
        ),
        ('{"action":"click","zzz":1}', 'test_take does not take "zzz". Nothing ran.'),
        ('{"action":"jump"}', "action cannot be 'jump'; it is one of click, fill. Nothing ran."),
        ('{"action":"click","ref":7}', "ref must be a string or null, not an integer. Nothing ran."),
        ('{"action":"click","timeout_ms":51}', "timeout_ms must be an integer <= 50. Nothing ran."),
        ('{"action":"click","tags":["a",1]}', "tags[1] must be a string, not an integer. Nothing ran."),
        ('{"action":7}', "action must be a string, not an integer. Nothing ran."),
        ("[]", "the arguments must be one JSON object. Nothing ran."),
        ('"{}"', "the arguments must be one JSON object. Nothing ran."),
        ("7", "the arguments must be one JSON object. Nothing ran."),
    ],
)
def test_a_refusal_names_the_mistake(raw: str, message: str) -> None:
    """
    A model can correct its call from one sentence.
    """
    assert refusal_of(raw.encode()).message == message


def test_a_refusal_shows_how_it_is_done() -> None:
    """
    The next step lists what is taken, and an example where there is one.
    """
    refusal = refusal_of(b'{"action":"click","reff":1}')
    assert refusal.recovery == ("It takes action (required), ref, timeout_ms, args, tags, repository_id.")
    assert refusal.details == {"unknown": ["reff"]}
    shown = make_entry(scripted_tool("test_echo", None, EchoArguments))
    assert refusal_of(b"{}", shown).recovery == (
        'It takes text (required), times, sessionId. Example: {"text":"hello"}'
    )


def test_long_texts_are_refused_at_any_depth() -> None:
    """
    A pasted file in an argument is refused before anything runs, a long list of short texts is not.
    """
    long = "ä" * (ARGUMENT_TEXT_CHARS + 1)
    for arguments in ({"ref": long}, {"args": {"value": [{"x": long}]}}, {"args": {long: 1}}):
        refusal = refusal_of(json.dumps({"action": "click", **arguments}).encode())
        assert f"holds {len(long)} characters, {ARGUMENT_TEXT_CHARS} are the most" in refusal.message
    exact = json.dumps({"action": "click", "ref": long[1:]}, ensure_ascii=False).encode()
    assert decode(ENTRY, exact) == Taken(action="click", ref=long[1:])
    many = json.dumps({"action": "click", "tags": ["x" * 1000] * 100}).encode()
    assert decode(ENTRY, many) == Taken(action="click", tags=["x" * 1000] * 100)


def test_no_call_holds_the_daemon_by_the_number_of_its_values() -> None:
    """
    Arguments of millions of values are refused before anybody looks through them, whatever their shape.
    """
    for values in ({"args": {"x": [1000] * ARGUMENT_VALUES}}, {"tags": ["x" * 4] * ARGUMENT_VALUES}):
        refusal = refusal_of(json.dumps({"action": "click", **values}).encode())
        assert refusal.message == f"the arguments hold more than {ARGUMENT_VALUES} values. Nothing ran."
    below = json.dumps({"action": "click", "tags": ["x" * 4] * (ARGUMENT_VALUES - 10)}).encode()
    assert decode(ENTRY, below) == Taken(action="click", tags=["x" * 4] * (ARGUMENT_VALUES - 10))


def test_a_repository_beside_the_arguments() -> None:
    """
    The repository named beside the arguments reaches a tool that declares one and no other.
    """
    raw = b'{"action":"click"}'
    assert json.loads(with_repository(ENTRY, raw, "r1")) == {"action": "click", "repository_id": "r1"}
    own = b'{"action":"click","repository_id":"own"}'
    assert with_repository(ENTRY, own, "r1") == own
    assert with_repository(ENTRY, raw, None) == raw
    assert with_repository(ENTRY, b"[]", "r1") == b"[]"
    assert with_repository(make_entry(scripted_tool("t", None)), b"{}", "r1") == b"{}"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["action", "ref", "args", "tags", "x\n`"]), inner)
        ),
        max_leaves=8,
    )
)
def test_any_arguments_are_taken_or_refused(value: object) -> None:
    """
    No arguments end in anything but the tool's type or a refusal of reasonable length.
    """
    raw = json.dumps(value).encode()
    try:
        taken = decode(ENTRY, raw)
    except Refusal as refusal:
        told = refusal.code, len(refusal.message) <= ERROR_TEXT_CHARS
    else:
        told = "bad_arguments", isinstance(taken, Taken)
    assert told == ("bad_arguments", True)
