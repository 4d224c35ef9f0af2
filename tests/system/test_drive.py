"""
A Chromium that the daemon drives: pages with nothing installed in them, one at a time and many, and the end
of browser and daemon in every way.
"""

from __future__ import annotations

import os
import shutil
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import Daemon, start_browser
from reticle.client import Client, connect
from tests.system.starting import StartDaemon
from tests.system.strict_app import StrictApp
from tests.system.web_app import serving
from tests.system.wire import eventually

pytestmark = pytest.mark.usefixtures("drives")


@pytest.fixture(scope="module")
def app_url() -> Iterator[str]:
    """
    The app's address; the same app under another name is another site.
    """
    with serving(StrictApp) as url:
        StrictApp.other = url.replace("127.0.0.1", "localhost")
        yield url


def lease(client: Client, url: str, **more: object) -> Mapping[str, Any]:
    """
    A page of one's own.
    """
    result = client.call("reticle_lease", {"action": "acquire", "url": url, **more})
    assert result.ok, result.text
    return result.fields


def release(client: Client, got: Mapping[str, Any]) -> None:
    """
    Give it back.
    """
    result = client.call("reticle_lease", {"action": "release", "leaseId": got["leaseId"]})
    assert result.ok, result.text


def press(
    client: Client, page: str, name: str, until: Mapping[str, Any], role: str = "button"
) -> Mapping[str, Any]:
    """
    Press something and say what must follow.
    """
    call = {
        "sessionId": page,
        "action": "click",
        "target": {"role": role, "name": name},
        "until": until,
        "timeout_ms": 30_000,
    }
    result = client.call("reticle_act_and_wait", call)
    assert result.ok, result.text
    return result.fields


def text(words: str) -> Mapping[str, Any]:
    """
    That the page says so.
    """
    return {"kind": "text", "contains": words, "visible": True}


def browsers(state_dir: Path) -> list[int]:
    """
    The processes of browsers whose profile lies in a state directory.
    """
    found = []
    mark = f"--user-data-dir={state_dir}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def runs(state_dir: Path) -> list[Path]:
    """
    The folders of browser runs.
    """
    return sorted((state_dir / "browser").glob("run-*"))


def test_a_page_under_the_strictest_policy_is_driven_and_attested(client: Client, app_url: str) -> None:
    """
    Nothing is installed in the app, its policy forbids it every connection; the verdict says who opened it.
    """
    got = lease(client, app_url)
    page = got["sessionId"]
    proved = press(client, page, "Count", text("1 1 1 visits"))
    assert proved["verified"] == "yes", proved
    assert proved["attested"] == {"lease": got["leaseId"], "url": app_url}
    state = client.call("reticle_console", {"sessionId": page})
    assert "Content Security Policy" not in state.text
    release(client, got)


def test_a_page_keeps_its_name_over_documents_and_sites(client: Client, app_url: str) -> None:
    """
    A link on the same site and one to another are followed; the act that led there is answered.
    """
    got = lease(client, app_url)
    page = got["sessionId"]
    for name, words in (("Next", "The next"), ("Elsewhere", "The other")):
        moved = press(client, page, name, text(words), role="link")
        assert moved["verified"] == "yes", (name, moved)
    listed: Any = client.call("reticle_sessions").fields["sessions"]
    urls = [each["url"] for each in listed if each["sessionId"] == page]
    assert urls == [f"{StrictApp.other}next"]
    release(client, got)


def test_contexts_are_isolated(client: Client, app_url: str) -> None:
    """
    What one page stores, another lease's page does not see; a login by name does.
    """
    first = lease(client, app_url, login="ann")
    press(client, first["sessionId"], "Count", text("1 1 1 visits"))
    second = lease(client, app_url)
    assert press(client, second["sessionId"], "Count", text("1 1 1 visits"))["verified"] == "yes"
    release(client, first)
    release(client, second)
    again = lease(client, app_url, login="ann")
    assert press(client, again["sessionId"], "Count", text("2 2 2 visits"))["verified"] == "yes"
    release(client, again)


def test_an_address_that_cannot_be_loaded_is_told(client: Client, app_url: str) -> None:
    """
    The agent hears why, and goes on from the same page once the app is there.
    """
    got = lease(client, "http://127.0.0.1:9/")
    assert "ERR_" in got["trouble"]
    moved = client.call("reticle_navigate", {"sessionId": got["sessionId"], "url": app_url})
    assert moved.fields["confirmed"] is True, moved.text
    release(client, got)


