"""
The lives of runs, jobs, messages, leases, sessions and blockers, as tables.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.work.life import Life
from reticle.domain.work.lives import BLOCKER_LIFE, JOB_LIFE, LEASE_LIFE, MESSAGE_LIFE, RUN_LIFE, SESSION_LIFE
from reticle.errors import Refusal

TABLES: dict[str, tuple[Life[Any], str]] = {
    "run": (
        RUN_LIFE,
        """
        ready           start    running
        ready           cancel   canceled
        running         stall    needs_operator
        running         complete completed
        running         fail     failed
        running         cancel   canceled
        needs_operator  resume   running
        needs_operator  fail     failed
        needs_operator  cancel   canceled
        """,
    ),
    "job": (
        JOB_LIFE,
        """
        blocked        ready      queued
        blocked        cancel     canceled
        queued         claim      claimed
        queued         cancel     canceled
        claimed        ack        running
        claimed        requeue    queued
        claimed        hold_up    waiting_human
        claimed        cancel     canceled
        running        requeue    queued
        running        hold_up    waiting_human
        queued         wait_again blocked
        claimed        wait_again blocked
        running        wait_again blocked
        completed      wait_again blocked
        running        complete   completed
        running        fail       failed
        running        cancel     canceled
        waiting_human  retry      queued
        waiting_human  cancel     canceled
        completed      revise     queued
        completed      hold_up    waiting_human
        """,
    ),
    "message": (
        MESSAGE_LIFE,
        """
        pending claim     claimed
        pending cancel    canceled
        claimed ack       acked
        claimed give_back returned
        claimed cancel    canceled
        acked   complete  completed
        acked   give_back returned
        acked   cancel    canceled
        """,
    ),
    "lease": (
        LEASE_LIFE,
        """
        active complete completed
        active release  released
        active block    blocked
        active expire   expired
        active revoke   revoked
        """,
    ),
    "blocker": (
        BLOCKER_LIFE,
        """
        open resolve resolved
        """,
    ),
    "session": (
        SESSION_LIFE,
        """
        active close    closed
        active displace displaced
        active end      ended
        """,
    ),
}


@pytest.mark.parametrize("kind", TABLES)
def test_each_life_is_its_table_and_nothing_else_happens(kind: str) -> None:
    """
    What may happen to a thing leads where the table says; everything else is refused and says so.
    """
    life, table = TABLES[kind]
    wanted = {(row[0], row[1]): row[2] for row in map(str.split, table.strip().splitlines())}
    happenings = {happening.__name__: happening for _, happening, _ in life.steps}
    states = {state for before, _, after in life.steps for state in (before, after)}
    found = {}
    for state in states:
        for name, happening in happenings.items():
            if life.may(state, happening):
                found[state.value, name] = life.after(state, happening).value
            else:
                with pytest.raises(Refusal) as caught:
                    life.after(state, happening)
                assert caught.value.code == "invalid_transition"
    assert found == wanted
