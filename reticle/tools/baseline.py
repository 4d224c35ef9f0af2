"""
``reticle_baseline``: keeps how a page is, as text under a name, and tells later what is different.

A baseline is a file that a person can read and commit (``ports.BaselineStore``), without refs, which are of
one document only. It outlives the daemon.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import attrs
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, EventType, RefusalCode
from reticle.model.ids import Cursor
from reticle.model.limits import BASELINE_BYTES
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.delta import compare
from reticle.tools.fields import cut, list_of, object_of, one_line, text_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import buffer_fields
from reticle.tools.targets import refs_of_scope

VERSION: Final = 1
"""Of the file's form; another one is not compared."""

LINES_SHOWN: Final = 100
"""Lines of each kind that a difference shows; a page with more is another page."""

ERRORS_KEPT: Final = 20
ERROR_CHARS: Final = 200

PARTIAL: Final = (
    "Not all of the page was read, then or now: a line that is not listed may differ, and one that is listed "
    "as gone or new may only not have been read."
)

_REF: Final = re.compile(r" ?\(ref=e\d+\)")
_FOCUS: Final = re.compile(r" \[focused\]|(?<=[\[,])focused,|,focused(?=[\],])")
_ERRORS: Final = frozenset({EventType.CONSOLE_ERROR, EventType.ERROR_UNCAUGHT})
_BaselineName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class BaselineArguments(PageArguments, frozen=True, kw_only=True):
    """
    What to do with which baseline.
    """

    action: Annotated[Literal["save", "list", "diff"], Meta(description="What to do.")]
    name: Annotated[_BaselineName | None, Meta(description="save, diff: which one.")] = None
    baseline: Annotated[_BaselineName | None, Meta(description="Same as name.")] = None
    scope: Annotated[Name | None, Meta(description="save: ref or CSS selector; diff uses the saved one.")] = (
        None
    )


@attrs.frozen
class Look:
    """
    How a page was at one moment: ``lines`` with the refs of that moment, without them from a file.
    """

    route: str
    scope: str
    lines: Sequence[str]
    errors: Sequence[str]
    partial: bool


async def baseline(context: CallContext, arguments: BaselineArguments) -> ToolAnswer:
    """
    Save, list or compare.

    Raises:
        Refusal: ``bad_arguments`` for arguments that do not go together; ``not_found`` for a baseline that is
            not there, with the names that are; ``no_match`` for a scope that is not; what the store, the
            directory and the page port raise.
    """
    name = _checked(arguments)
    scope = arguments.scope or ""
    page = await present_page(context, arguments.sessionId, refs_of_scope(scope))
    where = _where(context, page)
    if arguments.action == "list":
        names = list(await context.baselines.names(**where))
        return ToolAnswer({"baselines": names, **session_note(page)}, text="\n".join(names) or "no baselines")
    if arguments.action == "save":
        look = await _look(page, scope)
        path = await context.baselines.keep(name, _text_of(look), **where)
        fields = {
            "baseline": name,
            "lineCount": len(look.lines),
            "path": path,
            **told(note=PARTIAL if look.partial else None),
            **session_note(page),
        }
        return ToolAnswer(fields)
    kept = await context.baselines.read(name, **where)
    if kept is None:
        names = list(await context.baselines.names(**where))
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"There is no baseline {name!r} for the app of this page; nothing was compared.",
            'reticle_baseline {"action": "save"} makes one.',
            told(baselines=names),
        )
    before = _read(name, kept)
    return _difference(page, name, before, await _look(page, before.scope))


def _checked(arguments: BaselineArguments) -> str:
    names = {arguments.name, arguments.baseline} - {None}
    problem = ""
    if len(names) > 1:
        problem = "name and baseline are two names of one argument, and differ."
    elif arguments.action == "list" and (names or arguments.scope):
        problem = "list takes neither a name nor a scope."
    elif arguments.action != "list" and not names:
        problem = f"{arguments.action} needs name."
    elif arguments.action == "diff" and arguments.scope:
        problem = "diff looks at the scope that was saved."
    elif arguments.scope and refs_of_scope(arguments.scope):
        problem = "a ref is of one document only and means nothing later: give scope as a CSS selector."
    if problem:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{problem} Nothing ran.",
            'For example {"action": "diff", "name": "cart"}.',
        )
    return str(next(iter(names), ""))


