"""
Answers that do not tell the outcome: accepted but not done (202), or with a body that nobody recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reticle.domain.facts import text_of, whole_of
from reticle.domain.findings.judged import asserted
from reticle.domain.memo import once_per_window
from reticle.domain.predicate.kinds import Net, Predicate, leaves
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request, ended_requests, requests
from reticle.domain.settle import settle
from reticle.domain.tooling import is_counting, is_dev_tooling, is_telemetry
from reticle.model.window import Window

_ACCEPTED = 202
_READABLE = ("json", "text", "xml", "javascript", "x-www-form-urlencoded")


def pending_outcomes(window: Window, predicate: Predicate | None) -> tuple[Request, ...]:
    """
    Requests answered 202: taken on, not done (RFC 9110 §15.3.3); and writes that are not answered yet.

    A claim that names status 202 is about just that answer, and is let be.
    """
    waiting = tuple(one for one in settle(window).open_requests if one.mutating and not one.before)
    named = predicate is not None and any(
        isinstance(leaf, Net) and leaf.status == _ACCEPTED for leaf in leaves(predicate)
    )
    accepted = () if named else tuple(one for one in _own(window) if one.status == _ACCEPTED)
    return accepted + waiting


def unread_outcomes(window: Window, predicate: Predicate | None = None) -> tuple[Request, ...]:
    """
    Writes that nobody knows the outcome of: opaque, cut off, or with a body of text that was not recorded.

    A document's answer is the page itself; a beacon, and what counts rather than writes, is sent for no
    answer; a write cut off and then made again succeeded in the end. A claim that reads back afterwards
    what the server holds proves the outcome by itself.
    """
    unread = [one for one in _own(window) if one.mutating and _is_unread(one, window)]
    if not unread or predicate is None:
        return tuple(unread)
    return tuple(one for one in unread if not _is_read_back(one, window, predicate))


def _is_unread(one: Request, window: Window) -> bool:
    if one.initiator in ("document", "beacon"):
        return False
    if one.ok is None:
        only_counts = is_counting(one.url, None if one.unseen else window.page.url)
        return not only_counts and _last_success(window).get((one.method, one.url), -1) < one.seq
    return (
        one.ok
        and (whole_of(one.answer, "responseSize") or 0) > 0
        and one.answer.get("responseBody") is None
        and _may_be_text(text_of(one.answer, "contentType"))
    )


@once_per_window
def _last_success(window: Window) -> Mapping[tuple[str, str], int]:
    """
    When each call that succeeded last began: an autosave that overtakes itself is made again.
    """
    return {(one.method, one.url): one.seq for one in ended_requests(window) if one.ok}


def _is_read_back(one: Request, window: Window, predicate: Predicate) -> bool:
    """
    Whether the claim names an answer of the server, by its body, to a read begun after the write.
    """
    reading = [
        leaf for leaf in asserted(predicate) if isinstance(leaf, Net) and leaf.body_contains is not None
    ]
    return any(
        fits_request(leaf, read)
        for leaf in reading
        for read in reversed(ended_requests(window))
        if read.seq > one.seq and not read.mutating
    )


def _own(window: Window) -> Iterator[Request]:
    for one in requests(window):
        if one.open or (one.before and window.action is not None):
            continue
        if not is_dev_tooling(one.url) and not is_telemetry(one.url):
            yield one


def _may_be_text(content_type: str | None) -> bool:
    return not content_type or any(word in content_type.lower() for word in _READABLE)
