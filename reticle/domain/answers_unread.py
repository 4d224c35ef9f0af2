"""
Answers that do not tell the outcome: accepted but not done (202), or with a body that nobody recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticle.domain.facts import text_of, whole_of
from reticle.domain.predicate.kinds import Net, Predicate, leaves
from reticle.domain.requests import Request, ended_requests
from reticle.domain.tooling import is_dev_tooling, is_telemetry
from reticle.model.window import Window

_ACCEPTED = 202
_READABLE = ("json", "text", "xml", "javascript", "x-www-form-urlencoded")


def pending_outcomes(window: Window, predicate: Predicate | None) -> tuple[Request, ...]:
    """
    Requests answered 202: taken on, not done (RFC 9110 §15.3.3).

    A claim that names status 202 is about just that answer, and is let be.
    """
    named = predicate is not None and any(
        isinstance(leaf, Net) and leaf.status == _ACCEPTED for leaf in leaves(predicate)
    )
    return () if named else tuple(one for one in _own(window) if one.status == _ACCEPTED)


def unread_outcomes(window: Window) -> tuple[Request, ...]:
    """
    Successful writes whose answer had a body of text that was not recorded.

    A document's body is the page itself; a picture or an archive reports no failure.
    """
    return tuple(
        one
        for one in _own(window)
        if one.mutating
        and one.ok
        and one.initiator not in ("document", "beacon")
        and (whole_of(one.answer, "responseSize") or 0) > 0
        and one.answer.get("responseBody") is None
        and _may_be_text(text_of(one.answer, "contentType"))
    )


def _own(window: Window) -> Iterator[Request]:
    for one in ended_requests(window):
        if not is_dev_tooling(one.url) and not is_telemetry(one.url):
            yield one


def _may_be_text(content_type: str | None) -> bool:
    return not content_type or any(word in content_type.lower() for word in _READABLE)
