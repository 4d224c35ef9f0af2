"""
What is computed once per window.
"""

from __future__ import annotations

import gc

import attrs

from reticle.domain.memo import once_per_window
from reticle.model.window import Window
from reticle.testing.windows import WindowBuilder


def test_each_window_is_computed_once_and_none_is_kept_alive() -> None:
    """
    A long verdict is quick, two windows are never mixed up, and a finished one costs no memory.
    """
    computed: list[int] = []

    @once_per_window
    def newest(window: Window) -> int:
        computed.append(window.until)
        return window.until

    window = WindowBuilder().dom_added().build()
    same = attrs.evolve(window)
    assert [newest(window), newest(window), newest(same)] == [11, 11, 11]
    assert computed == [11, 11]
    later = WindowBuilder().dom_added().dom_added().build()
    assert newest(later) == 12
    (kept,) = [
        cell.cell_contents for cell in newest.__closure__ or () if isinstance(cell.cell_contents, dict)
    ]
    assert len(kept) == 3
    del window, same
    gc.collect()
    assert len(kept) == 1
