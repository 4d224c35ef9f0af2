"""
A small page with one control of each kind, served from a thread of the test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.system.web_app import QuietHandler, serving

PAGE = Path(__file__).with_name("bench_page.html")


@contextmanager
def bench_app(daemon_url: str) -> Iterator[str]:
    """
    Serve the page, its script tag pointing at the daemon; gives its address, ending in a slash.
    """
    html = PAGE.read_text().replace("SDK", f"{daemon_url}/sdk.js").encode()

    class Answers(QuietHandler):
        def do_GET(self) -> None:
            self.answer(200, "text/html; charset=utf-8", html)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(200, "application/json", json.dumps({"name": body["name"]}).encode())

    with serving(Answers) as url:
        yield url
