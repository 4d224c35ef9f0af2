"""
One daemon and one page for every client of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.journeys.children import find_browser
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
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """
    The running daemon, its page connected; skipped where there is no Chromium.
    """
    if find_browser() is None:
        pytest.skip("no Chromium was found; install one or set CHROMIUM")
    with staged(tmp_path_factory.mktemp("stage")) as running:
        yield running
