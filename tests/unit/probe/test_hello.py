"""
The first line of each batch.
"""

from __future__ import annotations

import json
import platform

import pytest

from reticle.probe import hello
from reticle.probe.hello import Hellos


def test_each_batch_is_counted_and_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The daemon works out the difference of the clocks from each of them.
    """
    monkeypatch.setattr(hello, "drivers", {"asyncpg"})
    times = iter([1.5, 2.25])
    hellos = Hellos("5f" * 16, lambda: next(times), lambda: 1764538000.125)
    first, second = (json.loads(hellos.next("flask 3", "/srv/shöp")) for _ in range(2))
    assert (first["batch"], first["mono"], second["batch"], second["mono"]) == (1, 1.5, 2, 2.25)
    for told in (first, second):
        assert (told["kind"], told["v"], told["process"]) == ("hello", 1, "5f" * 16)
        assert (told["framework"], told["project"], told["wall"]) == ("flask 3", "/srv/shöp", 1764538000.125)
        assert (told["python"], told["unseen"]) == (platform.python_version(), ["asyncpg"])


def test_what_is_found_later_is_in_the_next_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An adapter names the framework after the first facts, and a driver may be connected by at any time.
    """
    drivers: set[str] = set()
    monkeypatch.setattr(hello, "drivers", drivers)
    hellos = Hellos("5f" * 16, lambda: 1.0, lambda: 2.0)
    told = json.loads(hellos.next("wsgi", "/srv"))
    assert (told["framework"], told["unseen"]) == ("wsgi", [])
    drivers.add("pymysql")
    assert json.loads(hellos.next("wsgi", "/srv"))["unseen"] == ["pymysql"]
    assert json.loads(hellos.next("django 5.2", "/srv"))["framework"] == "django 5.2"
