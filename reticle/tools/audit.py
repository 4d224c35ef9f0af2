"""
The audit log for administrators: what was called, whether the log is whole, and all of it to take away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from reticle.model.audit import AuditCheck, AuditFault
from reticle.model.codes import AuditTransport, Capability, RepositoryScope, Toolset
from reticle.model.limits import AUDIT_EXPORTED_ROWS, AUDIT_LISTED_LOOKS, AUDIT_LISTED_ROWS
from reticle.ports import CallContext
from reticle.tools.arguments import CursorNumber, Limit
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

_LISTED_UNLESS_TOLD: Final = 50

RowNumber = Annotated[int, Meta(ge=1)]
"""The place of a row in the chain."""


class ListArguments(Arguments, frozen=True, kw_only=True):
    """
    Which rows.
    """

    limit: Annotated[Limit | None, Meta(description="How many rows. Default 50, at most 500.")] = None
    before: Annotated[RowNumber | None, Meta(description="Only rows before this seq.")] = None
    facts: Annotated[bool, Meta(description="Also each batch of facts that a server sent.")] = False


class VerifyArguments(Arguments, frozen=True, kw_only=True):
    """
    What to hold the chain to.
    """

    expect: Annotated[
        Annotated[str, Meta(pattern=r"^[0-9a-fA-F]{64}$(?!\n)")] | None,
        Meta(description="A row_hash or head that was noted earlier and must still be in the chain."),
    ] = None


class ExportArguments(Arguments, frozen=True, kw_only=True):
    """
    Which page of the export.
    """

    after: Annotated[CursorNumber | None, Meta(description="Only rows behind this seq.")] = None
    until: Annotated[
        CursorNumber | None, Meta(description="Only rows up to this seq. Default: the last one now.")
    ] = None
    limit: Annotated[Limit | None, Meta(description="How many rows. Default and most: 1000.")] = None


async def list_rows(context: CallContext, arguments: ListArguments) -> ToolAnswer:
    """
    The newest rows first; ``next`` goes on with older ones.

    An app that is clicked through sends a batch of facts several times a second, each with its row; calls
    would not be found among them.
    """
    limit = min(arguments.limit or _LISTED_UNLESS_TOLD, AUDIT_LISTED_ROWS)
    rows: list[Mapping[str, object]] = []
    left_out, oldest = 0, arguments.before
    for _ in range(AUDIT_LISTED_LOOKS):
        found = await context.audit.newest(limit if arguments.facts else AUDIT_LISTED_ROWS, oldest)
        for row in found:
            if len(rows) == limit:
                break
            oldest = _seq(row)
            if arguments.facts or row["transport"] != AuditTransport.INGEST:
                rows.append(row)
            else:
                left_out += 1
        if len(rows) == limit or not found:
            break
    more = oldest is not None and oldest > 1 and (len(rows) == limit or bool(found))
    following = {"before": oldest, **({"facts": True} if arguments.facts else {})}
    counted = {"factBatches": left_out} if left_out else {}
    return ToolAnswer({"rows": rows, "next": following if more else None, **counted})


async def verify(context: CallContext, arguments: VerifyArguments) -> ToolAnswer:
    """
    Whether the chain is whole; what is wrong is an answer too, and no refusal.
    """
    expected = None if arguments.expect is None else arguments.expect.lower()
    found = await context.audit.check(expected)
    whole = found.fault is None and found.met_expected is not False
    return ToolAnswer(
        {
            "whole": whole,
            "rows": found.rows,
            "pruned": found.pruned,
            "seq": found.seq,
            "head": found.head,
            "fault": None if found.fault is None else _told(found.fault),
            "expectedMet": found.met_expected,
            "why": _why(found),
        }
    )


async def export(context: CallContext, arguments: ExportArguments) -> ToolAnswer:
    """
    Rows in their order as lines of JSON. ``until`` stays as it was for the first
    page: each page is a call with a row of its own, and the export would never end.
    """
    # Asked of the log itself: other daemons may write to it too.
    newest = await context.audit.newest(1)
    last = _seq(newest[0]) if newest else 0
    until = last if arguments.until is None else min(arguments.until, last)
    after = arguments.after or 0
    limit = min(arguments.limit or AUDIT_EXPORTED_ROWS, AUDIT_EXPORTED_ROWS)
    rows = [row for row in await context.audit.read(after, limit) if _seq(row) <= until]
    reached = _seq(rows[-1]) if rows else until
    return ToolAnswer(
        {
            "ndjson": "".join(f"{json.dumps(row)}\n" for row in rows),
            "count": len(rows),
            "until": until,
            "next": {"after": reached, "until": until} if reached < until else None,
        }
    )


def _seq(row: Mapping[str, object]) -> int:
    seq = row["seq"]
    assert isinstance(seq, int)
    return seq


def _told(fault: AuditFault) -> Mapping[str, object]:
    return {"kind": fault.kind, "seq": fault.seq, "row": fault.audit_id}


def _why(found: AuditCheck) -> str:
    fault = found.fault
    if fault is not None:
        return {
            "altered": f"row {fault.seq} does not follow on row {fault.seq - 1}: one of the two was changed",
            "missing": f"row {fault.seq} is missing",
            "inserted": f"row {fault.seq} was put in or moved",
        }[fault.kind]
    if found.met_expected is False:
        room = f", or it was one of the {found.pruned} that have made room" if found.pruned else ""
        return f"no row has the expected hash: they were written anew since it was noted{room}"
    return f"all {found.rows} rows are as they were written"


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="audit.list",
        title="List audit rows",
        summary="Lists who called what and how it was decided, the newest first; arguments only as a hash.",
        arguments=ListArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=True),
        run=list_rows,
        scope=RepositoryScope.DAEMON_GLOBAL,
        toolset=Toolset.WORK,
        example={"limit": 20},
    ),
    Tool(
        name="audit.verify",
        title="Check the audit log",
        summary="Checks the chain of audit rows and names the first that was changed, taken out or put in.",
        arguments=VerifyArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=True),
        run=verify,
        scope=RepositoryScope.DAEMON_GLOBAL,
        toolset=Toolset.WORK,
    ),
    Tool(
        name="audit.export",
        title="Export the audit log",
        summary="Gives audit rows as lines of JSON, a page at a time; call it again with what next says.",
        arguments=ExportArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=True),
        run=export,
        scope=RepositoryScope.DAEMON_GLOBAL,
        toolset=Toolset.WORK,
        example={"after": 0},
    ),
)
