"""
One page as somebody sees it who may look at some repositories only: provides ``ports.Page``.

A page can be led from one repository's app to another's and keeps its name and its recording. What it
reported as an app that is none of the caller's is not there for the caller, before, between or after: events
are left out and counted as lost, so that no verdict passes over them, and while the page shows such an app it
is gone (DESIGN §5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs
from twisted.internet.defer import Deferred, succeed

from reticle.dispatch.permitted_steering import PermittedSteering
from reticle.errors import Refusal
from reticle.model.codes import CommandName, RefusalCode
from reticle.model.ids import ActionId, Cursor
from reticle.model.page import (
    App,
    Attachment,
    BufferFill,
    Loss,
    PageEvent,
    PageHealth,
    PageIdentity,
)
from reticle.model.runs import Position
from reticle.model.server_facts import ServerSight
from reticle.model.window import Question, Reading, Window
from reticle.ports import Page
from reticle.ports.pages import Whose

ANY_CHANNEL: Final = "*"
REPOSITORY: Final = "repository"
"""The value of ``Loss.where`` for what belongs to another repository."""

_ELSEWHERE: Final = "Page {page_id} shows an app of another repository now, which this token has no right to."
_RECOVERY: Final = "Call reticle_sessions for the pages that there are; an operator can lead this one back."


class PermittedPage:
    """
    A page that shows an app of the caller's when this is made.

    Args:
        page: The page.
        may_see: Which apps are the caller's.
    """

    def __init__(self, page: Page, may_see: Whose) -> None:
        self._page = page
        self._may_see = may_see
        self._known = page.identity

    @property
    def identity(self) -> PageIdentity:
        """
        See ``ports.Page``; the last that was the caller's.
        """
        if self._is_there:
            self._known = self._page.identity
        return self._known

    def take_skew(self) -> bool:
        """
        See ``ports.Page``.
        """
        return self._is_there and self._page.take_skew()

    def health(self) -> PageHealth:
        """
        See ``ports.Page``.
        """
        health = self._page.health()
        if self._is_there:
            return health
        return PageHealth(health.silent_seconds, hidden=False, focused=False, connected=False)

    @property
    def steering(self) -> PermittedSteering:
        """
        See ``ports.Page``.
        """
        return PermittedSteering(self._page.steering, self._may_see, is_there=self._is_there)

    def buffer(self) -> BufferFill:
        """
        See ``ports.Page``.
        """
        return self._page.buffer()

    def attachment(self) -> Attachment:
        """
        See ``ports.Page``.
        """
        return self._page.attachment()

    def cursor(self) -> Cursor:
        """
        See ``ports.Page``.
        """
        return self._page.cursor()

    def elapsed_ms(self) -> int:
        """
        See ``ports.Page``.
        """
        return self._page.elapsed_ms()

    def document_ms(self) -> int:
        """
        See ``ports.Page``.
        """
        return self._page.document_ms()

    def last_action_cursor(self) -> Cursor:
        """
        See ``ports.Page``; not before the page showed the app that it shows: what others did is not there.
        """
        acted_at = self._page.last_action_cursor()
        began, app = self._page.apps(self._page.cursor())[0]
        return max(acted_at, began) if self._may_see(app) else acted_at

    def events(self, since: Cursor, until: Cursor | None = None) -> Sequence[PageEvent]:
        """
        See ``ports.Page``.
        """
        return self._own(self._page.events(since, until))

    def apps(self, since: Cursor, until: Cursor | None = None) -> Sequence[tuple[Cursor, App | None]]:
        """
        See ``ports.Page``; None for another's.
        """
        shown = self._page.apps(since, until)
        return [(at, app if self._may_see(app) else None) for at, app in shown]

    def window(self, since: Cursor, until: Cursor | None = None) -> Window:
        """
        See ``ports.Page``. What is not an event is told of the last stretch alone, as long as the page showed
        the caller's apps.
        """
        whole = self._page.window(since, until)
        events = self._own(whole.events)
        shown = [(at, self._may_see(app)) for at, app in self._page.apps(since, whole.until)]
        others = [place for place, (_, ours) in enumerate(shown) if not ours]
        hidden = len(whole.events) - len(events)
        last = whole
        if others and others[-1] + 1 < len(shown):
            last = self._page.window(shown[others[-1] + 1][0], until)
        kept = attrs.evolve(
            last,
            page=self.identity,
            since=since,
            opened_t_ms=whole.opened_t_ms,
            events=events,
            losses=self._losses(last, since, 0 if others else shown[0][0]),
            new_document=whole.new_document,
            open_requests_before=self._own(whole.open_requests_before),
            answers_before=self._own(whole.answers_before),
            changes_before=self._own(whole.changes_before),
            server=_behind(last.server, events),
        )
        if hidden or others:
            lost = Loss(since, ANY_CHANNEL, max(hidden, 1), REPOSITORY)
            kept = attrs.evolve(kept, losses=[*kept.losses, lost])
        return kept if shown[-1][1] else _gone(kept)

    def placed(self, window: Window, wait_seconds: float) -> Deferred[Window]:
        """
        See ``ports.Page``.
        """
        return Deferred.fromCoroutine(self._placed(window, wait_seconds))

    def texts(self, addresses: Sequence[str]) -> Deferred[Sequence[str]]:
        """
        See ``ports.Page``; none while the page shows another's app.
        """
        return Deferred.fromCoroutine(self._texts(addresses))

    def located(self, positions: Sequence[Position], wait_seconds: float) -> Deferred[Sequence[str | None]]:
        """
        See ``ports.Page``; nothing while the page shows another's app.
        """
        return Deferred.fromCoroutine(self._located(positions, wait_seconds))

    def ask(
        self, command: CommandName, args: Mapping[str, object], *, timeout_seconds: float | None = None
    ) -> Deferred[object]:
        """
        See ``ports.Page``; ``session_gone`` also while the page shows another's app. One that came to do so
        before the answer says ``may_have_happened``.
        """
        return Deferred.fromCoroutine(self._ask(command, args, timeout_seconds))

    def read(self, questions: Sequence[Question], *, rest_ms: int = 0) -> Deferred[Sequence[Reading]]:
        """
        See ``ports.Page``.
        """
        return Deferred.fromCoroutine(self._read(questions, rest_ms))

    def changed(self, since: Cursor, timeout_seconds: float) -> Deferred[bool]:
        """
        See ``ports.Page``; ready at once while the page shows another's app, as of one that is gone.
        """
        if not self._is_there:
            return succeed(True)
        return Deferred.fromCoroutine(self._changed(since, timeout_seconds))

    def begin_action(self) -> ActionId:
        """
        See ``ports.Page``.

        Raises:
            Refusal: ``session_gone``, while the page shows another's app.
        """
        self._refuse_elsewhere()
        return self._page.begin_action()

    def end_action(self, action_id: ActionId) -> None:
        """
        See ``ports.Page``.
        """
        self._page.end_action(action_id)

    # --- inside ------------------------------------------------------------------------------

    @property
    def _is_there(self) -> bool:
        return self._may_see(self._page.identity.app)

    def _own(self, events: Sequence[PageEvent]) -> Sequence[PageEvent]:
        return [event for event in events if self._may_see(event.app)]

    @staticmethod
    def _losses(window: Window, since: Cursor, began: int) -> Sequence[Loss]:
        """
        What was lost at the very cursor where another app may have ended may be that one's: not of which kind
        it was is told then.
        """
        border = max(window.since, began)
        unsure = border > 0 and (window.since > since or began >= since)
        return [
            Loss(max(loss.since, since), ANY_CHANNEL, loss.dropped, loss.where)
            if unsure and loss.since <= border
            else loss
            for loss in window.losses
        ]

    async def _ask(
        self, command: CommandName, args: Mapping[str, object], timeout_seconds: float | None
    ) -> object:
        self._refuse_elsewhere()
        try:
            answer = await self._page.ask(command, args, timeout_seconds=timeout_seconds)
        except Refusal:
            self._refuse_elsewhere(asked=True)
            raise
        self._refuse_elsewhere(asked=True)
        return answer

    async def _placed(self, window: Window, wait_seconds: float) -> Window:
        return await self._page.placed(window, wait_seconds)

    async def _texts(self, addresses: Sequence[str]) -> Sequence[str]:
        return await self._page.texts(addresses) if self._is_there else ()

    async def _located(self, positions: Sequence[Position], wait_seconds: float) -> Sequence[str | None]:
        if not self._is_there:
            return [None] * len(positions)
        return await self._page.located(positions, wait_seconds)

    async def _read(self, questions: Sequence[Question], rest_ms: int) -> Sequence[Reading]:
        readings = await self._page.read(questions, rest_ms=rest_ms) if self._is_there else ()
        if self._is_there:
            return readings
        at, t_ms = self.cursor(), self.elapsed_ms()
        return [Reading(question, at, t_ms, error=self._elsewhere) for question in questions]

    async def _changed(self, since: Cursor, timeout_seconds: float) -> bool:
        return await self._page.changed(since, timeout_seconds)

    @property
    def _elsewhere(self) -> str:
        return _ELSEWHERE.format(page_id=self._known.page_id)

    def _refuse_elsewhere(self, *, asked: bool = False) -> None:
        """
        Raises:
            Refusal: ``session_gone``; a retry makes sense once the page was led back.
        """
        if not self._is_there:
            details: dict[str, object] = {"may_have_happened": True} if asked else {}
            raise Refusal(RefusalCode.SESSION_GONE, self._elsewhere, _RECOVERY, details)


def _behind(server: ServerSight, events: Sequence[PageEvent]) -> ServerSight:
    """
    Only what was told of requests that the caller sees: all else may be of other repositories' servers.
    """
    rids = {event.data.get("rid") for event in events} - {None}
    facts = tuple(fact for fact in server.facts if fact.rid is not None and fact.rid in rids)
    names = {fact.process for fact in facts}
    return ServerSight(tuple(probe for probe in server.probes if probe.process in names), facts)


def _gone(window: Window) -> Window:
    """
    A window that ended when the page came to show another's app.
    """
    return attrs.evolve(
        window,
        losses=[loss for loss in window.losses if loss.where == REPOSITORY],
        blind_spots={},
        connection_lost=True,
        server=ServerSight(),
        document_id=None,
        pending=None,
        hidden=False,
        silent_ms=0,
    )
