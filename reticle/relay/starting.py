"""
Starts a daemon that outlives us: its own session, no inherited descriptors, its words in a file (DL-04).

Many clients may start at once (DL-03): one holds the lock and starts, the others wait for its announcement.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from reticle.errors import ConfigurationFault
from reticle.model.relay_limits import ORPHAN_SECONDS, START_SECONDS
from reticle.relay.supervisor import Where
from reticle.relay.trouble import Cause, Trouble
from reticle.relay.whereabouts import Whereabouts
from reticle.storage.process_identity import process_identity

LOG_FILE = "daemon.log"
"""Where a daemon that a front started logs, in the state directory, unless a setting says otherwise."""

START_FILE = "start.log"
"""What it printed before it logged: the reason when it does not start."""

LOCK_FILE = "start.lock"

_TAIL_BYTES = 2_000
_DESCRIPTORS = 1_024


class Places:
    """
    Provides ``supervisor.Places`` for this machine.

    Args:
        whereabouts: Which daemon is meant.
        may_start: False for ``--no-start``.
    """

    def __init__(self, whereabouts: Whereabouts, *, may_start: bool) -> None:
        self._whereabouts = whereabouts
        self._may_start = may_start and not whereabouts.elsewhere
        self._lock: int | None = None
        self._pid: int | None = None
        self._identity: str | None = None
        self._until = 0.0

    def find(self) -> Where | Trouble:
        """
        Where to dial now.
        """
        return self._whereabouts.find()

    def start(self, now: float) -> Trouble | None:
        """
        Start one, or wait for the one that another client is starting.
        """
        if not self._may_start:
            return Trouble(Cause.NOBODY, "starting one was not allowed", "reticle serve")
        self._until = now + START_SECONDS
        self._pid = None
        try:
            if self._whereabouts.choose() is not None:
                return Trouble(Cause.UNREADY, "a daemon lives and does not listen; it is stopping")
            state, _ = self._whereabouts.directories()
            if self._take_lock(state):
                self._pid = spawn(self._command(state), state / START_FILE)
                self._identity = process_identity(self._pid)
        except ConfigurationFault as fault:
            return Trouble(Cause.UNSTARTED, fault.message, fault.recovery)
        except OSError as fault:
            self._release()
            return Trouble(Cause.UNSTARTED, f"no daemon can be started here: {fault}", "reticle doctor")
        return None

    def look(self, now: float) -> Where | Trouble | None:
        """
        Whether it, or another client's, has announced itself.
        """
        found = self._whereabouts.choose()
        if found is not None:
            self._release()
            return self._whereabouts.find()
        if self._pid is not None and process_identity(self._pid) != self._identity:
            # Another client's may have won the port and be about to announce itself.
            self._pid = None
            self._until = min(self._until, now + ORPHAN_SECONDS)
        if now < self._until:
            return None
        self._release()
        state, _ = self._whereabouts.directories()
        said = _last_words(state / START_FILE)
        return Trouble(Cause.UNSTARTED, f"a daemon was started and did not come up{said}", "reticle doctor")

    def explain(self, trouble: Trouble) -> Trouble:
        """
        Say who holds the port of a daemon that does not answer or is none.
        """
        if trouble.cause not in (Cause.SILENT, Cause.STRANGER) or self._whereabouts.elsewhere:
            return trouble
        from reticle.transport.port_holder import find_port_holder  # noqa: PLC0415 - only when it went wrong

        daemon = self._whereabouts.choose()
        port = self._whereabouts.settings().port if daemon is None else daemon.port
        _, runtime = self._whereabouts.directories()
        holder = find_port_holder("localhost", port, runtime)
        if holder is None:
            return trouble
        who = holder.program if holder.pid is None else f"{holder.program}, pid {holder.pid}"
        recovery = f"Stop that program (reticle stop --port {port} for a daemon), or use another --port."
        return trouble._replace(text=f"{trouble.text} (port {port} is held by {who})", recovery=recovery)

    def _command(self, state: Path) -> Sequence[str]:
        settings = self._whereabouts.settings()
        # -P: a folder called reticle where the client works must not be taken for the package.
        command = [sys.executable, "-P", "-m", "reticle", "serve", "--port", str(settings.port)]
        # A capability token is the client's own; a daemon is told the pairing token.
        pairing = settings.token is None or not settings.token.reveal().startswith("dtok_")
        for name in ("state_dir", "runtime_dir", *(["token_file"] if pairing else []), "config"):
            value = self._whereabouts.flag(name)
            command += [] if value is None else [f"--{name.replace('_', '-')}", value]
        return command if settings.log_file is not None else [*command, "--log-file", str(state / LOG_FILE)]

    def _take_lock(self, state: Path) -> bool:
        if self._lock is not None:
            return True  # what we began was given up in its middle
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(state / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._lock = descriptor
        return True

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def spawn(command: Sequence[str], printed: Path) -> int:
    """
    Run a program that is nobody's child, in a session of its own; gives its process id.

    Twice forked: a client that ends us and our children must not end the daemon that others use too.

    Raises:
        OSError: No process could be made.
    """
    output = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _become(command, output, tell)
    os.close(tell)
    os.close(output)
    os.waitpid(child, 0)
    with os.fdopen(told, "rb") as pipe:
        return int(pipe.read() or b"0")


def _become(command: Sequence[str], output: int, tell: int) -> None:
    """
    The child's life: no way leads back from here.
    """
    try:
        os.setsid()
        grandchild = os.fork()
        if grandchild:
            os.write(tell, b"%d" % grandchild)
            os._exit(0)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.closerange(3, _DESCRIPTORS)
        os.execv(command[0], list(command))  # noqa: S606 - our own interpreter, no shell
    finally:
        os._exit(127)


def _last_words(path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read()[-_TAIL_BYTES:].decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f": {'; '.join(lines[-2:])}" if lines else ""
