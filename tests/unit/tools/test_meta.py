"""
Finding tools and running them by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.ports import Answer
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.tools.manual import RETURNS
from reticle.tools.meta import RunArguments, ToolsArguments, meta_tools, run
from reticle.tools.spec import ToolAnswer

LISTING: list[Mapping[str, object]] = [
    {
        "name": "reticle_assert",
        "title": "Assert",
        "summary": "Judges.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "predicate": {"type": "object", "description": "What must hold. See the grammar."},
                "sessionId": {"type": "string"},
            },
            "required": ["predicate"],
        },
        "outputSchema": {"type": "object"},
        "example": {"predicate": {"kind": "settled"}},
        "advertised": True,
    },
    {
        "name": "reticle_cold",
        "title": "Cold",
        "summary": "Is not listed.",
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": None,
        "example": {},
        "advertised": False,
    },
]
DESCRIBE, RUN = meta_tools("the grammar")


def echo(arguments: Mapping[str, object]) -> Answer:
    """
    A tool that answers with what it was given.
    """
    return ToolAnswer({"got": dict(arguments)}, text="said")


def context() -> FakeContext:
    """
    A context with two tools.
    """
    return FakeContext(FakePages(), listing=LISTING, tools={"reticle_assert": echo, "reticle_cold": echo})


def described(names: list[str] | None) -> dict[str, Any]:
    """
    The fields of reticle_tools.
    """
    answers: list[ToolAnswer] = []
    work = DESCRIBE.run(context(), ToolsArguments(names=names))
    Deferred.fromCoroutine(work).addCallback(answers.append)  # type: ignore[arg-type]  # ours is a coroutine
    return dict(answers[0].fields)


def test_without_names_every_tool_is_listed() -> None:
    """
    An agent finds the tools that its list does not show, and how to go on.
    """
    fields = described(None)
    assert fields["total"] == 2
    assert fields["tools"] == [
        {"name": "reticle_assert", "summary": "Judges."},
        {"name": "reticle_cold", "summary": "Is not listed."},
    ]
    assert "reticle_run" in fields["next"]
    assert described([]) == fields


def test_a_named_tool_is_described_in_full() -> None:
    """
    Parameters, example, result schema and, where one is taken, the grammar of predicates.
    """
    fields = described(["reticle_assert", "reticle_nothing"])
    assert fields["tools"] == [
        {
            "name": "reticle_assert",
            "title": "Assert",
            "description": "Judges.",
            "advertised": True,
            "params": [
                {
                    "name": "predicate",
                    "required": True,
                    "description": "What must hold. See the grammar.",
                    "schema": {"type": "object"},
                },
                {"name": "sessionId", "required": False, "description": "", "schema": {"type": "string"}},
            ],
            "example": {"predicate": {"kind": "settled"}},
            "returns": RETURNS["reticle_assert"],
            "outputSchema": {"type": "object"},
        },
        {"name": "reticle_nothing", "error": "there is no such tool"},
    ]
    assert fields["predicateGrammar"] == "the grammar"
    assert "predicateGrammar" not in described(["reticle_cold"])


def ran(arguments: RunArguments) -> tuple[FakeContext, list[ToolAnswer], list[object]]:
    """
    What reticle_run called, answered or refused.
    """
    used = context()
    answers: list[ToolAnswer] = []
    refusals: list[object] = []
    Deferred.fromCoroutine(run(used, arguments)).addCallbacks(
        answers.append, lambda failure: refusals.append(failure.value.code)
    )
    return used, answers, refusals


@pytest.mark.parametrize(
    ("tool", "args", "passed"),
    [
        ("reticle_assert", {}, {"sessionId": "p1"}),
        ("reticle_assert", {"sessionId": "own"}, {"sessionId": "own"}),
        ("reticle_cold", {"a": 1}, {"a": 1}),
    ],
)
def test_the_page_is_handed_on_where_one_is_taken(
    tool: str, args: dict[str, object], passed: dict[str, object]
) -> None:
    """
    A page named beside the arguments reaches the tool, unless it names one itself or takes none.
    """
    used, answers, _ = ran(RunArguments(tool=tool, args=args, sessionId="p1"))
    assert used.called == [(tool, passed)]
    assert answers == [ToolAnswer({"got": passed}, "said")]


def test_refusals_are_passed_on() -> None:
    """
    An unknown tool is refused as by the gate, and reticle_run does not run itself.
    """
    assert ran(RunArguments(tool="reticle_nothing", sessionId="p"))[2] == ["method_unknown"]
    used, _, refusals = ran(RunArguments(tool="reticle_run"))
    assert (used.called, refusals) == ([], ["bad_arguments"])


def test_a_refusal_of_itself_says_what_to_do() -> None:
    """
    The next step is named.
    """
    with pytest.raises(Refusal) as raised:
        run(context(), RunArguments(tool=RUN.name)).send(None)
    assert raised.value.recovery == "Name the tool that you mean."
