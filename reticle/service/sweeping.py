"""
Looks for claims whose time is over, once a minute, and gives their packets to the next ones.

Whoever asks for work looks too (``domain.work.claim``); this is for runs in which nobody asks. A fault of one
run is logged and stops neither the others nor the next look.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import LoopingCall
from twisted.logger import Logger
from twisted.python.failure import Failure

from reticle.model.audit import DAEMON, own_act
from reticle.model.ids import RunId
from reticle.model.work_limits import RESTART_GRACE_SECONDS, SWEEP_SECONDS
from reticle.ports import WorkBook, WorkStore


class Sweeper:
    """
    Args:
        work: The runs.
        leads: Whether this daemon is the one that sweeps now; of several on one database one does.
        alone: Whether no other daemon can have been at work while this one was away, so that the time of its
            absence costs no one a claim.
        now: Seconds since the epoch.
        clock: When it looks.
        random: That many unguessable bytes.
    """

    _log = Logger()

    def __init__(
        self,
        work: WorkStore,
        *,
        leads: Callable[[], Awaitable[bool]],
        alone: bool,
        now: Callable[[], float],
        clock: IReactorTime,
        random: Callable[[int], bytes],
    ) -> None:
        self._work = work
        self._leads = leads
        self._alone = alone
        self._now = now
        self._random = random
        self._looking = LoopingCall(self._look)
        self._looking.clock = clock

    def start(self) -> None:
        """
        Begin, once the store is open.
        """
        looking = self._looking.start(SWEEP_SECONDS, now=False)
        looking.addErrback(lambda failure: self._log.failure("lapsed claims are looked for no more", failure))
        if self._alone:
            graced = Deferred.fromCoroutine(self._grace())
            graced.addErrback(lambda failure: self._failed("a lease was given no grace", failure))

    def stop(self) -> None:
        """
        Look no more. May be called twice, and before ``start``.
        """
        if self._looking.running:
            self._looking.stop()

    def _look(self) -> Deferred[int | None]:
        looked = Deferred.fromCoroutine(self.sweep())
        return looked.addErrback(lambda failure: self._failed("lapsed claims were not looked for", failure))

    async def sweep(self) -> int:
        """
        One look; how many runs lost a claim.
        """
        if not await self._leads():
            return 0
        swept = 0
        for run_id in await self._work.lapsed_runs(round(self._now() * 1_000_000)):
            try:
                await self._sweep(run_id)
            except Exception:  # noqa: BLE001 - the next run is another matter
                self._log.failure("lapsed claims of {run} were not taken back", run=run_id)
            else:
                swept += 1
        return swept

    async def _sweep(self, run_id: RunId) -> None:
        from reticle.domain.work.queue import Moment  # noqa: PLC0415 - not before the port is open
        from reticle.domain.work.recovery import sweep_run  # noqa: PLC0415 - as above

        moment = Moment(
            round(self._now() * 1_000_000), DAEMON, lambda prefix: f"{prefix}{self._random(16).hex()}"
        )

        def rule(book: WorkBook) -> object:
            return sweep_run(book, run_id, moment)

        await self._work.change(rule, own_act("recovery.requeue_stale"), lambda _: None)

    async def _grace(self) -> None:
        await self._work.grant_grace(round((self._now() + RESTART_GRACE_SECONDS) * 1_000_000))

    def _failed(self, what: str, failure: Failure) -> None:
        self._log.warn("{what}: {fault}", what=what, fault=failure.value)
