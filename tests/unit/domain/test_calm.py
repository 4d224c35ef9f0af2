"""
Whether nothing is left to come of an action, whatever was claimed.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest

from reticle.domain.calm import calm_in_ms
from reticle.model.limits import CALM_MS, QUIET_MS, READ_GAP_MS
from reticle.model.window import Pending, Window
from reticle.testing.windows import WindowBuilder


def saved(still_ms: int = CALM_MS, **pending: object) -> Window:
    """
    A click and its answer, on a page that says what is coming.
    """
    window = WindowBuilder().click().net("POST", "/api/orders", 201).quiet(still_ms).build()
    told = Pending(window.closed_t_ms, quiet_ms=QUIET_MS)
    return attrs.evolve(window, pending=attrs.evolve(told, **pending))  # type: ignore[arg-type]  # by name


def test_a_moment_without_a_stir_is_enough() -> None:
    """
    Two frames after the answer, and a frame that shows what came of it.
    """
    assert calm_in_ms(saved(), strictly=True) == 0
    assert calm_in_ms(saved(CALM_MS - 12), strictly=True) == 12
    assert calm_in_ms(saved(undrawn=True), strictly=True) == READ_GAP_MS


def test_a_page_that_says_that_it_rests_is_calm_at_once() -> None:
    """
    A frame and an empty event loop since the last stir say more than time; what is due soon they do not say.
    """
    assert calm_in_ms(saved(0, rested=True), strictly=True) == 0
    assert calm_in_ms(saved(0, rested=True, undrawn=True), strictly=True) == 0
    for due in ({"quiet_ms": QUIET_MS - 1}, {"loads": 1}, {"unseen": ("modules",)}):
        assert calm_in_ms(saved(0, rested=True, **due), strictly=True) is None


def test_what_may_come_unseen_counts_for_what_rests_on_nothing_else() -> None:
    """
    A page with modules, peers or other tabs is calm for what was seen, and not for what was not seen.
    """
    window = saved(unseen=("modules",))
    assert calm_in_ms(window, strictly=False) == 0
    assert calm_in_ms(window, strictly=True) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda window: attrs.evolve(window, pending=None),
        lambda window: attrs.evolve(window, action=None),
        lambda window: attrs.evolve(window, blind_spots={"service-worker": 1}),
        lambda window: attrs.evolve(window, silent_ms=60_000),
    ],
)
def test_what_is_not_known_is_no_calm(change: Callable[[Window], Window]) -> None:
    """
    A published package, a call that did not act, a service worker, a page that stopped speaking.
    """
    assert calm_in_ms(change(saved()), strictly=False) is None


def test_a_server_that_is_still_at_work_is_no_calm() -> None:
    """
    What a probe has not told of yet may speak against the claim.
    """
    rid = "a" * 32
    builder = WindowBuilder().probe().click().net("POST", "/api/orders", 201, rid=rid).quiet(CALM_MS)
    window = builder.build()
    told = attrs.evolve(window, pending=Pending(window.closed_t_ms, quiet_ms=QUIET_MS))
    assert calm_in_ms(told, strictly=False) is None
