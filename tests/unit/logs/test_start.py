"""
Logging begins once, by an entry point.
"""

from __future__ import annotations

import io
import logging

from twisted.logger import LogBeginner, Logger, LogPublisher

from reticle.logs.start import start_logging
from reticle.logs.stdlib import StdlibForwarder
from reticle.settings import Settings


def test_lines_and_recent_warnings_come_from_one_beginning() -> None:
    """
    After the start a warning is on standard error and in the memory of recent ones.
    """
    publisher, stream = LogPublisher(), io.StringIO()
    beginner = LogBeginner(publisher, io.StringIO(), logging, __import__("warnings"))
    try:
        recent = start_logging(Settings(), {}, stream, beginner)
        Logger(namespace="reticle.test", observer=publisher).warn("odd")
    finally:
        for one in [one for one in logging.getLogger().handlers if isinstance(one, StdlibForwarder)]:
            logging.getLogger().removeHandler(one)
    assert stream.getvalue().endswith("reticle.test: odd\n")
    assert [one.message for one in recent.newest_first()] == ["odd"]
