"""
``reticle agent-loop`` on a real terminal and on none: prompts, keys, sizes, job control, restoration.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.agent_loop import AgentLoop, program
from tests.system.agent_programs import BOX_OPENS_AFTER_SECONDS
from tests.system.outer_pty import OuterPty, eventually, is_running
from tests.system.played_socket import SESSIONS_TOKEN


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[AgentLoop]:
    """
    Supervisors with a daemon that is played.
    """
    found = AgentLoop(tmp_path)
    yield found
    found.close()


@pytest.fixture
def shell(loop: AgentLoop) -> OuterPty:
    """
    A person's shell on a terminal.
    """
    found = loop.open(["bash", "--norc", "--noprofile", "-i"])
    found.expect(b"$ ")
    return found


@pytest.mark.parametrize("options", [(), ("pasted",)], ids=["typed", "pasted"])
@pytest.mark.parametrize("behind", ["nobody", "terminal"])
def test_the_prompt_is_submitted_in_a_text_box(
    loop: AgentLoop, behind: str, options: tuple[str, ...]
) -> None:
    """
    A full-screen program that opens late, and takes a quick carriage return for a line end, gets its prompt.
    """
    kept = loop.folder / "kept"
    command = program("box", kept, *options)
    if behind == "nobody":
        assert loop.run(command, "--prompt", "type").returncode == 0
    else:
        terminal = loop.on_terminal(command, "--prompt", "type")
        assert terminal.wait() == 0
    text = kept.read_text()
    if options:
        assert text.startswith("\x1b[200~")
        assert text.endswith("\x1b[201~")
        text = text[6:-6]
    assert text.startswith(
        "You are a work session of reticle with the role fixer: repository_id shop, run_id run_1"
    )
    assert "\n" not in text
    assert SESSIONS_TOKEN not in text
    named = re.search(r"file (\S+/token)", text)
    assert named is not None


def test_key_and_delay_of_a_prompt_can_be_chosen(loop: AgentLoop) -> None:
    """
    A program with another submit key, or one that opens much later than it looks, is still served.
    """
    kept = loop.folder / "kept"
    wish = ["--submit-key", r"\x04", "--submit-delay", "50", "--prompt-delay", "1.5"]
    began = time.monotonic()
    assert loop.run(program("box", kept), "--prompt", "type", *wish).returncode == 0
    assert time.monotonic() - began > max(1.5, BOX_OPENS_AFTER_SECONDS)
    assert kept.read_text().startswith("You are")


def test_a_program_that_reads_lines_gets_the_prompt_whole(loop: AgentLoop) -> None:
    """
    A shell script that reads a line has the prompt in it.
    """
    kept = loop.folder / "kept"
    line = f'read -r line; printf %s "$line" > {shlex.quote(str(kept))}'
    assert loop.run(["sh", "-c", line], "--prompt", "type").returncode == 0
    assert kept.read_text().endswith("into the repository.")


def test_a_program_is_answered_where_no_terminal_is(loop: AgentLoop) -> None:
    """
    What full-screen programs ask of their terminal at the start is answered, so that none hangs.
    """
    said = loop.run(program("asks")).stdout
    for answer in ("ESC[?62;22c", "ESC[1;1R", "ESC]11;rgb:1010/1010/1010BEL", "ESC[?0u", "ESC[0n"):
        assert answer in said


def test_a_real_terminal_answers_for_itself(loop: AgentLoop) -> None:
    """
    With a terminal behind, the questions reach it and its answers the program; nobody answers twice.
    """
    terminal = loop.on_terminal(program("asks"))
    terminal.expect(b"\x1b[5n")
    terminal.type(b"\x1b[?65c\x1b[0n")
    terminal.expect(b"said: ESC[?65cESC[0n")
    assert terminal.wait() == 0


def test_the_size_is_handed_through(loop: AgentLoop) -> None:
    """
    The program has the window's size, at first and after a change; without a window 40 by 120.
    """
    terminal = loop.on_terminal(program("sizes"))
    terminal.expect(b"size 30 100")
    terminal.resize(50, 132)
    terminal.expect(b"size 50 132")
    terminal.process.terminate()
    assert terminal.wait() == 143
    assert loop.run(["stty", "size"]).stdout.strip() == "40 120"


def test_keys_reach_the_program_as_they_are(loop: AgentLoop) -> None:
    """
    Ctrl-C, Ctrl-D, Ctrl-Z and a carriage return are keys for a program that wants them so.
    """
    terminal = loop.on_terminal(program("keys"))
    terminal.expect(b"ready100")
    terminal.type(b"\x03\x04\x1c\rq")
    terminal.expect(b"<3><4><28><13>")
    assert terminal.wait() == 0


def test_an_interrupt_key_is_the_programs(loop: AgentLoop) -> None:
    """
    Ctrl-C in a program that leaves it to the terminal interrupts the program, not its supervisor.
    """
    terminal = loop.on_terminal(program("interrupted"))
    at = terminal.expect(b"ready")
    terminal.type(b"\x03")
    at = terminal.expect(b"signal 2", at)
    terminal.type(b"\x03")
    terminal.expect(b"signal 2", at)
    assert terminal.wait() == 11


@pytest.mark.parametrize("end", ["q", "TERM", "HUP", "KILL", "program"])
def test_the_terminal_is_restored_in_every_ending(loop: AgentLoop, end: str) -> None:
    """
    Whatever ends it, the shell's terminal is as it was; even when the supervisor itself is killed.
    """
    kept = loop.folder / "pid"
    line = f"echo $$ > {shlex.quote(str(kept))}; exec {shlex.join(program('keys'))}"
    terminal = loop.on_terminal(["sh", "-c", line])
    before = terminal.modes()
    terminal.expect(b"ready100")
    eventually(terminal.is_raw)
    pid = int(kept.read_text())
    if end == "q":
        terminal.type(b"q")
    elif end == "program":
        os.kill(pid, signal.SIGKILL)
    else:
        terminal.process.send_signal(getattr(signal, f"SIG{end}"))
    code = terminal.wait()
    assert code == {"q": 0, "TERM": 143, "HUP": 129, "KILL": -9, "program": 137}[end]
    eventually(lambda: terminal.modes() == before)
    if end != "KILL":
        for mode, off in ((b"?25l", b"?25h"), (b"?1000h", b"?1000l")):
            assert terminal.output.rfind(off) > terminal.output.rfind(mode)
    eventually(lambda: not is_running(pid))
    assert os.get_blocking(terminal.outer)


@pytest.mark.parametrize("name", ["keys", "interrupted"], ids=["by itself", "by the terminal"])
def test_job_control(loop: AgentLoop, shell: OuterPty, name: str) -> None:
    """
    Ctrl-Z brings the shell back with a usable terminal, and fg the program, whose keys work again.
    """
    shell.type(shlex.join(loop.command(program(name))).encode() + b"\n")
    at = shell.expect(b"ready", shell.expect(b"\x1b[?2004l"))
    eventually(shell.is_raw)
    shell.type(b"\x1a")
    at = shell.expect(b"Stopped", at)
    shell.type(b"echo usa'ble'; stty -a | grep -c -w icanon\n")
    at = shell.expect(b"$ ", shell.expect(b"usable\r\n1\r\n", at))
    shell.resize(33, 77)
    shell.type(b"fg\n")
    # The shell's own line editor is raw as well: it is over once it names the job.
    at = shell.expect(b"agent_programs.py", at)
    if name == "keys":
        at = shell.expect(b"ready77", at)
        shell.type(b"xq")
        at = shell.expect(b"<120>", at)
    else:
        eventually(shell.is_raw)
        shell.type(b"\x03")
        at = shell.expect(b"signal 2", at)
        shell.type(b"\x03")
        at = shell.expect(b"signal 2", at)
    at = shell.expect(b"$ ", at)
    shell.type(b"echo end''ed $?\n")
    shell.expect(b"ended " + (b"0" if name == "keys" else b"11"), at)


def test_from_the_background_into_the_foreground(loop: AgentLoop, shell: OuterPty) -> None:
    """
    Started with &, it leaves the shell its keys; fg hands them over.
    """
    shell.type(shlex.join(loop.command(program("keys"))).encode() + b" &\n")
    at = shell.expect(b"ready100")
    shell.type(b"echo still' 'mine\n")
    at = shell.expect(b"still mine", at)
    at = shell.expect(b"$ ", at)
    shell.type(b"fg\n")
    at = shell.expect(b"agent_programs.py", at)
    eventually(shell.is_raw)
    eventually(lambda: _shows_key(shell, at))
    at = len(shell.output)
    shell.type(b"q")
    at = shell.expect(b"$ ", at)
    shell.type(b"echo ba''ck\n")
    shell.expect(b"back", at)


def _shows_key(shell: OuterPty, after: int) -> bool:
    shell.type(b"k")
    time.sleep(0.1)
    return shell.output.find(b"<107>", after) >= 0


def test_a_stopped_agent_can_be_ended(loop: AgentLoop, shell: OuterPty) -> None:
    """
    A job that was stopped by Ctrl-Z ends when it is killed, with its program.
    """
    kept = loop.folder / "pid"
    line = f"echo $$ > {shlex.quote(str(kept))}; exec {shlex.join(program('keys'))}"
    shell.type(shlex.join(loop.command(["sh", "-c", line])).encode() + b"\n")
    at = shell.expect(b"ready100")
    shell.type(b"\x1a")
    shell.expect(b"Stopped", at)
    shell.type(b"kill %1\n")
    eventually(lambda: not is_running(int(kept.read_text())))
    eventually(lambda: loop.daemon.methods()[-1] == "session.close")
    assert loop.daemon.asked[-1]["params"]["reason"] == "the agent ended with signal 15"


def test_ctrl_z_without_a_terminal_holds_nothing(loop: AgentLoop) -> None:
    """
    A program that stops itself where nobody could bring it back goes on.
    """
    assert loop.run(["sh", "-c", "kill -TSTP $$; echo went on"]).stdout.strip() == "went on"


@pytest.mark.parametrize("errors", ["", "2>&1"], ids=["output alone", "and errors"])
def test_output_in_a_pipe_is_the_programs_alone(loop: AgentLoop, errors: str) -> None:
    """
    With its output in a pipe it can be filtered, and a reader that leaves ends it, whatever there is to say.
    """
    reticle = shlex.join(loop.command(["sh", "-c", "while echo line; do :; done"], "--grace", "1"))
    done = subprocess.run(
        ["bash", "-c", f"{reticle} {errors} | head -n 2; echo ${{PIPESTATUS[0]}}"],
        env=loop.environ, cwd=loop.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["line", "line", "129"]
    assert loop.daemon.methods()[-1] == "session.close"
