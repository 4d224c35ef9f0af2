"""
A packet that demands a verdict, with a real app in a real git repository and a real browser: what an agent
can do about the files, the server and the browser is noticed, and honest work is completed.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Child, Daemon
from reticle.client import Client, connect
from tests.system.wire import eventually

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("drives")]

RIGHT = """<!doctype html><title>Shop</title>
<button onclick="o.textContent = 'Total 6.00'">Add</button><p id=o>-</p>"""
WRONG = RIGHT.replace("6.00", "3.00")
WORKER = f"""onactivate = (event) => event.waitUntil(clients.claim());
const answer = () => new Response({json.dumps(RIGHT)}, {{headers: {{"Content-Type": "text/html"}}}});
onfetch = (event) => {{ if (event.request.mode === "navigate") event.respondWith(answer()) }};"""
CLAIM = {"kind": "text", "contains": "Total 6.00"}
ADD = {"action": "click", "target": {"role": "button", "name": "Add"}}
PAGE = "index.html"


class Packet:
    """
    A packet in the hands of an agent, and the app that it is about.
    """

    def __init__(self, daemon: Daemon, folder: Path, ends: ExitStack) -> None:
        self._folder, self._ends = folder, ends
        self._log = 0
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.tree = self.copy("shop", WRONG)
        subprocess.run(["git", "init", "-q", self.tree], check=True)
        operator = self._client(daemon, (daemon.runtime_dir / "client-token").read_text().strip())
        repository = _told(operator, "repo.add", path=str(self.tree), origins=[self.url.rstrip("/")])
        self._of = {"repository_id": repository["repository_id"]}
        job = {
            "id": "total",
            "role": "maker",
            "write_scope": {"allowed_paths": [PAGE]},
            "requires_verdict": [{"claim": CLAIM, "url": self.url}],
        }
        run_id = _told(operator, "run.prepare", **self._of, jobs=[job])["run_id"]
        _told(operator, "run.start", **self._of, run_id=run_id)
        session = _told(operator, "session.register", **self._of, run_id=run_id, role="maker")
        self.agent = self._client(daemon, session["session_capability_token"]["token"])
        self._of["session_id"] = session["session_id"]
        self._of["lease_id"] = _told(self.agent, "work.await_packet", **self._of)["lease_id"]
        _told(self.agent, "work.ack", **self._of)

    def copy(self, name: str, page: str) -> Path:
        """
        A folder with an app.
        """
        folder = self._folder / name
        folder.mkdir()
        (folder / PAGE).write_text(page)
        return folder

    def serve(self, folder: Path, host: str = "127.0.0.1") -> Child:
        """
        The app of a folder at the job's address, or at its port of another one, until it is stopped.
        """
        self._log += 1
        command = (
            "env",
            "-C",
            folder,
            sys.executable,
            "-m",
            "http.server",
            str(self.port),
            "--bind",
            host,
        )
        child = Child("app", command, self._folder / f"app-{self._log}.log")
        self._ends.callback(child.stop)
        child.wait_for(lambda: _answers(self.port, host) or None, "listener")
        return child

    def open(self) -> str:
        """
        A page of the app in a browser context of its own.
        """
        return str(_told(self.agent, "reticle_lease", action="acquire", url=self.url)["sessionId"])

    def proves(self, page: str | None = None) -> str:
        """
        A verdict that says yes.
        """
        verdict = _told(self.agent, "reticle_act_and_wait", **ADD, until=CLAIM, sessionId=page or self.open())
        assert verdict["verified"] == "yes", verdict
        return str(verdict["verdict_id"])

    def proves_after_reload(self, page: str) -> str | None:
        """
        The same on a page that is loaded again; None where it is not so.
        """
        _told(self.agent, "reticle_navigate", sessionId=page, reload=True)
        verdict = _told(self.agent, "reticle_act_and_wait", **ADD, until=CLAIM, sessionId=page)
        return str(verdict["verdict_id"]) if verdict["verified"] == "yes" else None

    def completes(self, *verdict_ids: str) -> Mapping[str, Any]:
        """
        What a completion is answered.
        """
        return self.agent.call("work.complete", {**self._of, "verdict_ids": list(verdict_ids)}).fields

    def lacks(self, *verdict_ids: str) -> list[str]:
        """
        What is missing for a completion.
        """
        answer = self.completes(*verdict_ids)
        assert answer.get("error") == "verdict_missing", answer
        return [str(lack["kind"]) for lack in answer["lacks"]]

    def _client(self, daemon: Daemon, token: str) -> Client:
        client = self._ends.enter_context(connect(daemon.mcp_url, token))
        client.initialize("agent", "1")
        return client


@pytest.fixture
def packet(daemon: Daemon, tmp_path: Path) -> Iterator[Packet]:
    """
    A packet of a run of its own.
    """
    with ExitStack() as ends:
        yield Packet(daemon, tmp_path, ends)


def test_an_app_from_another_folder_and_an_edit_after_the_verdict_are_noticed(packet: Packet) -> None:
    """
    A copy that works beside the repository, an edit behind the verdict and a stray file complete nothing; a
    commit in between changes nothing.
    """
    app = packet.serve(packet.copy("copy", RIGHT))
    assert packet.lacks(packet.proves()) == ["served_elsewhere"]
    app.stop()
    packet.serve(packet.tree)
    (packet.tree / PAGE).write_text(RIGHT)
    verdict_id = packet.proves()
    (packet.tree / PAGE).write_text(WRONG)
    assert packet.lacks(verdict_id) == ["edited_since"]
    (packet.tree / PAGE).write_text(RIGHT)
    (packet.tree / "stray.html").write_text("x")
    assert packet.completes(verdict_id)["error"] == "write_scope_drift"
    (packet.tree / "stray.html").unlink()
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", packet.tree, "add", "-A"], check=True)
    subprocess.run(["git", "-C", packet.tree, *author, "commit", "-q", "-m", "mended"], check=True)
    assert packet.completes(verdict_id)["status"] == "completed"
    assert packet.completes(verdict_id)["status"] == "already_completed"


def test_a_page_from_before_an_edit_proves_nothing(packet: Packet) -> None:
    """
    A page that was loaded while the app worked is no proof of the files as they are now.
    """
    packet.serve(packet.tree)
    (packet.tree / PAGE).write_text(RIGHT)
    page = packet.open()
    (packet.tree / PAGE).write_text(WRONG)
    assert packet.lacks(packet.proves(page)) == ["stale_page"]


@pytest.mark.parametrize("again", [False, True])
def test_a_file_that_went_after_the_page_was_loaded_proves_nothing(packet: Packet, *, again: bool) -> None:
    """
    A file that makes the page work and is taken away before the verdict leaves no file that is younger than
    the page, and is missed all the same.
    """
    packet.serve(packet.tree)
    (packet.tree / PAGE).write_text(f"{WRONG}<script src=fix.js></script>")
    fix = packet.tree / "fix.js"
    page = packet.open() if again else ""
    fix.write_text("document.querySelector('button').onclick = () => { o.textContent = 'Total 6.00' }")
    page = page or packet.open()
    if again:
        _told(packet.agent, "reticle_navigate", sessionId=page, reload=True)
    fix.unlink()
    assert packet.lacks(packet.proves(page)) == ["stale_page"]


def test_a_file_that_a_click_loaded_and_that_went_proves_nothing(packet: Packet) -> None:
    """
    The files are looked at when a page loads itself, too, and nobody waits for that.
    """
    packet.serve(packet.tree)
    (packet.tree / PAGE).write_text(f"{WRONG}<a href='?2'>Again</a><script src=fix.js></script>")
    page = packet.open()
    fix, read = packet.tree / "fix.js", packet.tree / "read.txt"
    fix.write_text("document.querySelector('button').onclick = () => { o.textContent = 'Total 6.00' }")
    read.write_text("by nobody but who looks at all files")
    if not _tells_reads(packet.tree.parent):
        pytest.skip("this file system does not tell when a file was read")
    before = read.stat().st_atime_ns
    _told(packet.agent, "reticle_act", action="click", target={"role": "link"}, sessionId=page)
    eventually(lambda: read.stat().st_atime_ns > before, "a look at the files")
    fix.unlink()
    read.unlink()
    assert "stale_page" in packet.lacks(packet.proves(page))


def test_what_the_browser_kept_from_before_an_edit_proves_nothing(packet: Packet) -> None:
    """
    A page that is loaded after an edit and comes out of the browser's cache is no proof of that edit.
    """
    old = packet.tree / PAGE
    old.write_text(RIGHT)
    os.utime(old, (1, 1))  # the older a file, the longer a browser keeps it unasked
    packet.serve(packet.tree)
    page = packet.open()
    _told(packet.agent, "reticle_navigate", sessionId=page, url=f"{packet.url}?elsewhere")
    old.write_text(WRONG)
    _told(packet.agent, "reticle_navigate", sessionId=page, url=packet.url)
    assert packet.lacks(packet.proves(page)) == ["stale_browser"]
    old.write_text(RIGHT)
    assert packet.completes(packet.proves())["status"] == "completed"


def test_the_real_app_beside_the_address_vouches_for_nobody(packet: Packet) -> None:
    """
    A copy that works, at the job's address, is not the app that listens at another address of the same port.
    """
    packet.serve(packet.tree, "127.0.0.2")
    fake = packet.serve(packet.copy("fake", RIGHT))
    page = packet.open()
    fake.stop()
    assert packet.lacks(packet.proves(page)) == ["server_unknown"]


def test_what_another_program_left_in_the_browser_proves_nothing(packet: Packet) -> None:
    """
    A service worker of a fake app, which answers in place of the real one, is in a context that is too old.
    """
    fake = packet.copy("fake", f"{WRONG}<script>navigator.serviceWorker.register('/sw.js')</script>")
    (fake / "sw.js").write_text(WORKER)
    app = packet.serve(fake)
    page = packet.open()
    app.wait_for(lambda: "GET /sw.js" in app.printed() or None, "request for the worker")
    app.stop()
    packet.serve(packet.tree)
    proved: list[str | None] = []

    def answers() -> bool:
        proved.append(packet.proves_after_reload(page))
        return proved[-1] is not None

    eventually(answers, "the worker answers in place of the app")
    assert "stale_browser" in packet.lacks(proved[-1] or "")


def _told(client: Client, tool: str, **arguments: Any) -> Mapping[str, Any]:
    result = client.call(tool, arguments)
    assert not result.is_error, result.text
    return result.fields


def _tells_reads(folder: Path) -> bool:
    probe = folder / "read-once"
    probe.write_text("x")
    before = probe.stat().st_atime_ns
    time.sleep(0.02)  # longer than a tick of the system's clock, which the time is taken from
    probe.read_text()
    return probe.stat().st_atime_ns > before


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(port: int, host: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0
