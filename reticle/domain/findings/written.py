"""
What a write asked to be kept, and whether a value that is read afterwards means the same.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from reticle.domain.echoes import Scalar, scalars
from reticle.model.codes import NOT_OBSERVED

_SERVERS_OWN = re.compile(
    r"^(?:_?id|uuid|uid|key|version|rev|revision|etag|seq|nonce|lock_?version|.*(?:token|csrf|password|secret"
    r"|hash|signature|timestamp)|(?:created|updated|modified)(?:_?(?:at|on|by))?|temp_?id|client_?id"
    r"|action|op|operation|command|event|method|type|kind)$",
    re.IGNORECASE,
)
"""Fields that a server sets or replaces by right, and those that say what to do rather than what is."""

_CODE = re.compile(r"[A-Z0-9]+(?:[_-][A-Z0-9]+)*|[a-z]{1,2}|[a-z0-9]+(?:[_-][a-z0-9]+)+")
"""A value out of a list of codes: "GB", "en", "pending_review"; a person is not written so."""

_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_TRUTHS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_NEARLY = 0.005
"""Numbers this near, as a part of the larger, are one rounded."""


def written_fields(body: object) -> dict[str, Scalar]:
    """
    The fields that were sent exactly once, and that a server should keep as they are.
    """
    if not isinstance(body, Mapping):
        return {}
    seen: dict[str, list[Scalar]] = {}
    for name, value in scalars(body):
        seen.setdefault(name, []).append(value)
    return {
        name: values[0]
        for name, values in seen.items()
        if len(values) == 1 and not _is_servers_own(name) and values[0] not in NOT_OBSERVED
    }


@functools.lru_cache(1_024)
def _is_servers_own(name: str) -> bool:
    return _SERVERS_OWN.match(name) is not None


def is_another(sent: object, kept: object) -> bool:
    """
    Whether two values are of one vocabulary and mean different things.

    A code that is answered by its label ("GB", "United Kingdom") cannot be told from one that was replaced.
    """
    return _is_code(sent) is _is_code(kept) and not means_the_same(sent, kept)


def _is_code(value: object) -> bool:
    return isinstance(value, str) and _number(value) is None and _CODE.fullmatch(value) is not None


def means_the_same(sent: object, kept: object) -> bool:
    """
    Whether two values are one in different spelling: case, space, number formats, marks around it.

    What cannot be compared counts as the same: dates, and a number that is answered by its name.
    """
    if sent == kept or (isinstance(kept, str) and kept in NOT_OBSERVED):
        return True
    left, right = _number(sent), _number(kept)
    if left is not None and right is not None:
        return abs(left - right) <= _NEARLY * max(abs(left), abs(right))
    if left is not None or right is not None or _DATE.search(str(sent)):
        return True
    truths = _TRUTHS.get(str(sent).lower()), _TRUTHS.get(str(kept).lower())
    if None not in truths:
        return truths[0] is truths[1]
    if isinstance(sent, bool) or isinstance(kept, bool):
        return True
    one, other = _letters(sent), _letters(kept)
    return one in other or other in one


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None


def _letters(value: object) -> str:
    return "".join(sign for sign in str(value).casefold() if sign.isalnum())
