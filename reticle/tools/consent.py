"""
A person's yes to an act that cannot be undone, where the client can ask its person.

The page has refused the act by then and done nothing. The question is bound to the page's own words: whoever
said yes to one element has said nothing about the one that took its place meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

import msgspec

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.mcp import Question
from reticle.ports import CallContext
from reticle.tools.arguments import ActArguments
from reticle.tools.spec import ToolAnswer

Acting = TypeVar("Acting", bound=ActArguments)
Run = Callable[[CallContext, Acting], Awaitable[ToolAnswer]]

CONFIRMED = "by the person"
"""What an answer's ``confirmed`` says."""


def asking_consent(run: Run[Acting]) -> Run[Acting]:
    """
    The tool, asking the person before it gives up a dangerous act.

    It raises ``confirm_dangerous`` as before when the client cannot be asked or nobody decides, and without
    a way on when the person does not agree: ``declined`` then tells so.
    """

    @wraps(run)
    async def ask_and_run(context: CallContext, arguments: Acting) -> ToolAnswer:
        try:
            return await run(context, arguments)
        except Refusal as refusal:
            if refusal.code != RefusalCode.CONFIRM_DANGEROUS or not context.can_ask(question_about(refusal)):
                raise
            asked = refusal
        await _consent(context, asked)
        try:
            # The person may have taken minutes: is it still what they were asked about?
            return await run(context, arguments)
        except Refusal as refusal:
            if refusal.code != RefusalCode.CONFIRM_DANGEROUS or refusal.message != asked.message:
                raise
        args = {**(arguments.args or {}), "confirmDangerous": True}
        return _confirmed(await run(context, msgspec.structs.replace(arguments, args=args)))

    return ask_and_run


def question_name(refusal: Refusal) -> str:
    """
    Names the question, so that an answer to another one is none to this.
    """
    return f"confirm_dangerous_{hashlib.sha256(refusal.message.encode()).hexdigest()[:16]}"


def question_about(refusal: Refusal) -> Question:
    """
    What the person is asked: yes or no, nothing to fill in.
    """
    message = f"The agent wants to do this on the page. {refusal.message} Let it?"
    return Question(
        "elicitation/create",
        {"message": message, "requestedSchema": {"type": "object", "properties": {}}},
    )


async def _consent(context: CallContext, refusal: Refusal) -> None:
    """
    Raises:
        Refusal: The page's own, when there was no yes.
    """
    name = question_name(refusal)
    try:
        answers = await context.ask({name: question_about(refusal)})
    except Refusal as unanswered:
        if unanswered.code not in {RefusalCode.NOT_ANSWERED, RefusalCode.CANNOT_ASK}:
            raise
        raise refusal from None
    answer = answers[name]
    action = answer.get("action") if isinstance(answer, dict) else None
    if action == "accept":
        return
    if action == "decline":
        raise Refusal(
            RefusalCode.CONFIRM_DANGEROUS,
            f"{refusal.message} The person was asked and did not agree.",
            "Do not confirm it yourself: ask the person what they want instead.",
            {**refusal.details, "declined": True},
        )
    # Dismissed, by a client without anybody in front of it perhaps: nobody has decided anything.
    raise Refusal(
        refusal.code,
        f"{refusal.message} The person was asked and did not decide.",
        refusal.recovery,
        refusal.details,
    )


def _confirmed(answer: ToolAnswer) -> ToolAnswer:
    text = None if answer.text is None else f"{answer.text}\nconfirmed: {CONFIRMED}"
    fields = {**answer.fields, "confirmed": CONFIRMED}
    return ToolAnswer(fields, text, answer.verdict_id, answer.actions, answer.blocks)
