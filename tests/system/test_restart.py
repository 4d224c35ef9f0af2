"""
What a daemon that was killed still knows in its next life.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import threading

from websockets.sync.client import connect as dial_page

from examples.journeys.children import Daemon
from reticle.client import ClientError, connect
from tests.system.pages import HELLO, page_names
from tests.system.starting import StartDaemon
from tests.system.wire import eventually

CALLERS = 4
ANSWERS_BEFORE_THE_KILL = 200


def kill(daemon: Daemon) -> None:
    """
    As the kernel does when memory runs out.
    """
    daemon.child.process.kill()
    assert daemon.child.wait_for_exit(5) == -signal.SIGKILL


def test_a_restarted_daemon_knows_that_pages_were_there(start: StartDaemon) -> None:
    """
    The agent hears of the restart and of the project, not that no page was ever seen (DL-05).
    """
    first = start()
    with connect(first.mcp_url) as agent, dial_page(f"ws://127.0.0.1:{first.port}/reticle") as page:
        page.send(json.dumps({**HELLO, "projectId": "shop"}))
        eventually(lambda: page_names(agent), "the page is connected")
        kill(first)
    with connect(start().mcp_url) as agent:
        refused = agent.call("reticle_snapshot", {})
        listed = agent.call("reticle_sessions", {})
    assert refused.error == "no_session"
    for sentence in (refused.fields["message"], listed.fields["why"]):
        assert "The daemon was restarted at " in str(sentence)
        assert "pages were connected before that (shop: 1)" in str(sentence)


def test_no_answer_is_lost_by_a_kill(start: StartDaemon) -> None:
    """
    Every audit id that an agent was given stands in the database after kill -9 (DESIGN §5).
    """
    daemon = start()
    given: list[str] = []

    def ask() -> None:
        with contextlib.suppress(ClientError, OSError), connect(daemon.mcp_url) as agent:
            while True:
                given.append(str(agent.call("reticle_tools", {}).fields["audit_id"]))

    callers = [threading.Thread(target=ask) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    eventually(lambda: len(given) >= ANSWERS_BEFORE_THE_KILL, "answers come", 60)
    kill(daemon)
    for caller in callers:
        caller.join(10)
    with sqlite3.connect(daemon.state_dir / "reticle.sqlite3") as database:
        kept = {row[0] for row in database.execute("SELECT audit_id FROM audit")}
    database.close()
    assert len(set(given)) == len(given) >= ANSWERS_BEFORE_THE_KILL
    assert set(given) <= kept
