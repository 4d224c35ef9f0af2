"""
Starting, asking after, and ending the daemon, in every documented way.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from examples.journeys.children import Daemon, daemon_environment
from reticle.client import connect
from tests.system.starting import StartDaemon
from tests.system.wire import exchange, port_is_free, request, status_of

BIN = Path(sys.executable).parent
WAYS: dict[str, list[str | Path]] = {
    "twistd": [BIN / "twistd", "-n", "--pidfile=", "reticle", "--port", "0"],
    "twist": [BIN / "twist", "reticle", "--port", "0"],
    "reticle serve": [BIN / "reticle", "serve", "--port", "0"],
    "python -m reticle": [sys.executable, "-m", "reticle", "serve", "--port", "0"],
}


def run(
    folder: Path, *arguments: str, extra: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """
    One ``reticle`` command against the directories in ``folder``.
    """
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("RETICLE_")},
        **daemon_environment(folder),
        **(extra or {}),
    }
    return subprocess.run(
        [BIN / "reticle", *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=environment,
        cwd=folder,
    )


def folder_of(daemon: Daemon) -> Path:
    """
    Where the daemon's directories lie.
    """
    return daemon.state_dir.parent


def get(port: int, target: str, host: str = "127.0.0.1") -> bytes:
    """
    The whole answer to one GET.
    """
    return exchange(port, request("GET", target, "Connection: close", host=host))


def test_a_terminal_is_told_once_where_the_daemon_listens(tmp_path: Path) -> None:
    """
    Who starts it by hand sees the address once, in the log; a program that reads a pipe gets its own line.
    """
    terminal, its_end = os.openpty()
    environment = {**os.environ, **daemon_environment(tmp_path)}
    way = WAYS["reticle serve"]
    with subprocess.Popen(way, stdout=its_end, stderr=its_end, cwd=tmp_path, env=environment) as daemon:
        os.close(its_end)
        shown = b""
        while b"listening on" not in shown:
            shown += os.read(terminal, 65_536)
        daemon.terminate()
        with contextlib.suppress(OSError):  # what a terminal gives whose other end is closed
            while True:
                shown += os.read(terminal, 65_536)
    os.close(terminal)
    assert shown.count(b"listening on http://") == 1, shown


@pytest.mark.parametrize("way", WAYS)
def test_every_way_starts_the_same_service(start: StartDaemon, way: str) -> None:
    """
    Each documented command takes a free port, says which, answers an agent, and ends with 0 on SIGTERM.
    """
    daemon = start(WAYS[way])
    with connect(daemon.mcp_url) as client:
        assert client.initialize()["serverInfo"]["name"] == "reticle"  # type: ignore[index]  # JSON
    daemon.child.wait_for(
        lambda: str(daemon.port) in daemon.child.printed() or None, "the port in its output"
    )
    daemon.child.terminate()
    assert daemon.child.wait_for_exit(5) == 0, daemon.child.printed()
    assert port_is_free(daemon.port)


@pytest.mark.parametrize("way", WAYS)
def test_a_closed_terminal_is_a_planned_stop(start: StartDaemon, way: str) -> None:
    """
    SIGHUP, even twice, says farewell, withdraws the announcement and ends with 0.
    """
    daemon = start(WAYS[way])
    for _ in range(2):
        daemon.child.process.send_signal(signal.SIGHUP)
    assert daemon.child.wait_for_exit(5) == 0, daemon.child.printed()
    left = {path.name for path in daemon.runtime_dir.iterdir()}
    assert left == {"client-token", "daemon.sock.lock"}


def test_interrupt_ends_it_cleanly(start: StartDaemon) -> None:
    """
    Ctrl-C is a planned stop too: exit code 0 and no traceback.
    """
    daemon = start()
    daemon.child.process.send_signal(2)
    assert daemon.child.wait_for_exit(5) == 0
    assert "Traceback" not in daemon.child.printed()


def test_a_misspelt_variable_is_in_the_log(start: StartDaemon) -> None:
    """
    A setting that nobody reads is named at the start, with the nearest that is read.
    """
    daemon = start(extra={"RETICLE_LOG_LEVLE": "debug"})
    said = "RETICLE_LOG_LEVLE is not a setting; did you mean RETICLE_LOG_LEVEL?"
    daemon.child.wait_for(lambda: said in daemon.child.printed() or None, "the warning")


def test_both_loopback_families_answer(start: StartDaemon) -> None:
    """
    A page or a Node program that dials ``localhost`` reaches the daemon whichever address comes first.
    """
    daemon = start()
    assert status_of(get(daemon.port, "/healthz")) == 200
    if socket.has_ipv6 and Path("/proc/net/if_inet6").exists() and Path("/proc/net/if_inet6").read_text():
        with socket.create_connection(("::1", daemon.port), 5) as six:
            six.sendall(request("GET", "/healthz", "Connection: close", host=f"[::1]:{daemon.port}"))
            assert status_of(six.recv(65_536)) == 200


def test_state_is_owner_only(start: StartDaemon) -> None:
    """
    Nobody else on the machine can read the state or the announcement.
    """
    daemon = start()
    for folder in (daemon.state_dir, daemon.runtime_dir):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
        loose = [path for path in folder.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
        assert loose == []


def test_endpoint_file_holds_the_url(start: StartDaemon) -> None:
    """
    A client that reads the endpoint file finds a daemon there, and after the stop no file.
    """
    daemon = start()
    path = daemon.runtime_dir / "mcp-http-endpoint"
    url = path.read_text().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mcp", url)
    daemon.child.terminate()
    daemon.child.wait_for_exit(5)
    assert not path.exists()


@pytest.mark.parametrize("stranger_listens", [True, False], ids=["silent stranger", "our own daemon"])
def test_port_in_use_is_one_clear_line(
    start: StartDaemon,
    tmp_path: Path,
    stranger_listens: bool,  # noqa: FBT001 - a case
) -> None:
    """
    A taken port is one line that names it, and an exit code that is not 0 (field report DL-01).
    """
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        port = stranger.getsockname()[1] if stranger_listens else start().port
        other = tmp_path / "second"
        other.mkdir()
        done = run(other, "serve", "--port", str(port))
    assert done.returncode not in {0, -15, -9}
    said = (done.stdout + done.stderr).strip()
    assert "Traceback" not in said
    assert [line for line in said.splitlines() if str(port) in line], said
    assert len(said.splitlines()) <= 2, said


def test_two_daemons_on_one_state_directory(start: StartDaemon) -> None:
    """
    The second daemon on one state directory is refused and says who holds it; the first goes on.
    """
    daemon = start()
    done = run(folder_of(daemon), "serve", "--port", "0")
    assert done.returncode not in {0, -15, -9}
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert str(daemon.child.pid) in said
    assert status_of(get(daemon.port, "/healthz")) == 200


def test_beyond_loopback_needs_a_token(tmp_path: Path) -> None:
    """
    A daemon that others could reach does not start without a token; an empty token is none (AU-04).
    """
    for extra in ({}, {"RETICLE_TOKEN": ""}, {"RETICLE_TOKEN": "\n"}):
        done = run(tmp_path, "serve", "--port", "0", "--host", "0.0.0.0", extra=extra)
        assert done.returncode not in {0, -15, -9}
        assert "token" in (done.stdout + done.stderr).lower()


@pytest.mark.parametrize("way", ["twistd", "twist"])
def test_a_start_that_is_refused_under_twistd_is_two_lines(tmp_path: Path, way: str) -> None:
    """
    What is wrong and the next step, as from ``reticle serve``, and no traceback.
    """
    done = subprocess.run(
        [*WAYS[way], "--host", "0.0.0.0"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env={**os.environ, **daemon_environment(tmp_path), "RETICLE_TOKEN": ""},
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "reticle: host 0.0.0.0 is reachable from other machines and no pairing token is set",
        "next: set RETICLE_TOKEN_FILE to a file that only you can read, or use --host 127.0.0.1",
    ]


def test_status_stop_and_doctor(start: StartDaemon) -> None:
    """
    ``status`` names the live port, ``doctor`` finds no fault, ``stop`` ends the daemon, and then ``status``
    says that none runs.
    """
    daemon = start()
    folder = folder_of(daemon)
    status = run(folder, "status")
    assert status.returncode == 0, status
    assert str(daemon.port) in status.stdout
    doctor = run(folder, "doctor", "--port", str(daemon.port))
    assert "Traceback" not in doctor.stdout + doctor.stderr
    stop = run(folder, "stop")
    assert stop.returncode == 0, stop
    assert daemon.child.wait_for_exit(5) == 0
    after = run(folder, "status")
    assert after.returncode != 0
    assert "Traceback" not in after.stdout + after.stderr


def test_killed_daemon_leaves_nothing_in_the_way(start: StartDaemon) -> None:
    """
    After kill -9 a new daemon starts on the same directories at once (DL-04).
    """
    daemon = start()
    daemon.child.process.kill()
    daemon.child.wait_for_exit(5)
    assert run(folder_of(daemon), "status").returncode != 0
    again = start()
    assert again.state_dir == daemon.state_dir
    assert status_of(get(again.port, "/readyz")) == 200


def test_idle_daemon_stays(daemon: Daemon) -> None:
    """
    An announced daemon is ready: the first client needs no retry (DL-03), and nothing ends it by itself.
    """
    assert status_of(get(daemon.port, "/readyz")) == 200
    assert daemon.child.process.poll() is None


def test_documented_pages_answer(daemon: Daemon) -> None:
    """
    Status, health, metrics and the page script are there; a path nobody knows is a short 404.
    """
    assert status_of(get(daemon.port, "/status")) == 200
    assert status_of(get(daemon.port, "/metrics")) == 200
    script = get(daemon.port, "/sdk.js")
    assert status_of(script) == 200
    assert b"javascript" in script.lower()
    assert status_of(get(daemon.port, "/.well-known/oauth-protected-resource")) == 404
    assert status_of(get(daemon.port, "/nowhere")) == 404
