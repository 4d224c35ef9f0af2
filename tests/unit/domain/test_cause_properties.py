"""
Laws of windows whose page follows what happens to its cause: nothing that is lost of it makes a pass, and no
claim is proved by another's doing.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.ladder import decide
from reticle.domain.own_traffic import polls_of
from reticle.domain.predicate import evaluate, parse
from reticle.domain.predicate.kinds import Settled, leaves
from reticle.domain.settle import settle
from reticle.model.codes import Verified
from reticle.model.page import PageEvent
from reticle.model.window import Window
from reticle.testing.windows import without
from tests.unit.domain.test_verdict_properties import LEAVES, lost_by_channel, predicates, windows

CAUSES = st.lists(st.sampled_from([None, "a1", "load"]), min_size=1, max_size=8)
HAPPENINGS = [
    leaf for leaf in LEAVES if leaf.get("kind") in ("net", "signal", "console", "storage", "stream")
]
TOLD = ("events", "answers_before", "changes_before", "open_requests_before")


@st.composite
def followed(draw: st.DrawFn) -> Window:
    """
    A window whose page follows some of what it tells to the action, and some to its loading: an answer to
    what its request has, and nothing of before to the action.
    """
    window, causes = draw(windows()), draw(CAUSES)

    def cause_of(event: PageEvent) -> str | None:
        thing = repr([event.type[:4], event.data.get("id") or event.seq]).encode()
        return causes[zlib.crc32(thing) % len(causes)]

    def caused(name: str) -> tuple[PageEvent, ...]:
        found = [(event, cause_of(event)) for event in getattr(window, name)]
        before = name != "events"
        return tuple(
            attrs.evolve(event, cause=None if before and why == "a1" else why) for event, why in found
        )

    events: dict[str, Any] = {name: caused(name) for name in TOLD}
    return attrs.evolve(window, **events)


def untold(window: Window, *causes: str) -> Window:
    """
    The window without these causes.
    """

    def dropped(events: Sequence[PageEvent]) -> tuple[PageEvent, ...]:
        return tuple(attrs.evolve(event, cause=None) if event.cause in causes else event for event in events)

    events: dict[str, Any] = {name: dropped(getattr(window, name)) for name in TOLD}
    return attrs.evolve(window, **events)


@given(followed(), predicates, st.data())
def test_losing_evidence_never_turns_a_verdict_into_yes(
    window: Window, value: object, data: st.DataObject
) -> None:
    """
    As where nothing is followed: whatever events are lost, with the loss declared, make no pass.
    """
    predicate = parse(value)
    before = decide(predicate, window)
    seqs = [event.seq for event in window.events]
    gone = data.draw(st.sets(st.sampled_from(seqs))) if seqs else set()
    lossy = without(window, sorted(gone)) if data.draw(st.booleans()) else lost_by_channel(window, gone)
    after = decide(predicate, lossy)
    if before.verified is not Verified.YES:
        assert after.verified is not Verified.YES, (before.reason, gone)
    assert after.honesty.grade <= before.honesty.grade


@given(followed(), predicates, st.data())
def test_replies_that_come_later_or_never_make_no_pass(
    window: Window, value: object, data: st.DataObject
) -> None:
    """
    Whoever's request it is that is not answered.
    """
    predicate = parse(value)
    replies = [event for event in window.events if event.type == "net.request"]
    chosen = data.draw(st.sets(st.sampled_from([one.seq for one in replies]))) if replies else set()
    events = tuple(event for event in window.events if event.seq not in chosen)
    if decide(predicate, window).verified is not Verified.YES:
        assert decide(predicate, attrs.evolve(window, events=events)).verified is not Verified.YES


@given(followed(), predicates)
def test_a_cause_that_is_not_told_makes_no_pass(window: Window, value: object) -> None:
    """
    What was followed to the action is at best judged by time without that. Only what keeps a poll's pace is
    then a poll's, and no fault.
    """
    predicate = parse(value)
    by_time = untold(window, "a1")
    paced = polls_of(by_time) or settle(by_time).pollers
    if decide(predicate, window).verified is not Verified.YES and not paced:
        assert decide(predicate, by_time).verified is not Verified.YES


@given(followed(), predicates)
def test_whose_doing_it_is_says_nothing_of_whether_it_happened(window: Window, value: object) -> None:
    """
    Causes change how no part of a claim comes out, but for what keeps the page busy.
    """
    predicate = parse(value)
    if not any(isinstance(leaf, Settled) for leaf in leaves(predicate)):
        by_time = evaluate(predicate, untold(window, "a1", "load"))
        assert evaluate(predicate, window).held is by_time.held


@given(followed(), st.sampled_from(HAPPENINGS))
def test_what_is_known_to_be_anothers_proves_nothing(window: Window, value: object) -> None:
    """
    A claim that only another's doing shows is no pass.
    """
    decision = decide(parse(value), window)
    assert decision.verified is not Verified.YES or decision.honesty.attributed != "other"
