"""
Real programs for the system tests; when a test fails, what they printed stands in its report.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from websockets.sync.client import connect as dial_page

from examples.journeys.children import (
    Child,
    Daemon,
    find_browser,
    start_browser,
    start_daemon,
    start_shop,
)
from reticle.client import Client, connect
from tests.system.pages import HELLO, page_names
from tests.system.starting import StartDaemon
from tests.system.wire import eventually

LOG_CHARS = 8_000

_running: list[Child] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Everything in this folder is a system test.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.system)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """
    Add the logs of the programs that run to the report of a failure.
    """
    report = yield
    if report.failed:
        for child in _running:
            report.sections.append((f"log of {child.name}", child.printed()[-LOG_CHARS:]))
    return report


@pytest.fixture
def start(tmp_path: Path) -> Iterator[StartDaemon]:
    """
    Start daemons with settings of one's own; all are ended with the test.
    """
    started: list[Child] = []

    def begin(
        command: Sequence[str | Path] | None = None,
        extra: Mapping[str, str] | None = None,
        folder: str = "daemon",
    ) -> Daemon:
        chosen = {} if command is None else {"command": command}
        daemon = start_daemon(tmp_path / folder, extra=extra, **chosen)
        started.append(daemon.child)
        _running.append(daemon.child)
        return daemon

    yield begin
    _end(started)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """
    One daemon for a module's tests.
    """
    running = start_daemon(tmp_path_factory.mktemp("daemon"))
    _running.append(running.child)
    yield running
    _end([running.child])


@pytest.fixture(scope="module")
def shop_url(daemon: Daemon, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """
    The example shop, its pages carrying the daemon's script.
    """
    child, url = start_shop(tmp_path_factory.mktemp("shop"), daemon.port)
    _running.append(child)
    yield url
    _end([child])


@pytest.fixture(scope="module")
def open_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Child]]:
    """
    Open a URL in a Chromium of its own, which ends with the module's tests; without one they are skipped.
    """
    opened: list[Child] = []

    def begin(url: str) -> Child:
        if find_browser() is None:
            pytest.skip("no Chromium was found; install one or set CHROMIUM")
        child = start_browser(tmp_path_factory.mktemp("chromium"), url)
        opened.append(child)
        _running.append(child)
        return child

    yield begin
    _end(opened)


@pytest.fixture(scope="module")
def drives() -> None:
    """
    The daemon opens a browser in these tests; without one on the machine they are skipped.
    """
    if find_browser() is None:
        pytest.skip("no Chromium was found; install one or set CHROMIUM")


@pytest.fixture(scope="module")
def browser(shop_url: str, open_browser: Callable[[str], Child]) -> Child:
    """
    A Chromium with the shop open.
    """
    return open_browser(shop_url)


@pytest.fixture
def client(daemon: Daemon) -> Iterator[Client]:
    """
    A client of the module's daemon, its handshake done.
    """
    with connect(daemon.mcp_url) as connected:
        connected.initialize("system-test", "1")
        yield connected


@pytest.fixture
def bystanders(daemon: Daemon) -> Iterator[None]:
    """
    An agent and a page that were there before the test are there after it, in the same daemon process.
    """
    with connect(daemon.mcp_url) as agent, dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as page:
        page.send(json.dumps(HELLO))
        eventually(lambda: "bystander" in page_names(agent), "the bystander's page is connected")
        yield
        assert agent.request("ping") == {}
        page.ping().wait(5)
        assert "bystander" in page_names(agent)
    assert daemon.child.process.poll() is None
    assert "Traceback" not in daemon.child.printed()


@pytest.fixture(scope="session")
def tool() -> Callable[[str], str]:
    """
    The path of a program that a test needs; the test is skipped where it is not installed.
    """

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"{name} is not installed")
        return path

    return find


def _end(children: list[Child]) -> None:
    for child in reversed(children):
        _running.remove(child)
        child.stop()