def test_a_certificate_of_its_own_is_no_hindrance_on_this_machine(
    client: Client, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """
    A development server speaks https with one that nobody signed; a person would click the warning away.
    """
    made = [
        tool("openssl"),
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    subprocess.run(
        [*made, "-keyout", tmp_path / "key", "-out", tmp_path / "cert"], capture_output=True, check=True
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), StrictApp)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        got = lease(client, f"https://localhost:{server.server_port}/")
        assert "trouble" not in got
        assert press(client, got["sessionId"], "Count", text("1 1 1 visits"))["verified"] == "yes"
        release(client, got)
    finally:
        server.shutdown()
        server.server_close()


def test_a_browser_that_is_killed_is_replaced(start: StartDaemon, app_url: str) -> None:
    """
    Its leases are gone at once, nothing of it stays, and the next lease starts another.
    """
    daemon = start()
    with connect(daemon.mcp_url) as agent:
        agent.initialize("test", "1")
        got = lease(agent, app_url)
        [run], processes = runs(daemon.state_dir), browsers(daemon.state_dir)
        assert len(processes) > 1
        os.kill(processes[0], signal.SIGKILL)
        refused = agent.call("reticle_snapshot", {"sessionId": got["sessionId"]})
        assert not refused.ok
        assert agent.call("reticle_lease", {"action": "list"}).fields["leases"] == []
        eventually(lambda: browsers(daemon.state_dir) == [], "every process of it is gone")
        eventually(lambda: not run.exists(), "its folder is gone")
        assert (
            press(agent, lease(agent, app_url)["sessionId"], "Count", text("1 1 1 visits"))["verified"]
            == "yes"
        )


def test_a_daemon_that_is_killed_leaves_no_browser(start: StartDaemon, app_url: str) -> None:
    """
    Its browser ends by itself, without a lock; the next daemon takes the folder away.
    """
    daemon = start()
    with connect(daemon.mcp_url) as agent:
        agent.initialize("test", "1")
        lease(agent, app_url)
    [run] = runs(daemon.state_dir)
    daemon.child.process.kill()
    daemon.child.process.wait()
    eventually(lambda: browsers(daemon.state_dir) == [], "every process of the browser is gone")
    assert not list((run / "profile").glob("Singleton*"))
    start()
    eventually(lambda: runs(daemon.state_dir) == [], "the folder is gone")


def test_a_daemon_that_stops_ends_its_browser(start: StartDaemon, app_url: str) -> None:
    """
    Before it is gone itself; the login is kept, for its owner alone.
    """
    daemon = start()
    with connect(daemon.mcp_url) as agent:
        agent.initialize("test", "1")
        lease(agent, app_url, login="ann")
        daemon.child.terminate()
        assert daemon.child.wait_for_exit(15) == 0
    assert (browsers(daemon.state_dir), runs(daemon.state_dir)) == ([], [])
    [login] = (daemon.state_dir / "browser/logins").iterdir()
    assert login.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="mounts a file system")
def test_a_full_shared_memory_disk_harms_nobody_and_leaves_nothing(start: StartDaemon, app_url: str) -> None:
    """
    In a container ``/dev/shm`` is small; here it holds one page of memory. A page is driven, and where the
    daemon is killed then, no process, no lock and no folder stays.
    """
    full = "mount -t tmpfs -o size=4k tmpfs /dev/shm && echo x > /dev/shm/x"
    inside = f'{full} && exec "$0" -m reticle serve --port 0'
    # Debian's own starter looks at the disk and adds the flag by itself
    bare = "/usr/lib/chromium/chromium"
    extra = {"RETICLE_CHROMIUM": bare} if Path(bare).exists() else None
    daemon = start(["unshare", "--mount", "sh", "-c", inside, sys.executable], extra)
    with connect(daemon.mcp_url, timeout_seconds=30) as agent:
        agent.initialize("test", "1")
        got = lease(agent, app_url)
        shot = agent.call("reticle_screenshot", {"sessionId": got["sessionId"]})
        assert shot.ok, shot.text
        [run] = runs(daemon.state_dir)
    daemon.child.process.kill()
    eventually(lambda: browsers(daemon.state_dir) == [], "every process of the browser is gone")
    assert not list((run / "profile").glob("Singleton*"))
    start()
    eventually(lambda: runs(daemon.state_dir) == [], "the folder is gone")


def test_a_browser_that_runs_already_is_driven_and_left_alone(
    start: StartDaemon, app_url: str, tmp_path: Path
) -> None:
    """
    What was opened in it is closed, also when the daemon is killed; what was there stays.
    """
    child = start_browser(tmp_path, "about:blank", ["--remote-debugging-port=0"])
    try:
        told = tmp_path / "profile/DevToolsActivePort"
        port = child.wait_for(lambda: told.read_text().split()[0] if told.exists() else None, "its port")
        listed = ["curl", "-sf", f"http://127.0.0.1:{port}/json/list"]

        def tabs() -> int:
            return subprocess.run(listed, capture_output=True, check=True).stdout.count(b'"type": "page"')

        daemon = start(extra={"RETICLE_CDP_URL": f"http://127.0.0.1:{port}"})
        with connect(daemon.mcp_url) as agent:
            agent.initialize("test", "1")
            got = lease(agent, app_url)
            assert press(agent, got["sessionId"], "Count", text("1 1 1 visits"))["verified"] == "yes"
            assert tabs() == 2
            release(agent, got)
            assert tabs() == 1
            lease(agent, app_url)
        daemon.child.process.kill()
        eventually(lambda: tabs() == 1, "what it opened is closed")
        assert child.process.poll() is None
    finally:
        child.stop()


def test_sixteen_flows_in_eight_contexts_are_all_right(daemon: Daemon, app_url: str) -> None:
    """
    Each sees its own storage and its own answers; the app answers the first four when all four have asked, as
    those do that are driven at one time. How much faster that is, ``bench/browser`` measures.
    """
    results: list[tuple[int, str]] = []
    StrictApp.waiting, StrictApp.party, StrictApp.met = 0, 4, True

    def agent(number: int) -> None:
        with connect(daemon.mcp_url, timeout_seconds=60) as mine:
            mine.initialize(f"agent-{number}", "1")
            for flow in range(2):
                got = lease(mine, app_url)
                page = got["sessionId"]
                seen = press(mine, page, "Count", text("1 1 1 visits"))
                saved = press(mine, page, "Save", text("Saved"))
                results.append((number * 2 + flow, f"{seen['verified']} {saved['verified']}"))
                assert seen["attested"]["lease"] == got["leaseId"]
                release(mine, got)

    threads = [threading.Thread(target=agent, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(results) == [(number, "yes yes") for number in range(16)]
    assert StrictApp.met, "they ran one after the other"
