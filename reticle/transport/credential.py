"""
What the body of a POST has to do with its credential: a token where none belongs, and whether a principal
whose token does not count may be told so by the gate (DESIGN §2, "refusals").
"""

from __future__ import annotations

from typing import Final

from reticle.domain.trust import refused_words
from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import Request, error_message, parse
from reticle.mcp.stray_token import TOKEN_MARK, has_stray_token
from reticle.model.codes import JsonRpcCode, RefusalCode
from reticle.model.trust import Principal
from reticle.transport.http_answer import HttpAnswer, readable_id

STRAY: Final = "A capability token among the params; it belongs into the Authorization header."
_CHALLENGE: Final = ((b"WWW-Authenticate", b"Bearer"),)


def credential_fault(body: bytes, principal: Principal) -> HttpAnswer | None:
    """
    Why a body ends at the door; None when it may go on. Of a refused principal only a tool call may: the
    gate answers it with a result, and writes its row.
    """
    if TOKEN_MARK in body and has_stray_token(body):
        return _refusal(RefusalCode.TOKEN_MALFORMED, STRAY, body)
    if principal.refused is None or _is_tool_call(body):
        return None
    return _refusal(principal.refused, refused_words(principal.refused), body)


def _is_tool_call(body: bytes) -> bool:
    try:
        message = parse(body)
    except PeerFault:
        return False
    return isinstance(message, Request) and message.method == "tools/call"


def _refusal(code: RefusalCode, message: str, body: bytes) -> HttpAnswer:
    error = error_message(readable_id(body), PeerFault(code, message, JsonRpcCode.TOKEN))
    return HttpAnswer(401, error, headers=_CHALLENGE)
