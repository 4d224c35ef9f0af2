"""
The driven browser with a window that a person looks at, on a screen of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from examples.journeys.children import Daemon, daemon_environment
from reticle.client import Client, connect
from tests.system.starting import StartDaemon
from tests.system.strict_app import StrictApp
from tests.system.web_app import serving
from tests.system.wire import eventually

pytestmark = [pytest.mark.system, pytest.mark.full, pytest.mark.usefixtures("drives")]

WHITE = b"\xff\xff\xff"
SCREEN = "1400x1000x24"


@attrs.frozen
class Screen:
    """
    An X server that shows nobody anything.

    Attributes:
        display: Its name.
        frame: The file that has what it shows.
    """

    display: str
    frame: Path

    def lit(self) -> int:
        """
        How many pixels are white, as a page's ground is; the empty screen is black.
        """
        return self.frame.read_bytes().count(WHITE)


@pytest.fixture
def screen(tool: Callable[[str], str], tmp_path: Path) -> Iterator[Screen]:
    """
    A screen; without Xvfb (Debian: the package xvfb) the tests are skipped.
    """
    read, write = os.pipe()
    command = [
        tool("Xvfb"), "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp",
        "-fbdir", str(tmp_path),
    ]  # fmt: skip
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with os.fdopen(read) as told:
                number = told.readline().strip()
            assert number, "Xvfb did not start"
            yield Screen(f":{number}", tmp_path / "Xvfb_screen0")
        finally:
            server.terminate()


@pytest.fixture
def app() -> Iterator[str]:
    """
    The app's address.
    """
    with serving(StrictApp) as url:
        yield url


def agent_of(daemon: Daemon) -> Client:
    """
    An agent.
    """
    client = connect(daemon.mcp_url)
    client.initialize("system-test", "1")
    return client


def test_a_person_watches_what_agents_do(start: StartDaemon, screen: Screen, app: str) -> None:
    """
    `--headed` opens a window on the daemon's screen; a real click, a picture and a verdict work in it, two
    contexts have a window each, and the end of a lease closes its window.
    """
    daemon = start(extra={"DISPLAY": screen.display})
    environment = {**os.environ, **daemon_environment(daemon.state_dir.parent)}
    dark = screen.lit()
    with agent_of(daemon) as client:
        done = subprocess.run(
            [sys.executable, "-m", "reticle", "drive", app, "--headed", "--detach"],
            env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        eventually(lambda: screen.lit() > dark + 100_000, "the window is on the screen", 30)
        leases: Any = client.call("reticle_lease", {"action": "list"}).fields["leases"]
        [mine] = leases
        assert mine["headed"] is True
        got = client.call("reticle_lease", {"action": "acquire", "url": app, "headed": True})
        assert got.fields["ready"] is True, got.text
        for page in (mine["sessionId"], got.fields["sessionId"]):
            picture = client.call("reticle_screenshot", {"sessionId": page, "name": "seen"})
            assert picture.ok, picture.text
            pressed = client.call(
                "reticle_act_and_wait",
                {
                    "sessionId": page,
                    "action": "click",
                    "target": {"role": "button", "name": "Count"},
                    "trusted": True,
                    "until": {"kind": "text", "contains": "visits"},
                },
            )
            assert pressed.fields["verified"] == "yes", pressed.text
        client.call("reticle_lease", {"action": "release", "leaseId": got.fields["leaseId"]})
        closed = subprocess.run(
            [sys.executable, "-m", "reticle", "drive", "--close", mine["leaseId"]],
            env=environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert closed.returncode == 0, closed.stderr
        eventually(lambda: screen.lit() <= dark + 1_000, "the windows are gone", 30)


def test_without_a_screen_the_next_step_is_named(start: StartDaemon, app: str) -> None:
    """
    A daemon that runs as a service has no screen: it says so, and what to do.
    """
    daemon = start(extra={"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    with agent_of(daemon) as client:
        refused = client.call("reticle_lease", {"action": "acquire", "url": app, "headed": True})
        assert refused.fields["error"] == "browser_failed"
        assert "screen" in str(refused.fields["recovery"])
        assert client.call("reticle_lease", {"action": "acquire", "url": app}).fields["ready"] is True
