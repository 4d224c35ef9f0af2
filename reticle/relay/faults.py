"""
What a client is told of a request that the daemon did not answer, as whole lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.model.relay_codes import LINK_ERROR, LinkCode
from reticle.relay.ledger import Pending
from reticle.relay.messages import INTERNAL_ERROR, error_line
from reticle.relay.trouble import Trouble


def outcome_unknown(pending: Pending, why: str, recovery: str = "") -> bytes:
    """
    It had left and the link broke; an agent must look before it does it again.
    """
    if pending.repeatable:
        text = f"{why}; it only reads: repeat it"
    else:
        text = f"{why}; the outcome is unknown: it may have happened; look before you do it again"
    return _fault(pending.message.key, LinkCode.OUTCOME_UNKNOWN, text, recovery)


def unreachable(pending: Pending, trouble: Trouble) -> bytes:
    """
    It never left, or it only reads and did not leave again.
    """
    text = f"{trouble.text}; {'it only reads: repeat it' if pending.resent else 'nothing was sent'}"
    return _fault(pending.message.key, LinkCode.DAEMON_UNREACHABLE, text, trouble.recovery)


def failed(key: str, pending: Pending | None, why: str) -> bytes:
    """
    We failed ourselves (a bug), and this request gets no other answer. ``pending`` is None when it had not
    even been read whole.
    """
    text = f"reticle mcp has failed ({why}); its standard error has the details"
    if pending is None or not pending.handed_over:
        return error_line(key, INTERNAL_ERROR, f"{text}; nothing was sent", "internal_error")
    return outcome_unknown(pending, text)


def left(key: str, pending: Pending | None) -> bytes:
    """
    The client closed standard input and this request had no answer in time.
    """
    text = "standard input ended before the answer came"
    if pending is None or not pending.handed_over:
        return _fault(key, LinkCode.DAEMON_UNREACHABLE, f"{text}; nothing was sent", "")
    return outcome_unknown(pending, text)


def refused(key: str, status: int, text: str) -> bytes:
    """
    The daemon will not take it, in its own words.
    """
    return _fault(key, LinkCode.DAEMON_REFUSED, f"the daemon refused it: HTTP {status}: {text}", "")


def is_duplicate(response: Mapping[str, object]) -> bool:
    """
    Whether a response of the daemon says that the same request is running already.
    """
    error = response.get("error")
    data = error.get("data") if isinstance(error, dict) else None
    return isinstance(data, dict) and data.get("code") == "duplicate_request"


def _fault(key: str, code: LinkCode, text: str, recovery: str) -> bytes:
    more = {"recovery": recovery} if recovery else {}
    return error_line(key, LINK_ERROR, text, code.value, **more)
