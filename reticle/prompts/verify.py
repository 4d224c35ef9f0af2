"""
The prompt ``verify``: prove a change on the running page before calling it done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.model.completes import Completes
from reticle.model.content import text_block
from reticle.ports import CallContext
from reticle.prompts.spec import Prompt, PromptArgument, PromptMessage
from reticle.prompts.wording import where

_STEPS = """\
1. Find the page with reticle_sessions and look at it with reticle_snapshot.
2. Before you act, name the consequence that must happen and only happens if the change works: a request \
with its status, a text, a state, a signal. A weaker one, such as that a click went through, proves nothing.
3. Act and prove it in one call: reticle_act_and_wait with that consequence in `until`. What is there \
without an action: reticle_assert.
4. Check one case that must fail, such as a wrong input, in the same manner.
5. Only `verified: yes` is a pass. At `no` read `because` and the source line, mend the code, and run the \
same check again. At `unknown` do what its reason says. Never weaken a check.

Report each check with its verdict_id."""


async def make_verify(_: CallContext, given: Mapping[str, str]) -> Sequence[PromptMessage]:
    """
    The task, the place, and the loop that proves it.
    """
    task = f"Verify on the running app that this change works: {given['change']}"
    return [PromptMessage(text_block(f"{task}{where(given)}\n\n{_STEPS}"))]


VERIFY = Prompt(
    "verify",
    "Verify a change",
    "Proves on the running page that a change works, with verdicts as evidence.",
    (
        PromptArgument("change", "What was changed and what must come of it.", required=True),
        PromptArgument("url", "Where it shows.", completes=Completes.URL),
        PromptArgument("page", "The connected page's id, if several are.", completes=Completes.PAGE),
    ),
    make_verify,
)
