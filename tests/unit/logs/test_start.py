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


def test_a_warning_is_on_standard_error() -> None:
    """
    After the start what any part says reaches the stream, in our form.
    """
    publisher, stream = LogPublisher(), io.StringIO()
    beginner = LogBeginner(publisher, io.StringIO(), logging, __import__("warnings"))
    try:
        start_logging(Settings(), {}, stream, beginner)
        Logger(namespace="reticle.test", observer=publisher).warn("odd")
    finally:
        for one in [one for one in logging.getLogger().handlers if isinstance(one, StdlibForwarder)]:
            logging.getLogger().removeHandler(one)
    assert stream.getvalue().endswith("reticle.test: odd\n")
