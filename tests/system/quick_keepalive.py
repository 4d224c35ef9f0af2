"""
A daemon that keeps streams alive twice a second; ``reticle serve`` offers no such setting, nobody needs it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from twisted.internet import reactor as installed  # noqa: TID251 - this script owns the process

from reticle.service import make_service
from reticle.settings import read_settings

KEEPALIVE_SECONDS = 0.5


def main() -> None:
    """
    Serve on a free port until a signal comes.
    """
    reactor: Any = installed
    settings = read_settings({"port": "0"}, os.environ, Path.cwd())
    daemon = make_service(settings, reactor=reactor, keepalive_seconds=KEEPALIVE_SECONDS)
    reactor.callWhenRunning(daemon.startService)
    reactor.addSystemEventTrigger("before", "shutdown", daemon.stopService)
    reactor.run()


if __name__ == "__main__":
    main()
