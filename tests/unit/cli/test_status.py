"""
Which port is live and what is connected.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reticle.cli import main
from reticle.cli.discovery import FoundDaemon
from reticle.cli.exits import CommandFailure
from reticle.cli.probe import Answering, Silent, Stranger, Unauthorised
from reticle.cli.status import as_fields, as_lines, duration, judge
from reticle.storage.daemon_file import DaemonRecord

STATUS = {
    "running": True,
    "name": "reticle",
    "version": "0.1.0",
    "pid": 42,
    "uptime_seconds": 11_100.4,
    "state": "ready",
    "mcp_sessions": 1,
    "pages": [
        {"sessionId": "s1", "url": "http://localhost:8000/", "title": "Shop", "throttled": False},
        {"sessionId": "s2", "url": "http://localhost:8000/cart", "title": "Cart", "throttled": True},
    ],
    "probes": [{"framework": "django 5.2", "project": "shop", "pid": 43}],
}
URL = "http://127.0.0.1:4400"


def test_a_running_daemon_is_shown_with_its_pages() -> None:
    """
    Version, address, uptime, and every page with its session id.
    """
    assert as_lines(FoundDaemon(URL, 4400, Answering(STATUS))) == [
        "reticle 0.1.0 at http://127.0.0.1:4400 (pid 42, up 3 h 5 min, ready)",
        "1 agent and 2 pages connected",
        "  s1  http://localhost:8000/  'Shop'",
        "  s2  http://localhost:8000/cart  'Cart'  (throttled: bring the tab to the front)",
        "  told by django 5.2 (shop, pid 43)",
    ]


def test_json_carries_the_whole_status(record: DaemonRecord) -> None:
    """
    Scripts get the daemon's own status beside what its runtime file says.
    """
    fields = as_fields(FoundDaemon(URL, 4400, Answering(STATUS), record))
    assert (fields["status"], fields["problem"], fields["pid"]) == (STATUS, None, record.pid)
    assert as_fields(FoundDaemon(URL, 4400, Stranger("HTTP 404")))["problem"] == (
        "something else listens on port 4400: HTTP 404"
    )


def test_exit_codes_tell_running_from_absent_from_refused() -> None:
    """
    0 when one answers, 5 when a token is wanted, 4 otherwise; with --json no second message.
    """
    answers = FoundDaemon(URL, 4400, Answering(STATUS))
    wedged = FoundDaemon(URL, 4400, Silent(listening=True, reason="no answer"))
    locked = FoundDaemon(URL, 4400, Unauthorised("no"))
    assert judge([wedged, answers], 4400, quiet=False) == 0
    assert [judge(found, 4400, quiet=True) for found in ([], [wedged], [locked])] == [4, 4, 5]
    with pytest.raises(CommandFailure) as caught:
        judge([locked], 4400, quiet=False)
    assert caught.value.exit_code == 5
    assert (
        caught.value.next_step
        == "set RETICLE_MCP_TOKEN_FILE to a token of the daemon's, or unset RETICLE_TOKEN"
    )
    with pytest.raises(CommandFailure) as caught:
        judge([FoundDaemon("http://127.0.0.1:8080", 8080, Stranger("HTTP 404"))], 8080, quiet=False)
    assert (caught.value.exit_code, caught.value.next_step) == (4, "reticle doctor --port 8080")


def test_no_daemon_is_exit_4(capsys: pytest.CaptureFixture[str], runtime_dir: Path) -> None:
    """
    Without a daemon the command says which port it tried.
    """
    (runtime_dir / "daemon-1.json").write_text("{}")
    assert main.run(["status", "--port", "0", "--json"]) == 4
    assert json.loads(capsys.readouterr().out) == {"running": False, "daemons": []}


def test_a_wedged_daemon_is_not_called_running(record: DaemonRecord) -> None:
    """
    A process that lives and does not answer is shown as such.
    """
    found = FoundDaemon(URL, 4400, Silent(listening=True, reason="no answer within 2 s"), record)
    assert as_lines(found) == [
        f"reticle (pid {record.pid}) at {URL}: lives but does not answer: no answer within 2 s"
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3_600, "1 h"), (90_061, "1 d 1 h"), (86_400, "1 d")],
)
def test_times_are_short(seconds: float, text: str) -> None:
    """
    An uptime is two units at most.
    """
    assert duration(seconds) == text
