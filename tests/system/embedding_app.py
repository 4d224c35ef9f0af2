"""
An application with a Site of its own that carries reticle below ``/tools/reticle/``.

``python embedding_app.py [--reactor asyncio] [--thread]``: with another reactor, or with the reactor in a
thread that is not the main one and without signal handlers; both are how real applications run Twisted.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from pathlib import Path
from typing import Any

parser = argparse.ArgumentParser()
parser.add_argument("--reactor", choices=["default", "asyncio"], default="default")
parser.add_argument("--thread", action="store_true")
chosen = parser.parse_args()
if chosen.reactor == "asyncio":
    from twisted.internet import asyncioreactor

    asyncioreactor.install()

from twisted.internet import reactor as installed  # noqa: E402, TID251 - this script owns the process
from twisted.web.resource import Resource  # noqa: E402 - the reactor is chosen first
from twisted.web.server import Site  # noqa: E402 - as above

import reticle  # noqa: E402 - as above
from reticle.settings import read_settings  # noqa: E402 - as above

reactor: Any = installed


class Hello(Resource):
    """
    The application's own page.
    """

    isLeaf = True

    def __init__(self) -> None:
        Resource.__init__(self)

    def render_GET(self, _request: object) -> bytes:
        """
        Say hello.
        """
        return b"the application itself"


def main() -> None:
    """
    Serve on a free port until standard input ends.
    """
    daemon = reticle.make_service(read_settings({}, os.environ, Path.cwd()), listen=False)
    root, tools = Resource(), Resource()
    root.putChild(b"", Hello())
    root.putChild(b"tools", tools)
    tools.putChild(b"reticle", reticle.resource(daemon))

    def begin() -> None:
        port = reactor.listenTCP(0, Site(root), interface="127.0.0.1")
        daemon.startService()
        daemon.when_serving().addCallbacks(
            lambda _: print(f"listening on http://127.0.0.1:{port.getHost().port}", flush=True),
            lambda failure: print(failure.getErrorMessage(), flush=True),
        )

    def wait_for_the_end() -> None:
        sys.stdin.read()
        reactor.callFromThread(lambda: daemon.stopService().addBoth(lambda _: reactor.stop()))

    reactor.callWhenRunning(begin)
    threading.Thread(target=wait_for_the_end, daemon=True).start()
    if chosen.thread:
        running = threading.Thread(target=reactor.run, kwargs={"installSignalHandlers": False})
        running.start()
        running.join()
    else:
        reactor.run()
    print("ended", flush=True)


if __name__ == "__main__":
    main()
