"""
The one table from kinds of failure to what goes over the wire (``reticle.errors``, DESIGN §4).

=====================  ==========================================================================
kind                   what the peer gets
=====================  ==========================================================================
``Refusal``            a tool result with ``isError: true``, its code in ``error``
``PeerFault``          a JSON-RPC error, its code in ``error.data.code``; in a tool: as a refusal
anything else          logged once with an incident number; a tool result ``internal_error`` with
                       that number and nothing more
=====================  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from reticle.dispatch.outline import bounded, outline
from reticle.domain.tokens import PREFIX, without_tokens
from reticle.errors import LocalMisuse, PeerFault, Refusal
from reticle.mcp.strict_json import encode, shorten
from reticle.model.codes import RefusalCode
from reticle.model.content import ContentBlock
from reticle.model.ids import AuditId
from reticle.ports import Answer

_TOKEN: Final = PREFIX.encode()
_OURS: Final = frozenset({"ok", "method", "audit_id"})
_OURS_OF_FAILURE: Final = _OURS | {"error", "message", "recovery"}


class CallResult(msgspec.Struct, frozen=True, eq=False):
    """
    The result of ``tools/call`` before a revision's words are chosen (``mcp.down_convert``).
    """

    text: str
    structured: Mapping[str, object]
    is_error: bool
    blocks: Sequence[ContentBlock] = ()


def answered(tool: str, audit_id: AuditId, answer: Answer) -> CallResult:
    """
    What a tool said, as the flat object and its text; its fields have passed ``check_fields``.
    """
    text = outline(answer.fields) if answer.text is None else bounded(answer.text)
    structured = {"ok": True, "method": tool, "audit_id": audit_id, **answer.fields}
    return CallResult(text, structured, is_error=False, blocks=answer.blocks)


def check_fields(fields: Mapping[str, object]) -> None:
    """
    Refuse an answer whose fields would hide the gate's own.

    Raises:
        LocalMisuse: Always a bug of the tool.
    """
    if not _OURS.isdisjoint(fields):
        raise LocalMisuse(f"the fields {sorted(_OURS.intersection(fields))} are the gate's")


def refused(tool: str, audit_id: AuditId | None, refusal: Refusal) -> CallResult:
    """
    Why a call was not done, and what to do next. Without ``audit_id`` only when no row could be written.
    """
    message = without_tokens(shorten(refusal.message))
    details = {key: item for key, item in refusal.details.items() if key not in _OURS_OF_FAILURE}
    text = f"refused ({refusal.code}): {message}"
    if refusal.recovery:
        text += f"\nnext: {refusal.recovery}"
    if details:
        text += f"\n{outline(details)}"
    structured: Mapping[str, object] = {
        "ok": False,
        "method": tool,
        "audit_id": audit_id,
        "error": str(refusal.code),
        "message": message,
        "recovery": refusal.recovery,
        **details,
    }
    raw = encode(structured)
    if _TOKEN in raw:
        # Names and arguments of the caller stand in it; no token stands in an error (DESIGN §2).
        structured = msgspec.json.decode(without_tokens(raw.decode()))
    return CallResult(bounded(without_tokens(text)), structured, is_error=True)


def as_refusal(failure: Exception, incident: str) -> Refusal:
    """
    What the peer may know of a failure inside a tool.
    """
    if isinstance(failure, Refusal):
        return failure
    if isinstance(failure, PeerFault):
        return Refusal(failure.code, failure.message)
    return Refusal(
        RefusalCode.INTERNAL_ERROR,
        f"reticle failed; this is incident {incident}",
        f"Look for {incident} in the daemon's log and report it; the same call may fail again.",
        {"incident": incident},
    )