def _where(context: CallContext, page: Page) -> dict[str, Any]:
    repository = context.repository_of(page)
    place = re.sub(r"[^A-Za-z0-9.-]+", "_", page.identity.app.origin.partition("://")[2])[:100]
    return {"root": None if repository is None else repository.root, "place": place.lstrip(".") or "pages"}


async def _look(page: Page, scope: str) -> Look:
    result = object_of(await page.ask(CommandName.SNAPSHOT, told(scope=scope, mode="full")))
    if result.get("scopeMissing"):
        raise Refusal(RefusalCode.NO_MATCH, f"Nothing matches scope {cut(scope, 200)!r}: nothing was read.")
    present = page.identity.document_id
    events = page.window(Cursor(0)).events
    errors = [
        cut(one_line(text_of(event.data.get("message"))), ERROR_CHARS)
        for event in events
        if event.type in _ERRORS and event.document_id == present
    ]
    return Look(
        text_of(object_of(result.get("status")).get("route")),
        scope,
        text_of(result.get("tree")).split("\n"),
        list(dict.fromkeys(errors))[-ERRORS_KEPT:],
        result.get("truncated") is True,
    )


def _text_of(look: Look) -> str:
    """
    The file: JSON with a line for each line of the page, so that its own differences can be read.
    """
    lines = [_FOCUS.sub("", _REF.sub("", line)) for line in look.lines]
    fields = {
        "version": VERSION, "route": look.route, "scope": look.scope, "partial": look.partial,
        "consoleErrors": list(look.errors), "lines": lines,
    }  # fmt: skip
    text = json.dumps(fields, indent=1, ensure_ascii=False) + "\n"
    if len(text.encode()) > BASELINE_BYTES:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"The page has {len(text.encode())} bytes of outline; a baseline has {BASELINE_BYTES} at most.",
            "Save a part of it with scope.",
        )
    return text


def _read(name: str, text: str) -> Look:
    """
    A baseline from its file, which people may have edited.
    """
    try:
        fields = json.loads(text)
    except ValueError:
        fields = None
    found = object_of(fields)
    lines = list_of(found.get("lines"))
    if found.get("version") != VERSION or not all(isinstance(line, str) for line in lines):
        raise Refusal(
            RefusalCode.CONFLICT,
            f"Baseline {name!r} cannot be read: it is not of this version, or was damaged.",
            "Save it anew.",
        )
    return Look(
        text_of(found.get("route")),
        text_of(found.get("scope")),
        [str(line) for line in lines],
        [text_of(error) for error in list_of(found.get("consoleErrors"))],
        found.get("partial") is True,
    )


def _difference(page: Page, name: str, before: Look, now: Look) -> ToolAnswer:
    delta = compare("\n".join(before.lines), "\n".join(now.lines))
    errors = [error for error in now.errors if error not in before.errors]
    partial = before.partial or now.partial
    more = max(len(delta.added), len(delta.removed)) > LINES_SHOWN
    fields: dict[str, object] = {
        "baseline": name,
        "same": not delta.added and not delta.removed and not partial,
        "removed": list(delta.removed[:LINES_SHOWN]),
        "added": list(delta.added[:LINES_SHOWN]),
        **told(
            removedTotal=len(delta.removed) if more else None, addedTotal=len(delta.added) if more else None
        ),
        "consoleErrors": errors,
        "routeChanged": before.route != now.route,
        **told(
            route={"from": before.route, "to": now.route} if before.route != now.route else None,
            note=PARTIAL if partial else None,
        ),
        **buffer_fields(page),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **cost_fields(text)}, text=text)


def _text(fields: Mapping[str, object]) -> str:
    lines = [f"+ {line}" for line in list_of(fields["added"])]
    lines += [f"- {line}" for line in list_of(fields["removed"])]
    if not lines:
        lines = ["no line is different"]
    if "route" in fields:
        route = object_of(fields["route"])
        lines.append(f"route {route['from']} -> {route['to']}")
    lines += [f"new console error: {error}" for error in list_of(fields["consoleErrors"])]
    lines += [f"note: {fields['note']}"] if "note" in fields else []
    return "\n".join(lines)


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_baseline",
        title="Compare a page with an earlier look",
        summary="Saves how a page is under a name, as a file of the project, and tells later what differs.",
        arguments=BaselineArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=False, idempotent=True, open_world=True),
        run=baseline,
        advertised=False,
        example={"action": "diff", "name": "cart"},
    ),
)
