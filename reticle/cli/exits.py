"""
How a command ends: its exit codes, and the failure that carries one (docs/operations/configuration.md).
"""

from __future__ import annotations

from enum import IntEnum

from reticle.errors import ReticleError


class ExitCode(IntEnum):
    """
    What a script can rely on. 78 is ``EX_CONFIG``: systemd does not restart on it.
    """

    OK = 0
    FAILED = 1
    USAGE = 2
    VERDICT_NO = 3
    UNREACHABLE = 4
    REFUSED = 5
    VERDICT_UNKNOWN = 6
    CONFIGURATION = 78
    INTERRUPTED = 130


class CommandFailure(ReticleError):
    """
    A command could not do what it was asked to; retry once ``next_step`` has been followed.

    Args:
        exit_code: How the process ends.
        message: One sentence that names what is at fault.
        next_step: One sentence or command.
    """

    def __init__(self, exit_code: ExitCode, message: str, next_step: str) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.message = message
        self.next_step = next_step
