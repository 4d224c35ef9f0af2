"""
``reticle mcp``, from the claimed descriptors to the end of the client.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence

from reticle.relay.front import Front
from reticle.relay.loop import Loop
from reticle.relay.memory import Memory
from reticle.relay.offer import Offer
from reticle.relay.options import USAGE, parse_options

_DEFAULT_PORT = "4400"


def run(arguments: Sequence[str], sink: int) -> int:
    """
    Serve standard input and ``sink`` until the client is gone; the exit code.

    Args:
        arguments: What stands behind ``reticle mcp``.
        sink: The client's end; descriptor 1 is standard error by now (``reticle.__main__``).
    """
    try:
        options = parse_options(arguments)
    except ValueError as fault:
        _log(str(fault))
        return 2
    if options.help:
        os.write(sink, USAGE.encode())
        return 0
    offer = Offer(kept_answers(options.flags, os.environ))
    memory = Memory(os.urandom(6).hex(), offer.negotiate(None))
    loop = Loop(0, sink, time.monotonic)
    front = Front(offer, memory, loop.say)
    loop.read_first(front)
    # Loaded now: the handshake is answered, and the client is busy with it.
    from reticle.relay.carrying import carry  # noqa: PLC0415 - see above

    carry(front, loop, options, _log)
    return 0


def kept_answers(flags: Mapping[str, str], environ: Mapping[str, str]) -> str | None:
    """
    The file in which what the daemon said is kept; None where there is no home to keep it in.
    """
    named = flags.get("state_dir") or environ.get("RETICLE_STATE_DIR")
    home = environ.get("HOME")
    above = environ.get("XDG_STATE_HOME") or (f"{home}/.local/state" if home else None)
    folder = named or (f"{above}/reticle" if above else None)
    port = flags.get("port") or environ.get("RETICLE_PORT") or _DEFAULT_PORT
    return f"{folder}/front-{port}.json" if folder and folder.startswith("/") and port.isalnum() else None


def _log(text: str) -> None:
    """
    One line for people. Who started us may have closed standard error.
    """
    try:
        os.write(2, f"reticle mcp: {text}\n".encode("utf-8", "replace"))
    except OSError:
        sys.stderr = None  # nobody reads it, so nothing has to be flushed
