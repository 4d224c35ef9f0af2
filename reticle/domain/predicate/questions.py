"""
What a predicate needs to ask of the live page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from reticle.domain.predicate.kinds import (
    Element,
    Leaf,
    Predicate,
    Route,
    Same,
    Side,
    State,
    Text,
    leaves,
)
from reticle.model.window import Question, Reading


def questions(predicate: Predicate) -> tuple[Question, ...]:
    """
    Each question once, in reading order; none for what the recorded events alone can tell.
    """
    asked: dict[str, Question] = {}
    for leaf in leaves(predicate):
        for question in _questions_of(leaf):
            asked.setdefault(_key(question), question)
    return tuple(asked.values())


def _questions_of(leaf: Leaf) -> Iterable[Question]:
    parts = [question_of_side(side) for side in leaf.sides] if isinstance(leaf, Same) else [question_of(leaf)]
    return (question for question in parts if question is not None)


def question_of(leaf: Leaf) -> Question | None:
    """
    The question of one leaf, or None.
    """
    match leaf:
        case Element():
            state = {} if leaf.state is None else {"state": leaf.state}
            style = {} if leaf.style is None else {"style": sorted(leaf.style)}
            return Question("match", {"query": dict(leaf.query), **state, **style})
        case Text():
            visible = {} if leaf.visible is None else {"visible": leaf.visible}
            exact = {"exact": True} if leaf.exact else {}
            scope = {} if leaf.scope is None else {"scope": leaf.scope}
            return Question("text", {"contains": leaf.contains, **visible, **exact, **scope})
        case State():
            store = {} if leaf.store is None else {"store": leaf.store}
            return Question("state", {"path": leaf.path, **store})
        case Route():
            return Question("route")
        case _:
            return None


def question_of_side(side: Side) -> Question | None:
    """
    The question of one side of a relation, or None for what no page has to be asked.
    """
    match side:
        case Side(channel="text" | "value" | "number", of=Mapping() as query):
            return Question("content", {"query": dict(query)})
        case Side(channel="count", of=Mapping() as query):
            return Question("content", {"query": dict(query), "all": True})
        case Side(channel="state", of=path, store=store):
            return Question("state", {"path": path, **({} if store is None else {"store": store})})
        case Side(channel="storage", of=key, area=area):
            return Question("stored", {"key": key, **({} if area is None else {"area": area})})
        case _:
            return None


def reading_of(leaf: Leaf, readings: Iterable[Reading]) -> Reading | None:
    """
    The newest reading that answers the leaf's question, or None.
    """
    question = question_of(leaf)
    return None if question is None else answered(question, readings)


def answered(question: Question, readings: Iterable[Reading]) -> Reading | None:
    """
    The newest reading of a question, or None.
    """
    key = _key(question)
    found = [reading for reading in readings if _key(reading.question) == key]
    return max(found, key=lambda reading: reading.at, default=None)


def _key(question: Question) -> str:
    return json.dumps([question.kind, question.fields], sort_keys=True, default=repr)
