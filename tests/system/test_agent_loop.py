"""
``reticle agent-loop``: what an agent is given, how it ends, and what the daemon is told.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.system.agent_loop import RUN, AgentLoop, program
from tests.system.outer_pty import eventually, is_running
from tests.system.played_socket import OPERATORS_TOKEN, SESSIONS_TOKEN

SHOW = (
    "import json, os, stat; path = os.environ.get('RETICLE_MCP_TOKEN_FILE');"
    "mode = lambda one: path and oct(os.stat(one).st_mode & 0o777);"
    "print(json.dumps({'env': dict(os.environ), 'ttys': [os.isatty(n) for n in range(3)],"
    "'mode': mode(path), 'folder': mode(path and os.path.dirname(path)),"
    "'token': path and open(path).read().strip(), 'cwd': os.getcwd()}))"
)
CALLS = ["repo.resolve", "session.register", "session.close"]
"""All that the daemon is asked for one agent."""

SECRETS = {
    "DATABASE_URL": "postgres://app:hunter2@db/app",
    "AWS_SECRET_ACCESS_KEY": "hunter2",
    "RETICLE_TOKEN": "hunter2hunter2",
    "RETICLE_DATABASE_URL": "postgres://hunter2@db",
    "HTTPS_PROXY": "http://me:hunter2@proxy:3128",
    "GITHUB_TOKEN": "hunter2",
    "PYTHONSTARTUP": "/tmp/hunter2",
}


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[AgentLoop]:
    """
    Supervisors with a daemon that is played.
    """
    found = AgentLoop(tmp_path)
    yield found
    found.close()


def shown(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    """
    What the program said of its surroundings.
    """
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_an_agent_is_told_who_it_is_and_nothing_secret(loop: AgentLoop) -> None:
    """
    It finds the daemon, its ids and its own token; no other secret of the operator's reaches it.
    """
    done = loop.run([sys.executable, "-c", SHOW], extra=SECRETS)
    saw = shown(done)
    env = saw["env"]
    assert isinstance(env, dict)
    for prefix in ("RETICLE_", "STRIATUM_"):
        assert env[f"{prefix}MCP_URL"] == "http://127.0.0.1:4417/mcp"
        assert env[f"{prefix}RUN_ID"] == RUN
        assert env[f"{prefix}SESSION_ID"] == "sess_" + "5" * 32
        assert env[f"{prefix}REPOSITORY_ID"] == "shop"
        assert f"{prefix}MCP_TOKEN" not in env
    assert (saw["mode"], saw["folder"], saw["token"]) == ("0o600", "0o700", SESSIONS_TOKEN)
    assert saw["ttys"] == [True, True, True]
    assert "hunter2" not in done.stdout + done.stderr
    assert OPERATORS_TOKEN not in done.stdout
    assert not Path(env["RETICLE_MCP_TOKEN_FILE"]).parent.exists()


def test_the_terminal_and_the_locale_are_usable_under_a_service(loop: AgentLoop) -> None:
    """
    Without HOME, TERM and locale, as under systemd, an agent still has a colour terminal, UTF-8 and a home.
    """
    for name in ("HOME", "TERM", "LANG", "LC_ALL", "LC_CTYPE"):
        loop.environ.pop(name, None)
    env = shown(loop.run([sys.executable, "-c", SHOW], extra={"TERM": "dumb", "LANG": "C"}))["env"]
    assert isinstance(env, dict)
    assert (env["TERM"], env["LC_CTYPE"]) == ("xterm-256color", "C.UTF-8")
    assert env["HOME"]


def test_what_is_asked_for_is_passed_on(loop: AgentLoop) -> None:
    """
    A variable that is named reaches the agent; the supervisor's own names cannot be asked for.
    """
    wish = ["--env", "GITHUB_TOKEN", "--token-in-environment"]
    env = shown(loop.run([sys.executable, "-c", SHOW], *wish, extra=SECRETS))["env"]
    assert isinstance(env, dict)
    assert env["GITHUB_TOKEN"] == "hunter2"
    assert env["RETICLE_MCP_TOKEN"] == SESSIONS_TOKEN
    assert "RETICLE_MCP_TOKEN_FILE" not in env
    assert loop.run(["true"], "--env", "RETICLE_TOKEN", extra=SECRETS).returncode == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [("exit 0", 0), ("exit 7", 7), ("exit 130", 130), ("kill -9 $$", 137), ("kill -SEGV $$", 139)],
)  # fmt: skip
def test_the_exit_code_is_handed_through(loop: AgentLoop, line: str, code: int) -> None:
    """
    A script sees how the agent ended, and the daemon is told.
    """
    assert loop.run(["sh", "-c", line]).returncode == code
    assert loop.daemon.methods() == CALLS
    how = f"signal {code - 128}" if "kill" in line else f"exit code {code}"
    assert loop.daemon.asked[-1]["params"] == {
        "repository_id": "shop", "session_id": "sess_" + "5" * 32, "reason": f"the agent ended with {how}",
    }  # fmt: skip


def test_no_work_is_asked_for_whatever_the_agent_prints(loop: AgentLoop) -> None:
    """
    The supervisor claims, completes and releases nothing, and takes no text for a state.
    """
    line = "echo DONE; echo 'work complete'; printf '{\"method\": \"work.complete\"}'; sleep 1; exit 4"
    assert loop.run(["sh", "-c", line], "--restart", "on-failure", "--restart-limit", "1").returncode == 4
    assert loop.daemon.methods() == CALLS


@pytest.mark.parametrize(
    "command", [["no-such-agent"], ["./text"], ["./folder"], ["./closed"], ["./no-such"]]
)
def test_what_is_no_program_is_refused(loop: AgentLoop, command: Sequence[str]) -> None:
    """
    A command that cannot run is named before a session is made for it.
    """
    (loop.folder / "text").write_text("hello\n")
    (loop.folder / "text").chmod(0o755)
    (loop.folder / "folder").mkdir()
    (loop.folder / "closed").write_text("#!/bin/sh\n")
    done = loop.run(command)
    assert done.returncode == 78
    assert command[0] in done.stderr
    assert "next: " in done.stderr
    assert loop.daemon.methods() == []


def test_a_program_that_vanishes_is_no_agent_that_failed(loop: AgentLoop) -> None:
    """
    What cannot be run is not started again and again.
    """
    script = loop.folder / "agent"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    done = loop.run([str(script)], "--restart", "always")
    assert done.returncode == 127
    assert "cannot be run" in done.stdout


def test_a_session_that_there_is_needs_its_own_token(loop: AgentLoop) -> None:
    """
    Without a token, with one that others can read, or with the operator's, no agent is started.
    """
    session = ("--session", "sess_1")
    token = loop.folder / "token"
    token.touch(0o600)
    token.write_text(SESSIONS_TOKEN)
    loop.daemon.runtime.joinpath("client-token").chmod(0o600)
    named = (*session, "--token-file", str(token))
    saw = shown(loop.run([sys.executable, "-c", SHOW], session=named))
    assert saw["token"] == SESSIONS_TOKEN
    assert loop.daemon.asked[-1]["capability_token"] == SESSIONS_TOKEN
    token.chmod(0o640)
    refused = [
        loop.run(["true"], session=session),
        loop.run(["true"], session=named),
        loop.run(["true"], session=(*session, "--token-file", str(loop.daemon.runtime / "client-token"))),
    ]
    assert [each.returncode for each in refused] == [78, 78, 78]
    assert "can be read by others" in refused[1].stderr
    assert "operator" in refused[2].stderr


def test_a_folder_names_its_repository_and_is_where_the_agent_starts(loop: AgentLoop) -> None:
    """
    ``--repository .`` is enough in a registered one.
    """
    (loop.folder / "shop").mkdir()
    saw = shown(loop.run([sys.executable, "-c", SHOW], "--repository", "./shop"))
    assert saw["cwd"] == str(loop.folder / "shop")
    assert loop.daemon.methods()[0] == "repo.resolve"


def test_a_failed_agent_is_started_again_with_the_address_of_now(loop: AgentLoop) -> None:
    """
    A daemon that came back on another port is found by the next start.
    """
    kept = loop.folder / "urls"
    running = loop.start(program("counts_starts", kept, "1"), "--restart", "on-failure")
    eventually(lambda: kept.exists() and kept.read_text().strip() != "")
    loop.daemon.move("http://127.0.0.1:4999/mcp")
    assert running.communicate(timeout=60)[1].count(b"start 1 of 5 again") == 1
    assert running.returncode == 0
    assert kept.read_text().split() == ["http://127.0.0.1:4417/mcp", "http://127.0.0.1:4999/mcp"]
    assert loop.daemon.methods() == CALLS


def test_starts_again_are_bounded_and_end_when_asked(loop: AgentLoop) -> None:
    """
    An agent that always fails is given up with its own code; a stop while it rests is a stop.
    """
    kept = loop.folder / "urls"
    done = loop.run(program("counts_starts", kept, "99"), "--restart", "on-failure", "--restart-limit", "2")
    assert (done.returncode, len(kept.read_text().split())) == (9, 3)
    kept.unlink()
    running = loop.start(program("counts_starts", kept, "99"), "--restart", "always", "--restart-limit", "9")
    assert running.stderr is not None
    while b"start 3 of 9 again" not in running.stderr.readline():
        pass
    running.terminate()
    running.communicate(timeout=30)
    assert running.returncode == 143


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_deaf_program_is_killed_with_its_children(loop: AgentLoop, number: signal.Signals) -> None:
    """
    What ignores a request to end is killed with all it started, after its grace.
    """
    kept = loop.folder / "pids"
    running = loop.start(program("stubborn", kept), "--grace", "1")
    assert running.stdout is not None
    assert running.stdout.readline().strip() == b"deaf"
    pids = [int(each) for each in kept.read_text().split()]
    running.send_signal(number)
    running.communicate(timeout=30)
    assert running.returncode == 137
    eventually(lambda: not any(map(is_running, pids)))
    assert loop.daemon.methods() == CALLS


def test_a_child_that_is_left_behind_holds_nobody(loop: AgentLoop) -> None:
    """
    A program that ends while its child still has the terminal has ended.
    """
    kept = loop.folder / "pid"
    done = loop.run(program("forks", kept))
    left = int(kept.read_text())
    try:
        assert (done.returncode, done.stdout.strip()) == (3, "left one behind")
        assert is_running(left)
    finally:
        os.kill(left, signal.SIGKILL)


def test_signals_reach_the_program(loop: AgentLoop) -> None:
    """
    An interrupt of the supervisor is one of the agent, which decides what it means.
    """
    running = loop.start(program("interrupted"))
    assert running.stdout is not None
    assert running.stdout.readline().strip() == b"ready"
    running.send_signal(signal.SIGINT)
    assert running.stdout.readline().strip() == b"signal 2"
    running.send_signal(signal.SIGQUIT)
    assert running.communicate(timeout=30)[0].strip() == b"signal 3"
    assert running.returncode == 11


def test_a_supervisor_that_is_killed_leaves_neither_agent_nor_token(loop: AgentLoop) -> None:
    """
    After ``kill -9`` of the supervisor the agent is ended and its token is gone.
    """
    kept = loop.folder / "pids"
    running = loop.start(program("stubborn", kept), "--grace", "0.5")
    assert running.stdout is not None
    assert running.stdout.readline().strip() == b"deaf"
    pids = [int(each) for each in kept.read_text().split()]
    assert list(loop.daemon.runtime.glob("agent-*/token"))
    running.kill()
    running.communicate(timeout=30)
    eventually(lambda: not any(map(is_running, pids)))
    eventually(lambda: not list(loop.daemon.runtime.glob("agent-*")))


def test_the_output_is_kept_where_it_is_wanted(loop: AgentLoop) -> None:
    """
    A log that only its owner can read; by default there is none.
    """
    log = loop.folder / "agent.log"
    assert loop.run(["echo", "hello"], "--log", str(log)).stdout.strip() == "hello"
    assert (log.read_text().strip(), log.stat().st_mode & 0o777) == ("hello", 0o600)


def test_the_prompt_can_be_an_argument(loop: AgentLoop) -> None:
    """
    A program that takes its prompt on the command line gets it there, without the token.
    """
    done = loop.run(["echo"], "--prompt", "argument")
    assert "sess_" + "5" * 32 in done.stdout.replace("\n", "")
    assert "work.await_packet" in done.stdout
    assert SESSIONS_TOKEN not in done.stdout


def test_without_a_daemon_it_says_so(loop: AgentLoop) -> None:
    """
    Nothing is started that could not work.
    """
    loop.environ["RETICLE_RUNTIME_DIR"] = str(loop.folder / "empty")
    assert loop.run(["true"]).returncode == 4
