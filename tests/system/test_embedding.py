"""
reticle inside somebody else's Twisted application.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect as dial_page

from reticle.client import connect
from tests.system.pages import HELLO, page_names
from tests.system.wire import eventually

APP = Path(__file__).with_name("embedding_app.py")
WAYS = {"default reactor": [], "asyncio reactor": ["--reactor", "asyncio"], "another thread": ["--thread"]}


@pytest.fixture(params=list(WAYS), scope="module")
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    The application's base URL; afterwards it must have ended by itself, without a traceback.
    """
    folder = tmp_path_factory.mktemp("app")
    process = subprocess.Popen(
        [sys.executable, str(APP), *WAYS[request.param]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            "PATH": "/usr/bin:/bin",
            "RETICLE_STATE_DIR": f"{folder}/s",
            "RETICLE_RUNTIME_DIR": f"{folder}/r",
        },
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    try:
        assert line.startswith("listening on "), line + process.stderr.read() if process.stderr else line
        yield line.split()[-1]
    finally:
        # communicate() closes standard input, which is how this application is told to stop.
        printed, complaints = process.communicate(timeout=15)
    assert printed == "ended\n"
    assert "Traceback" not in complaints


def test_the_application_keeps_its_own_pages(app: str) -> None:
    """
    Mounting reticle changes nothing outside its path.
    """
    with urlopen(f"{app}/", timeout=10) as answer:
        assert answer.read() == b"the application itself"


def test_agent_and_page_meet_below_the_mount(app: str) -> None:
    """
    The announced message path resolves below the mount, and a page connects there too.
    """
    with connect(f"{app}/tools/reticle/mcp/sse") as agent:
        agent.initialize("embedding-test", "1")
        with dial_page(f"ws{app[4:]}/tools/reticle/reticle") as page:
            page.send(json.dumps(HELLO))
            eventually(lambda: "bystander" in page_names(agent), "the page is connected")


def test_announced_path_carries_the_mount_once(app: str) -> None:
    """
    A client that joins the announced path to the stream's address reaches the message endpoint.
    """
    stream = f"{app}/tools/reticle/mcp/sse"
    with urlopen(stream, timeout=10) as opened:
        assert opened.readline() == b"event: endpoint\n"
        announced = opened.readline().decode().removeprefix("data: ").strip()
    assert urljoin(stream, announced).startswith(f"{app}/tools/reticle/mcp/message?sessionId=")
