"""
The dialect of our own page script: commands go through as they are, refusals carry their codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.bridge.dialect import Answered, Send, refusal_of
from reticle.bridge.wire import WireEvent
from reticle.model.codes import CommandName, RefusalCode
from reticle.model.ids import DocumentId
from reticle.model.page import PageIdentity
from reticle.model.window import Question

_KNOWN = frozenset(code.value for code in RefusalCode)
_ACTS = frozenset({CommandName.ACT, CommandName.NAVIGATE, CommandName.REFRESH})


class OwnDialect:
    """
    Provides ``Dialect`` for pages whose hello says ``"script": "reticle"``.
    """

    async def ask(
        self, send: Send, identity: PageIdentity, command: CommandName, args: Mapping[str, object]
    ) -> object:
        """
        See ``Dialect``.
        """
        del identity
        result = await send(command.value, args, acts=command in _ACTS)
        if result.ok:
            return result.result
        code = result.code if result.code in _KNOWN else RefusalCode.PAGE_ERROR
        raise refusal_of(result, code or RefusalCode.PAGE_ERROR)

    async def read(
        self, send: Send, identity: PageIdentity, questions: Sequence[Question], *, rest_ms: int = 0
    ) -> Sequence[Answered]:
        """
        See ``Dialect``. One ``read`` command, so that all answers are of one turn of the page. An older copy
        of the script knows nothing of rest and would refuse.
        """
        asked = [{**question.fields, "kind": question.kind} for question in questions]
        when = {"restMs": rest_ms} if rest_ms > 0 and not identity.version_skew else {}
        result = await self.ask(send, identity, CommandName.READ, {"questions": asked, **when})
        answers = result.get("answers") if isinstance(result, Mapping) else None
        if not isinstance(answers, list) or len(answers) != len(questions):
            return [Answered(error="the page gave no readable answer")] * len(questions)
        return [_answered(answer) for answer in answers]

    def speaker(self, events: Sequence[WireEvent], present: DocumentId, now: float) -> DocumentId:
        """
        See ``Dialect``. Our script names its document in each hello.
        """
        del events, now
        return present

    def undeclared_losses(self, events: Sequence[WireEvent], now: float) -> Sequence[tuple[str, int]]:
        """
        See ``Dialect``. Our script declares every loss.
        """
        del events, now
        return ()

    def reconnected(self, now: float) -> None:
        """
        See ``Dialect``. Gaps in the script's own count tell what was lost meanwhile.
        """


def _answered(answer: object) -> Answered:
    if not isinstance(answer, Mapping):
        return Answered(error="the page gave no readable answer")
    if answer.get("ok") is True:
        return Answered(answer={name: value for name, value in answer.items() if name != "ok"})
    error = answer.get("error")
    return Answered(error=error if isinstance(error, str) and error else "the page could not tell")
