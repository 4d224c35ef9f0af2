"""
Libraries that use the standard library's logging are heard.
"""

from __future__ import annotations

import logging
from typing import Any

from twisted.logger import ILogObserver, globalLogPublisher
from zope.interface import implementer

from reticle.logs.stdlib import forward_stdlib_logging


def raise_key_error() -> None:
    """
    Fail as a library would.
    """
    raise KeyError("x")


def test_warnings_of_libraries_are_in_our_log(logged_failures: Any) -> None:
    """
    A library's warning and traceback appear with its name; its chatter does not.
    """
    events: list[Any] = []
    library = logging.getLogger("library")
    library.propagate = False
    forwarder = forward_stdlib_logging(library)

    @implementer(ILogObserver)
    class Listener:
        def __call__(self, event: Any) -> None:
            events.append(event)

    listener = Listener()
    globalLogPublisher.addObserver(listener)
    try:
        library.info("chatter")
        library.warning("odd %s", "thing")
        try:
            raise_key_error()
        except KeyError:
            library.exception("broke")
    finally:
        globalLogPublisher.removeObserver(listener)
        library.removeHandler(forwarder)
    seen = [(event["log_namespace"], event["log_level"].name, event["text"]) for event in events]
    assert seen == [("library", "warn", "odd thing"), ("library", "error", "broke")]
    assert [failure.type for failure in logged_failures.flush()] == [KeyError]
