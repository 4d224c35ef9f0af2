"""
What one connection knows of the end of a chain that several daemons add to.
"""

from __future__ import annotations

from reticle.storage.chain_end import ChainEnd


def committed(end: ChainEnd, at: int) -> None:
    """
    A transaction that read nothing, added a row and was kept.
    """
    end.begin(guess=True)
    end.moved(at)
    end.committed()


def test_who_is_alone_goes_on_where_it_stopped() -> None:
    """
    Nothing is read as long as nobody else adds rows, and what was not kept is not believed.
    """
    end = ChainEnd()
    end.begin(guess=True)
    assert end.now is None
    end.read(4)
    committed(end, 5)
    end.begin(guess=True)
    end.moved(6)
    end.begin(guess=True)
    assert end.now == 5
    end.begin(guess=False)
    assert end.now is None


def test_who_is_not_alone_looks_until_it_is_again() -> None:
    """
    After a wrong guess, or a look that found another's row, the end is read until nobody was in between.
    """
    end = ChainEnd()
    committed(end, 5)
    end.missed()
    end.begin(guess=True)
    assert end.now is None
    end.read(9)
    end.moved(10)
    end.committed()
    end.begin(guess=True)
    assert end.now is None
    end.read(10)
    end.moved(11)
    end.committed()
    end.begin(guess=True)
    assert end.now == 11
