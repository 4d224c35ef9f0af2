"""
The flags of ``twistd reticle``.
"""

from __future__ import annotations

import pytest
from twisted.python.usage import UsageError

from reticle.settings import OPTIONS
from reticle.tap import Options


def test_flags_are_those_that_are_heeded() -> None:
    """
    Every setting with a flag is there but those of the log, which is Twisted's under twistd.
    """
    wanted = {option.name.replace("_", "-") for option in OPTIONS if option.has_flag}
    log = {"log-format", "log-level", "log-file"}
    assert {name for name, *_ in [*Options.optParameters, *Options.optFlags]} == wanted - log
    for name in log:
        with pytest.raises(UsageError):
            Options().parseOptions([f"--{name}", "x"])  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
