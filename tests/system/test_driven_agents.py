"""
Several agents in the browser that the daemon drives, and the commands that open pages in it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Daemon, daemon_environment
from reticle.client import Client, connect
from tests.system.test_stdio_examples import examples, pattern
from tests.system.web_app import QuietHandler, serving

pytestmark = [
    pytest.mark.system,
    pytest.mark.usefixtures("drives"),
]

SHOP = b"""<!doctype html><title>Shop</title><h1>Shop</h1>
<button onclick="o.textContent = 'Saved ' + (localStorage.n = 1 + Number(localStorage.n || 0))">Save</button>
<p id=o></p><div style="height:3000px"></div><button>Far</button>"""
PNG = b"\x89PNG\r\n\x1a\n"
SAVE = {"action": "click", "target": {"role": "button", "name": "Save"}}


class Shop(QuietHandler):
    """
    A page with nothing of reticle in it, and a policy that lets nobody put anything in.
    """

    def do_GET(self) -> None:
        """
        The page.
        """
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Security-Policy", "connect-src 'none'")
        self.send_header("Content-Length", str(len(SHOP)))
        self.end_headers()
        self.wfile.write(SHOP)


@pytest.fixture(scope="module")
def app() -> Iterator[str]:
    """
    The app's address.
    """
    with serving(Shop) as url:
        yield url


@pytest.fixture
def other(daemon: Daemon) -> Iterator[Client]:
    """
    Another agent.
    """
    with connect(daemon.mcp_url) as connected:
        connected.initialize("other", "1")
        yield connected


def call(client: Client, tool: str, **arguments: Any) -> Mapping[str, Any]:
    """
    The fields of an answer, those of a refusal too.
    """
    return client.call(tool, arguments).fields


def acquire(client: Client, url: str, **wish: Any) -> Mapping[str, Any]:
    """
    A page of an agent's own.
    """
    got = call(client, "reticle_lease", action="acquire", url=url, **wish)
    assert got.get("ready") is True, got
    return got


def prove(client: Client, words: str, **more: Any) -> Mapping[str, Any]:
    """
    A click and what must come of it.
    """
    return call(client, "reticle_act_and_wait", **SAVE, until={"kind": "text", "contains": words}, **more)


def shell(daemon: Daemon) -> dict[str, str]:
    """
    What a command finds the daemon by.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RETICLE_")}
    return {**inherited, **daemon_environment(daemon.state_dir.parent)}


def test_two_agents_have_a_page_each(client: Client, other: Client, app: str) -> None:
    """
    Neither names a page; each one's click lands on its own, storage is apart, and a verdict says which page
    it was. On the other's page an agent may look and not act.
    """
    mine, theirs = acquire(client, app), acquire(other, app)
    first, second = prove(client, "Saved 1"), prove(other, "Saved 1")
    assert (first["verified"], second["verified"]) == ("yes", "yes"), (first, second)
    assert first["attested"] == {"lease": mine["leaseId"], "url": app}
    assert second["attested"]["lease"] == theirs["leaseId"]
    assert prove(client, "Saved 2")["verified"] == "yes"
    refused = prove(client, "Saved 9", sessionId=theirs["sessionId"])
    assert (refused["error"], refused["heldBy"]) == ("page_held", next(
        each["by"] for each in call(client, "reticle_lease", action="list")["leases"] if each["by"] != "you"
    ))  # fmt: skip
    assert "Saved 1" in client.call("reticle_snapshot", {"sessionId": theirs["sessionId"]}).text
    for agent in (client, other):
        assert call(agent, "reticle_lease", action="release")["released"] is True
    gone = prove(client, "Saved 3")
    assert gone["error"] in {"no_session", "session_gone"}


def test_storage_is_kept_under_a_name_and_nowhere_else(client: Client, app: str) -> None:
    """
    A login of an earlier lease is there again under its name, and not without it.
    """
    for login, words in (("anne", "Saved 1"), ("anne", "Saved 2"), ("ben", "Saved 1"), (None, "Saved 1")):
        acquire(client, app, **({} if login is None else {"login": login}))
        assert prove(client, words)["verified"] == "yes", (login, words)
        call(client, "reticle_lease", action="release")


