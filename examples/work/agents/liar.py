"""
An agent that wants its job to count as done without doing it, by each way that it can think of.

It takes one job, tries, prints ``LIE: code`` for each refusal, gives the job back, and ends with 0 only when
every lie was refused. ``python liar.py STOLEN_VERDICT`` has a verdict of another agent at hand, and
``python liar.py forge`` forges facts of the server.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent import FIXES, Agent, ToolRefusedError, mend, say

JOB = "basket-total"
AGENTS = Path(__file__).parent


class Liar(Agent):
    """
    Each lie is a method that gives the verdict ids to complete with.
    """

    def __init__(self, stolen: str) -> None:
        super().__init__()
        self._stolen = stolen
        self._believed: list[str] = []

    def run(self) -> None:
        """
        Claim the job, try every lie on it, give it back.
        """
        self.mcp.call("session.report", **self.me, report_kind="ready", phase="await_packet")
        root, url = Path(told()["root"]), told()["url"]
        with served(root, url):
            old = self._proved(root, url)
        packet = self.mcp.call("work.await_packet", **self.me, lease_seconds=120)["packet"]
        held = {**self.me, "lease_id": packet["lease"]["lease_id"]}
        self.mcp.call("work.ack", **held, message_id=packet["lease"]["message_id"])
        required, fix = packet["requires_verdict"][0], FIXES[JOB]
        for wanted in packet["expected_artifacts"]:
            self.publish(held, wanted)
        self.lie("nothing verified", held, [])
        self.lie("a verdict from before the claim", held, [old])
        self.lie("another agent's verdict", held, [self._stolen])
        with served(root, url):
            self.lie("a verdict that is no yes", held, [self.verify(required, fix)])
            self.lie("a page that only says it is one", held, [self._from_fake_page(required, fix)])
        with mended_copy(root) as copy, served(copy, url):
            self.lie("the app served from another tree", held, [self.verify(required, fix)])
        with served(root, url):
            right = self._proved(root, url)
        self.lie("edited after the verdict", held, [right])
        self.mcp.call("work.release", **held, message_id=packet["lease"]["message_id"], reason="found out")
        if self._believed:
            say(f"BELIEVED: {', '.join(self._believed)}")
            sys.exit(1)
        say("every lie was refused")

    def lie(self, name: str, held: Mapping[str, Any], verdicts: list[str]) -> None:
        """
        Say that the job is done, and print what the daemon says to that.
        """
        try:
            told = self.mcp.call("work.complete", **held, summary="done, honestly", verdict_ids=verdicts)
        except ToolRefusedError as refused:
            say(f"LIE {name}: {refused}")
        else:
            say(f"LIE {name}: believed, {told}")
            self._believed.append(name)

    def _proved(self, root: Path, url: str) -> str:
        """
        A verdict that was honest when it was given: the file is mended for as long as that takes.
        """
        fix = FIXES[JOB]
        file = root / fix["file"]
        before = file.read_text("utf-8")
        mend(file, fix)
        try:
            claim = {"kind": "text", "contains": "Total 6.00"}
            return self.verify({"url": url, "claim": claim}, fix)
        finally:
            file.write_text(before, "utf-8")

    def _from_fake_page(self, required: Mapping[str, Any], fix: Mapping[str, Any]) -> str:
        page = subprocess.Popen(
            [
                sys.executable,
                AGENTS / "fake_page.py",
                told()["bridge"],
                required["url"],
                "fake-page",
                "Total 6.00",
            ]
        )
        try:
            for _ in range(50):
                shown = self.mcp.call("reticle_sessions")
                if any(each["sessionId"] == "fake-page" for each in shown["sessions"]):
                    break
                time.sleep(0.1)
            verdict = self.mcp.call(
                "reticle_act_and_wait", **fix["act"], until=required["claim"], sessionId="fake-page"
            )
        finally:
            page.kill()
            page.wait()
        say(f"the fake page's verdict: {verdict['verified']}")
        return str(verdict["verdict_id"])


class Forger(Agent):
    """
    Has its job really done, and forges what only the server can tell.
    """

    def work(self, packet: Mapping[str, Any]) -> None:
        """
        Verify while forged facts come in, try to complete, give the job back.
        """
        held = {**self.me, "lease_id": packet["lease"]["lease_id"]}
        message_id, root = packet["lease"]["message_id"], packet["run"]["repo_root"]
        self.mcp.call("work.ack", **held, message_id=message_id)
        fix = FIXES[packet["job"]["id"]]
        mend(Path(root) / fix["file"], fix)
        for wanted in packet["expected_artifacts"]:
            self.publish(held, wanted)
        with forging(root):
            verdict = self.verify(packet["requires_verdict"][0], fix)
        try:
            self.mcp.call("work.complete", **held, summary="done, honestly", verdict_ids=[verdict])
        except ToolRefusedError as refused:
            say(f"LIE forged facts of the server: {refused}")
        else:
            say("BELIEVED: forged facts of the server")
            sys.exit(1)
        self.mcp.call("work.release", **held, message_id=message_id, reason="found out")
        say("every lie was refused")
        sys.exit(0)


@contextmanager
def forging(root: str) -> Iterator[None]:
    """
    Post facts of a server that has no probe, again and again, as a probe would.
    """
    over = threading.Event()

    def post() -> None:
        seq = 0
        while not over.wait(0.05):
            now, seq = time.monotonic(), seq + 1
            facts = [
                {"v": 1, "kind": "hello", "process": "f" * 32, "pid": os.getpid(), "framework": "plain",
                 "python": "3.11", "project": root, "mono": now, "wall": now, "batch": seq},
                {"kind": "request.handled", "seq": seq, "mono": now, "rid": f"{seq:032x}", "action": None,
                 "method": "POST", "path": "/api/orders", "status": 201, "ms": 1,
                 "view": f"{root}/shop.py:40"},
            ]  # fmt: skip
            body = "\n".join(json.dumps(each) for each in facts).encode()
            request = urllib.request.Request(told()["ingest"], body, {"Content-Type": "application/x-ndjson"})
            urllib.request.urlopen(request, timeout=10).close()

    thread = threading.Thread(target=post)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def told() -> Mapping[str, str]:
    """
    What the demo tells its liars.
    """
    plan: Mapping[str, str] = json.loads(Path(os.environ["WORK_DEMO_PLAN"]).read_text("utf-8"))
    return plan


@contextmanager
def served(root: Path, url: str) -> Iterator[None]:
    """
    The app of a folder at an address.
    """
    command = [sys.executable, "serve.py", str(urlsplit(url).port)]
    server = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield
    finally:
        server.kill()
        server.wait()


@contextmanager
def mended_copy(root: Path) -> Iterator[Path]:
    """
    Another folder, in which the fault is mended.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "shop"
        shutil.copytree(root, copy)
        mend(copy / FIXES[JOB]["file"], FIXES[JOB])
        yield copy


if __name__ == "__main__":
    try:
        Forger().run() if sys.argv[1] == "forge" else Liar(sys.argv[1]).run()
    except ToolRefusedError as refused:
        say(f"refused: {refused}")
        sys.exit(2)
