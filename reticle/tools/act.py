"""
``reticle_act``: act on an element and say what the page did, proving nothing.
"""

from __future__ import annotations

from reticle.model.codes import Capability
from reticle.model.ids import Cursor
from reticle.model.window import ActionRecord
from reticle.ports import CallContext
from reticle.tools.acting import carry_out, effect_fields, parse_action
from reticle.tools.arguments import ActArguments
from reticle.tools.arrival import when_there
from reticle.tools.attendance import present_page, refuse_if_paused, refuse_if_throttled, session_note
from reticle.tools.consent import asking_consent
from reticle.tools.invariant_check import invariant_check
from reticle.tools.opened import opened_fields
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer


async def act(context: CallContext, arguments: ActArguments) -> ToolAnswer:
    """
    Act once; the answer's ``since`` is the cursor before the action.

    Raises:
        Refusal: ``bad_arguments`` before anything is asked; ``throttled`` where that was to be refused; the
            page's own refusals of an action that cannot honestly be done.
    """
    action = parse_action(arguments)
    page = await present_page(context, arguments.sessionId, action.refs)
    if arguments.refuseWhenThrottled:
        refuse_if_throttled(page)

    async def attempt() -> tuple[Cursor, ActionRecord, dict[str, object]]:
        check = await invariant_check(context, page)
        if check.questions:
            refuse_if_paused(context, page)
        since = page.cursor()
        action_id = page.begin_action()
        try:
            record = await carry_out(context, page, action, action_id)
            return since, record, await check.broken(page, record, at_rest=bool(check.invariants))
        finally:
            page.end_action(action_id)

    since, record, broken = await when_there(page, context.clock, attempt, by_ref=bool(action.refs))
    return ToolAnswer(
        {
            "since": since,
            "actionId": record.action_id,
            "action": action.name.value,
            **effect_fields(record),
            **broken,
            **opened_fields(page.identity, page.events(since)),
            **session_note(page),
        },
        actions=1,
    )


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_act",
        title="Act on an element",
        summary="Acts on one element and reports the effect; proves nothing.",
        arguments=ActArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, destructive=True, open_world=True),
        run=asking_consent(act),
        acts=True,
        example={"action": "fill", "ref": "e4", "args": {"value": "Ada"}},
    ),
)
