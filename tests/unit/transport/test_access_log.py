"""
The access log's events are those that a logger would make.
"""

from __future__ import annotations

from typing import cast

import msgspec
from twisted.logger import ILogObserver, LogEvent, Logger, LogLevel, formatEvent, globalLogPublisher

from reticle.transport.access_log import tell_access
from reticle.transport.trace import RequestRecord

RECORD = RequestRecord("POST", "/mcp", "mcp", 200, 0.00125, "local", "http", None, aborted=False)


def test_a_request_is_one_event_with_its_fields() -> None:
    """
    Whoever observes the log of an application that embeds us gets a request as any other event.
    """
    events: list[LogEvent] = []
    observer = cast("ILogObserver", events.append)
    globalLogPublisher.addObserver(observer)
    try:
        tell_access(RECORD)
        Logger(namespace="reticle.transport.site").info("as any other")
    finally:
        globalLogPublisher.removeObserver(observer)
    ours, other = events
    assert formatEvent(ours) == "POST /mcp 200 1.2 ms local http"
    assert set(other) <= set(ours)
    assert ours["log_level"] is LogLevel.info
    assert ours["log_namespace"] == other["log_namespace"]
    assert 0 <= other["log_time"] - ours["log_time"] < 60
    assert (ours["route"], ours["refused"], ours["aborted"]) == ("mcp", None, False)


def test_what_is_as_it_was_is_for_debugging() -> None:
    """
    Probes that ask every few seconds whether the page script is the same do not fill the log.
    """
    events: list[LogEvent] = []
    observer = cast("ILogObserver", events.append)
    globalLogPublisher.addObserver(observer)
    try:
        tell_access(msgspec.structs.replace(RECORD, method="GET", path="/sdk.js", status=304))
    finally:
        globalLogPublisher.removeObserver(observer)
    assert [event["log_level"] for event in events] == [LogLevel.debug]
