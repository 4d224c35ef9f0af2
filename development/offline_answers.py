"""
Writes what the stdio front answers while no daemon is there, from a daemon's own words: ``make reference``.

Starts a daemon of this checkout on a free port, with directories of its own.
``tests/system/test_stdio_offline.py`` compares the committed files with what a daemon says.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from examples.journeys.children import start_daemon  # noqa: E402 - found through the path above
from reticle.client import RpcError, connect  # noqa: E402 - as above
from reticle.mcp.versions import REVISIONS  # noqa: E402 - as above

OFFLINE = ROOT / "reticle" / "relay" / "offline"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"


def ask_handshake(url: str, revision: str) -> tuple[Any, Any]:
    """
    The results of ``initialize`` and ``tools/list`` in a revision with a handshake.
    """
    with connect(url) as client:
        identity = {"name": "offline-answers", "version": "0"}
        asked = {"protocolVersion": revision, "capabilities": {}, "clientInfo": identity}
        hello = client.request("initialize", asked)
        client.notify("notifications/initialized")
        return hello, client.request("tools/list")


def ask_modern(url: str, revision: str) -> tuple[Any, Any]:
    """
    The results of ``server/discover`` and ``tools/list`` in a revision without; None where there is none.
    """
    meta = {"_meta": {VERSION_KEY: revision, CAPABILITIES_KEY: {}}}
    with connect(url) as client:
        try:
            return client.request("server/discover", meta), client.request("tools/list", meta)
        except RpcError:
            return None, None


def collect(url: str) -> dict[str, Any]:
    """
    The content of each file, as a daemon at ``url`` (of ``/mcp/sse``) says it.
    """
    initialize, lists, discover = {}, {}, None
    for revision in REVISIONS:
        if revision.handshake:
            initialize[revision.name], lists[revision.name] = ask_handshake(url, revision.name)
        else:
            discover, listed = ask_modern(url, revision.name)
            lists |= {} if listed is None else {revision.name: listed}
    results: list[Any] = []
    results += [each for at, each in enumerate(lists.values()) if each not in list(lists.values())[:at]]
    return {
        "handshakes.json": {"initialize": initialize, "discover": discover},
        "tools.json": {
            "revisions": {name: results.index(each) for name, each in lists.items()},
            "results": results,
        },
    }


def main() -> None:
    """
    Write the files.
    """
    with tempfile.TemporaryDirectory() as folder:
        daemon = start_daemon(Path(folder))
        try:
            found = collect(daemon.mcp_url)
        finally:
            daemon.child.stop()
    for name, content in found.items():
        text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=False)
        (OFFLINE / name).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
