"""
What the server did for the requests of a window, and how firmly each fact is tied to the action.

The layers, strongest first (DESIGN §6): the id that a response told the page; the action that the page named
in a header; the chain of a form post and its redirects, each naming the request before it. All three tie by
id. Method, path and time alone only infer. What belongs to no request of the action is ambient: another
visitor's, a poll's, a thread's. Facts that came without the token of the runtime file never count for more
than inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import list_of, mapping_of, text_of, url_parts, whole_of
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests
from reticle.domain.requests import Request, requests
from reticle.model.server_facts import FactKind, ProbedProcess, RequestLink, ServerFact, Strength
from reticle.model.server_limits import (
    CLOCK_SLACK_MS,
    SERVER_WORD_MS,
    SERVER_WORK_MS,
)
from reticle.model.window import Window

_RID: Final = re.compile(r"[0-9a-f]{32}")
_ENDS: Final = frozenset({FactKind.REQUEST_HANDLED, FactKind.REQUEST_ABORTED})


@attrs.frozen
class Served:
    """
    One request as the server handled it, with all of its facts, oldest first.

    ``page`` is the same request as the page saw it, as far as that is known; of a chain of redirects all have
    the one that ended it.
    """

    rid: str
    strength: Strength
    facts: Sequence[ServerFact]
    page: Request | None = None

    def of(self, kind: FactKind) -> Sequence[ServerFact]:
        """
        Its facts of one kind.
        """
        return tuple(fact for fact in self.facts if fact.kind is kind)

    def _told(self, name: str) -> object:
        ends = [fact for fact in self.facts if fact.kind in _ENDS]
        starts = [fact for fact in self.facts if fact.kind is FactKind.REQUEST_STARTED]
        return next((fact.data[name] for fact in (*ends, *starts) if fact.data.get(name) is not None), None)

    def text(self, name: str) -> str | None:
        """
        What start or end say under a name, as a text.
        """
        told = self._told(name)
        return told if isinstance(told, str) else None

    @property
    def method(self) -> str:
        """
        In capitals.
        """
        return (self.text("method") or "GET").upper()

    @property
    def path(self) -> str:
        """
        With the query where it was told.
        """
        query = self.text("query")
        return (self.text("path") or "") + (f"?{query}" if query else "")

    @property
    def status(self) -> int | None:
        """
        None while it is not handled.
        """
        return whole_of({"status": self._told("status")}, "status")

    @property
    def view(self) -> str | None:
        """
        Where the code begins that handled it, ``file:line``.
        """
        return self.text("view")

    @property
    def ended(self) -> bool:
        """
        Whether the server is done with it.
        """
        return any(fact.kind in _ENDS for fact in self.facts)

    @property
    def working(self) -> bool:
        """
        Whether the app still does something behind its answer, such as a background task.
        """
        is_working = any(fact.data.get("working") is True for fact in self.of(FactKind.REQUEST_HANDLED))
        return is_working and not self.of(FactKind.REQUEST_DONE)

    @property
    def began_t_ms(self) -> int:
        """
        In the page's milliseconds.
        """
        return self.facts[0].t_ms

    @property
    def succeeded(self) -> bool:
        """
        Whether the server answered with something below 400.
        """
        return self.status is not None and self.status < 400

    def __str__(self) -> str:
        status = "" if self.status is None else f" {self.status}"
        return f"{self.method} {self.path}{status}"


@attrs.frozen
class Tied:
    """
    A fact with how it is tied, and the request that it belongs to.
    """

    fact: ServerFact
    strength: Strength
    served: Served | None


@once_per_window
def serving(window: Window) -> tuple[ProbedProcess, ...]:
    """
    The probed processes that are known to serve the window's page.
    """
    known = {one.rid for one in served(window) if one.strength is not Strength.AMBIENT}
    tied = {fact.process for fact in window.server.facts if fact.rid in known}
    return tuple(probe for probe in window.server.probes if probe.serves or probe.process in tied)


@once_per_window
def served(window: Window) -> tuple[Served, ...]:
    """
    Every request of which the servers told something in the window, in order of beginning.
    """
    by_rid: dict[str, list[ServerFact]] = {}
    for fact in window.server.facts:
        if fact.rid is not None:
            by_rid.setdefault(fact.rid, []).append(fact)
    if not by_rid:
        return ()
    by_id = _by_id(window, by_rid)
    inferred = _inferred(window, by_rid, by_id)
    found: list[Served] = []
    for rid, facts in by_rid.items():
        page = by_id.get(rid) or inferred.get(rid)
        strength = Strength.ID if rid in by_id else Strength.INFERRED if rid in inferred else Strength.AMBIENT
        if strength is Strength.ID and not all(fact.attested for fact in facts):
            strength = Strength.INFERRED
        found.append(Served(rid, strength, tuple(facts), page))
    return tuple(sorted(found, key=lambda one: one.began_t_ms))


@once_per_window
def own_served(window: Window) -> tuple[Served, ...]:
    """
    The requests that are tied by id: these alone may decide.
    """
    return tuple(one for one in served(window) if one.strength is Strength.ID)


def tied(window: Window, *kinds: FactKind) -> tuple[Tied, ...]:
    """
    Every fact of these kinds, each with how it is tied.
    """
    owners = {one.rid: one for one in served(window)}
    found: list[Tied] = []
    for fact in window.server.facts:
        if fact.kind in kinds:
            owner = owners.get(fact.rid) if fact.rid is not None else None
            found.append(Tied(fact, Strength.AMBIENT if owner is None else owner.strength, owner))
    return tuple(found)


@once_per_window
def awaited(window: Window) -> tuple[str, ...]:
    """
    What the probe's word is still waited for on, in words: a request that the page saw answered and the probe
    has not told of, and one that the server is not done with.

    An answer with an id says enough that a probe lives there: a process says nothing while nobody asks it for
    anything, and a daemon that has just started knows of none yet.
    """
    known = {one.rid: one for one in served(window)}
    waiting: list[str] = []
    for one in own_requests(window):
        rid = rid_of(one)
        since = window.closed_t_ms - (one.ended.t_ms if one.ended is not None else one.t_ms)
        if rid is not None and since < SERVER_WORD_MS and (rid not in known or not known[rid].ended):
            waiting.append(f"the probe's word on {one.method} {one.url}")
    told = {rid_of(one) for one in own_requests(window)}
    waiting += [
        f"the server at work on {each}"
        for each in own_served(window)
        if (each.working or (not each.ended and each.rid not in told))
        and window.closed_t_ms - each.began_t_ms < SERVER_WORK_MS
    ]
    return tuple(waiting)


@once_per_window
def untold(window: Window) -> tuple[Request, ...]:
    """
    The action's requests that a server answered with an id, and of which no probe has told the end.
    """
    known = {one.rid for one in served(window) if one.ended}
    return tuple(one for one in own_requests(window) if (rid := rid_of(one)) is not None and rid not in known)


def rid_of(one: Request) -> str | None:
    """
    The server's id of a request, as its response told it to the page.
    """
    return text_of(one.answer, "rid")


def place_of(fact: ServerFact) -> str | None:
    """
    The ``file:line`` that a fact is about: of an exception the innermost frame of the app, else its caller.
    """
    if fact.kind is FactKind.EXCEPTION:
        return thrown_at(fact.data)
    place, line = text_of(fact.data, "file"), whole_of(fact.data, "line")
    return place if place is None or line is None else f"{place}:{line}"


def thrown_at(exception: Mapping[str, object]) -> str | None:
    """
    The innermost frame of the app, else the innermost there is.
    """
    frames = [mapping_of(frame) for frame in list_of(exception, "frames")]
    chosen = next((frame for frame in frames if frame.get("app") is True), frames[0] if frames else None)
    if chosen is None:
        return None
    place, line = text_of(chosen, "file"), whole_of(chosen, "line")
    return place if place is None or line is None else f"{place}:{line}"


@once_per_window
def kept_answers(window: Window) -> tuple[Request, ...]:
    """
    The action's own requests whose answer is an old one, which a browser or a service worker kept.
    """
    by_rid = {one.rid: one.facts for one in served(window)}
    own = [(one, by_rid.get(rid_of(one) or "", ())) for one in own_requests(window)]
    return tuple(one for one, facts in own if _is_old(one, facts, window))


def _by_id(window: Window, by_rid: Mapping[str, Sequence[ServerFact]]) -> dict[str, Request | None]:
    """
    The server requests that are the action's by id, each with the page's request where that is known.
    """
    own = {rid: one for one in own_requests(window) if (rid := rid_of(one)) is not None}
    others = {rid for one in requests(window) if (rid := rid_of(one)) is not None} - set(own)
    found: dict[str, Request | None] = {
        rid: one for rid, one in own.items() if rid in by_rid and not _is_old(one, by_rid[rid], window)
    }
    action = None if window.action is None else window.action.action_id
    for rid, facts in by_rid.items():
        named = {fact.action.rpartition(".")[2] for fact in facts if fact.action is not None}
        if action is not None and action in named and rid not in others:
            found.setdefault(rid, None)
    # backwards along redirects: each names the request before it
    for rid in list(found):
        page, at = found[rid], rid
        while True:
            before = [each for each in _before(by_rid[at]) if each in by_rid and each not in found]
            if not before or at in others:
                break
            for each in before:
                found[each] = page
            at = before[0]
    return found


def _is_old(one: Request, facts: Iterable[ServerFact], window: Window) -> bool:
    """
    Whether a request began before the window did: an answer that the browser, or a service worker, kept
    brings the id of the request that it was once made for, and nobody asked the server now.

    Where nobody acted, the window may begin with a document that was asked for before it.
    """
    if window.action is None and one.initiator == "document":
        return False
    opened = window.opened_t_ms - CLOCK_SLACK_MS
    return any(fact.kind is FactKind.REQUEST_STARTED and fact.t_ms < opened for fact in facts)


def _before(facts: Iterable[ServerFact]) -> list[str]:
    """
    The requests that led to one by redirects, as its navigation cookie has them.
    """
    named: list[str] = []
    for fact in facts:
        if fact.kind is FactKind.REQUEST_STARTED:
            named += [each for each in list_of(fact.data, "chain") if isinstance(each, str)]
            if fact.data.get("link") == RequestLink.COOKIE and _RID.fullmatch(fact.action or ""):
                named.append(fact.action or "")
    return named


def _inferred(
    window: Window, by_rid: Mapping[str, Sequence[ServerFact]], by_id: Mapping[str, object]
) -> dict[str, Request]:
    """
    Requests of the server that look like one of the page's of which no id is known, by method, path, status
    and time; only where there is exactly one such on either side.
    """
    nameless = [one for one in own_requests(window) if rid_of(one) is None]
    claimed = {rid_of(one) for one in requests(window)}
    pairs: list[tuple[str, Request]] = []
    for rid, facts in by_rid.items():
        if rid in by_id or rid in claimed or any(fact.action is not None for fact in facts):
            continue
        one = Served(rid, Strength.INFERRED, tuple(facts))
        pairs += [(rid, request) for request in nameless if is_like(one, request)]
    rids = [rid for rid, _ in pairs]
    asked = [id(request) for _, request in pairs]
    return {rid: request for rid, request in pairs if rids.count(rid) == 1 and asked.count(id(request)) == 1}


def is_like(one: Served, request: Request) -> bool:
    """
    Whether the server's request may be the page's, by method, path, status and time.
    """
    path = url_parts(request.url).path or "/"
    if one.method != request.method or (one.text("path") or "") != path:
        return False
    if one.status is not None and request.status not in (None, 0, one.status):
        return False
    ended = request.ended.t_ms if request.ended is not None else request.t_ms
    return request.t_ms - CLOCK_SLACK_MS <= one.began_t_ms <= ended + CLOCK_SLACK_MS
