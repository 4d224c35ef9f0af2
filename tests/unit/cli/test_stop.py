"""
Stopping ends the daemon, surely and nobody else.
"""

from __future__ import annotations

import signal
from pathlib import Path

import attrs
import msgspec
import pytest

from reticle.cli.exits import CommandFailure, ExitCode
from reticle.cli.stop import choose, clear, end
from reticle.settings import Settings
from reticle.storage.daemon_file import DaemonRecord, announce, recorded_daemons, withdraw
from reticle.storage.endpoint_file import EndpointFile


@attrs.define
class Process:
    """
    Stands for a daemon's process: which signals it got, and which one ends it after how long.
    """

    ended_by: signal.Signals | None
    after_seconds: float = 0.0
    now: float = 0.0
    signals: list[signal.Signals] = attrs.field(factory=list)
    _ends_at: float | None = None

    def send(self, pid: int, identity: str, number: signal.Signals) -> bool:
        """
        As ``signal_process``.
        """
        del pid, identity
        self.signals.append(number)
        if number == self.ended_by:
            self._ends_at = self.now + self.after_seconds
        return True

    def sleep(self, seconds: float) -> None:
        """
        Let time pass.
        """
        self.now += seconds

    @property
    def is_alive(self) -> bool:
        """
        Whether it has not ended yet.
        """
        return self._ends_at is None or self.now < self._ends_at


class Record(DaemonRecord, frozen=True, kw_only=True):
    """
    A record whose process is the stand-in.
    """

    process: Process

    @property
    def is_alive(self) -> bool:
        """
        As the stand-in has it.
        """
        return self.process.is_alive


def stopped(process: Process, record: DaemonRecord) -> str:
    """
    How it ended.
    """
    mortal = Record(**msgspec.structs.asdict(record), process=process)
    return end(mortal, process.send, lambda: process.now, process.sleep)


def test_a_daemon_that_stops_by_itself_is_not_killed(record: DaemonRecord) -> None:
    """
    Farewells are sent: there is time for them.
    """
    process = Process(ended_by=signal.SIGTERM, after_seconds=4.9)
    assert stopped(process, record) == "has stopped"
    assert process.signals == [signal.SIGTERM]


def test_a_daemon_that_hangs_is_killed_after_five_seconds(record: DaemonRecord) -> None:
    """
    The command does not wait for ever and says that it had to kill.
    """
    process = Process(ended_by=signal.SIGKILL)
    assert stopped(process, record) == "did not stop within 5 s and was killed"
    assert process.signals == [signal.SIGTERM, signal.SIGKILL]
    assert process.now == pytest.approx(5.0, abs=0.1)


def test_a_process_that_cannot_end_is_reported(record: DaemonRecord) -> None:
    """
    Success is told only when the process is gone.
    """
    process = Process(ended_by=None)
    with pytest.raises(CommandFailure, match="does not end even when killed"):
        stopped(process, record)
    assert process.now == pytest.approx(7.0, abs=0.2)


def test_another_users_daemon_is_left_alone(record: DaemonRecord) -> None:
    """
    Without the right to stop it the command says who could.
    """

    class Foreign(Process):
        def send(self, pid: int, identity: str, number: signal.Signals) -> bool:
            """
            As the kernel.
            """
            super().send(pid, identity, number)
            raise PermissionError

    with pytest.raises(CommandFailure) as caught:
        stopped(Foreign(ended_by=None), record)
    assert caught.value.next_step == f"sudo kill {record.pid}"


def test_with_several_daemons_the_port_decides(record: DaemonRecord, other_record: DaemonRecord) -> None:
    """
    Nothing is stopped by guessing.
    """
    both = [record, other_record]
    with pytest.raises(CommandFailure) as caught:
        choose(both, Settings(), explicit=False)
    assert caught.value.exit_code == ExitCode.USAGE
    assert caught.value.message == "2 daemons run, on ports 4400, 4401"
    assert choose(both, Settings(port=4401), explicit=True) == other_record
    assert choose([other_record], Settings(), explicit=False) == other_record


def test_nothing_to_stop_is_exit_4() -> None:
    """
    Without a daemon of ours nothing is touched.
    """
    with pytest.raises(CommandFailure) as caught:
        choose([], Settings(port=1), explicit=True)
    assert caught.value.exit_code == ExitCode.UNREACHABLE


def test_files_of_a_killed_daemon_are_cleared(
    runtime_dir: Path, record: DaemonRecord, other_record: DaemonRecord
) -> None:
    """
    After a kill no client is sent to a dead port, and other daemons' files stay.
    """
    announce(runtime_dir, record)
    announce(runtime_dir, other_record)
    endpoint = EndpointFile(runtime_dir, "http://127.0.0.1:4401/mcp")
    endpoint.write()
    clear(runtime_dir, record)
    assert recorded_daemons(runtime_dir) == [other_record]
    assert endpoint.path.exists()
    clear(runtime_dir, other_record)
    assert list(runtime_dir.iterdir()) == []


def test_the_socket_of_a_killed_daemon_goes_with_it(
    runtime_dir: Path, record: DaemonRecord, other_record: DaemonRecord
) -> None:
    """
    A dead socket is cleared away, and one that a living daemon has taken over stays.
    """
    ours = msgspec.structs.replace(record, socket="daemon.sock")
    (runtime_dir / "daemon.sock").touch()
    announce(runtime_dir, msgspec.structs.replace(other_record, socket="daemon.sock"))
    clear(runtime_dir, ours)
    assert (runtime_dir / "daemon.sock").exists()
    withdraw(runtime_dir, msgspec.structs.replace(other_record, socket="daemon.sock"))
    clear(runtime_dir, ours)
    assert not (runtime_dir / "daemon.sock").exists()
