"""
``reticle_verdict``: a recorded verdict again: as it was given, step by step, judged anew, beside another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from reticle._version import __version__
from reticle.domain.explanation import explain
from reticle.domain.rejudging import differences, rejudge
from reticle.domain.verdict_record import decision_record, verdict_record
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import VerdictId
from reticle.model.verdict import Verdict
from reticle.model.window import Window
from reticle.ports import CallContext
from reticle.tools.arguments import Name
from reticle.tools.fields import cut, cut_values
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

Asked = Literal["get", "explain", "reevaluate", "compare"]

VALUE_CHARS: Final = 500
"""Of one text in an answer; ``reticle://verdict/{id}`` has them whole."""

DIFFERENCES_SHOWN: Final = 40
"""Paths of a comparison in one answer."""

_COMPARED: Final = ("claim", "url", "tool", "min_grade", "versions")


class VerdictArguments(Arguments, frozen=True, kw_only=True):
    """
    Which verdict, and what is asked of it.
    """

    verdict_id: Annotated[Name, Meta(description="The id that came with the verdict.")]
    action: Annotated[Asked, Meta(description="get (default), explain, reevaluate, compare.")] = "get"
    other_id: Annotated[Name | None, Meta(description="compare: the verdict to hold it against.")] = None


async def verdict(context: CallContext, arguments: VerdictArguments) -> ToolAnswer:
    """
    Read it, explain it, judge its window again, or compare it.

    Raises:
        Refusal: ``no_such_verdict`` for an id that is not kept or is another principal's; ``no_window`` when
            its window is not kept any more; ``bad_arguments`` when ``other_id`` is missing or out of place;
            ``bad_predicate`` for a claim of another version; ``storage_failed``.
    """
    if (arguments.other_id is not None) is not (arguments.action == "compare"):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "other_id goes with action compare, and compare needs it.",
            'For example {"action": "compare", "verdict_id": "…", "other_id": "…"}.',
        )
    recorded = await _recorded(context, arguments.verdict_id)
    match arguments.action:
        case "get":
            return _given(recorded)
        case "explain":
            return _explained(recorded, await context.verdicts.window(recorded.verdict_id))
        case "reevaluate":
            return _judged_again(recorded, await _window(context, recorded))
        case "compare":
            return _compared(recorded, await _recorded(context, arguments.other_id or ""))


async def _recorded(context: CallContext, verdict_id: str) -> Verdict:
    found = await context.verdicts.get(VerdictId(verdict_id))
    if found is None:
        raise Refusal(
            RefusalCode.NO_SUCH_VERDICT,
            f"There is no verdict {verdict_id!r}: it never was, is another's, or made room for newer ones.",
            "Take the verdict_id of an answer, or run the claim again.",
        )
    return found


async def _window(context: CallContext, recorded: Verdict) -> Window:
    window = await context.verdicts.window(recorded.verdict_id)
    if window is None:
        raise Refusal(
            RefusalCode.NO_WINDOW,
            f"The window of {recorded.verdict_id} is not kept: too large, or it made room for newer ones.",
            "Run the claim again; the verdict itself is still there with action get.",
        )
    return window


def _given(recorded: Verdict) -> ToolAnswer:
    fields = {name: cut_values(value, VALUE_CHARS) for name, value in verdict_record(recorded).items()}
    return ToolAnswer(fields, text=str(fields["text"]), verdict_id=recorded.verdict_id)


def _explained(recorded: Verdict, window: Window | None) -> ToolAnswer:
    explanation = explain(recorded, window)
    fields: dict[str, object] = {
        **_named(recorded),
        "steps": [{"step": title, "lines": list(lines)} for title, lines in explanation.steps],
    }
    return ToolAnswer(fields, text=explanation.text, verdict_id=recorded.verdict_id)


def _judged_again(recorded: Verdict, window: Window) -> ToolAnswer:
    """
    Another version of this program may decide otherwise; that is said, and the record stays as it is.
    """
    then = decision_record(recorded.decision)
    now = decision_record(rejudge(recorded, window))
    found = differences(then, now)
    same = not found
    by = recorded.versions.get("reticle", "another version")
    told = (
        "judged again, and nothing differs"
        if same
        else f"recorded by {by}, {__version__} judges it otherwise: {then['verified']} → {now['verified']}"
    )
    fields: dict[str, object] = {
        **_named(recorded),
        "same": same,
        "reevaluated": {name: now[name] for name in ("verified", "verifiedReason", "because")},
        **_shown(found),
    }
    return ToolAnswer(fields, text=f"{recorded.verdict_id}: {told}", verdict_id=recorded.verdict_id)


def _compared(one: Verdict, other: Verdict) -> ToolAnswer:
    mine, theirs = verdict_record(one), verdict_record(other)
    decided = differences(decision_record(one.decision), decision_record(other.decision))
    around = differences({name: mine[name] for name in _COMPARED}, {name: theirs[name] for name in _COMPARED})
    same = not decided
    told = f"{one.verdict_id} {mine['verified']}, {other.verdict_id} {theirs['verified']}"
    of = "the same claim" if one.claim == other.claim else "different claims"
    fields: dict[str, object] = {
        "verdict_id": one.verdict_id,
        "other_id": other.verdict_id,
        "same": same,
        "sameClaim": one.claim == other.claim,
        **_shown({**around, **decided}),
    }
    lines = [cut(f"{path}: {then!r} → {now!r}", VALUE_CHARS) for path, (then, now) in decided.items()]
    return ToolAnswer(
        fields, text="\n".join([f"{told}, of {of}", *lines[:DIFFERENCES_SHOWN]]), verdict_id=one.verdict_id
    )


def _named(recorded: Verdict) -> dict[str, object]:
    decision = recorded.decision
    return {
        "verdict_id": recorded.verdict_id,
        "verified": decision.verified.value,
        "verifiedReason": decision.reason.value,
    }


def _shown(found: Mapping[str, tuple[object, object]]) -> dict[str, object]:
    if not found:
        return {}
    first = list(found.items())[:DIFFERENCES_SHOWN]
    more = len(found) - len(first)
    shown = [
        {"path": path, "then": cut_values(then, VALUE_CHARS), "now": cut_values(now, VALUE_CHARS)}
        for path, (then, now) in first
    ]
    return {"differences": shown, **({"moreDifferences": more} if more > 0 else {})}


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_verdict",
        title="A recorded verdict",
        summary="Reads a recorded verdict: as given, step by step, judged again, or beside another one.",
        arguments=VerdictArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=False),
        run=verdict,
        example={"verdict_id": "verdict_6f1c02d4a9b3e875", "action": "explain"},
        advertised=False,
    ),
)