LEDGER = """<!doctype html><title>Ledger</title><h1>Ledger</h1><button>Look</button><p id=o></p><script>
const rich = { at: new Date(86400000), bytes: new Uint8Array([1, 2, 250]), tags: new Set(["a"]),
  none: undefined, more: new Map([[1, [null, NaN, 10n]]]) };
const described = (all) => all.map(([key, { at, bytes, tags, more, none }]) => [key, at.getTime(),
  bytes.join(), bytes.constructor.name, [...tags].join(), String(more.get(1)), none === undefined]
  .join(" ")).join(" | ");
const open = indexedDB.open("auth", 3);
open.onupgradeneeded = () => {
  const store = open.result.createObjectStore("tokens", { autoIncrement: true });
  store.createIndex("at", "at");
  store.add(rich);
};
open.onsuccess = () => {
  const store = open.result.transaction("tokens", "readwrite").objectStore("tokens");
  document.querySelector("button").onclick = () => {
    const all = [], cursor = open.result.transaction("tokens").objectStore("tokens").openCursor();
    cursor.onsuccess = () => {
      if (!cursor.result) return void (o.textContent = `${all.length} tokens: ${described(all)}`);
      all.push([cursor.result.key, cursor.result.value]);
      cursor.result.continue();
    };
  };
  store.index("at");
  store.add(rich);
};
indexedDB.open("files", 1).onupgradeneeded = (event) => {
  event.target.result.createObjectStore("files", { keyPath: "id" }).add({ id: 1, file: new Blob(["x"]) });
};
</script>"""


def test_databases_are_kept_with_a_login(client: Client) -> None:
    """
    A sign-in kit that keeps its token in IndexedDB is signed in again: the values are what they were, and the
    numbers go on where they ended. A database with a file in it is left out and does no harm.
    """

    class Ledger(QuietHandler):
        """
        A page that puts one token more into its database at each load.
        """

        def do_GET(self) -> None:
            """
            The page.
            """
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(LEDGER.encode())))
            self.end_headers()
            self.wfile.write(LEDGER.encode())

    one = "86400000 1,2,250 Uint8Array a ,NaN,10 true"
    with serving(Ledger) as url:
        for tokens in (2, 3):
            acquire(client, url, login="ledger")
            until = {"kind": "text", "contains": f"{tokens} tokens: 1 {one} | 2 {one}"}
            look = {"action": "click", "target": {"role": "button", "name": "Look"}}
            verdict = call(client, "reticle_act_and_wait", **look, until=until)
            assert verdict["verified"] == "yes", verdict
            call(client, "reticle_lease", action="release")


def test_a_picture_is_what_the_browser_paints(client: Client, app: str) -> None:
    """
    Window, document and an element far down: each has its size, and the answer shows it.
    """
    acquire(client, app, width=800, height=600)
    window = client.request("tools/call", {"name": "reticle_screenshot", "arguments": {}})
    content = window["content"]
    assert isinstance(content, list)
    text, image = content
    assert "800x600" in text["text"]
    assert base64.b64decode(image["data"]).startswith(PNG)
    document = call(client, "reticle_screenshot", fullPage=True)
    assert document["height"] > 3000
    far = call(client, "reticle_screenshot", target={"role": "button", "name": "Far"}, name="far")
    assert (far["width"] < 200, far["height"] < 100) == (True, True)
    assert Path(far["path"]).read_bytes().startswith(PNG)
    call(client, "reticle_lease", action="release")


