"""
The Playwright script as a child that takes one journey after the other.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from bench.regressions.entries import Journey

SCRIPT = Path(__file__).parent / "playwright/run.mjs"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Told(NamedTuple):
    """
    What the script said of one build.
    """

    passed: bool
    seconds: float
    why: str


class Playwright:
    """
    One running script with one browser.
    """

    def __init__(self) -> None:
        folder = SCRIPT.parent
        if not (folder / "node_modules").exists():
            subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
        self._child = subprocess.Popen(
            ["node", str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "RETICLE_CHROMIUM": _chromium(os.environ)},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._child.stdin is not None
        self._child.stdin.close()
        try:
            self._child.wait(10)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()

    def run(self, journey: Journey, url: str) -> Told:
        """
        Walk the journey on a build and assert.

        Raises ``RuntimeError`` when the script is gone.
        """
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        asked = {
            "id": journey.id, "url": url, "start": journey.start, "before": list(journey.before),
            "act": journey.act, "check": journey.check, "timeoutMs": journey.timeout_ms,
        }  # fmt: skip
        self._child.stdin.write(json.dumps(asked).encode() + b"\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError("the Playwright script ended")
        said = json.loads(line)
        return Told(said["passed"], said["ms"] / 1_000, said["why"])


def _chromium(environment: Mapping[str, str]) -> str:
    named = environment.get("RETICLE_CHROMIUM")
    found = named or next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise RuntimeError("no Chromium on this machine (set RETICLE_CHROMIUM)")
    return found
