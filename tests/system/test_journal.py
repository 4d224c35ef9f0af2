"""
A real page over restarts of the daemon: it comes back by itself, and what it did before is evidence still.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from examples.journeys.children import Child, Daemon, daemon_environment
from reticle.client import Client, connect
from tests.system.pages import page_names
from tests.system.starting import StartDaemon
from tests.system.web_app import QuietHandler, serving
from tests.system.wire import eventually

PAGE = b"""<!doctype html><title>Counter</title><script src="{daemon}/sdk.js"></script>
<button onclick="save()">Save</button><button onclick="console.error('broken')">Break</button>
<p role="status"></p>
<script>
  function save() {
    reticle.signal("saved", { secret: "no" });
    document.querySelector("p").textContent = "Saved";
  }
</script>"""
SECONDS = 30


class CounterServer(QuietHandler):
    """
    The page, whatever is asked for.
    """

    def __init__(self, port: int, *args: Any) -> None:
        self.port = port
        super().__init__(*args)

    def do_GET(self) -> None:
        """
        The page.
        """
        url = f"http://127.0.0.1:{self.port}".encode()
        self.answer(200, "text/html", PAGE.replace(b"{daemon}", url))


def end(daemon: Daemon, how: signal.Signals) -> None:
    """
    The end of one life.
    """
    daemon.child.process.send_signal(how)
    daemon.child.wait_for_exit(20)


def again(start: StartDaemon, daemon: Daemon) -> Daemon:
    """
    Another life on the same port, with the same state.
    """
    return start((sys.executable, "-m", "reticle", "serve", "--port", str(daemon.port)))


def comes_back(agent: Client, name: str) -> None:
    """
    Wait for the page, which nobody touches.
    """
    eventually(lambda: name in page_names(agent), "the page has come back by itself", SECONDS)


@pytest.fixture
def daemon(start: StartDaemon) -> Daemon:
    """
    The first life.
    """
    return start()


@pytest.fixture
def page(daemon: Daemon, open_browser: Callable[[str], Child]) -> Iterator[str]:
    """
    The page's name, while it is open.
    """
    with serving(partial(CounterServer, daemon.port), "localhost") as url:
        browser = open_browser(url)
        with connect(daemon.mcp_url) as agent:
            eventually(lambda: page_names(agent), "the page is connected", SECONDS)
            [name] = page_names(agent)
        yield name
        browser.stop()


def act(agent: Client, name: str, until: dict[str, object]) -> Any:
    """
    Press a button and claim something.
    """
    return agent.call(
        "reticle_act_and_wait",
        {"target": {"role": "button", "name": name}, "action": "click", "until": until},
    ).fields


def observed(agent: Client, since: object) -> Any:
    """
    Everything from a cursor on.
    """
    return agent.call("reticle_observe", {"since": since, "max_events": 100}).fields


def journal(daemon: Daemon, page: str) -> list[dict[str, Any]]:
    """
    What ``reticle journal`` prints.
    """
    done = subprocess.run(
        [sys.executable, "-m", "reticle", "journal", page, "--json", "--port", str(daemon.port)],
        env=daemon_environment(daemon.state_dir.parent),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def has(daemon: Daemon, page: str, event_type: str) -> bool:
    """
    Whether the journal has such an event.
    """
    return any(entry.get("type") == event_type for entry in journal(daemon, page))


def shown(answer: Any) -> str:
    """
    An answer as text, to look for words in it.
    """
    return str(answer)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_page_goes_on_over_a_restart(
    start: StartDaemon, daemon: Daemon, page: str, how: signal.Signals
) -> None:
    """
    An old cursor reads what was before; a claim over the restart is decided by evidence or is unknown; an
    act right after it is verified.
    """
    with connect(daemon.mcp_url) as agent:
        agent.initialize("test", "1")
        before = agent.call("reticle_observe", {}).fields["until"]
        saved = act(agent, "Save", {"kind": "signal", "name": "saved"})
        assert saved["verified"] == "yes"
        first = observed(agent, before)
        assert "saved" in shown(first["events"])
        # Whatever the kill takes came after that.
        eventually(lambda: has(daemon, page, "signal"), "the journal is written", SECONDS)
    end(daemon, how)
    later = again(start, daemon)
    with connect(later.mcp_url) as agent:
        agent.initialize("test", "1")
        comes_back(agent, page)
        second = observed(agent, before)
        assert shown(second["events"]).startswith(shown(first["events"])[:-1])
        assert ("lost (journal)" in shown(second)) == (how is signal.SIGKILL)
        claim: dict[str, object] = {"kind": "console", "level": "error", "absent": True}
        asserted = agent.call("reticle_assert", {"predicate": claim, "since": before}).fields
        assert asserted["verified"] == ("unknown" if how is signal.SIGKILL else "yes"), asserted
        positive = agent.call(
            "reticle_assert", {"predicate": {"kind": "signal", "name": "saved"}, "since": before}
        ).fields
        assert positive["verified"] != "no", positive
        anew = act(agent, "Save", {"kind": "signal", "name": "saved"})
        assert anew["verified"] == "yes", anew


def test_what_went_wrong_before_a_kill_is_not_forgotten(
    start: StartDaemon, daemon: Daemon, page: str
) -> None:
    """
    An error that was reported before the kill still refutes the claim that there was none.
    """
    with connect(daemon.mcp_url) as agent:
        agent.initialize("test", "1")
        before = agent.call("reticle_observe", {}).fields["until"]
        act(agent, "Break", {"kind": "console", "level": "error"})
        eventually(lambda: has(daemon, page, "console.error"), "the journal is written", SECONDS)
    end(daemon, signal.SIGKILL)
    with connect(again(start, daemon).mcp_url) as agent:
        agent.initialize("test", "1")
        comes_back(agent, page)
        claim: dict[str, object] = {"kind": "console", "level": "error", "absent": True}
        asserted = agent.call("reticle_assert", {"predicate": claim, "since": before}).fields
        assert asserted["verified"] == "no", asserted
