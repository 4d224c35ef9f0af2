"""
Where in the server's code to look: where it threw, what a doubt about it names, and the views that handled
what failed or what the claim is about. Of a page that the server made also what a view read and rendered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reticle.domain.facts import list_of, mapping_of
from reticle.domain.findings import duplicate_request, every_keystroke
from reticle.domain.requests import MUTATING, requests
from reticle.domain.served import Served, is_like, own_served, place_of, served
from reticle.model.runs import Place, Why
from reticle.model.server_facts import ExceptionEnd, FactKind, ServerFact, Strength
from reticle.model.verdict import Finding, FindingTier, Held, Outcome
from reticle.model.window import Window

_ABOUT_SERVER: Final = ("server.", "sql.", "log.", "mail.", "net.")
_SHOWN: Final = ("text.", "element.", "route.", "net.")
_SENT_AGAIN: Final = frozenset({duplicate_request.KIND, every_keystroke.KIND})
_FAILURES: Final = 400
_READS: Final = ("SELECT", "WITH")
_NESTED: Final = 3
"""Frames of a statement that tell a function between the view and the one that all statements go through."""


def server_places(findings: Sequence[Finding], window: Window, outcome: Outcome | None) -> Iterator[Place]:
    """
    The places of the servers behind the page, the likeliest first; of facts that are tied by id alone.
    """
    yield from thrown_places(findings, window)
    own = own_served(window)
    failed = [one for one in own if (one.status or 0) >= _FAILURES]
    asked = own if outcome is not None and any(map(_is_about_server, _failed(outcome))) else ()
    writes_first = sorted(asked, key=lambda one: one.method in ("GET", "HEAD"))
    for one in (*failed, *writes_first):
        yield from _view(one)


def thrown_places(findings: Sequence[Finding], window: Window) -> Iterator[Place]:
    """
    Where the servers threw, and what a doubt about them names.
    """
    own = own_served(window)
    for one in own:
        for fact in one.of(FactKind.EXCEPTION):
            thrown_at = place_of(fact)
            if thrown_at is not None and fact.data.get("handled") == ExceptionEnd.UNHANDLED:
                yield Place(thrown_at, Why.THREW)
    mine = {str(one) for one in own}
    for finding in findings:
        doubt = finding.tier is FindingTier.ABSENCE and finding.detail.get("request") in mine
        if doubt and finding.source:
            yield Place(finding.source, Why.HANDLED)


def likely_views(window: Window) -> Iterator[Place]:
    """
    The view that handled the action's write, or what it read: where what the page then shows may come from.
    """
    for one in _likely(window)[:1]:
        yield from _view(one)


def is_made_by_server(window: Window, outcome: Outcome | None) -> bool:
    """
    Whether the server made what the page shows, and what is claimed of that is all that fails: then the
    page's own scripts have the least to do with it.
    """
    rendered = any(one.of(FactKind.TEMPLATE) for one in own_served(window))
    failed = () if outcome is None else tuple(_failed(outcome))
    return rendered and bool(failed) and all(one.assertion.startswith(_SHOWN) for one in failed)


def is_asked_too_often(outcome: Outcome | None) -> bool:
    """
    Whether more requests were sent than was claimed: the server only did as it was told.
    """
    failed = () if outcome is None else _failed(outcome)
    return any(one.final and one.assertion.startswith("net.") for one in failed)


def is_sent_again(outcome: Outcome | None, findings: Sequence[Finding]) -> bool:
    """
    Whether something was sent once too often, by the claim or by a finding: who had it sent is to blame.
    """
    return is_asked_too_often(outcome) or any(finding.kind in _SENT_AGAIN for finding in findings)


def made_places(window: Window, written: Sequence[Place]) -> Iterator[Place]:
    """
    Where a page that the server made may have gone wrong: the views, where the elements are written that
    failed parts are about (``written``), the template, the function that read the data.
    """
    likely = _likely(window)
    shown = _answering(window, likely)
    for one in (*likely[:1], *shown):
        yield from _view(one)
    files = {_file(place.where): place for place in reversed(written)}
    yield from reversed(files.values())
    made = [place for one in shown or likely[:1] for place in _rendered(one)]
    rendered = [place for place in made if _file(place.where) not in files]
    read = [place for one in shown or likely[:1] for place in _read(one)]
    yield from (*rendered, *read) if files else (*read, *rendered)


def rendered_places(window: Window) -> Sequence[Place]:
    """
    The templates of the document that the page showed in the end, or of what the action asked for.
    """
    likely = _likely(window)
    return [place for one in _answering(window, likely) or likely[:1] for place in _rendered(one)]


def asked_first(window: Window) -> Sequence[Served]:
    """
    The requests of the action whose answers what the page shows may come from, the likeliest first: failed
    ones, writes, then the document that was shown in the end.
    """
    likely = _likely(window)
    failed = [one for one in own_served(window) if (one.status or 0) >= _FAILURES]
    first = (*failed, *likely[:1], *_answering(window, likely))
    own = [one for one in own_served(window) if one.page is None or one.page.initiator != "document"]
    return list({one.rid: one for one in (*first, *own)}.values())


def unanswered_views(window: Window) -> Iterator[Place]:
    """
    Where requests of the action stand that are still at work; and the views of those that the page still
    waits for, where method, path and time fit one alone: a reading has no id before it is answered.
    """
    for one in own_served(window):
        if not one.ended:
            yield from (Place(where, Why.HANDLED) for where in _stands_at(one))
    at_work = [one for one in served(window) if one.strength is not Strength.ID and not one.ended]
    for waiting in requests(window):
        if waiting.ended is None and not waiting.before and not waiting.unseen:
            fitting = [one for one in at_work if is_like(one, waiting)]
            if len(fitting) == 1:
                yield from _view(fitting[0])


def _failed(outcome: Outcome) -> Iterator[Outcome]:
    """
    The innermost parts of a claim that do not hold.
    """
    if outcome.held is Held.YES:
        return
    inner = [part for child in outcome.children for part in _failed(child)]
    yield from inner or (outcome,)


def _is_about_server(failed: Outcome) -> bool:
    """
    Whether a part is about what the server was asked or did.
    """
    return failed.assertion.startswith(_ABOUT_SERVER)


def _likely(window: Window) -> Sequence[Served]:
    """
    The form that the action posted for another document, else its writes, else what it read, but for
    documents where there is something else.
    """
    asked = [one for one in own_served(window) if one.page is not None and _view_of(one)]
    posted = [one for one in asked if one.method in MUTATING and _is_document(one)]
    own = posted or [one for one in asked if not _is_document(one)] or asked
    return [one for one in own if one.method in MUTATING] or own


def _is_document(one: Served) -> bool:
    return one.page is not None and one.page.initiator == "document"


def _answering(window: Window, likely: Sequence[Served]) -> Sequence[Served]:
    """
    The document that the page showed in the end, where another request led to it.
    """
    documents = [
        one
        for one in own_served(window)
        if one.of(FactKind.TEMPLATE) and one.page is not None and one.page.initiator == "document"
    ]
    return [one for one in documents[-1:] if one not in likely[:1]]


def _view(one: Served) -> Iterator[Place]:
    place = _view_of(one)
    if place:
        yield Place(place, Why.HANDLED)


def _stands_at(one: Served) -> Sequence[str]:
    """
    The line that a request which takes long stood on when it was looked at last.
    """
    told = [mapping_of(each) for fact in one.of(FactKind.CALLS) for each in list_of(fact.data, "at")]
    return [f"{each.get('file')}:{each.get('line')}" for each in told[-1:]]


def _view_of(one: Served) -> str | None:
    """
    Where a request is handled; of one that is still at work where its last statement was sent from.
    """
    if one.view or one.ended:
        return one.view
    stands = _stands_at(one)
    if stands:
        return stands[0]
    statements = one.of(FactKind.SQL)
    return _frames(statements[-1])[-1] if statements and _frames(statements[-1]) else None


def _rendered(one: Served) -> Iterator[Place]:
    """
    The templates of an answer, the last one first.
    """
    for fact in reversed(one.of(FactKind.TEMPLATE)):
        place = place_of(fact)
        if place is not None:
            yield Place(place, Why.RENDERED)


def _read(one: Served) -> Iterator[Place]:
    """
    The function that read last for an answer, where that is another than the view.

    Many apps send all statements through one function of their own: it is passed over for one that stands in
    the view's file, or for the one that the view called.
    """
    file = _file(one.view or "")
    for fact in reversed(one.of(FactKind.SQL)):
        if not str(fact.data.get("verb", "")).upper().startswith(_READS):
            continue
        frames = _frames(fact)
        inside = [frame for frame in frames[:-1] if _file(frame) == file]
        if inside or len(frames) >= _NESTED:
            yield Place(inside[-1] if inside else frames[-2], Why.READ)
            return


def _file(place: str) -> str:
    """
    Of ``file:line``.
    """
    return place.rpartition(":")[0]


def _frames(statement: ServerFact) -> Sequence[str]:
    """
    The app's lines that a statement was sent from, from the inside out.
    """
    told = [statement.data, *map(mapping_of, list_of(statement.data, "via"))]
    return [f"{one['file']}:{one['line']}" for one in told if one.get("file") and one.get("line")]
