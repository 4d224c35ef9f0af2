"""
An app's contract in its project, from a real page: what is written, what is missed later, what is refused.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client
from tests.system.pages import page_names
from tests.system.test_driven_agents import shell
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

PAGE = """<!doctype html><title>Shop</title><script src="{daemon}/sdk.js"></script>
<button data-testid="pay">Pay</button><button data-testid="cancel" onclick="this.remove()">Cancel</button>
<script>
reticle.registerCapabilities({{
  signals: ['order.placed'], stores: ['cart'], flows: [{{ name: 'buy', steps: ['pay'] }}], owner: 'shop' }});
</script>"""


@pytest.fixture(scope="module")
def app(daemon: Daemon) -> Iterator[str]:
    """
    The app's address.
    """

    class Shop(QuietHandler):
        def do_GET(self) -> None:
            self.answer(200, "text/html", PAGE.format(daemon=daemon.url).encode())

    with serving(Shop) as url:
        yield url


@pytest.fixture
def page(client: Client, app: str, open_browser: Callable[[str], Child]) -> str:
    """
    The page, open in a browser; its name.
    """
    open_browser(app)
    eventually(lambda: len(page_names(client)) == 1, "the page is connected", 20)
    return page_names(client)[0]


def ok(client: Client, tool: str, **arguments: object) -> Mapping[str, Any]:
    """
    The fields of a call that was done.
    """
    result = client.call(tool, arguments)
    assert result.ok, result.text
    return result.fields


def reticle(*arguments: str, daemon: Daemon) -> subprocess.CompletedProcess[str]:
    """
    A command, as it ended.
    """
    return subprocess.run(
        [sys.executable, "-m", "reticle", *arguments],
        capture_output=True, text=True, timeout=60, check=False, env=shell(daemon),
    )  # fmt: skip


def test_an_app_s_names_are_written_into_its_project_and_missed_when_they_go(
    client: Client, daemon: Daemon, app: str, page: str, tmp_path: Path
) -> None:
    """
    Nothing is written before the app's address is registered, and a button that the app lost is named later.
    """
    for tool in ("reticle_contract_save", "reticle_contract_check"):
        assert client.call(tool, {}).error == "repo_not_registered"
    assert client.call("reticle_capabilities", {"fromDisk": True}).error == "repo_not_registered"
    subprocess.run(
        [sys.executable, "-m", "reticle", "repo", "add", str(tmp_path), "--origin", app],
        capture_output=True, timeout=60, check=True, env=shell(daemon), cwd=tmp_path,
    )  # fmt: skip
    assert client.call("reticle_contract_check", {}).error == "not_found"
    saved = ok(client, "reticle_contract_save", sessionId=page)
    path = tmp_path / ".reticle" / "contract.json"
    assert (saved["path"], saved["testidCount"], saved["flowCount"]) == (str(path), 2, 1)
    kept = json.loads(path.read_text())
    assert kept == {
        "version": 1, "generatedAt": saved["generatedAt"],
        "capabilities": {
            "testids": ["cancel", "pay"], "signals": ["order.placed"], "stores": ["cart"],
            "flows": [{"name": "buy", "steps": ["pay"]}], "governance": {"owner": "shop"},
        },
    }  # fmt: skip
    assert ok(client, "reticle_contract_check")["same"] is True
    ok(client, "reticle_act", action="click", target={"testid": "cancel"})
    checked = ok(client, "reticle_contract_check")
    assert (checked["same"], checked["missing"], checked["added"]) == (False, {"testids": ["cancel"]}, {})
    disk = ok(client, "reticle_capabilities", fromDisk=True)
    assert (disk["source"], disk["testids"]) == ("disk", ["cancel", "pay"])
    live = ok(client, "reticle_capabilities")
    assert (live["source"], live["testids"]) == ("live", ["pay"])
    shown = reticle("contract", "check", daemon=daemon)
    assert (shown.returncode, shown.stdout.splitlines()[0]) == (1, "missing testid: cancel"), shown
    again = reticle("contract", "save", daemon=daemon)
    assert (again.returncode, again.stdout) == (0, f"{path}: 1 testids, 1 signals, 1 stores, 1 flows\n"), (
        again
    )
    assert reticle("contract", "check", daemon=daemon).returncode == 0
    path.write_text("{")
    assert reticle("contract", "check", daemon=daemon).returncode == 5
    assert client.call("reticle_contract_check", {}).error == "conflict"
