"""
One event, one line.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from twisted.logger import LogLevel
from twisted.python.failure import Failure

from reticle.logs.lines import journal_line, json_line, level_of, text_line
from reticle.model.limits import LOG_MESSAGE_CHARS


def event(text: str = "{verb} {path}", **fields: Any) -> dict[str, Any]:
    """
    An event as ``Logger`` makes it.
    """
    return {
        "log_format": text,
        "log_level": LogLevel.info,
        "log_namespace": "reticle.transport",
        "log_time": 1_700_000_000.25,
        **fields,
    }


def failed() -> Failure:
    """
    A failure with a traceback and a message of two lines.
    """

    def breaks() -> None:
        raise ValueError("first\nsecond")

    try:
        breaks()
    except ValueError:
        return Failure()
    raise AssertionError


def test_a_line_for_people() -> None:
    """
    Time, level, part and message on one line.
    """
    assert text_line(event(verb="GET", path="/status")) == (
        "2023-11-14T22:13:20.250Z info     reticle.transport: GET /status\n"
    )


def test_a_line_for_programs_carries_the_fields() -> None:
    """
    A request line can be filtered by status without parsing its message.
    """
    line = json_line(event(verb="GET", path="/status", status=200, seconds=0.5, level="x", nan=float("nan")))
    assert json.loads(line) == {
        "time": "2023-11-14T22:13:20.250Z",
        "level": "info",
        "logger": "reticle.transport",
        "message": "GET /status",
        "verb": "GET",
        "path": "/status",
        "status": 200,
        "seconds": 0.5,
        "level_": "x",
        "nan": "nan",
    }
    assert line.endswith("}\n")
    assert line.count("\n") == 1


def test_a_line_for_the_journal_carries_its_priority() -> None:
    """
    Journalctl -p warning shows warnings, with every line of a traceback.
    """
    assert journal_line(event("slow", log_level=LogLevel.warn)) == "<4>reticle.transport: slow\n"
    lines = journal_line(event("broke", log_level=LogLevel.critical, log_failure=failed())).splitlines()
    assert lines[0] == "<2>reticle.transport: broke"
    assert lines[-1] == "<2>    second"
    assert all(line.startswith("<2>") for line in lines)


@given(st.text())
def test_a_page_cannot_forge_a_line(text: str) -> None:
    """
    Whatever text a page or peer sends stays on the line it belongs to, and can be written as UTF-8.
    """
    for line in (text_line(event("{x}", x=text)), json_line(event("{x}", x=text))):
        line.encode()
        assert len(line.splitlines()) == 1
        assert "\x1b" not in line


def test_half_a_surrogate_pair_can_be_written() -> None:
    """
    Broken Unicode from a page does not cost the line.
    """
    assert text_line(event("{x}", x="a\ud800b")).endswith("a?b\n")
    assert json.loads(json_line(event("{x}", x="a\ud800b")))["x"] == "a?b"


def test_a_long_message_is_cut_and_says_so() -> None:
    """
    One huge message does not fill the disk, and nobody takes it for whole.
    """
    line = text_line(event("{x}", x="y" * (LOG_MESSAGE_CHARS + 7)))
    assert line.endswith("y… (+7 characters)\n")


def test_a_failure_comes_with_its_traceback() -> None:
    """
    A bug can be found from the log.
    """
    failure = json.loads(json_line(event("broke", log_failure=failed())))["failure"]
    assert "ValueError: first" in failure
    assert "test_lines.py" in failure


def test_an_event_without_anything_is_still_a_line() -> None:
    """
    Older Twisted code that logs without level or part does no harm.
    """
    assert text_line({"log_time": 0.0}) == "1970-01-01T00:00:00.000Z info     -: \n"


def test_twisteds_chatter_about_ports_is_for_debugging() -> None:
    """
    The log of a start is our own line, not a dozen about factories; older errors stay errors.
    """
    chatter = event("(TCP Port 4400 Closed)", log_namespace="log_legacy")
    assert level_of(chatter) == "debug"
    assert level_of({**chatter, "log_level": LogLevel.critical}) == "critical"
    ended = event("Main loop terminated.", log_namespace="twisted.internet.base")
    assert level_of(ended) == "debug"
    assert level_of(event("listening")) == "info"
