"""
How a call of 2026-07-28 ends on the wire: with its result, or with what it needs from its client first.
"""

from __future__ import annotations

from reticle.dispatch.answers import CallResult
from reticle.dispatch.rounds import Round
from reticle.mcp.down_convert import tool_result
from reticle.mcp.modern.results import stamped_line
from reticle.mcp.modern.words import PER_REQUEST
from reticle.model.codes import RefusalCode


def concluded(result: CallResult, rounds: Round) -> bytes:
    """
    The result of a request, as one line of JSON.

    Raises:
        PeerFault: ``client_capability_missing``; the call could not do without an answer.
    """
    if rounds.asker.open:
        return rounds.result()
    lacking = rounds.asker.lacking
    if lacking is not None and result.structured.get("error") == RefusalCode.CANNOT_ASK:
        raise lacking
    return result_line(result)


def result_line(result: CallResult) -> bytes:
    """
    The result of ``tools/call``.
    """
    return stamped_line(
        tool_result(
            result.text,
            result.structured,
            is_error=result.is_error,
            revision=PER_REQUEST,
            blocks=result.blocks,
        )
    )
