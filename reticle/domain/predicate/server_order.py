"""
What is known of the order between what the page and what the server did.

A fact of a request came after the event with which the page sent it, and before the page had its answer where
the probe counted it before the answer's head. Facts of one request are counted in their order, and so are
requests of one process of which one was over before the other began. Clocks are not asked: page, server and
daemon have one each (``CLOCK_SLACK_MS``), and what is nearer than that would be a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from reticle.domain.facts import whole_of
from reticle.domain.served import Served
from reticle.model.server_facts import FactKind, ServerFact
from reticle.model.window import Window

UNTOLD_ORDER: Final = "whether {words} came before or after part {number} cannot be told"


@attrs.frozen
class Moment:
    """
    When something happened, as far as it is known.

    Events of the page behind cursor ``after`` came after it (None: of none is it known), those up to cursor
    ``since`` before it or with it. ``request`` and ``number`` are of a fact: its request, and its place in
    the process's own count; ``began`` and ``ended`` those of its request's start and end.
    """

    since: int
    after: int | None
    process: str | None = None
    request: str | None = None
    number: int = 0
    began: int | None = None
    ended: int | None = None

    @classmethod
    def of_event(cls, seq: int) -> Moment:
        """
        Of an event of the page.
        """
        return cls(seq, seq)

    @classmethod
    def of_fact(cls, fact: ServerFact, served: Served, window: Window) -> Moment:
        """
        Of what the server did for a request of the action.
        """
        page = served.page
        sent = page.begun.seq if page is not None and page.begun is not None else window.since
        answer = page.ended if page is not None else None
        starts = served.of(FactKind.REQUEST_STARTED)
        ends = (*served.of(FactKind.REQUEST_HANDLED), *served.of(FactKind.REQUEST_ABORTED))
        if len(starts) != 1 or len(ends) != 1 or {starts[0].process, ends[0].process} != {fact.process}:
            return cls(int(sent), None)
        head = whole_of(ends[0].data, "head")
        if head is None or not starts[0].seq <= head < ends[0].seq:
            return cls(int(sent), None)
        number = head + 1 if fact == ends[0] else fact.seq
        after = answer.seq - 1 if answer is not None and (fact.seq <= head or fact == ends[0]) else None
        return cls(int(sent), after, fact.process, fact.rid, number, starts[0].seq, ends[0].seq)

    def is_before(self, other: Moment) -> bool:
        """
        Whether it is certain that this came before the other.
        """
        if self.after is not None and self.after < other.since:
            return True
        if self.process is None or self.process != other.process:
            return False
        if self.request == other.request:
            return self.number < other.number
        is_over = self.ended is not None and self.number <= self.ended
        return is_over and other.began is not None and self.ended < other.began  # type: ignore[operator]  # not None

    def may_be_before(self, other: Moment) -> bool:
        """
        Whether it is not certain that the other came first, or that they are one.
        """
        is_itself = self == other and self.process is not None
        return not other.is_before(self) and not is_itself


@attrs.frozen
class Place:
    """
    How far a sequence has come: the moments at which its last part is known to have happened, and those at
    which it may have. Both are empty before the first part.
    """

    certain: Sequence[Moment] = ()
    possible: Sequence[Moment] = ()
    number: int = 0

    @classmethod
    def of_events(cls, certain: int, possible: int, number: int) -> Place:
        """
        Behind a part that the page told.
        """
        return cls((Moment.of_event(certain),), (Moment.of_event(possible),), number)

    def certain_cursor(self, start: int) -> int | None:
        """
        Events of the page behind it came after the last part; None where that is known of none.
        """
        if not self.number:
            return start
        known = [one.after for one in self.certain if one.after is not None]
        return max(start, min(known)) if known else None

    def possible_cursor(self, start: int) -> int:
        """
        Events of the page up to it did not come after the last part.
        """
        return max(start, min((one.since for one in self.possible), default=start))

    def is_followed(self, moment: Moment) -> bool:
        """
        Whether it is certain that a moment is behind the last part.
        """
        return not self.number or any(one.is_before(moment) for one in self.certain)

    def may_be_followed(self, moment: Moment) -> bool:
        """
        Whether it is possible.
        """
        return not self.number or any(one.may_be_before(moment) for one in self.possible)


def behind(place: Place, moments: Iterable[Moment]) -> tuple[tuple[Moment, ...], tuple[Moment, ...]]:
    """
    Of some moments those that are certainly behind a place, and those that may be.
    """
    given = tuple(moments)
    return (
        tuple(one for one in given if place.is_followed(one)),
        tuple(one for one in given if place.may_be_followed(one)),
    )
