"""
Serve the order desk by twisted.web; prints its address first.
"""

from __future__ import annotations

from preparing import prepare
from twisted.internet import reactor
from twisted.web.server import Site

from reticle.probe.klein import wrap

if __name__ == "__main__":
    prepare()
    from desk import app

    port = reactor.listenTCP(0, Site(wrap(app)), interface="127.0.0.1")
    print(f"http://127.0.0.1:{port.getHost().port}", flush=True)
    reactor.run()
