"""
Lapsed claims are taken back, whatever else goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from twisted.internet.defer import Deferred, succeed

from reticle.domain.work import claimed
from reticle.errors import Refusal
from reticle.model.work_plan import JobPlan
from reticle.model.work_words import JobState
from reticle.service.sweeping import Sweeper
from reticle.testing.clock import FakeClock
from tests.unit.domain.work.desk import Desk

ONE = JobPlan(id="one", role="maker")


def a_sweeper(desk: Desk, clock: FakeClock, *, leads: bool = True, alone: bool = False) -> Sweeper:
    """
    A sweeper over a desk's store, by the desk's time.
    """
    return Sweeper(
        desk.work,
        leads=lambda: succeed(leads),
        alone=alone,
        now=lambda: desk.now,
        clock=clock.reactor,
        random=lambda count: b"\\x01" * count,
    )


def test_a_lapsed_claim_is_taken_back_within_a_minute() -> None:
    """
    A dead agent's packet comes back though nobody asks for work.
    """
    desk, clock = Desk(ONE), FakeClock()
    desk.with_packet(claimed.ack, desk.claim(desk.agent(), seconds=60))
    sweeper = a_sweeper(desk, clock)
    sweeper.start()
    clock.advance(60)
    assert desk.job("one").state is JobState.RUNNING
    desk.now += 61
    clock.advance(60)
    assert (desk.job("one").state, desk.job("one").attempt) == (JobState.QUEUED, 2)
    assert [row.principal for row in desk.work.audit.rows] == ["daemon"]
    sweeper.stop()
    sweeper.stop()
    assert clock.pending() == 0


def test_of_several_daemons_one_sweeps() -> None:
    """
    A daemon that does not lead leaves it to the one that does.
    """
    desk, clock = Desk(ONE), FakeClock()
    desk.claim(desk.agent(), seconds=60)
    sweeper = a_sweeper(desk, clock, leads=False)
    sweeper.start()
    desk.now += 61
    clock.advance(60)
    assert desk.job("one").state is JobState.CLAIMED
    sweeper.stop()


def test_a_fault_stops_neither_this_look_nor_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A disk that was full for a while, or one run that is broken, ends the looking for nobody.
    """
    desk, clock = Desk(ONE), FakeClock()
    desk.claim(desk.agent(), seconds=60)
    desk.now += 61
    sweeper = a_sweeper(desk, clock)
    sweeper.start()
    real: Callable[..., Any] = desk.work.lapsed_runs

    def failing(_: int) -> Deferred[Any]:
        raise Refusal("storage_failed", "the disk is full")

    monkeypatch.setattr(desk.work, "lapsed_runs", failing)
    clock.advance(60)
    monkeypatch.setattr(desk.work, "lapsed_runs", lambda now_us: succeed(["run_gone", *result(real(now_us))]))
    clock.advance(60)
    assert desk.job("one").state is JobState.QUEUED
    sweeper.stop()


def result(fired: Deferred[Any]) -> Any:
    """
    What a Deferred that has fired gave.
    """
    seen: list[Any] = []
    fired.addCallback(seen.append)
    return seen[0]


def test_the_daemons_own_absence_costs_no_one_a_claim() -> None:
    """
    After a restart an agent that went on working has a minute to say so.
    """
    desk, clock = Desk(ONE), FakeClock()
    got = desk.claim(desk.agent(), seconds=60)
    desk.now += 3_600
    sweeper = a_sweeper(desk, clock, alone=True)
    sweeper.start()
    desk.now += 59
    assert desk.with_packet(claimed.ack, got)["status"] == "acked"
    sweeper.stop()
