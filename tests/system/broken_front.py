"""
A stdio front with a bug: one of its functions fails at its first call, or at each.

    python tests/system/broken_front.py MODULE NAME once|always ARGUMENTS…

``NAME`` is a function or ``Class.method`` of ``MODULE``; a module that is to be missing has the name ``-``.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, cast


def break_it(module: str, name: str, *, once: bool) -> None:
    """
    Put the bug in.
    """
    if name == "-":
        sys.modules[module] = cast("Any", None)
        return
    owner: Any = importlib.import_module(module)
    *above, attribute = name.split(".")
    for part in above:
        owner = getattr(owner, part)
    whole = getattr(owner, attribute)
    calls = []

    def fails(*positional: Any, **named: Any) -> Any:
        calls.append(1)
        if once and len(calls) > 1:
            return whole(*positional, **named)
        raise KeyError("injected")

    setattr(owner, attribute, fails)


def main() -> int | None:
    """
    Run the front.
    """
    module, name, times, *arguments = sys.argv[1:]
    sys.argv[1:] = ["mcp", *arguments]
    from reticle import __main__ as program

    claim = program.claim_standard_output

    def claimed() -> int:
        sink = claim()
        break_it(module, name, once=times == "once")
        return sink

    program.claim_standard_output = claimed
    return program.main()


if __name__ == "__main__":
    sys.exit(main())
