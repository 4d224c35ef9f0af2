"""
What a page in memory answers to commands and questions: scripted by the test, or nothing at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

import attrs

from reticle.errors import Refusal
from reticle.model.codes import CommandName, RefusalCode
from reticle.model.ids import Cursor
from reticle.model.window import Question, QuestionKind, Reading

Scripted = object | Refusal | Callable[[Mapping[str, object]], object]
"""A result, a refusal to raise, or a function from the arguments to a result (which may record events)."""


@attrs.define
class ScriptedAnswers:
    """
    One page's answers. A command without a script is answered as ``unknown command``.
    """

    _always: dict[CommandName, Scripted] = attrs.field(factory=dict, init=False)
    _next: dict[CommandName, deque[Scripted]] = attrs.field(factory=dict, init=False)
    _readings: dict[QuestionKind, Scripted] = attrs.field(factory=dict, init=False)

    def script(self, command: CommandName, result: Scripted, times: int | None) -> None:
        """
        Answer a command so: always, or for the next ``times`` only (in order).
        """
        if times is None:
            self._always[command] = result
        else:
            self._next.setdefault(command, deque()).extend([result] * times)

    def script_reading(self, kind: QuestionKind, answer: Scripted) -> None:
        """
        Answer the questions of a kind so.
        """
        self._readings[kind] = answer

    def result(self, command: CommandName, args: Mapping[str, object]) -> object:
        """
        What the page answers to a command. Raises the ``Refusal`` that was scripted.
        """
        queued = self._next.get(command)
        unknown = Refusal(RefusalCode.PAGE_ERROR, f"unknown command '{command}'")
        return _play(queued.popleft() if queued else self._always.get(command, unknown), args)

    def reading(self, question: Question, at: Cursor, t_ms: int) -> Reading:
        """
        What the page answers to a question; a refusal is the reading's error.
        """
        scripted = self._readings.get(question.kind)
        try:
            answer = None if scripted is None else _play(scripted, question.fields)
        except Refusal as refusal:
            return Reading(question, at, t_ms, error=refusal.message)
        if not isinstance(answer, Mapping):
            return Reading(question, at, t_ms, error="the page did not answer this question")
        return Reading(question, at, t_ms, answer=answer)


def _play(scripted: Scripted, args: Mapping[str, object]) -> object:
    if isinstance(scripted, Refusal):
        raise scripted
    return scripted(args) if callable(scripted) else scripted
