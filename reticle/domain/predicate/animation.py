"""
The ``animation`` leaf: a CSS animation, a transition or a script's animation began, or ran to its end.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.domain.facts import flag_of, text_of
from reticle.domain.predicate.counting import Tally, at_least_one
from reticle.domain.predicate.kinds import Animation
from reticle.domain.predicate.watching import events_after
from reticle.domain.throttling import throttled
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Outcome
from reticle.model.window import Window

_SHOWN = 8


def evaluate_animation(leaf: Animation, window: Window) -> Outcome:
    """
    Whether such an animation was seen; in a tab that nobody sees none runs, so its lack proves nothing.
    """
    seen = events_after(window, leaf.since, "anim")
    named = [event for event in seen if _is_named(leaf, event)]
    fitting = [event for event in named if _fits(leaf, event)]
    slowed = throttled(window)
    tally = Tally(
        channel="anim",
        expected=_wanted(leaf),
        fitting=[_evidence(event) for event in fitting],
        last_t_ms=None,
        maybe=() if slowed is None else (f"{_miss(leaf, named, seen)}, and {slowed}",),
        miss=_miss(leaf, named, seen),
        observed=[_words(event) for event in (named or seen)[:_SHOWN]],
    )
    return at_least_one(tally, window, "animation.present", "animation.present")


def _is_named(leaf: Animation, event: PageEvent) -> bool:
    if leaf.name is not None and event.data.get("name") != leaf.name:
        return False
    return leaf.target is None or event.ref == leaf.target


def _fits(leaf: Animation, event: PageEvent) -> bool:
    """
    Whether it is the beginning, or the end that is no cancellation, that was asked for.
    """
    if not leaf.completed:
        return event.type == EventType.ANIM_START
    return event.type == EventType.ANIM_END and not flag_of(event.data, "cancelled")


def _wanted(leaf: Animation) -> str:
    named = f"animation {leaf.name!r}" if leaf.name else "an animation"
    on = f" on {leaf.target}" if leaf.target else ""
    return f"{named}{on} {'that ran to its end' if leaf.completed else 'that began'}"


def _miss(leaf: Animation, named: list[PageEvent], seen: tuple[PageEvent, ...]) -> str:
    if named:
        return f"no {_wanted(leaf)}; but {'; '.join(_words(event) for event in named[:3])}"
    if seen:
        return f"no {_wanted(leaf)}; seen: {'; '.join(dict.fromkeys(map(_words, seen[:_SHOWN])))}"
    return f"no {_wanted(leaf)}; none was seen"


def _words(event: PageEvent) -> str:
    end = "was cancelled" if flag_of(event.data, "cancelled") else "ended"
    on = f" on {event.ref}" if event.ref else ""
    happened = "began" if event.type == EventType.ANIM_START else end
    return f"{text_of(event.data, 'name') or '?'}{on} {happened}"


def _evidence(event: PageEvent) -> Mapping[str, object]:
    return {"seq": event.seq, "animation": _words(event), "ref": event.ref}
