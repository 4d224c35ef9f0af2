"""
The facts that every request tells: each form writes what its fields say.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.probe.context import RequestContext
from reticle.probe.small_facts import HANDLED, INJECTION, SQL, STARTED, TEMPLATE, TRANSACTION, Form, Raw
from reticle.probe.statements import Statement
from reticle.probe.transactions import Why
from reticle.probe.words import Injection, Link, Outcome, Skip

TEXTS = st.none() | st.text()
NUMBERS = st.none() | st.integers(min_value=0)
SECONDS = st.integers(min_value=0, max_value=10**9).map(lambda count: count / 1_000_000)
PLACES = st.tuples(TEXTS, NUMBERS)


@st.composite
def requests(draw: st.DrawFn) -> RequestContext:
    """
    Any request, as it is when it is over.
    """
    action = draw(st.none() | st.just("p1.a2"))
    request = RequestContext(draw(st.text()), draw(st.text()), action, draw(st.sampled_from(Link)))
    request.route, request.view, request.view_name = draw(TEXTS), draw(TEXTS), draw(TEXTS)
    request.head = draw(NUMBERS)
    return request


STATEMENTS = st.builds(Statement, st.text(), st.text(), st.lists(st.text(), max_size=3).map(tuple))
FACTS: list[st.SearchStrategy[Raw]] = [
    st.tuples(st.just(STARTED), SECONDS, requests()),
    st.tuples(
        st.just(HANDLED), SECONDS, requests(), st.integers(0, 999), NUMBERS, NUMBERS, st.booleans(),
        st.booleans(), SECONDS,
    ),
    st.tuples(
        st.just(SQL), SECONDS, STATEMENTS, st.lists(PLACES, max_size=4).map(tuple), NUMBERS, SECONDS, TEXTS,
        st.none() | requests(), TEXTS,
    ),
    st.tuples(
        st.just(TRANSACTION), SECONDS, st.text(), st.sampled_from(Outcome), PLACES,
        st.none() | requests(), st.booleans(),
        st.none() | st.builds(Why, st.text(), st.lists(st.text(), max_size=3).map(tuple), st.booleans()),
    ),
    st.tuples(st.just(TEMPLATE), SECONDS, st.text(), TEXTS, NUMBERS, st.none() | requests()),
    st.tuples(
        st.just(INJECTION), SECONDS, requests(), st.sampled_from(Injection),
        st.none() | st.sampled_from(Skip), TEXTS,
    ),
]  # fmt: skip


def exact(fields: dict[str, Any]) -> dict[str, Any]:
    """
    With the milliseconds as a form writes them: whole microseconds, none made out of a half.
    """
    return {
        name: pytest.approx(value, abs=0.0011) if name == "ms" else value for name, value in fields.items()
    }


@given(st.one_of(FACTS), st.booleans())
def test_a_form_writes_what_its_fields_say(fact: Raw, is_again: bool) -> None:  # noqa: FBT001 - by hypothesis
    """
    The daemon reads the same fact, whichever way it was written, the second of a request too.
    """
    form: Form = fact[0]
    if is_again:
        form.write(6, fact)
    told = json.loads(form.write(7, fact))
    assert (told.pop("kind"), told.pop("seq")) == (form.kind, 7)
    assert told.pop("mono") == pytest.approx(fact[1], abs=0.0000011)
    assert told == exact(json.loads(json.dumps(form.fields(fact))))
