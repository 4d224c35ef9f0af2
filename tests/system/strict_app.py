"""
An app under the strictest policy that a page can have: no inline script, no connection of its own anywhere.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from tests.system.web_app import QuietHandler

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action *;"
    " require-trusted-types-for 'script'"
)

PAGE = """<!doctype html><html lang="en">
<head><title>%(title)s</title><script src="/app.js"></script></head><body>
<h1>%(title)s</h1><p role="status"></p><button id="count">Count</button>
<a href="/next">Next</a> <a href="%(other)snext">Elsewhere</a>
<form method="post" action="/slow"><button>Save</button></form></body></html>"""

SCRIPT = """
localStorage.visits = Number(localStorage.visits || 0) + 1;
sessionStorage.visits = Number(sessionStorage.visits || 0) + 1;
document.cookie = `seen=${Number((/seen=(\\d+)/.exec(document.cookie) || [0, 0])[1]) + 1}; max-age=1000`;
window.names = Object.getOwnPropertyNames(window).filter((name) => /^r[0-9a-f]{12}$/.test(name)).length;
addEventListener("DOMContentLoaded", () => {
  const status = document.querySelector("[role=status]");
  document.querySelector("#count").addEventListener("click", () => {
    const cookie = /seen=(\\d+)/.exec(document.cookie);
    status.textContent = `${localStorage.visits} ${sessionStorage.visits} ${cookie ? cookie[1] : 0} visits`;
  });
});
"""


PARTY_SECONDS = 20
"""How long one waits for the others; a busy machine starts eight contexts in less."""


class StrictApp(QuietHandler):
    """
    Serves it. ``other`` is the same app under another name, which is another site. The first ``party``
    requests to save wait for each other, and are answered when so many were made at one time; ``met`` says
    that they were.
    """

    other = ""
    party = 0
    waiting = 0
    met = True
    arrival = threading.Condition()

    def do_GET(self) -> None:
        """
        A page, or its script.
        """
        path = self.path.partition("?")[0]
        if path == "/app.js":
            self.answer(200, "text/javascript", SCRIPT.encode())
        elif path == "/plain":
            self.answer(200, "application/json", json.dumps({"a": 1}).encode())
        elif path == "/favicon.ico":
            self.answer(404, "text/plain", b"")
        else:
            other = self.headers["Host"].startswith("localhost")
            self._page("The other" if other else {"/next": "The next"}.get(path, "The first"))

    def do_POST(self) -> None:
        """
        Save, with the others of the party.
        """
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        with StrictApp.arrival:
            StrictApp.waiting += 1
            StrictApp.arrival.notify_all()
            together = StrictApp.arrival.wait_for(lambda: StrictApp.waiting >= StrictApp.party, PARTY_SECONDS)
            StrictApp.met = StrictApp.met and together
        self._page("Saved")

    def _page(self, title: str) -> None:
        body = (PAGE % {"title": title, "other": StrictApp.other}).encode()
        self.send_response(200)
        fields: dict[str, Any] = {
            "Content-Type": "text/html",
            "Content-Length": len(body),
            "Content-Security-Policy": POLICY,
        }
        for name, value in fields.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)
