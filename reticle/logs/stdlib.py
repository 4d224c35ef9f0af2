"""
What libraries say through the standard library's ``logging``, in our log.
"""

from __future__ import annotations

import logging
from typing import Any

from twisted.logger import Logger, LogLevel
from twisted.python.failure import Failure


class StdlibForwarder(logging.Handler):
    """
    Hands records of ``logging`` (websockets, SQLAlchemy, an embedding app) to ``twisted.logger``.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """
        Pass one record on, with its traceback if it has one.
        """
        log = Logger(namespace=record.name)
        exception = record.exc_info[1] if record.exc_info else None
        text = record.getMessage()
        if exception is not None:
            log.failure("{text}", Failure(exception), level=_level(record.levelno), text=text)
        else:
            log.emit(_level(record.levelno), "{text}", text=text)


_LEVELS = (
    (logging.CRITICAL, LogLevel.critical),
    (logging.ERROR, LogLevel.error),
    (logging.WARNING, LogLevel.warn),
    (logging.INFO, LogLevel.info),
)


def _level(number: int) -> Any:
    return next((level for least, level in _LEVELS if number >= least), LogLevel.debug)


def forward_stdlib_logging(root: logging.Logger) -> StdlibForwarder:
    """
    Forward what reaches ``root`` from WARNING up; lower levels of libraries are theirs.
    """
    forwarder = StdlibForwarder(logging.WARNING)
    root.addHandler(forwarder)
    return forwarder
