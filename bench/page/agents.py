"""
The three browser tools, each as an agent uses it over MCP's stdio transport.

Each has a Chromium of its own, the same one of this machine. The peers are installed from their registry
into the cache, once, at the versions of ``peers/package-lock.json``; their flags say where the browser is,
and that it needs neither a screen nor a profile.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
for _folder in (ROOT, HERE.parent / "mcp"):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

from servers import CACHE, Kind  # noqa: E402 - the path is set above
from servers import _install as install  # noqa: E402 - one way to install for all benchmarks

from examples.journeys.children import daemon_environment, find_browser, start_daemon  # noqa: E402 - as above

PLAYWRIGHT = "@playwright/mcp"
DEVTOOLS = "chrome-devtools-mcp"
OURS = "reticle"


class Faulty(RuntimeError):
    """
    A tool that did not do what was asked; its figures would mean nothing.
    """


class Answer:
    """
    What ``tools/call`` gave: its bytes as JSON without blanks, the text in it, and its fields.
    """

    def __init__(self, result: Mapping[str, Any]) -> None:
        self.bytes = len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())
        self.text = "\n".join(str(part.get("text", "")) for part in result.get("content", ()))
        self.fields: Mapping[str, Any] = result.get("structuredContent", {})
        if result.get("isError"):
            raise Faulty(self.text[:500])


class Stdio:
    """
    A server as a child process, asked one thing at a time.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self._errors = (folder / "stderr").open("wb")
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=folder,
            env={**os.environ, **(environment or {})},
        )
        self._last = 0
        client = {"name": "bench", "version": "1"}
        self.request(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        )
        self._write({"method": "notifications/initialized"})

    def call(self, tool: str, **arguments: object) -> Answer:
        """
        Call a tool.

        Raises ``Faulty`` with what it said.
        """
        return Answer(self.request("tools/call", {"name": tool, "arguments": arguments}))

    def request(self, method: str, parameters: Mapping[str, object]) -> Mapping[str, Any]:
        """
        The result of a request; what comes unasked is passed over.
        """
        self._last += 1
        self._write({"id": self._last, "method": method, "params": parameters})
        while True:
            line = self._process.stdout.readline() if self._process.stdout else b""
            if not line:
                raise Faulty(
                    f"the server ended: {Path(self._errors.name).read_text('utf-8', 'replace')[-500:]}"
                )
            message = json.loads(line)
            if message.get("id") == self._last and "method" not in message:
                if "error" in message:
                    raise Faulty(str(message["error"]))
                result: Mapping[str, Any] = message["result"]
                return result

    def close(self) -> None:
        """
        End it, and wait until its browser is gone too.
        """
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._errors.close()

    def _write(self, message: Mapping[str, object]) -> None:
        if self._process.stdin is None:
            raise Faulty("it takes no input")
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


class Agent(Protocol):
    """
    What is measured of each tool.
    """

    kind: Kind

    def open(self, url: str) -> None:
        """
        Show a page.
        """

    def snapshot(self) -> Answer:
        """
        Read the page whole, in the tool's own default form.
        """

    def act(self, button: str, words: str) -> Sequence[Answer]:
        """
        Click, and know that the words came. Raises ``Faulty`` when they did not.
        """


class Reticle:
    """
    Ours: one call acts and proves. A click is one of the page script, as is the default.
    """

    kind = Kind(OURS, "stdio", "", (), ours=True)

    def __init__(self, server: Stdio) -> None:
        self._server = server
        self._lease = ""
        self._page = ""

    def open(self, url: str) -> None:
        """
        Have the daemon open the page in a browser of its own.
        """
        if self._lease:
            self._server.call("reticle_lease", action="release", leaseId=self._lease)
        got = self._server.call("reticle_lease", action="acquire", url=url).fields
        self._lease, self._page = got["leaseId"], got["sessionId"]

    def snapshot(self) -> Answer:
        """
        The outline.
        """
        return self._server.call("reticle_snapshot", sessionId=self._page)

    def act(self, button: str, words: str) -> Sequence[Answer]:
        """
        Act with a claim, and read the verdict.
        """
        answer = self._server.call(
            "reticle_act_and_wait",
            sessionId=self._page,
            action="click",
            target={"role": "button", "name": button},
            until={"kind": "text", "contains": words, "visible": True},
        )
        if answer.fields.get("verified") != "yes":
            raise Faulty(answer.text)
        return [answer]


