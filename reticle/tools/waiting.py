"""
One wait over one page: look, judge, and look again when something changed, until it is decided.

Every look makes a whole ``Window``, so that what is judged last is also all that the verdict rests on.
A page that is away (a form post replaces its document) is waited for; it is never asked to act again.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from reticle.domain.control import further_control, needs_past
from reticle.domain.foreseen import lacks_only_time, names_a_time, nothing_comes_in
from reticle.domain.invariants import asked_of_page
from reticle.domain.ladder import decide
from reticle.domain.predicate import Predicate, declared, evaluate
from reticle.domain.predicate.canonical import as_json
from reticle.domain.requests import Request, requests
from reticle.domain.served import awaited
from reticle.domain.tooling import is_telemetry
from reticle.model.codes import Verified
from reticle.model.ids import Cursor, DocumentId
from reticle.model.limits import (
    AWAY_SECONDS,
    CONTROL_EVENTS,
    LAST_ANSWER_MS,
    POLL_MS,
    REACTION_GRACE_MS,
    READ_GAP_MS,
)
from reticle.model.page import PageEvent
from reticle.model.verdict import Held, Outcome
from reticle.model.window import ActionRecord, Invariant, Question, Reading, Scrutiny, Window
from reticle.ports import Clock, Detection, Page, Progress
from reticle.tools.fields import cut
from reticle.tools.rest import Patience, Rest, open_requests, went_by_itself

PROGRESS_SECONDS = 1.0
"""How often a wait tells its client that it goes on."""

PROGRESS_CHARS = 200
"""What one report says of the state of the wait."""

SLIVER_SECONDS = 0.001
"""Less time than this is none: timers are no finer."""

_EVERYBODY = Scrutiny()

_MOVES = ("dom.", "visible.", "route.", "state.", "signal")
"""How the events begin by which a page shows that it reacted."""


@attrs.frozen
class Sight:
    """
    One look: the whole window so far, and what the claim is worth over it.
    """

    window: Window
    outcome: Outcome


@attrs.define
class Watch:
    """
    A wait.

    Args:
        page: What is looked at.
        clock: Whose time the budget is in; it starts when the watch is made.
        predicate: What is waited for.
        since: The cursor that the window starts at.
        budget_seconds: How long it may take; 0 looks once.
        progress: Who is told that it goes on.
        before: Readings taken before the action.
        action: The action whose consequence it is.
        first_document: The document that the call began with, where the call itself did not act.
        detection: Which detectors look; None where no verdict comes of it.
        waits_for_quiet: Whether a claim that holds is watched on, until the window's requests have ended and
            the page is quiet and has done what it had scheduled (``reticle.tools.rest``).
        invariants: What must hold besides; the action is judged by it too.
    """

    page: Page
    clock: Clock
    predicate: Predicate
    since: Cursor
    budget_seconds: float
    progress: Progress
    before: Sequence[Reading] = ()
    action: ActionRecord | None = None
    first_document: DocumentId | None = None
    waits_for_quiet: bool = True
    invariants: Sequence[Invariant] = ()
    detection: Detection | None = None
    _questions: Sequence[Question] = attrs.field(init=False)
    _control: Sequence[PageEvent] = attrs.field(init=False, default=())
    _started: float = attrs.field(init=False)
    _away_since: float | None = attrs.field(init=False, default=None)
    _looked: float = attrs.field(init=False, default=0.0)
    _reported: float = attrs.field(init=False)
    _rest: Rest | None = attrs.field(init=False, default=None)
    _rested: Sight | None = attrs.field(init=False, default=None)
    _tells_pending: bool = attrs.field(init=False, default=True)
    _calm_in_ms: int | None = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._questions = asked_of_page(self.predicate, self.invariants)
        self._started = self._reported = self.clock.monotonic()

    async def look(self) -> Sight:
        """
        Ask the page what only it can tell, and judge the claim over all that was seen.
        """
        self._looked = self.clock.monotonic()
        rest_ms = self._rest_ms()
        after = await self.page.read(self._questions, rest_ms=rest_ms) if self._questions else ()
        sight = self._seen(after)
        if self._wants_pending(sight):
            await self.page.read((), rest_ms=rest_ms)
            sight = self._seen(after)
            self._tells_pending = sight.window.pending is not None
        return sight

    async def decided(self) -> Sight:
        """
        Look until nothing more can change the answer, or the budget is spent.
        """
        if self.action is not None:
            self._control = self._past()
        while True:
            sight = await self.look()
            expired = self._expired(sight)
            if self._is_enough(sight, holds=expired or sight.outcome.held is Held.YES):
                return self._at_rest(sight) if expired else await self._last_answers(sight)
            self._report(sight)
            await self._pause(sight)

    async def reaction(self, sight: Sight) -> Sight:
        """
        After a write that succeeded and moved nothing yet: give the page a moment to show it.
        """
        deadline = self.clock.monotonic() + REACTION_GRACE_MS / 1000
        while _wrote_without_a_trace(sight.window):
            left = deadline - self.clock.monotonic()
            if left < SLIVER_SECONDS or not self.page.health().connected:
                break
            await self.page.changed(sight.window.until, min(left, POLL_MS / 1000))
            sight = await self.look()
        return sight

    async def _last_answers(self, sight: Sight) -> Sight:
        """
        A claim that holds when the budget is spent, beside a request that has only just begun: give it the
        moment that most answers take. A page that polls by POST has one under way at any time.
        """
        deadline = self.clock.monotonic() + LAST_ANSWER_MS / 1000
        while sight.outcome.held is Held.YES and sight.window.budget_spent and _may_yet_tell(sight.window):
            left = deadline - self.clock.monotonic()
            if left < SLIVER_SECONDS or not self.page.health().connected:
                break
            await self.page.changed(sight.window.until, min(left, POLL_MS / 1000))
            sight = await self.look()
        return sight

    def _seen(self, after: Sequence[Reading]) -> Sight:
        window = attrs.evolve(
            self.page.window(self.since),
            before=self.before,
            after=after,
            action=self.action,
            invariants=self.invariants,
            control=self._control,
            budget_spent=self._left() <= 0,
            scrutiny=_EVERYBODY if self.detection is None else self.detection.scrutiny,
        )
        outcome = evaluate(self.predicate, window)
        lost = self._observer_left(window, outcome)
        if lost is not window.connection_lost:
            window = attrs.evolve(window, connection_lost=lost)
            outcome = evaluate(self.predicate, window)
        return Sight(window, outcome)

    @property
    def _watches_on(self) -> bool:
        """
        Whether a claim that holds is not enough by itself.
        """
        return self.waits_for_quiet and declared(self.predicate)

    def _wants_pending(self, sight: Sight) -> bool:
        """
        Whether the page has to be asked for its scheduled work alone: readings bring it along.
        """
        asks = self._tells_pending and not self._questions and self._watches_on
        ripens = sight.outcome.held is Held.UNKNOWN and sight.outcome.retry_after_ms is not None
        return asks and (sight.outcome.held is Held.YES or ripens) and self.page.health().connected

    def _is_enough(self, sight: Sight, *, holds: bool) -> bool:
        if sight.window.budget_spent or self._away_too_long():
            return True
        if awaited(sight.window):  # what the server did with it may speak against it
            return False
        if self._rest is None:
            self._rest = Rest(self.clock, acted=self.action is not None)
        # a count that was reached is held while the page comes to rest, not after it
        ripens = not holds and lacks_only_time(self.predicate, sight.window, sight.outcome)
        if holds or (ripens and self._watches_on):
            if not self._watches_on:
                return True
            patience = self._rest.judge(sight.window, self._left())
            if self._is_foreseen(sight, ripens=ripens):
                return True
            if patience is Patience.FOR_KNOWN_WORK and sight.outcome.held is Held.YES:
                self._rested = sight
            return holds and patience is Patience.ENOUGH
        self._rest.broken()
        return sight.outcome.held is Held.NO and sight.outcome.final

    def _past(self) -> Sequence[PageEvent]:
        """
        What came before the action of what is claimed, as far as windows do not tell it anyway.
        """
        if not needs_past(self.predicate):
            return ()
        begin = Cursor(max(self.since - CONTROL_EVENTS, 0))
        return further_control(self.page.events(begin, self.since))

    def _rest_ms(self) -> int:
        """
        How long the page may take to come to rest before it is read: where nothing is left to come, the first
        look may then be the last one. What happens meanwhile is in that look.
        """
        if self.action is None or not self._watches_on or names_a_time(self.predicate):
            return 0
        return min(POLL_MS, round(self._left() * 1000))

    def _is_foreseen(self, sight: Sight, *, ripens: bool) -> bool:
        """
        Whether nothing is left to come that could speak against a claim that holds; it must be a ``yes``, for
        a doubt may yet be cleared up.
        """
        self._calm_in_ms = None
        if (ripens or sight.outcome.held is Held.YES) and self.action is not None:
            self._calm_in_ms = nothing_comes_in(self.predicate, sight.window)
        if self._calm_in_ms != 0:
            return False
        self._calm_in_ms = None
        if ripens:
            return False
        window = sight.window
        if self.detection is not None:
            window = self.detection.consult(window, as_json(self.predicate))
        return decide(self.predicate, window, outcome=sight.outcome).verified is Verified.YES

    def _expired(self, sight: Sight) -> bool:
        """
        Whether what was claimed only went by itself while scheduled work was waited for, as a toast does.
        """
        if self._rested is None or sight.outcome.held is Held.YES:
            return False
        return went_by_itself(self._rested.window, sight.window)

    def _at_rest(self, sight: Sight) -> Sight:
        """
        The last sight of the claim at rest, with what is still scheduled now; what it claimed is gone.
        """
        rested = sight if self._rested is None else self._rested
        window = attrs.evolve(rested.window, pending=sight.window.pending, expired=True)
        return attrs.evolve(rested, window=window)

    def _left(self) -> float:
        left = self._started + self.budget_seconds - self.clock.monotonic()
        return left if left >= SLIVER_SECONDS else 0.0

    def _away_too_long(self) -> bool:
        health = self.page.health()
        if health.connected or health.gone:
            self._away_since = None
            return health.gone
        if self._away_since is None:
            self._away_since = self.clock.monotonic()
        return self.clock.monotonic() - self._away_since >= AWAY_SECONDS

    def _observer_left(self, window: Window, outcome: Outcome) -> bool:
        """
        Whether the window's evidence ends because nobody looked any more (VD-01).

        A page that is away now was lost. One that came back with what was claimed was not. One that came
        back without it was lost too, unless this call's own action can have brought the new document: a
        reload by someone else is no fault of the app.
        """
        if not self.page.health().connected:
            return True
        if self.action is not None or outcome.held is Held.YES:
            return False
        return self.first_document is not None and window.document_id != self.first_document

    def _report(self, sight: Sight) -> None:
        now = self.clock.monotonic()
        if now - self._reported >= PROGRESS_SECONDS:
            self._reported = now
            message = sight.outcome.failure or "it holds; waiting for the page to come to rest"
            self.progress(now - self._started, self.budget_seconds, cut(message, PROGRESS_CHARS))

    async def _pause(self, sight: Sight) -> None:
        """
        Until something changed, at most ``POLL_MS``, at least ``READ_GAP_MS`` after the last look; only the
        look that may be the last one comes when it is due.
        """
        calm_in_ms, self._calm_in_ms = self._calm_in_ms, None
        seconds = min(POLL_MS / 1000, self._left())
        if sight.outcome.retry_after_ms is not None:
            seconds = min(seconds, max(sight.outcome.retry_after_ms, 1) / 1000)
        if calm_in_ms is not None:
            seconds = min(seconds, (calm_in_ms + 1) / 1000)
        if self.page.health().connected:
            changed = await self.page.changed(sight.window.until, seconds)
            if calm_in_ms is not None and not changed:
                return
        else:
            await self.clock.sleep(seconds)
        gap = min(self._looked + READ_GAP_MS / 1000 - self.clock.monotonic(), self._left())
        if gap >= SLIVER_SECONDS:
            await self.clock.sleep(gap)


def _wrote_without_a_trace(window: Window) -> bool:
    wrote = any(
        one.mutating and one.ok and not one.before and not is_telemetry(one.url) and _is_fresh(one, window)
        for one in requests(window)
    )
    moved = any(event.type.startswith(_MOVES) for event in window.events)
    return wrote and not moved and not window.new_document


def _may_yet_tell(window: Window) -> bool:
    return bool(awaited(window)) or any(
        window.closed_t_ms - one.t_ms < LAST_ANSWER_MS for one in open_requests(window)
    )


def _is_fresh(one: Request, window: Window) -> bool:
    return one.ended is not None and window.closed_t_ms - one.ended.t_ms < REACTION_GRACE_MS
