"""
Leaves that recorded events answer: ``console``, ``signal``, ``route`` (with a reading) and ``settled``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.capture import CHURN, describe, lost
from reticle.domain.facts import brief, literal, mapping_of, quoted, text_of, url_parts
from reticle.domain.predicate.counting import Tally, at_least_one, exactly
from reticle.domain.predicate.kinds import UNSET, Console, Route, Settled, Signal
from reticle.domain.predicate.patterns import conjunction, fits
from reticle.domain.predicate.reading_leaves import answer_or_unknown
from reticle.domain.predicate.watching import Gap, events_after, held_too_briefly, unseen, watch_fact
from reticle.domain.predicate.whole_messages import is_whole_in_message
from reticle.domain.predicate.whole_numbers import is_whole_part
from reticle.domain.settle import settle
from reticle.model.codes import NOT_OBSERVED, EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Reading, Window

_UNHEARD = frozenset({None, "info", "debug"})
"""Levels of a claim that the published packages cannot answer: they tell of log, warn and error alone."""

_STIRS = frozenset({"dom", "net", "route"})
_SHOWN = 8


def evaluate_console(leaf: Console, window: Window) -> Outcome:
    """
    Whether the console was written so; an uncaught error counts as level error.
    """
    entries = [
        *events_after(window, leaf.since, "console"),
        *events_after(window, leaf.since, EventType.ERROR_UNCAUGHT),
    ]
    entries.sort(key=lambda event: event.seq)
    near = [event for event in entries if fits_entry(leaf, event)]
    found = [event for event in near if leaf.contains is None or _has_whole(leaf.contains, event)]
    maybe = [
        f'"{brief(_message(event), 80)}" has it only as a part of another number'
        for event in near
        if event not in found
    ]
    evidence = [_entry(event) for event in found[:5]]
    wanted = f"console {leaf.level or 'entry'}" + (f" with {quoted(leaf.contains)}" if leaf.contains else "")
    observed = [f"{level_of(event)}: {_message(event)}" for event in entries[:_SHOWN]]
    if not leaf.absent:
        miss = f"no {wanted}; " + (
            "entries seen: " + "; ".join(observed) if observed else "nothing was written"
        )
        tally = Tally("console", wanted, evidence, None, maybe, miss, observed)
        deaf = _deaf(leaf, window)
        if deaf is not None and not evidence:
            why = f"{miss}, but {deaf.why}"
            return Outcome(Held.UNKNOWN, "console.present", (), why, observed, wanted)
        return at_least_one(tally, window, "console.present", "console.present")
    assertion = "console.absent-contains" if leaf.contains else "console.absent"
    if found:
        why = f"{level_of(found[0])}: {_message(found[0])}"
        return Outcome(Held.NO, assertion, evidence, why, observed, f"no {wanted}", final=True)
    if maybe:
        return Outcome(Held.UNKNOWN, assertion, (), maybe[0], observed, f"no {wanted}")
    gap = _deaf(leaf, window) or unseen(window, "console") or held_too_briefly(window, None)
    if gap is not None:
        return Outcome(
            Held.UNKNOWN, assertion, (), gap.why, observed, f"no {wanted}", retry_after_ms=gap.retry_after_ms
        )
    watched = watch_fact(window, None, f"no {wanted}")
    return Outcome(Held.YES, assertion, (watched,), None, observed, f"no {wanted}")


def fits_entry(leaf: Console, event: PageEvent) -> bool:
    """
    Whether a console or error event is one that the leaf speaks of.
    """
    if leaf.level is not None and level_of(event) != leaf.level:
        return False
    return leaf.contains is None or leaf.contains in (text_of(event.data, "message") or "")


def _has_whole(part: str, event: PageEvent) -> bool:
    return is_whole_in_message(part, text_of(event.data, "message") or "")


def _deaf(leaf: Console, window: Window) -> Gap | None:
    page = window.page
    if leaf.level not in _UNHEARD or page.own_script or page.script_hash is not None:
        return None
    return Gap(
        "the published @reticlehq package of this page does not tell what console.info and debug wrote"
    )


def level_of(event: PageEvent) -> str:
    """
    The console level of a console or error event.
    """
    return "error" if event.type == EventType.ERROR_UNCAUGHT else event.type.rpartition(".")[2]


def evaluate_signal(leaf: Signal, window: Window) -> Outcome:
    """
    Whether the app announced it, with such data.
    """
    signals = events_after(window, leaf.since, EventType.SIGNAL)
    named = [one for one in signals if leaf.name is None or one.data.get("name") == leaf.name]
    judged = [(one, _payload(leaf, one)) for one in named]
    fitting = [one for one, held in judged if held is Held.YES]
    maybe = [f"signal {_signal(one)} was not sent whole" for one, held in judged if held is Held.UNKNOWN]
    names = sorted({str(one.data.get("name")) for one in signals})
    if named:
        miss = f"{_wanted(leaf)}: seen with other data: {'; '.join(_signal(one) for one in named[:3])}"
    else:
        miss = f"no {_wanted(leaf)}; " + (
            f"signals seen: {', '.join(names[:_SHOWN])}" if names else "none was seen"
        )
    tally = Tally(
        channel="signal",
        expected=_wanted(leaf),
        fitting=[
            {"seq": one.seq, "name": one.data.get("name"), "data": one.data.get("data")} for one in fitting
        ],
        last_t_ms=max((one.t_ms for one in fitting), default=None),
        maybe=maybe,
        miss=miss,
        observed=[_signal(one) for one in (named or signals)[:_SHOWN]],
    )
    if leaf.count is not None:
        return exactly(leaf.count, tally, window, "signal.count")
    assertion = "signal.payload" if named and leaf.data_matches else "signal.absent"
    return at_least_one(tally, window, assertion, "signal.payload")


def evaluate_route(leaf: Route, window: Window, readings: Sequence[Reading]) -> Outcome:
    """
    Whether the page is at the address; open where it only came by it in the window.

    Without an address: whether it changed at all, by route or by a new document.
    """
    assertion = "route.pathname" if leaf.pathname else "route.contains" if leaf.contains else "route.changed"
    changes = events_after(window, leaf.since, EventType.ROUTE_CHANGE)
    places = [_place(event.data) for event in changes]
    wanted = _route_words(leaf)
    answer = answer_or_unknown(leaf, readings, assertion)
    for event, place in zip(changes, places, strict=True):
        if _fits_place(leaf, place):
            here = places[-1] if isinstance(answer, Outcome) else _place(answer)
            return _came_by(leaf, event, here, assertion)
    if isinstance(answer, Outcome):
        return answer
    here = _place(answer)
    seen = [_joined(place) for place in places]
    if leaf.pathname is None and leaf.contains is None:
        return _route_changed(window, wanted, seen, _joined(here))
    if _fits_place(leaf, here):
        evidence = ({"route": _joined(here), "decidedBy": "current-route"},)
        return Outcome(Held.YES, assertion, evidence, None, _joined(here), wanted)
    gap = unseen(window, "route")
    if gap is not None:
        why = f"the page is at {_joined(here)}; whether it came by another address: {gap.why}"
        return Outcome(Held.UNKNOWN, assertion, (), why, [*seen, _joined(here)], wanted)
    passed = f"; came by: {', '.join(seen[:_SHOWN])}" if seen else ""
    return Outcome(
        Held.NO, assertion, (), f"the page is at {_joined(here)}{passed}", [*seen, _joined(here)], wanted
    )


def _came_by(leaf: Route, event: PageEvent, here: tuple[str, str, str], assertion: str) -> Outcome:
    """
    Of an address at which the page was in the window: whether it is ``here`` now, as far as is known.
    """
    place = _joined(_place(event.data))
    evidence = ({"seq": event.seq, "route": place},)
    named = leaf.pathname is not None or leaf.contains is not None
    if named and not _fits_place(leaf, here):
        why = f"the page came by {place} and went on to {_joined(here)}: claim where it is to end"
        return Outcome(Held.UNKNOWN, assertion, evidence, why, _joined(here), _route_words(leaf))
    return Outcome(Held.YES, assertion, evidence, None, place, _route_words(leaf))


def fits_place_of(leaf: Route, answer: Mapping[str, object]) -> bool:
    """
    Whether the address of a ``route`` reading is the one the leaf names.
    """
    return _fits_place(leaf, _place(answer))


def evaluate_settled(leaf: Settled, window: Window) -> Outcome:
    """
    Whether the page is settled; one that is not yet, or never, is UNKNOWN, not an app's fault.

    Nor can it be told where something that ends quiet was lost: it may have been the last to come.
    """
    now = settle(window, leaf.quiet_ms)
    dropped = [loss for loss in lost(window, _STIRS) if loss.channel not in CHURN]
    if now.settled and dropped:
        why = f"whether the page is settled cannot be told: {describe(dropped)}"
        return Outcome(Held.UNKNOWN, "settled.quiet", (), why, expected=f"quiet for {leaf.quiet_ms} ms")
    if now.settled:
        notes: dict[str, object] = {"quietMs": now.quiet_for_ms}
        if now.ignored:
            notes["ignoredDevTooling"] = list(now.ignored[:_SHOWN])
        if now.pollers:
            notes["polling"] = list(now.pollers[:_SHOWN])
        return Outcome(Held.YES, "settled.quiet", (notes,), expected=f"quiet for {leaf.quiet_ms} ms")
    return Outcome(
        Held.UNKNOWN,
        "settled.in-flight" if now.open_requests else "settled.quiet",
        failure=f"the page is not settled: {now.what_keeps_it_busy()}",
        observed=[str(one) for one in now.open_requests[:_SHOWN]],
        expected=f"quiet for {leaf.quiet_ms} ms",
        retry_after_ms=now.retry_after_ms,
    )


def _route_changed(window: Window, wanted: str, seen: Sequence[str], here: str) -> Outcome:
    if window.new_document:
        evidence = ({"route": here, "decidedBy": "new-document"},)
        return Outcome(Held.YES, "route.changed", evidence, None, here, wanted)
    gap = unseen(window, "route")
    if gap is not None:
        return Outcome(Held.UNKNOWN, "route.changed", (), gap.why, list(seen), wanted)
    fresh = held_too_briefly(window, None)
    retry = fresh.retry_after_ms if fresh else None
    return Outcome(
        Held.NO, "route.changed", (), f"the page stayed at {here}", here, wanted, retry_after_ms=retry
    )


def _place(fields: Mapping[str, object]) -> tuple[str, str, str]:
    pathname = text_of(fields, "pathname")
    if pathname is None:
        parts = url_parts(text_of(fields, "to") or text_of(fields, "url") or "")
        query = f"?{parts.query}" if parts.query else ""
        return parts.path, query, f"#{parts.fragment}" if parts.fragment else ""
    return pathname, text_of(fields, "search") or "", text_of(fields, "hash") or ""


def _joined(place: tuple[str, str, str]) -> str:
    return "".join(place)


def _fits_place(leaf: Route, place: tuple[str, str, str]) -> bool:
    if leaf.pathname is not None and place[0] != leaf.pathname:
        return False
    return leaf.contains is None or is_whole_part(leaf.contains, _joined(place))


def _route_words(leaf: Route) -> str:
    if leaf.pathname is not None:
        return f"route {leaf.pathname}"
    return f'route with "{leaf.contains}"' if leaf.contains else "route change"


def _payload(leaf: Signal, event: PageEvent) -> Held:
    if not leaf.data_matches:
        return Held.YES
    data = event.data.get("data")
    if isinstance(data, str) and data in NOT_OBSERVED:
        return Held.UNKNOWN
    sent = mapping_of(data)
    return conjunction([fits(pattern, sent.get(key, UNSET)) for key, pattern in leaf.data_matches.items()])


def _wanted(leaf: Signal) -> str:
    named = f"signal {leaf.name!r}" if leaf.name else "signal"
    return named + (f" with {brief(literal(leaf.data_matches), 80)}" if leaf.data_matches else "")


def _signal(event: PageEvent) -> str:
    data = event.data.get("data")
    return str(event.data.get("name")) + (f" {brief(literal(data), 80)}" if data is not None else "")


def _entry(event: PageEvent) -> Mapping[str, object]:
    source = text_of(event.data, "source")
    entry: dict[str, object] = {"seq": event.seq, "level": level_of(event), "message": _message(event)}
    return {**entry, "source": source} if source else entry


def _message(event: PageEvent) -> str:
    return brief(text_of(event.data, "message") or "")
