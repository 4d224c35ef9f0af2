"""
The access log: one event for each ended request.

It goes straight to where the logger sends its events: what ``Logger.info`` does beside that (checking the
level, gathering arguments) would be a twentieth of the time of a small request.
"""

from __future__ import annotations

import time

from twisted.logger import Logger, LogLevel

from reticle.model.log_marks import SETTLED
from reticle.transport.trace import RequestRecord

_NAMESPACE = "reticle.transport.site"
_INFO, _DEBUG = LogLevel.info, LogLevel.debug
_NOT_MODIFIED = 304
_log = Logger(namespace=_NAMESPACE)

_FORMAT = "{method} {path} {status} {duration_ms} ms {principal} {carrier}"


def tell_access(record: RequestRecord) -> None:
    """
    Log one ended request; one that only found all as it was is for debugging, for each probe asks every few
    seconds whether the page script is still the same.
    """
    _log.observer(
        {
            "method": record.method,
            "path": record.path,
            "route": record.route,
            "status": record.status,
            "duration_ms": round(record.duration_seconds * 1000, 1),
            "principal": record.principal,
            "carrier": record.carrier,
            "refused": record.refused,
            "aborted": record.aborted,
            SETTLED: True,
            "log_logger": _log,
            "log_level": _DEBUG if record.status == _NOT_MODIFIED else _INFO,
            "log_namespace": _NAMESPACE,
            "log_source": None,
            "log_format": _FORMAT,
            "log_time": time.time(),  # noqa: TID251 - as of every other event, which Twisted makes
        }
    )
