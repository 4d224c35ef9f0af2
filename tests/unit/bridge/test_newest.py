"""
The newest of something, capped in number and in bytes.
"""

from __future__ import annotations

from reticle.bridge.newest import NewestEntries
from reticle.bridge.ring import ENTRY_BYTES, Entry


def entry(seq: int, size: int = 300) -> Entry:
    """
    An event that counts so many bytes.
    """
    return Entry(seq, 0, "net.pending", b"x" * (size - ENTRY_BYTES))


def kept(entries: NewestEntries[Entry]) -> list[int]:
    """
    The numbers of what is kept.
    """
    return [one.seq for one in entries]


def test_the_oldest_give_way_in_number_and_in_bytes() -> None:
    """
    A page whose requests are large makes the daemon remember fewer of them, not more memory.
    """
    newest: NewestEntries[Entry] = NewestEntries(lambda one: one, 3, 1_000)
    for seq in (1, 2, 3, 4):
        newest.append(entry(seq))
    assert kept(newest) == [2, 3, 4]
    newest.append(entry(5, size=800))
    assert kept(newest) == [5]
    newest.append(entry(6, size=2_000))
    assert kept(newest) == []
    newest.append(entry(7))
    assert (kept(newest), [one.seq for one in reversed(newest)], len(newest)) == ([7], [7], 1)
    newest.clear()
    assert kept(newest) == []
