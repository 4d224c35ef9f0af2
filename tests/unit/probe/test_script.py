"""
The daemon's script in the user's process: fresh, or not inserted.
"""

from __future__ import annotations

import pytest

from reticle.probe.runtime_file import DaemonAddress
from reticle.probe.script import Script, ScriptCopy
from reticle.testing.probed_apps import SCRIPT

ADDRESS = DaemonAddress("127.0.0.1", 4400, "/ingest", "t", "/sdk.js", "")


class Daemon:
    """
    A daemon that may be away.
    """

    def __init__(self) -> None:
        self.address: DaemonAddress | None = ADDRESS
        self.answers: Script | None = SCRIPT
        self.known: list[Script | None] = []
        self.now = 100.0

    def fetch(self, _: DaemonAddress, known: Script | None) -> Script | None:
        """
        Answer, or not.
        """
        self.known.append(known)
        return self.answers


@pytest.fixture
def daemon() -> Daemon:
    """
    One that answers.
    """
    return Daemon()


@pytest.fixture
def copy(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> ScriptCopy:
    """
    What is known of its script; the thread is the test's.
    """
    made = ScriptCopy(lambda: daemon.address, daemon.fetch, lambda: daemon.now)
    monkeypatch.setattr(made, "watch", lambda: None)
    return made


def test_nothing_is_known_before_the_daemon_was_asked(copy: ScriptCopy) -> None:
    """
    A request never waits for the daemon.
    """
    assert copy.current() is None


def test_the_script_is_asked_for_again_by_what_is_known(copy: ScriptCopy, daemon: Daemon) -> None:
    """
    An unchanged script is not sent again.
    """
    copy.refresh()
    copy.refresh()
    assert daemon.known == [None, SCRIPT]
    assert copy.current() == SCRIPT


@pytest.mark.parametrize("away", ["answer", "file"])
def test_a_daemon_that_went_away_is_noticed(copy: ScriptCopy, daemon: Daemon, away: str) -> None:
    """
    Nothing is inserted then, but a page that has its tag still gets its script.
    """
    copy.refresh()
    if away == "answer":
        daemon.answers = None
    else:
        daemon.address = None
    copy.refresh()
    assert copy.current() is None
    assert copy.kept() == SCRIPT


def test_a_child_process_asks_for_itself(daemon: Daemon) -> None:
    """
    After a fork no thread is there that would look.
    """
    made = ScriptCopy(lambda: daemon.address, daemon.fetch, lambda: daemon.now)
    made.watch()
    first = made._thread
    made.after_fork()
    made.watch()
    assert made._thread is not first


def test_an_old_answer_is_none(copy: ScriptCopy, daemon: Daemon) -> None:
    """
    A thread that hangs is not taken for a daemon that answers.
    """
    copy.refresh()
    daemon.now += 31
    assert copy.current() is None
