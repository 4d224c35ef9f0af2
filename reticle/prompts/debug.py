"""
The prompt ``debug``: find out why the running page does not do what it should, and mend it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.verdict_text import outline
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.completes import Completes
from reticle.model.content import text_block
from reticle.model.ids import VerdictId
from reticle.ports import CallContext
from reticle.prompts.spec import Prompt, PromptArgument, PromptMessage
from reticle.prompts.wording import where

_STEPS = """\
1. Make it happen: repeat the steps with reticle_act_and_wait and name in `until` what should have happened. \
The verdict's `because`, `contradictions` and `source` are the first lead.
2. Read what happened meanwhile: reticle_network for requests and their bodies, reticle_console for errors, \
reticle_state for stores, reticle_observe for the rest, each with the verdict's actionId.
3. Say which of page, network, console, state and server first departs from what it should, and the \
file and line for it, before you change anything.
4. Mend the cause, not what the check looks at, and run the check of step 1 again: only `verified: yes` is a \
pass."""


async def make_debug(context: CallContext, given: Mapping[str, str]) -> Sequence[PromptMessage]:
    """
    The symptom, what the verdict says that it was seen in, and the way to the cause.

    Raises:
        Refusal: ``bad_arguments`` for a verdict that is not kept here; ``storage_failed``.
    """
    seen = ""
    if "verdict_id" in given:
        verdict = await context.verdicts.get(VerdictId(given["verdict_id"]))
        if verdict is None:
            raise Refusal(
                RefusalCode.BAD_ARGUMENTS,
                "no verdict of that id is kept here",
                "Leave verdict_id out, or take one that an answer named.",
            )
        seen = (
            f"\n\nVerdict {verdict.verdict_id} of page {verdict.page_id} at {verdict.url} saw:\n"
            f"{outline(verdict.decision)}"
        )
    task = f"Find out why this happens on the running app, and mend it: {given['symptom']}"
    return [PromptMessage(text_block(f"{task}{where(given)}{seen}\n\n{_STEPS}"))]


DEBUG = Prompt(
    "debug",
    "Debug the running app",
    "Finds the cause of a symptom in page, network, console, state and server, and mends it.",
    (
        PromptArgument("symptom", "What is wrong, as a user would say it.", required=True),
        PromptArgument("verdict_id", "A verdict that saw it.", completes=Completes.VERDICT),
        PromptArgument("url", "Where it happens.", completes=Completes.URL),
        PromptArgument("page", "The connected page's id, if several are.", completes=Completes.PAGE),
    ),
    make_debug,
)
