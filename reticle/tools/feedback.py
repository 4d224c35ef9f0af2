"""
``reticle_feedback``: what an agent says about reticle itself; kept on this machine, sent nowhere.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from reticle._version import __version__
from reticle.domain.secrets import without_secrets
from reticle.model.codes import Capability
from reticle.model.limits import FEEDBACK_FIELD_CHARS, FEEDBACK_TEXT_CHARS, FEEDBACK_TRACE_CHARS
from reticle.ports import CallContext
from reticle.tools.fields import told
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

Kind = Literal["bug", "gap", "ambiguity", "feature_request", "improvement", "experience"]
_Field = Annotated[str, Meta(max_length=FEEDBACK_FIELD_CHARS)]

TEXTS = ("text", "need", "impact", "currentApproach", "model", "trace")
"""Fields that are free text; each is searched for secrets."""


class FeedbackArguments(Arguments, frozen=True, kw_only=True):
    """
    A note.
    """

    told_in_summary: ClassVar[frozenset[str]] = frozenset(
        {"kind", "need", "impact", "currentApproach", "rating", "model", "trace"}
    )

    kind: Annotated[Kind, Meta(description="What it is about.")]
    text: Annotated[
        Annotated[str, Meta(min_length=1, max_length=FEEDBACK_TEXT_CHARS)], Meta(description="The note.")
    ]
    need: Annotated[_Field | None, Meta(description="What you needed.")] = None
    impact: Annotated[_Field | None, Meta(description="What it cost.")] = None
    currentApproach: Annotated[_Field | None, Meta(description="What you did instead.")] = None
    rating: Annotated[Annotated[int, Meta(ge=1, le=5)] | None, Meta(description="1 to 5.")] = None
    model: Annotated[_Field | None, Meta(description="Your model.")] = None
    trace: Annotated[
        Annotated[str, Meta(max_length=FEEDBACK_TRACE_CHARS)] | None, Meta(description="Calls and answers.")
    ] = None


async def feedback(context: CallContext, arguments: FeedbackArguments) -> ToolAnswer:
    """
    Keep a note in the state directory, without the secrets that were in it.

    Raises:
        Refusal: ``storage_failed``; a retry makes sense once its recovery has been followed.
    """
    note: dict[str, object] = {"kind": arguments.kind, **told(rating=arguments.rating)}
    redacted: list[str] = []
    for name in TEXTS:
        cleaned = without_secrets(getattr(arguments, name) or "")
        note.update(told(**{name: cleaned.text}))
        redacted.extend(f"{name}: {kind}" for kind in cleaned.found)
    note["reticle"] = __version__
    dropped = await context.feedback.keep(note)
    return ToolAnswer(
        {
            "accepted": True,
            "sent": False,
            "keptIn": context.feedback.place,
            **told(redacted=redacted, droppedOldest=dropped or None),
            "note": "Kept on this machine only; nothing sends it anywhere. A person can read the file.",
        }
    )


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_feedback",
        title="Leave a note about reticle",
        summary="Keeps a note about reticle itself, need and impact, in a local file; it is sent nowhere.",
        arguments=FeedbackArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=False, destructive=False),
        run=feedback,
        example={"kind": "ambiguity", "text": "unknown said unsettled, but not which request was open."},
    ),
)
