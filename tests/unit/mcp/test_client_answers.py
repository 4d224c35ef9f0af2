"""
Whether a client's answer to a question is one.
"""

from __future__ import annotations

import pytest

from reticle.mcp.client_answers import is_answer
from reticle.model.mcp import Question

FORM = Question(
    "elicitation/create",
    {
        "message": "?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "age": {"type": "integer"},
                "score": {"type": "number"},
                "sure": {"type": "boolean"},
                "size": {"type": "string", "enum": ["s", "m"]},
                "color": {"type": "string", "oneOf": [{"const": "red", "title": "Red"}]},
                "tags": {"type": "array", "items": {"anyOf": [{"const": "a"}, {"const": "b"}]}},
                "marks": {"type": "array", "items": {"type": "string", "enum": ["x"]}},
            },
            "required": ["name"],
        },
    },
)
URL = Question("elicitation/create", {"mode": "url", "url": "https://example.org", "message": "?"})
SAMPLE = Question("sampling/createMessage", {"messages": [], "maxTokens": 1})
ROOTS = Question("roots/list", {})


def accept(**content: object) -> dict[str, object]:
    """
    A filled form.
    """
    return {"action": "accept", "content": content}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (FORM, accept(name="x")),
        (
            FORM,
            accept(name="x", age=3, score=1.5, sure=False, size="m", color="red", tags=["a"], marks=["x"]),
        ),
        (FORM, accept(name="x", age=3.0, score=2)),
        (FORM, accept(name="x", extra=object)),
        (FORM, {"action": "decline"}),
        (FORM, {"action": "cancel", "content": None}),
        (URL, {"action": "accept"}),
        (Question("elicitation/create", {}), accept(anything=1)),
        (Question("elicitation/create", {}), {"action": "accept"}),
        (SAMPLE, {"role": "assistant", "model": "m", "content": {"type": "text", "text": "x"}}),
        (SAMPLE, {"role": "assistant", "model": "m", "content": [{"type": "text", "text": "x"}]}),
        (ROOTS, {"roots": []}),
        (ROOTS, {"roots": [{"uri": "file:///a", "name": "A"}]}),
    ],
)
def test_an_answer_of_the_right_form_is_one(question: Question, answer: object) -> None:
    """
    What a person filled in, declined or left reaches the tool.
    """
    assert is_answer(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (FORM, None),
        (FORM, 42),
        (FORM, []),
        (FORM, {}),
        (FORM, {"action": "accept"}),
        (FORM, {"action": "yes", "content": {"name": "x"}}),
        (FORM, {"action": ["accept"], "content": {"name": "x"}}),
        (FORM, accept()),
        (FORM, accept(name=1)),
        (FORM, accept(name="x", age=True)),
        (FORM, accept(name="x", age=1.5)),
        (FORM, accept(name="x", score="1")),
        (FORM, accept(name="x", sure="true")),
        (FORM, accept(name="x", size="xl")),
        (FORM, accept(name="x", color="Red")),
        (FORM, accept(name="x", tags=["c"])),
        (FORM, accept(name="x", tags="a")),
        (FORM, accept(name="x", marks=[1])),
        (SAMPLE, {"role": "assistant", "content": {"type": "text"}}),
        (SAMPLE, {"role": "assistant", "model": "m", "content": "text"}),
        (SAMPLE, {"action": "decline"}),
        (ROOTS, {"roots": None}),
        (ROOTS, {"roots": [{}]}),
        (ROOTS, {"roots": ["file:///a"]}),
    ],
)
def test_anything_else_is_none(question: Question, answer: object) -> None:
    """
    A tool never acts on an answer of the wrong form.
    """
    assert not is_answer(question, answer)
