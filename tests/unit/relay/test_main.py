"""
Where what the daemon said is kept.
"""

from __future__ import annotations

import pytest

from reticle.relay.main import kept_answers


@pytest.mark.parametrize(
    ("flags", "environ", "expected"),
    [
        ({}, {"HOME": "/h"}, "/h/.local/state/reticle/front-4400.json"),
        ({}, {"HOME": "/h", "XDG_STATE_HOME": "/s"}, "/s/reticle/front-4400.json"),
        ({}, {"HOME": "/h", "RETICLE_STATE_DIR": "/r", "RETICLE_PORT": "1"}, "/r/front-1.json"),
        ({"state_dir": "/f", "port": "2"}, {"RETICLE_STATE_DIR": "/r"}, "/f/front-2.json"),
        ({}, {}, None),
        ({"state_dir": "relative"}, {"HOME": "/h"}, None),
        ({"port": "../../x"}, {"HOME": "/h"}, None),
    ],
)
def test_each_daemon_has_its_own_file(
    flags: dict[str, str], environ: dict[str, str], expected: str | None
) -> None:
    """
    Two daemons do not overwrite each other's lists, and no path comes from outside.
    """
    assert kept_answers(flags, environ) == expected
