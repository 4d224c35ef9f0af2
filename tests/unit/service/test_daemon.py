"""
The start and stop of a daemon below an application's Site.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from twisted.internet.testing import MemoryReactorClock

from reticle.errors import ConfigurationFault
from reticle.service import Daemon
from reticle.settings import Settings
from reticle.testing.threads import ThreadCalls


class QuietReactor(MemoryReactorClock, ThreadCalls):
    """
    Time that stands still and calls from threads that wait.
    """

    def __init__(self) -> None:
        MemoryReactorClock.__init__(self)
        ThreadCalls.__init__(self)


def embedded(tmp_path: Path, reactor: QuietReactor) -> Daemon:
    """
    A daemon that an application mounts.
    """
    settings = Settings(state_dir=tmp_path / "state", runtime_dir=tmp_path / "run")
    return Daemon(settings, reactor=reactor, listen=False)


def test_whoever_waits_for_the_start_hears_of_a_stop(tmp_path: Path) -> None:
    """
    An application that stops a daemon in the middle of its start does not wait for ever.
    """
    reactor = QuietReactor()
    daemon = embedded(tmp_path, reactor)
    daemon.startService()
    early = daemon.when_serving()
    reactor.result_of(daemon.stopService())
    for waiter in (early, daemon.when_serving()):
        with pytest.raises(ConfigurationFault, match="stopped before it could serve"):
            reactor.result_of(waiter)


def test_a_start_is_over_when_calls_are_answered(tmp_path: Path) -> None:
    """
    The application gets the address once the store is open, however often and late it asks.
    """
    reactor = QuietReactor()
    daemon = embedded(tmp_path, reactor)
    daemon.startService()
    waiters = [daemon.when_serving(), daemon.when_serving()]
    assert [reactor.result_of(one) for one in waiters] == ["http://127.0.0.1:4400"] * 2
    assert daemon.parts.life.state == "serving"
    reactor.result_of(daemon.stopService())
    assert reactor.result_of(daemon.when_serving()) == "http://127.0.0.1:4400"
