"""
What a client carries for us between two rounds, and cannot change.
"""

from __future__ import annotations

import base64
import re

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import PeerFault
from reticle.mcp.modern.request_state import BoundTo, RequestStates
from reticle.model.codes import FaultCode
from reticle.model.limits import REQUEST_STATE_CHARS, REQUEST_STATE_SECONDS

NOW = 1_750_000_000.0
BOUND = BoundTo("local", "tools/call", "delete", b'{"file":"a","force":true}')
STATES = RequestStates(lambda: b"a" * 32)
SEALED = STATES.seal(BOUND, {"confirm": {"action": "accept"}}, NOW)


def refusal_of(
    state: object, bound: BoundTo = BOUND, states: RequestStates = STATES, now: float = NOW
) -> PeerFault:
    """
    Why a state is not taken.
    """
    with pytest.raises(PeerFault) as refused:
        states.unseal(state, bound, now)
    return refused.value


def test_answers_come_back() -> None:
    """
    What a person answered in an earlier round is not asked again.
    """
    assert STATES.unseal(SEALED, BOUND, NOW + REQUEST_STATE_SECONDS - 1) == {"confirm": {"action": "accept"}}


def test_the_spelling_of_arguments_does_not_matter() -> None:
    """
    A client that writes the same arguments in another order goes on.
    """
    again = attrs.evolve(BOUND, arguments=b'{ "force": true, "file": "a" }')
    assert STATES.unseal(SEALED, again, NOW)


@pytest.mark.parametrize(
    "bound",
    [
        attrs.evolve(BOUND, principal="token:x"),
        attrs.evolve(BOUND, method="prompts/get"),
        attrs.evolve(BOUND, name="deletes"),
        attrs.evolve(BOUND, arguments=b'{"file":"b","force":true}'),
        attrs.evolve(BOUND, arguments=b"{}"),
    ],
)
def test_a_state_is_good_for_one_request(bound: BoundTo) -> None:
    """
    An answer given for one call confirms no other, and nobody else's.
    """
    assert refusal_of(SEALED, bound).code == FaultCode.STATE_INVALID


def test_every_refusal_reads_the_same() -> None:
    """
    Whoever tries to forge a state learns nothing from the refusals.
    """
    refusals = [
        refusal_of(SEALED, now=NOW + REQUEST_STATE_SECONDS),
        refusal_of(SEALED, states=RequestStates(lambda: b"b" * 32)),
        refusal_of(SEALED + "-TAMPERED"),
        refusal_of(SEALED, attrs.evolve(BOUND, name="other")),
        refusal_of(None),
        refusal_of({"a": 1}),
        refusal_of(""),
        refusal_of("."),
        refusal_of("ö.ö"),
        refusal_of("x" * (REQUEST_STATE_CHARS + 1)),
    ]
    assert len({(str(each), each.jsonrpc_code) for each in refusals}) == 1
    assert refusals[0].jsonrpc_code == -32602


@given(st.integers(0, len(SEALED) - 1), st.characters())
def test_no_changed_character_is_taken(place: int, character: str) -> None:
    """
    A state with any character changed is refused, also where base64 would read the same.
    """
    changed = SEALED[:place] + character + SEALED[place + 1 :]
    if changed != SEALED:
        refusal_of(changed)


@given(st.text(max_size=200))
def test_any_text_is_refused(text: str) -> None:
    """
    No text that we did not seal breaks the daemon.
    """
    refusal_of(text)


@given(
    st.dictionaries(
        st.text(max_size=10),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_any_answers_survive(answers: dict[str, object]) -> None:
    """
    Answers come back as they were given.
    """
    assert STATES.unseal(STATES.seal(BOUND, answers, NOW), BOUND, NOW) == answers


def test_the_seal_tells_nothing_but_the_clients_own_answers() -> None:
    """
    A client that looks inside finds no key and no arguments.
    """
    inside = base64.urlsafe_b64decode(SEALED.partition(".")[0])
    assert b"accept" in inside
    assert not re.search(rb"force|aaaaaaaa", inside)


def test_answers_that_do_not_fit_are_refused() -> None:
    """
    A client that answers with a book is told that it is too long.
    """
    with pytest.raises(PeerFault) as refused:
        STATES.seal(BOUND, {"essay": "x" * REQUEST_STATE_CHARS}, NOW)
    assert refused.value.code == FaultCode.BAD_PARAMS
