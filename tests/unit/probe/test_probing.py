"""
The probe switched on and off.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from reticle import probe
from reticle.probe import emission

ROOT = Path(__file__).resolve().parents[3]

ALONE = """
import sys
ALLOWED = {"reticle", "reticle.probe", "reticle._version"}
class Blocking:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top == "reticle":
            if name in ALLOWED or name.startswith("reticle.probe."):
                return None
        elif top in sys.stdlib_module_names or top in sys.builtin_module_names:
            return None
        raise ImportError("not the standard library: " + name)
sys.meta_path.insert(0, Blocking())
sys.path[:] = [each for each in sys.path if "site-packages" not in each]
import reticle.probe
started = reticle.probe.start("plain", "/srv", on=True)
assert started.is_on, started.refused
from reticle.probe.collection import COLLECTORS
for name in COLLECTORS:
    assert name in sys.modules, name
reticle.probe.emit("log", level="WARNING")
reticle.probe.stop()
foreign = sorted(
    name for name in sys.modules
    if name.startswith("reticle.") and not name.startswith("reticle.probe") and name != "reticle._version"
)
assert not foreign, foreign
print("alone")
"""


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """
    No daemon, and the probe off at the end.
    """
    monkeypatch.setenv("RETICLE_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("RETICLE_PROBE", raising=False)
    yield
    probe.stop()


def test_it_is_off_unless_asked_for() -> None:
    """
    An app that merely has it installed runs without it, and can learn why.
    """
    started = probe.start()
    assert not started.is_on
    assert started.refused is not None
    assert "RETICLE_PROBE" in started.refused
    assert emission.sink is None


def test_it_is_on_once() -> None:
    """
    An app that starts it twice (a setting and a wrapper) has one probe, which knows the better name.
    """
    first = probe.start(on=True)
    second = probe.start("flask 3.1", "/srv/shop", on=True)
    assert first is second
    assert first.is_on
    probe.stop()
    assert not first.is_on


def test_off_again_nothing_is_left() -> None:
    """
    The interpreter is as before: no finder, no hook.
    """
    before = (list(sys.meta_path), threading.excepthook, os._exit)
    probe.start(on=True)
    assert threading.excepthook is not before[1]
    assert os._exit is not before[2]
    probe.stop()
    assert (list(sys.meta_path), threading.excepthook, os._exit) == before


def test_a_process_that_a_fork_made_sends_what_waits_too(tmp_path: Path) -> None:
    """
    Such a one ends without ``atexit``, and what it wrote was done by the request that made it.
    """
    ending = """
import multiprocessing, os, reticle.probe
from reticle.probe.sender import Sender
reticle.probe.start(on=True)
Sender.flush = lambda self, *seconds: print("sent", flush=True)
child = multiprocessing.get_context("fork").Process(target=print, args=("worked",))
child.start()
child.join()
os._exit(3)
"""
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{ending}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (found.stdout, found.returncode) == ("worked\nsent\nsent\n", 3), found.stderr


def test_it_needs_the_standard_library_alone(tmp_path: Path) -> None:
    """
    The probe works in an environment that has nothing of ours installed.
    """
    found = subprocess.run(
        [sys.executable, "-E", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{ALONE}"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert found.stdout == "alone\n", found.stderr


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    """
    A typing mistake is told as everywhere in Python.
    """
    with pytest.raises(AttributeError):
        probe.begin  # noqa: B018 - that is the point