def test_a_token_of_one_repository_opens_its_app_alone(daemon: Daemon, app: str, tmp_path: Path) -> None:
    """
    The shop's agent has the shop opened; that server under another name, and another port, are not the shop.
    """

    def run(*arguments: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "reticle", *arguments, "--json"], capture_output=True, text=True,
            timeout=60, check=True, env=shell(daemon), cwd=tmp_path,
        )  # fmt: skip
        return json.loads(done.stdout)

    place = run("repo", "add", str(tmp_path), "--origin", app)["repository_id"]
    made = run("token", "create", "--capability", "observe", "--capability", "drive", "--repository", place)
    strict = (daemon.runtime_dir / "mcp-http-endpoint").read_text().strip()
    with connect(f"{strict}/sse", made["token"]) as agent:
        agent.initialize("lane", "1")
        mine = acquire(agent, app)
        assert mine["projectId"] == place
        assert prove(agent, "Saved 1")["verified"] == "yes"
        for url in (app.replace("127.0.0.1", "localhost"), daemon.url, "http://127.0.0.1:1/"):
            assert (
                call(agent, "reticle_lease", action="acquire", url=url)["error"]
                == "capability_scope_mismatch"
            )
        kept = call(agent, "reticle_screenshot", name="shop")
        assert kept["path"] == str(tmp_path / ".reticle/visual/shop.png")
        assert call(agent, "reticle_lease", action="release")["released"] is True


def test_drive_keeps_a_page_until_it_is_told_to_end(daemon: Daemon, client: Client, app: str) -> None:
    """
    A person's page is for every agent while the command runs, and gone when it was interrupted.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "reticle", "drive", app, "--headless", "--json"],
        stdout=subprocess.PIPE, text=True, env=shell(daemon),
    ) as command:  # fmt: skip
        try:
            assert command.stdout is not None
            got = json.loads(command.stdout.readline())
            assert got["ready"] is True
            verdict = prove(client, "Saved 1", sessionId=got["sessionId"])
            assert (verdict["verified"], verdict["attested"]["lease"]) == ("yes", got["leaseId"])
            command.send_signal(signal.SIGINT)
            assert command.wait(20) == 0
        finally:
            command.kill()
    assert got["leaseId"] not in str(call(client, "reticle_lease", action="list"))


def test_a_person_s_own_browser_connects(daemon: Daemon, app: str, tmp_path: Path) -> None:
    """
    `reticle open` starts the browser that the desk says, and says what is missing where no page connects.
    """
    opener = tmp_path / "browser"
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/opened\n')
    opener.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "reticle", "open", app], capture_output=True, text=True, timeout=60,
        check=False, env={**shell(daemon), "BROWSER": str(opener)},
    )  # fmt: skip
    assert (tmp_path / "opened").read_text() == app
    assert done.returncode == 1
    assert f'<script src="{daemon.url}/sdk.js"></script>' in done.stderr


def test_the_page_about_driving_is_right(daemon: Daemon, client: Client, app: str, tmp_path: Path) -> None:
    """
    Whoever copies a command or a call from the documentation sees what it shows.
    """
    (tmp_path / "reticle").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reticle "$@"\n')
    (tmp_path / "reticle").chmod(0o755)
    environment = {**shell(daemon), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    page, place = "howto/drive.md", "http://localhost:3000/"
    for command, shown in examples(page):
        done = subprocess.run(
            ["/bin/sh", "-c", command.replace(place, app)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=120, check=False, env=environment, cwd=tmp_path,
        )  # fmt: skip
        printed = done.stdout.strip()
        # The refusals of a mistyped URL show their own example.
        wanted = shown if "next:" in shown else shown.replace(place, app)
        assert re.fullmatch(pattern(wanted), printed, re.DOTALL), f"{command}\n{printed}"
    for each in call(client, "reticle_lease", action="list")["leases"]:
        if not each.get("shared"):
            call(client, "reticle_lease", action="release", leaseId=each["leaseId"])
    text = (Path(__file__).parents[2] / "docs" / page).read_text("utf-8")
    blocks = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    calls = [line for block in blocks for line in block.splitlines() if '"trusted"' not in line]
    assert len(calls) == 4
    for line in calls:
        answer = call(client, "reticle_lease", **json.loads(line.replace(place, app)))
        assert answer["ok"] is True, answer
