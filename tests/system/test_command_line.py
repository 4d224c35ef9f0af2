"""
What the command line says and does in a daemon's trouble: a taken port, a hang, a second daemon.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from examples.journeys.children import Daemon, daemon_environment
from tests.system.starting import StartDaemon


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """
    One command to its end, with the directories in ``folder``.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RETICLE_")}
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "reticle", *arguments],
        env={**clean, **daemon_environment(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def folder_of(daemon: Daemon) -> Path:
    """
    Where a daemon's directories lie.
    """
    return daemon.state_dir.parent


def test_scripts_find_the_daemon_and_nothing_stays_after_a_stop(start: StartDaemon) -> None:
    """
    ``status --json`` carries the daemon's own status; after ``stop`` the runtime directory is empty.
    """
    daemon = start()
    status = run(folder_of(daemon), "status", "--json")
    (shown,) = json.loads(status.stdout)["daemons"]
    assert (shown["port"], shown["status"]["running"], shown["problem"]) == (daemon.port, True, None)
    stopped = run(folder_of(daemon), "stop")
    assert stopped.stdout == f"reticle on port {daemon.port} (pid {daemon.child.pid}) has stopped\n"
    assert list(daemon.runtime_dir.iterdir()) == []
    assert [run(folder_of(daemon), command).returncode for command in ("status", "stop")] == [4, 4]


def test_a_second_daemon_on_the_port_is_told_of_the_first(start: StartDaemon) -> None:
    """
    The line names our daemon with its pid and the command that stops it; the first does not notice.
    """
    daemon = start()
    second = run(folder_of(daemon), "serve", "--port", str(daemon.port))
    assert second.returncode not in {0, 78}
    assert second.stderr.splitlines()[-2:] == [
        f"reticle: port {daemon.port} is in use by a reticle daemon (pid {daemon.child.pid})",
        f"next: use that daemon, stop it with `reticle stop --port {daemon.port}`, or use --port 0",
    ]
    assert run(folder_of(daemon), "status").returncode == 0


def test_a_stranger_on_the_port_is_named_and_left_alone(tmp_path: Path) -> None:
    """
    A start on a port that another program has says which program, and ``stop`` does not touch it.
    """
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = str(stranger.getsockname()[1])
        started = run(tmp_path / "d", "serve", "--port", port)
        assert started.returncode not in {0, 78}
        assert f"port {port} is in use by python" in started.stderr
        assert f"(pid {os.getpid()})" in started.stderr
        stopped = run(tmp_path / "d", "stop", "--port", port)
        assert stopped.returncode == 4
        assert "is left alone" in stopped.stderr


def test_a_daemon_that_hangs_is_killed(start: StartDaemon) -> None:
    """
    ``stop`` reports success only when the process is gone, and then clears what it could not.
    """
    daemon = start()
    os.kill(daemon.child.pid, signal.SIGSTOP)
    stopped = run(folder_of(daemon), "stop", "--port", str(daemon.port))
    assert stopped.returncode == 0
    assert stopped.stdout.endswith("did not stop within 5 s and was killed\n")
    assert daemon.child.wait_for_exit(5) == -signal.SIGKILL
    assert list(daemon.runtime_dir.iterdir()) == []
