"""
One daemon and one page for every client of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from examples.journeys.children import find_browser
from tests.clients.matrix import inspector_command
from tests.clients.stage import Stage, staged


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Everything in this folder is a system test.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.system)


@pytest.fixture(scope="session")
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """
    The running daemon, its page connected; skipped where there is no Chromium.

    What takes longest to install is installed beside the first clients, which mostly wait for the page.
    """
    if find_browser() is None:
        pytest.skip("no Chromium was found; install one or set CHROMIUM")
    with ThreadPoolExecutor(1) as beside, staged(tmp_path_factory.mktemp("stage")) as running:
        if any(item.path.name == "test_inspector.py" for item in request.session.items):
            beside.submit(inspector_command)
        yield running
