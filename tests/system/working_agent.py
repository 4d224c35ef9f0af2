"""
A scripted agent: what it knows it has from its environment, and each word on its command line is one step.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

URL = os.environ["RETICLE_MCP_URL"]
TOKEN = Path(os.environ["RETICLE_MCP_TOKEN_FILE"]).read_text().strip()
SESSION = {
    "repository_id": os.environ["RETICLE_REPOSITORY_ID"],
    "session_id": os.environ["RETICLE_SESSION_ID"],
}


def call(tool: str, **arguments: object) -> dict[str, Any]:
    """
    One call of a tool; its fields.
    """
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": {**SESSION, **arguments}},
    }  # fmt: skip
    request = urllib.request.Request(
        URL,
        json.dumps(message).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        fields: dict[str, Any] = json.load(answer)["result"]["structuredContent"]
    print(tool, "ok" if fields["ok"] else f"{fields['error']}: {fields['message']}", flush=True)
    return fields


def main(steps: list[str]) -> None:
    """
    Do the steps.
    """
    packet: dict[str, Any] = {}
    for step in steps:
        if step == "ready":
            call("session.report", report_kind="ready")
        elif step == "await":
            packet = call("work.await_packet", lease_seconds=600)["packet"]
        elif step == "ack":
            call("work.ack", lease_id=packet["lease"]["lease_id"])
        elif step == "complete":
            call("work.complete", lease_id=packet["lease"]["lease_id"])
        elif step == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif step == "read":
            print("prompt of", len(input()), flush=True)
        elif step == "sleep":
            time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1:])
