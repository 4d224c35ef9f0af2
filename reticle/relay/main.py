"""
``reticle mcp``, from the claimed descriptors to the end of the client.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence

from reticle.relay.front import Front
from reticle.relay.guard import Guard, traceback_text
from reticle.relay.loop import Loop
from reticle.relay.memory import Memory
from reticle.relay.offer import Offer
from reticle.relay.options import USAGE, Options, parse_options

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
    loop = Loop(0, sink, time.monotonic)
    guard = Guard(loop.say, lambda failure: _log(traceback_text(failure)))
    try:
        front = _front(loop, guard, options)
        loop.read_first(guard)
        if front is not None:
            _link(front, guard, options)
        loop.run(guard)
        guard.close()
        if guard.ended:
            loop.drain()
    except Exception as failure:  # noqa: BLE001 - the loop itself: what is owed is said, if that goes
        guard.give_up(failure)
        loop.drain()
    if guard.exit_code:
        _log(f"this was a bug of reticle, or its installation is broken; exit code {guard.exit_code}")
    return guard.exit_code


def _front(loop: Loop, guard: Guard, options: Options) -> Front | None:
    """
    The front under its guard; None when it cannot be made: then the guard answers with errors.
    """
    try:
        offer = Offer(kept_answers(options.flags, os.environ))
        front = Front(offer, Memory(os.urandom(6).hex(), offer.negotiate(None)), loop.say)
    except Exception as failure:  # noqa: BLE001 - a broken installation, or a bug
        guard.give_up(failure)
        return None
    guard.serve(front)
    return front


def _link(front: Front, guard: Guard, options: Options) -> None:
    """
    Give it its link, or let it end.
    """
    try:
        # Loaded now: the handshake is answered, and the client is busy with it.
        from reticle.relay.carrying import supervise  # noqa: PLC0415 - see above

        guard.link(supervise(front, options, _log))
    except Exception as failure:  # noqa: BLE001 - as above
        guard.give_up(failure)
    guard.want(time.monotonic())


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
