"""
The console script and ``python -m reticle``.
"""

from __future__ import annotations

import os
import signal
import sys


def main() -> int | None:
    """
    Run the command line, or the stdio front, which has no time to load it.
    """
    if sys.argv[1:2] == ["mcp"]:
        # Before anything else is imported: what prints from now on does not reach the client (SP-01).
        sink = claim_standard_output()
        # An interrupt ends it like every other signal: as an exception it could come out of any import.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        from reticle.relay.main import run as serve_client  # noqa: PLC0415 - see above

        return serve_client(sys.argv[2:], sink)
    try:
        from reticle.cli.main import main as run  # noqa: PLC0415 - the front starts without click
    except KeyboardInterrupt:
        return 130  # as of a command that has begun (cli.exits), without a traceback through imports

    run()
    return None


def claim_standard_output() -> int:
    """
    Take descriptor 1 for the protocol alone: a duplicate of it is ours, and 1 itself is standard error.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number: this one
    sink = os.dup(1)
    os.dup2(2, 1)
    return sink


if __name__ == "__main__":
    sys.exit(main())
