"""
``reticle_session``: the agent and the person at the page: hand over, go on, read messages, answer flags; and
the agents among themselves: hold a page, release it, hand it over.

One tool with an ``action``; what each action takes and needs is a table here, checked before anything is
done, so that a ``note`` that would go nowhere is refused instead of dropped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, ClassVar, Final, Literal

import attrs
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, ControlState, RefusalCode
from reticle.model.human import Mark
from reticle.model.limits import HUMAN_TEXT_CHARS, IDLE_END_MIN_MS, NARRATION_CHARS, PAGE_HOLD_MAX_SECONDS
from reticle.ports import CallContext, Page
from reticle.tools.actions import check_action
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import object_of, told
from reticle.tools.page_holds import hand_page_over, hold_page, release_page
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

SessionAction = Literal[
    "tune", "yield", "end", "resume", "messages", "review", "narrate", "hold", "release", "hand_over"
]
_Line = Annotated[str, Meta(min_length=1, max_length=NARRATION_CHARS)]
_Text = Annotated[str, Meta(max_length=HUMAN_TEXT_CHARS)]

UNRESOLVED = "No reason was given."
"""What a person reads of a flag that was resolved without a note."""


class SessionArguments(PageArguments, frozen=True, kw_only=True):
    """
    What to do, and the arguments of all actions; ``ACTIONS`` says which go with which.
    """

    told_in_summary: ClassVar[frozenset[str]] = frozenset(
        {"idleEndMs", "mode", "note", "summary", "resolve", "all", "text", "level"}
    )

    action: Annotated[SessionAction, Meta(description="What to do.")]
    idleEndMs: Annotated[Annotated[int, Meta(ge=IDLE_END_MIN_MS)] | None, Meta(description="For tune.")] = (
        None
    )
    mode: Annotated[Literal["waiting", "ask"] | None, Meta(description="For yield.")] = None
    note: Annotated[
        _Text | None, Meta(description="For yield and hold: what for. For review: what you did.")
    ] = None
    summary: Annotated[_Text | None, Meta(description="For end.")] = None
    resolve: Annotated[Name | None, Meta(description="For review: a flag that is done, such as m1.")] = None
    all: Annotated[bool, Meta(description="For review: resolved flags too.")] = False
    text: Annotated[_Line | None, Meta(description="For narrate.")] = None
    level: Annotated[Literal["info", "warn", "error"] | None, Meta(description="For narrate.")] = None
    seconds: Annotated[
        Annotated[int, Meta(ge=1, le=PAGE_HOLD_MAX_SECONDS)] | None,
        Meta(description="hold: how long no other agent may act."),
    ] = None
    to: Annotated[Name | None, Meta(description="hand_over: the other agent.")] = None


@attrs.frozen
class ActionRule:
    """
    What one action takes, what of it is needed, and what it does.
    """

    run: Callable[[CallContext, Page, SessionArguments], Awaitable[Mapping[str, object]]]
    takes: Sequence[str] = ()
    needs: Sequence[str] = ()
    example: str = ""


async def _tune(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    asked = {"idleEndMs": arguments.idleEndMs}
    answer = object_of(await page.ask(CommandName.SESSION_CONFIG, asked))
    return {"applied": answer.get("applied") is True, "idleEndMs": answer.get("idleEndMs")}


async def _yield(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    """
    The state stays as the person left it, so that they can still write and press Pause.
    """
    asked = {
        "state": page.steering.state.value,
        "tone": arguments.mode or "waiting",
        **told(text=arguments.note),
    }
    answer = object_of(await page.ask(CommandName.PRESENTER, asked))
    return {"yielded": answer.get("applied") is True, "mode": asked["tone"]}


async def _end(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    page.steering.finish(arguments.summary or "")
    return {"ended": page.steering.state is ControlState.ENDED}


async def _resume(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    del arguments
    lifted = page.steering.resume()
    return {"resumed": lifted, **told(note=None if lifted else "Nothing was paused or ended.")}


async def _messages(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    del arguments
    guidance = page.steering.take_guidance()
    return {
        "messages": list(guidance.messages),
        "delivered": len(guidance.messages),
        **told(droppedOldest=guidance.dropped or None),
    }


async def _review(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    resolved: Mapping[str, object] = {}
    if arguments.resolve is not None:
        mark = page.steering.resolve(arguments.resolve, arguments.note or UNRESOLVED)
        if mark is None:
            known = [each.mark_id for each in page.steering.marks()]
            raise Refusal(
                RefusalCode.BAD_ARGUMENTS,
                f"There is no flag {arguments.resolve} on this page.",
                f"There are {', '.join(known)}." if known else "Nothing has been flagged on this page.",
                {"marks": known},
            )
        resolved = {"resolved": mark.mark_id, "resolvedNote": mark.resolution}
    marks = page.steering.marks()
    lost = told(droppedOldest=page.steering.marks_lost() or None)
    shown = [_mark(mark) for mark in marks if arguments.all or mark.pending]
    return {"marks": shown, "pendingCount": sum(mark.pending for mark in marks), **lost, **resolved}


async def _narrate(_: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    asked = {"text": arguments.text, **told(level=arguments.level)}
    answer = object_of(await page.ask(CommandName.NARRATE, asked))
    return {"shown": answer.get("shown") is True}


async def _hold(context: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    return await hold_page(context, page, arguments.note, arguments.seconds)


async def _release(context: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    del arguments
    return await release_page(context, page)


async def _hand_over(context: CallContext, page: Page, arguments: SessionArguments) -> Mapping[str, object]:
    assert arguments.to is not None  # the action needs it
    return await hand_page_over(context, page, arguments.to)


ACTIONS: Mapping[str, ActionRule] = {
    "tune": ActionRule(_tune, ("idleEndMs",), ("idleEndMs",), '{"action": "tune", "idleEndMs": 600000}'),
    "yield": ActionRule(
        _yield, ("mode", "note"), ("note",), '{"action": "yield", "mode": "ask", "note": "Which plan?"}'
    ),
    "end": ActionRule(_end, ("summary",), (), '{"action": "end", "summary": "The login is mended."}'),
    "resume": ActionRule(_resume),
    "messages": ActionRule(_messages),
    "review": ActionRule(
        _review,
        ("resolve", "note", "all"),
        (),
        '{"action": "review", "resolve": "m1", "note": "It is blue now."}',
    ),
    "narrate": ActionRule(
        _narrate, ("text", "level"), ("text",), '{"action": "narrate", "text": "Trying it."}'
    ),
    "hold": ActionRule(
        _hold, ("seconds", "note"), (), '{"action": "hold", "seconds": 600, "note": "Mending the cart."}'
    ),
    "release": ActionRule(_release),
    "hand_over": ActionRule(
        _hand_over, ("to",), ("to",), '{"action": "hand_over", "to": "agent:0123456789ab"}'
    ),
}
"""Every action and the arguments that go with it."""

_RULED_BY_THE_HOLD: Final = frozenset({"hold", "release", "hand_over"})
"""Actions that a hold decides by itself; the person at a page belongs to whoever holds it."""


async def session(context: CallContext, arguments: SessionArguments) -> ToolAnswer:
    """
    Do one of the actions.

    Raises:
        Refusal: ``bad_arguments`` for arguments that do not go with the action, or an unknown flag;
            ``page_held`` while another agent holds the page; what the directory, the page port and the store
            of holds raise.
    """
    rule = ACTIONS[arguments.action]
    check_action(ACTIONS, arguments.action, arguments)
    page = await present_page(context, arguments.sessionId)
    if arguments.action not in _RULED_BY_THE_HOLD:
        context.refuse_held(page)
    fields = await rule.run(context, page, arguments)
    return ToolAnswer({"action": arguments.action, **fields, **session_note(page)})


def _mark(mark: Mark) -> dict[str, object]:
    return {
        "id": mark.mark_id,
        "note": mark.note,
        **told(
            element=mark.label,
            anchor=f"{mark.strategy} {mark.anchor}",
            route=mark.route,
            source=mark.source,
            resolution=mark.resolution,
        ),
    }


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_session",
        title="Talk with the person",
        summary="Talks with the person: yield {mode, note}, messages, review {resolve, note, all}, "
        "narrate {text, level}, resume, end {summary}, tune {idleEndMs}; holds pages.",
        arguments=SessionArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, destructive=False),
        run=session,
        mutates=True,
        example={"action": "review", "resolve": "m1", "note": "The label is blue now."},
    ),
)
