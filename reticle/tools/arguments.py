"""
Arguments that several tools share, named and bounded once.

Names are the wire's. The first sentence of a description is all that the lean surface shows.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.model.codes import ActionName
from reticle.model.limits import WAIT_MAX_MS
from reticle.tools.spec import Arguments

Name = str
"""A text that names something; agents send an empty one for "none", and it is taken so."""

CursorNumber = Annotated[int, Meta(ge=0)]
"""A cursor as tools give and take it: the number of the last event before a stretch."""

Limit = Annotated[int, Meta(ge=1)]
"""How many entries an answer may have."""

WaitMs = Annotated[int, Meta(ge=0, le=WAIT_MAX_MS)]
"""A budget in milliseconds; clients give up on a call after a minute, so the longest stays below."""

Predicate = dict[str, object]
"""A predicate as it arrives; ``domain.predicate.parse`` is the only one that judges it."""

Expected = Annotated[
    Predicate | None,
    Meta(description="Predicate that must hold, such as {kind: text, contains: Saved}."),
]
"""A claim; ``until`` and ``predicate`` are two names of one argument, and agents use either."""


class PageArguments(Arguments, frozen=True, kw_only=True):
    """
    A tool that works on one page.
    """

    sessionId: Annotated[Name | None, Meta(description="Page, from reticle_sessions.")] = None


class StretchArguments(PageArguments, frozen=True, kw_only=True):
    """
    A tool that looks at a stretch of recorded events.
    """

    since: Annotated[CursorNumber | None, Meta(description="Cursor to start after.")] = None
    until: Annotated[CursorNumber | None, Meta(description="Cursor to end at.")] = None
    actionId: Annotated[Name | None, Meta(description="Only what this action caused.")] = None


class ActArguments(PageArguments, frozen=True, kw_only=True):
    """
    A tool that acts on one element.
    """

    action: Annotated[ActionName, Meta(description="What to do.")]
    ref: Annotated[Name | None, Meta(description="Element, such as e12.")] = None
    target: Annotated[
        dict[str, object] | None,
        Meta(description="Query instead of ref: {testid}, {role, name}, {text}, {label}."),
    ] = None
    args: Annotated[
        dict[str, object] | None,
        Meta(
            description="fill, select {value}; type {text}; press {key}; upload {content, name}; "
            "drag {toRef}; confirmDangerous, force: true. Also click, hover {holdMs, modifiers}, "
            "upload {type, encoding}, drag {target, data}, scrollIntoView {block}."
        ),
    ] = None
    refuseWhenThrottled: Annotated[bool, Meta(description="Refuse in a background tab.")] = False
    trusted: Annotated[bool, Meta(description="By real mouse and keys; leased pages.")] = False


class ClaimArguments(PageArguments, frozen=True, kw_only=True):
    """
    A tool that takes a claim and does not act.
    """

    predicate: Expected = None
    until: Annotated[Predicate | None, Meta(description="Same as predicate.")] = None


class SinceClaimArguments(ClaimArguments, frozen=True, kw_only=True):
    """
    A claim over what happened since a cursor.
    """

    since: Annotated[
        CursorNumber | None, Meta(description="Cursor to judge from; default: the last action.")
    ] = None
