"""
``reticle run``: the environment that it gives to a command.
"""

from __future__ import annotations

import os
from pathlib import Path

from reticle.cli.run_server import watched


def test_the_probe_is_asked_for_and_the_path_kept() -> None:
    """
    The command's Python finds the probe first, then what it found before; a nested call adds nothing.
    """
    once = watched({"PYTHONPATH": f"/srv/a{os.pathsep}/srv/b", "SHELL": "sh"})
    folder, *rest = once["PYTHONPATH"].split(os.pathsep)
    assert (Path(folder) / "sitecustomize.py").is_file()
    assert rest == ["/srv/a", "/srv/b"]
    assert (once["RETICLE_PROBE"], once["SHELL"]) == ("1", "sh")
    assert watched(once) == once


def test_a_refusal_by_name_stays() -> None:
    """
    Who switched the probe off is not overruled.
    """
    assert watched({"RETICLE_PROBE": "0"})["RETICLE_PROBE"] == "0"