class Playwright:
    """
    Clicks by a ref of its last snapshot, and reads from what a click brings whether the words came.
    """

    kind = Kind(PLAYWRIGHT, "stdio", "", ())

    def __init__(self, server: Stdio) -> None:
        self._server = server
        self._seen = ""

    def open(self, url: str) -> None:
        """
        Go there.
        """
        self._server.call("browser_navigate", url=url)

    def snapshot(self) -> Answer:
        """
        The accessibility snapshot.
        """
        answer = self._server.call("browser_snapshot")
        self._seen = answer.text
        return answer

    def act(self, button: str, words: str) -> Sequence[Answer]:
        """
        Click, and wait for the words where they are not in the answer already.
        """
        ref = _found(rf'button "{button}"[^\n]*?\[ref=(\w+)\]', self._seen)
        clicked = self._server.call("browser_click", element=button, target=ref)
        answers = [clicked]
        if words not in clicked.text:
            answers.append(self._server.call("browser_wait_for", text=words))
        return answers


class Devtools:
    """
    Clicks by a uid of its last snapshot, and reads from the snapshot that it asks for with the click.
    """

    kind = Kind(DEVTOOLS, "stdio", "", ())

    def __init__(self, server: Stdio) -> None:
        self._server = server
        self._page = 1
        self._seen = ""

    def open(self, url: str) -> None:
        """
        Go there.
        """
        self._server.call("navigate_page", pageId=self._page, type="url", url=url)

    def snapshot(self) -> Answer:
        """
        The accessibility snapshot.
        """
        answer = self._server.call("take_snapshot", pageId=self._page)
        self._seen = answer.text
        return answer

    def act(self, button: str, words: str) -> Sequence[Answer]:
        """
        Click, and wait for the words where they are not in the answer already.
        """
        uid = _found(rf'uid=(\w+) button "{button}"', self._seen)
        clicked = self._server.call("click", pageId=self._page, uid=uid, includeSnapshot=True)
        answers = [clicked]
        if words not in clicked.text:
            answers.append(self._server.call("wait_for", pageId=self._page, text=[words]))
        self._seen = answers[-1].text
        return answers


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise Faulty(f"{pattern} is not in the snapshot: {text[:300]}")
    return found[1]


def _browser() -> str:
    path = find_browser()
    if path is None:
        raise Faulty("there is no Chromium on this machine: see make chromium")
    return path


def _peers() -> Path:
    home = CACHE / "page-peers"
    home.mkdir(parents=True, exist_ok=True)
    sources = [HERE / "peers" / name for name in ("package.json", "package-lock.json")]
    for source in sources:
        shutil.copy(source, home)
    # the browser is this machine's own; none is downloaded
    install(
        home / "installed", sources, ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    )
    return home / "node_modules"


def _ours(stack: contextlib.ExitStack, folder: Path) -> Reticle:
    daemon = start_daemon(folder)
    stack.callback(daemon.child.stop)
    command = [sys.executable, "-m", "reticle", "mcp", "--no-start"]
    environment = {**daemon_environment(folder), "PYTHONPATH": str(ROOT)}
    server = Stdio(command, folder, environment)
    stack.callback(server.close)
    return Reticle(server)


def _playwright(stack: contextlib.ExitStack, folder: Path) -> Playwright:
    cli = str(_peers() / PLAYWRIGHT / "cli.js")
    flags = ["--headless", "--no-sandbox", "--isolated", "--executable-path", _browser()]
    server = Stdio(["node", cli, *flags], folder)
    stack.callback(server.close)
    return Playwright(server)


def _devtools(stack: contextlib.ExitStack, folder: Path) -> Devtools:
    program = str(_peers() / DEVTOOLS / "build" / "src" / "bin" / "chrome-devtools-mcp.js")
    flags = ["--headless", "--isolated", "--executablePath", _browser(), "--chromeArg=--no-sandbox"]
    flags += ["--no-usage-statistics", "--no-performance-crux"]
    server = Stdio(["node", program, *flags], folder)
    stack.callback(server.close)
    return Devtools(server)


@contextlib.contextmanager
def agents() -> Iterator[Sequence[Agent]]:
    """
    All three, running. A peer that cannot be installed or started here is left out, and said so; ours must.
    """
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reticle-bench-")))
        found: list[Agent] = []
        for make in (_ours, _playwright, _devtools):
            folder = home / make.__name__[1:]
            folder.mkdir()
            try:
                found.append(make(stack, folder))
            except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as fault:
                if make is _ours:
                    raise
                print(f"left out: {make.__name__[1:]}: {fault}", file=sys.stderr)
        yield found
