"""
An agent in Python: waits for packets, mends, verifies, completes, until there is no more work.

It stands for a model: what to change for which job it reads in ``fixes.json``, all else it does over MCP as
any agent would. Standard library alone; started by ``reticle agent-loop``, which says who it is.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FIXES = json.loads((Path(__file__).parent / "fixes.json").read_text("utf-8"))
LEASE_SECONDS = 60


class ToolRefusedError(Exception):
    """
    A tool's refusal: its code, and what it said.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


class Mcp:
    """
    As much of a Streamable HTTP client as one agent needs.
    """

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._last = 0
        client = {"name": "work-demo-python", "version": "1"}
        self._request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        )
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """
        What a tool answers; raises ``ToolRefusedError``.
        """
        result = self._request("tools/call", {"name": tool, "arguments": arguments})
        told = result.get("structuredContent") or json.loads(result["content"][0]["text"])
        if result.get("isError"):
            raise ToolRefusedError(str(told.get("error")), str(told.get("message", told)))
        answer: Mapping[str, Any] = told
        return answer

    def _request(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        self._last += 1
        wanted = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        for message in self._post(wanted):
            if message.get("id") == self._last:
                if "error" in message:
                    raise ToolRefusedError(str(message["error"]["code"]), message["error"]["message"])
                result: Mapping[str, Any] = message["result"]
                return result
        raise ToolRefusedError("no_answer", f"{method} got no answer")

    def _post(self, message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        request = urllib.request.Request(self._url, json.dumps(message).encode(), self._headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            if session := answer.headers.get("Mcp-Session-Id"):
                self._headers["Mcp-Session-Id"] = session
            text = answer.read().decode()
        if answer.headers.get_content_type() == "text/event-stream":
            lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
        else:
            lines = [text]
        return [json.loads(line) for line in lines if line.strip()]


class Agent:
    """
    The loop that the bootstrap prompt asks for.
    """

    def __init__(self, hold_seconds: int | None = None) -> None:
        self._hold_seconds = hold_seconds
        token = Path(os.environ["RETICLE_MCP_TOKEN_FILE"]).read_text("utf-8").strip()
        self.mcp = Mcp(os.environ["RETICLE_MCP_URL"], token)
        self.me = {
            "repository_id": os.environ["RETICLE_REPOSITORY_ID"],
            "session_id": os.environ["RETICLE_SESSION_ID"],
        }

    def run(self) -> None:
        """
        Work until the daemon says that there is no more.
        """
        self.mcp.call("session.report", **self.me, report_kind="ready", phase="await_packet")
        while True:
            seconds = self._hold_seconds or LEASE_SECONDS
            got = self.mcp.call("work.await_packet", **self.me, lease_seconds=seconds)
            if got["status"] == "claimed":
                self.work(got["packet"])
            elif got["idle_behavior"] == "exit_session":
                say(f"no more work: {got['reason']}")
                return

    def work(self, packet: Mapping[str, Any]) -> None:
        """
        One packet, from its acknowledgement to its end.
        """
        held = {**self.me, "lease_id": packet["lease"]["lease_id"]}
        name = packet["job"]["id"]
        self.mcp.call("work.ack", **held, message_id=packet["lease"]["message_id"])
        if self._hold_seconds is not None:
            say(f"{name}: holding it")
            time.sleep(600)
        if packet["job"]["type"] == "review":
            self.review(packet, held)
            return
        fix, root = FIXES[name], Path(packet["run"]["repo_root"])
        mend(root / fix["file"], fix)
        verdicts = [self.verify(one, fix) for one in packet["requires_verdict"]]
        for wanted in packet["expected_artifacts"]:
            self.publish(held, wanted)
        self.mcp.call("work.complete", **held, summary=f"mended {fix['file']}", verdict_ids=verdicts)
        say(f"{name}: completed with {', '.join(verdicts)}")

    def verify(self, required: Mapping[str, Any], fix: Mapping[str, Any]) -> str:
        """
        Act on a page that the daemon opens, and prove the job's claim; gives the verdict's id.
        """
        lease = self.mcp.call("reticle_lease", action="acquire", url=required["url"])
        page = {"sessionId": lease["sessionId"]}
        try:
            for step in fix["before"]:
                self.mcp.call("reticle_act", **step, **page)
            verdict = self.mcp.call("reticle_act_and_wait", **fix["act"], until=required["claim"], **page)
        finally:
            self.mcp.call("reticle_lease", action="release", leaseId=lease["leaseId"])
        if verdict["verified"] != "yes":
            say(f"not proved: {verdict}")
        return str(verdict["verdict_id"])

    def publish(self, held: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        """
        Publish one of the files that the packet asks for.
        """
        names = {key: wanted[key] for key in ("logical_name", "kind", "path")}
        self.mcp.call("artifact.publish", **held, **names)

    def review(self, packet: Mapping[str, Any], held: Mapping[str, Any]) -> None:
        """
        Look at what was published, and accept it.
        """
        for given in packet["inputs"]:
            self.mcp.call(
                "artifact.get_content",
                repository_id=self.me["repository_id"],
                artifact_id=given["artifact_id"],
            )
        self.mcp.call(
            "review.verdict", **held, verdict="accept", rationale=f"{len(packet['inputs'])} changes read"
        )
        say(f"{packet['job']['id']}: accepted")


def mend(file: Path, fix: Mapping[str, Any]) -> None:
    """
    Make the change, unless an attempt before this one made it.
    """
    text = file.read_text("utf-8")
    if fix["new"] not in text:
        file.write_text(text.replace(fix["old"], fix["new"]), "utf-8")


def say(text: str) -> None:
    """
    A line for whoever watches the terminal.
    """
    print(text, flush=True)


if __name__ == "__main__":
    try:
        held = int(sys.argv[sys.argv.index("--hold") + 1]) if "--hold" in sys.argv else None
        Agent(held).run()
    except ToolRefusedError as refused:
        say(f"refused: {refused}")
        sys.exit(1)
