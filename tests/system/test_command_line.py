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
from tests.system.wire import eventually


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


LASTING = ["client-token", "daemon.sock.lock"]
"""What a daemon leaves in its runtime directory for the next one."""


def left_in(daemon: Daemon) -> list[str]:
    """
    The names in its runtime directory.
    """
    return sorted(path.name for path in daemon.runtime_dir.iterdir())


def folder_of(daemon: Daemon) -> Path:
    """
    Where a daemon's directories lie.
    """
    return daemon.state_dir.parent


def test_scripts_find_the_daemon_and_nothing_stays_after_a_stop(start: StartDaemon) -> None:
    """
    ``status --json`` carries the daemon's own status; after ``stop`` nothing announces a daemon.
    """
    daemon = start()
    status = run(folder_of(daemon), "status", "--json")
    (shown,) = json.loads(status.stdout)["daemons"]
    assert (shown["port"], shown["status"]["running"], shown["problem"]) == (daemon.port, True, None)
    stopped = run(folder_of(daemon), "stop")
    assert stopped.stdout == f"reticle on port {daemon.port} (pid {daemon.child.pid}) has stopped\n"
    assert left_in(daemon) == LASTING
    assert [run(folder_of(daemon), command).returncode for command in ("status", "stop")] == [4, 4]


def test_a_second_daemon_on_the_port_is_told_of_the_first(start: StartDaemon) -> None:
    """
    The line names our daemon with its pid and the command that stops it; the first does not notice.
    """
    daemon = start()
    second = run(folder_of(daemon), "serve", "--port", str(daemon.port))
    assert second.returncode not in {0, 78}
    another = "start another with --port 0 and its own --state-dir"
    assert second.stderr.splitlines()[-2:] == [
        f"reticle: port {daemon.port} is in use by a reticle daemon (pid {daemon.child.pid})",
        f"next: use that daemon, stop it with `reticle stop --port {daemon.port}`, or {another}",
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
        # A test runner is called python or pytest, whichever way it was started.
        us = Path("/proc/self/comm").read_text().strip()
        assert f"port {port} is in use by {us}" in started.stderr
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
    assert left_in(daemon) == LASTING


def test_one_of_many_starters_serves(tmp_path: Path) -> None:
    """
    Agents that start a daemon at the same moment get one; each of the others is told of it (DL-03).
    """
    folder = tmp_path / "d"
    folder.mkdir()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RETICLE_")}
    starters = [
        subprocess.Popen(
            [sys.executable, "-m", "reticle", "serve", "--port", "0"],
            env={**clean, **daemon_environment(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    eventually(lambda: sum(one.poll() is None for one in starters) == 1, "all but one have ended", 60)
    winner = next(one for one in starters if one.poll() is None)
    eventually(lambda: run(folder, "status").returncode == 0, "the one that is left answers", 60)
    winner.terminate()
    outcomes = {one: one.communicate(timeout=10) for one in starters}
    assert winner.returncode == 0
    assert outcomes[winner][0].startswith("listening on http://127.0.0.1:")
    for loser in [one for one in starters if one is not winner]:
        assert loser.returncode == 1
        *_log, refused, next_step = outcomes[loser][1].splitlines()
        assert f"another reticle daemon (pid {winner.pid}" in refused
        assert next_step.startswith("next: use that daemon, stop it with `reticle stop")


def test_a_daemon_on_a_strange_path_is_found_and_stopped(start: StartDaemon) -> None:
    """
    Directories whose names have spaces and bytes that are no UTF-8 serve as well as any.
    """
    daemon = start(folder=os.fsdecode(b"a b \xff"))
    (shown,) = json.loads(run(folder_of(daemon), "status", "--json").stdout)["daemons"]
    assert shown["problem"] is None
    assert shown["state_dir"].endswith("a b ?/state")
    assert run(folder_of(daemon), "stop").returncode == 0
    assert left_in(daemon) == LASTING


def test_a_start_without_standard_streams_serves(tmp_path: Path) -> None:
    """
    A launcher that closes all three gets a daemon, not a silent failure.
    """
    folder = tmp_path / "d"
    folder.mkdir()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RETICLE_")}
    command = f"exec '{sys.executable}' -m reticle serve --port 0 <&- >&- 2>&-"
    with subprocess.Popen(["sh", "-c", command], env={**clean, **daemon_environment(folder)}) as child:
        try:
            eventually(lambda: run(folder, "status").returncode == 0, "the daemon answers", 60)
        finally:
            child.terminate()
        assert child.wait(10) == 0


def test_an_interrupt_while_a_command_loads_is_no_traceback(tmp_path: Path) -> None:
    """
    Ctrl-C right after Enter ends as Ctrl-C does, at whatever import it comes.
    """
    finder = "import sys\nclass F:\n def find_spec(s, n, *_):\n  if n == 'click': raise KeyboardInterrupt\n"
    script = f"{finder}sys.meta_path.insert(0, F())\nfrom reticle.__main__ import main\nsys.exit(main())"
    ran = subprocess.run(
        [sys.executable, "-c", script, "status"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
