"""
``reticle_server``: what the servers behind the page did: requests, exceptions, SQL, log records, mails,
tasks, calls to elsewhere, templates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from reticle.domain.facts import list_of, text_of
from reticle.domain.served import Served, Tied, place_of, served, serving, tied
from reticle.domain.server_words import TIES
from reticle.model.codes import Capability
from reticle.model.server_facts import FactKind, Strength
from reticle.model.server_limits import SERVER_SHOWN
from reticle.model.window import Window
from reticle.ports import CallContext
from reticle.tools.arguments import StretchArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import cut, cut_values, lines_that_fit, one_line, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import claim_since, footer, loss_fields, span_fields, stretch_of

TEXT_CHARS = 500
"""A statement or message in a list."""

FRAMES = 5
"""Of one exception; the innermost of the app comes first."""


class ServerArguments(StretchArguments, frozen=True, kw_only=True):
    """
    Of which stretch; without ``since`` from the last action on.
    """

    ambient: Annotated[
        bool, Meta(description="Also what belongs to no request of this page in the stretch.")
    ] = False
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=SERVER_SHOWN)], Meta(description="Keep the newest N of each.")
    ] = SERVER_SHOWN


async def server(context: CallContext, arguments: ServerArguments) -> ToolAnswer:
    """
    Everything that is tied to the page in a stretch, each with how firmly.

    Raises:
        Refusal: ``bad_arguments`` for cursors that make no stretch; what the directory raises.
    """
    page = await present_page(context, arguments.sessionId)
    lately = arguments.since is None
    window = page.window(claim_since(page, None)) if lately else stretch_of(page, arguments)
    least = Strength.AMBIENT if arguments.ambient else Strength.INFERRED
    shown = {
        "requests": [_request(one) for one in served(window) if one.strength >= least],
        "exceptions": _told(window, least, _exception, FactKind.EXCEPTION),
        "sql": _told(window, least, _statement, FactKind.SQL, FactKind.TRANSACTION),
        "logs": _told(window, least, _record, FactKind.LOG, FactKind.WARNING),
        "mails": _told(window, least, _mail, FactKind.MAIL),
        "tasks": _told(window, least, _task, FactKind.TASK),
        "outgoing": _told(window, least, _call, FactKind.HTTP_OUT),
        "templates": _told(window, least, _template, FactKind.TEMPLATE),
    }
    more = {name: len(entries) for name, entries in shown.items() if len(entries) > arguments.limit}
    fields: dict[str, object] = {
        "probes": [_probe_fields(window, place) for place in range(len(window.server.probes))],
        **{name: entries[-arguments.limit :] for name, entries in shown.items()},
        **told(totals=more),
        **loss_fields(window, {"server"}),
        **told(note=_note(window)),
        **span_fields(window),
        **session_note(page),
    }
    return ToolAnswer(fields, text=_text(fields))


def _note(window: Window) -> str | None:
    if not window.server.probes:
        return "No probe is connected, so what the server does is not seen: docs/explanation/server-facts.md"
    if not serving(window):
        return "Probes are connected, but no request of this page carried an id of one: load the page again."
    return None


def _probe_fields(window: Window, place: int) -> dict[str, object]:
    probe = window.server.probes[place]
    return {
        "process": str(probe),
        "serves": probe in serving(window),
        **told(unattested=not probe.attested, restarted=probe.restarted),
    }


def _told(
    window: Window, least: Strength, entry: Callable[[Tied], Mapping[str, object]], *kinds: FactKind
) -> list[dict[str, object]]:
    return [
        {
            **entry(one),
            **told(source=place_of(one.fact), request=None if one.served is None else str(one.served)),
            "tied": TIES[one.strength],
            "t": one.fact.t_ms,
        }
        for one in tied(window, *kinds)
        if one.strength >= least
    ]


def _request(one: Served) -> dict[str, object]:
    return {
        "method": one.method,
        "path": cut(one.path, TEXT_CHARS),
        **told(
            status=one.status, view=one.view, route=one.text("route"), unfinished=not one.ended, rid=one.rid
        ),
        "tied": TIES[one.strength],
        "t": one.began_t_ms,
    }


def _exception(one: Tied) -> dict[str, object]:
    data = one.fact.data
    listed = [frame for frame in list_of(data, "frames") if isinstance(frame, dict)]
    return told(
        type=text_of(data, "type"),
        message=cut(text_of(data, "message") or "", TEXT_CHARS),
        handled=text_of(data, "handled"),
        frames=[cut_values(frame, TEXT_CHARS) for frame in listed[:FRAMES]],
    )


def _statement(one: Tied) -> dict[str, object]:
    data = one.fact.data
    return told(
        statement=cut(text_of(data, "statement") or "", TEXT_CHARS),
        verb=text_of(data, "verb"),
        tables=list_of(data, "tables"),
        rows=data.get("rows"),
        ms=data.get("ms"),
        failed=text_of(data, "failed"),
        transaction=text_of(data, "outcome"),
        tx=text_of(data, "tx"),
    )


def _record(one: Tied) -> dict[str, object]:
    data = one.fact.data
    return told(
        level=text_of(data, "level") or "warning",
        logger=text_of(data, "logger") or text_of(data, "category"),
        message=cut(text_of(data, "message") or "", TEXT_CHARS),
    )


def _mail(one: Tied) -> dict[str, object]:
    data = one.fact.data
    return told(to=list_of(data, "to"), subject=cut(text_of(data, "subject") or "", TEXT_CHARS))


def _task(one: Tied) -> dict[str, object]:
    return told(name=text_of(one.fact.data, "name"), queue=text_of(one.fact.data, "queue"))


def _call(one: Tied) -> dict[str, object]:
    data = one.fact.data
    url = cut(text_of(data, "url") or "", TEXT_CHARS)
    return told(method=text_of(data, "method"), url=url, status=data.get("status"), ms=data.get("ms"))


def _template(one: Tied) -> dict[str, object]:
    return told(name=cut(text_of(one.fact.data, "name") or "", TEXT_CHARS))


def _text(fields: Mapping[str, object]) -> str:
    lines: list[str] = []
    for name in ("requests", "exceptions", "sql", "logs", "mails", "tasks", "outgoing", "templates"):
        entries = fields[name]
        assert isinstance(entries, Sequence)
        lines += [f"{name}: {one_line(_words(entry))}" for entry in entries]
    kept, _ = lines_that_fit(iter(lines or ["nothing was told"]))
    return "\n".join([*kept, *footer(fields)])


def _words(entry: Mapping[str, object]) -> str:
    left_out = {"frames", "rid", "t", "tx", "route"}
    said = [
        ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in entry.items()
        if name not in left_out
    ]
    return " · ".join(said)


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_server",
        title="What the server did",
        summary="Requests, exceptions, SQL, logs and mails of the app's server, tied to what the page did.",
        arguments=ServerArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=server,
        example={"since": 120},
        advertised=False,
    ),
)
