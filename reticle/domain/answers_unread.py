"""
Answers that do not tell the outcome: accepted but not done (202), with a body that nobody recorded, or a page
that the write was redirected to.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

from reticle.domain.channels import of_types
from reticle.domain.facts import flag_of, text_of, whole_of
from reticle.domain.findings.judged import asserted
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import open_reads
from reticle.domain.predicate.kinds import Element, Net, Predicate, Text, leaves
from reticle.domain.predicate.network import body_text, fits_request
from reticle.domain.requests import Request, ended_requests, requests
from reticle.domain.settle import settle
from reticle.domain.tooling import is_counting, is_dev_tooling, is_telemetry
from reticle.model.codes import EventType
from reticle.model.ids import DocumentId
from reticle.model.window import Window

_ACCEPTED = 202
_TAG = re.compile(r"<[^>]*>")
_READABLE = ("json", "text", "xml", "javascript", "x-www-form-urlencoded")


def pending_outcomes(window: Window, predicate: Predicate | None) -> tuple[Request, ...]:
    """
    Requests answered 202: taken on, not done (RFC 9110 §15.3.3); and those that are not answered yet, reads
    too: a late answer may be the failure that would contradict (issue 3).

    A claim that names status 202 is about just that answer, and is let be.
    """
    waiting = tuple(
        one for one in settle(window).open_requests if one.mutating and not _is_before_action(one, window)
    )
    named = predicate is not None and any(
        isinstance(leaf, Net) and leaf.status == _ACCEPTED for leaf in leaves(predicate)
    )
    accepted = () if named else tuple(one for one in _own(window) if one.status == _ACCEPTED)
    return accepted + waiting + open_reads(window)


def unread_outcomes(window: Window, predicate: Predicate | None = None) -> tuple[Request, ...]:
    """
    Writes that nobody knows the outcome of: opaque, cut off, or with a body of text that was not recorded.

    A document's answer is the page itself; a beacon, and what counts rather than writes, is sent for no
    answer; a write that the app broke off and then made again succeeded in the end. One that its document
    left open may have been answered all the same, and nobody saw how.
    A script that writes and is redirected to a page (a login, an error) is told 200 all the same: the page
    says what became of it, not the status (field report VD-06). A claim that reads back afterwards what the
    server holds, or names what such a page says, proves the outcome by itself.
    """
    unread = [one for one in _own(window) if one.mutating and _is_unread(one, window)]
    if not unread or predicate is None:
        return tuple(unread)
    return tuple(
        one for one in unread if not _is_read_back(one, window, predicate) and not _is_shown(one, predicate)
    )


def _is_unread(one: Request, window: Window) -> bool:
    if one.initiator in ("document", "beacon"):
        return False
    if one.ok and _broke_off(one, window):
        return not _was_made_again(one, window)
    if one.ok and _was_sent_to_a_page(one):
        return True
    if one.ok is None:
        only_counts = is_counting(one.url, None if one.unseen else window.page.url)
        return not only_counts and not (not one.unseen and _was_made_again(one, window))
    return (
        one.ok
        and (whole_of(one.answer, "responseSize") or 0) > 0
        and one.answer.get("responseBody") is None
        and _may_be_text(text_of(one.answer, "contentType"))
    )


def _broke_off(one: Request, window: Window) -> bool:
    """
    Whether the answer began well and its body ended with an error of the network.
    """
    if flag_of(one.answer, "bodyBroken"):
        return True
    return (one.document_id, text_of(one.answer, "id")) in _broken_streams(window)


@once_per_window
def _broken_streams(window: Window) -> frozenset[tuple[DocumentId | None, str | None]]:
    return frozenset(
        (event.document_id, text_of(event.data, "request"))
        for event in of_types(window, EventType.NET_STREAM)
        if flag_of(event.data, "broken")
    )


def _was_made_again(one: Request, window: Window) -> bool:
    return _last_success(window).get((one.method, one.url), -1) > one.seq


def _was_sent_to_a_page(one: Request) -> bool:
    is_page = "html" in (text_of(one.answer, "contentType") or "").lower()
    return is_page and flag_of(one.answer, "redirected") is True


@once_per_window
def _last_success(window: Window) -> Mapping[tuple[str, str], int]:
    """
    When each call that succeeded last began: an autosave that overtakes itself is made again.
    """
    return {
        (one.method, one.url): one.seq
        for one in ended_requests(window)
        if one.ok and not _broke_off(one, window)
    }


def _is_read_back(one: Request, window: Window, predicate: Predicate) -> bool:
    """
    Whether the claim names an answer of the server, by its body: the write's own, or that to a later read.
    """
    reading = [
        leaf for leaf in asserted(predicate) if isinstance(leaf, Net) and leaf.body_contains is not None
    ]
    return any(
        fits_request(leaf, read)
        for leaf in reading
        for read in reversed(ended_requests(window))
        if read is one or (read.seq > one.seq and not read.mutating)
    )


def _is_shown(one: Request, predicate: Predicate) -> bool:
    """
    Whether a page that a form was redirected to says what the claim sees on the screen.

    Libraries that post forms by script put that page on the screen. Who sent JSON asked for no page, and
    an application's shell holds the words of all its views.
    """
    if not _was_sent_to_a_page(one) or (body_text(one, "requestBody") or "").lstrip().startswith(("{", "[")):
        return False
    said = _words_of_page(body_text(one) or "")
    return any(words and _folded(words) in said for words in _seen(predicate))


def _seen(predicate: Predicate) -> Iterator[str]:
    for leaf in asserted(predicate):
        if isinstance(leaf, Text) and not leaf.absent:
            yield leaf.contains
        elif isinstance(leaf, Element) and not leaf.absent:
            yield from (words for key in ("name", "text") if (words := text_of(leaf.query, key)))


def _words_of_page(page: str) -> str:
    return _folded(html.unescape(_TAG.sub(" ", page)))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _own(window: Window) -> Iterator[Request]:
    for one in requests(window):
        if one.open or _is_before_action(one, window):
            continue
        if not is_dev_tooling(one.url) and not is_telemetry(one.url):
            yield one


def _is_before_action(one: Request, window: Window) -> bool:
    """
    Whether a request cannot be a consequence of the action. Without an action every open write counts.
    """
    return one.before and window.action is not None


def _may_be_text(content_type: str | None) -> bool:
    return not content_type or any(word in content_type.lower() for word in _READABLE)
