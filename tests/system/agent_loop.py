"""
``reticle agent-loop`` under a test's hands: a played daemon, a clean environment, its command line.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.system.outer_pty import OuterPty
from tests.system.played_socket import PlayedSocket

PROGRAMS = Path(__file__).with_name("agent_programs.py")
RUN = "run_" + "1" * 32


class AgentLoop:
    """
    Starts supervisors; all that run on terminals are ended with the test.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.daemon = PlayedSocket(folder / "run")
        self.terminals: list[OuterPty] = []
        self.environ = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("RETICLE_", "STRIATUM_"))
        }
        self.environ |= {
            "RETICLE_RUNTIME_DIR": str(folder / "run"),
            "RETICLE_STATE_DIR": str(folder / "state"),
        }

    def command(
        self,
        program: Sequence[str],
        *options: str,
        session: Sequence[str] = ("--run", RUN, "--role", "fixer"),
    ) -> list[str]:
        """
        The command line.
        """
        prompt = [] if "--prompt" in options else ["--prompt", "none"]
        reticle = [sys.executable, "-m", "reticle", "agent-loop"]
        return [*reticle, *session, *prompt, *options, "--", *program]

    def run(
        self,
        program: Sequence[str],
        *options: str,
        session: Sequence[str] = ("--run", RUN, "--role", "fixer"),
        extra: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """
        Run it to its end with no terminal behind it.
        """
        return subprocess.run(
            self.command(program, *options, session=session), env=self.environ | dict(extra or {}),
            cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90,
            check=False,
        )  # fmt: skip

    def start(self, program: Sequence[str], *options: str) -> subprocess.Popen[bytes]:
        """
        Start it with no terminal behind it; its output is to be read by the test.
        """
        return subprocess.Popen(
            self.command(program, *options), env=self.environ, cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def on_terminal(self, program: Sequence[str], *options: str) -> OuterPty:
        """
        Start it on a terminal, before which the test sits.
        """
        return self.open(self.command(program, *options))

    def open(self, command: Sequence[str]) -> OuterPty:
        """
        Start anything on a terminal.
        """
        terminal = OuterPty(command, self.environ | {"TERM": "xterm", "PS1": "$ "}, self.folder)
        self.terminals.append(terminal)
        return terminal

    def close(self) -> None:
        """
        End everything.
        """
        for terminal in self.terminals:
            terminal.close()
        self.daemon.stop()


def program(name: str, *arguments: str | Path) -> list[str]:
    """
    One of the programs that were written for these tests.
    """
    return [sys.executable, str(PROGRAMS), name, *map(str, arguments)]
