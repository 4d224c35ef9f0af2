"""
The pages of the benchmark, each with the page script as the daemon serves it and without.
"""

from __future__ import annotations

import subprocess
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
FRAMEWORKS: Final = HERE.parents[1] / "tests/page/frameworks"

_STYLE = """#board{height:600px;overflow:auto;contain:strict}.held{color:red}
ul{height:2000px;margin:0;contain:strict;content-visibility:auto}li{height:20px}span{display:inline-block;width:9em}
@keyframes moved{to{transform:translateX(100px)}}
#style-moved{animation:moved 1s linear infinite}.box{width:20px;height:20px;background:teal}"""

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">{script}<title>{app}</title>
<style>{style}</style></head><body><h1>{app}</h1>{body}
<script src="/driver.js"></script>{tag}</body></html>"""

_BOARD = '<div id="board"></div><p id="summary"></p>'
_IDLE = '<div class="box" id="style-moved"></div><div class="box" id="script-moved"></div>'


def bundle(folder: Path) -> Path | None:
    """
    The board with React and what it needs in one file, as it is built for use; None where npm's packages for
    the page tests (``make frameworks``) are not installed.
    """
    tool = FRAMEWORKS / "node_modules/.bin/esbuild"
    if not tool.exists():
        return None
    made = folder / "react.js"
    options = ("--bundle", "--format=iife", "--log-level=error", '--define:process.env.NODE_ENV="production"')
    subprocess.run(
        [tool, HERE / "apps/react.js", *options, f"--outfile={made}"],
        check=True,
        env={"NODE_PATH": str(FRAMEWORKS / "node_modules"), "PATH": "/usr/local/bin:/usr/bin:/bin"},
    )
    return made


class Site:
    """
    Serves the pages on a free port: ``/APP/with`` and ``/APP/without`` the script at ``sdk_url``.
    """

    def __init__(self, sdk_url: str, react: Path | None) -> None:
        self.files = {path.name: path for path in (HERE / "apps").glob("*.js")}
        if react is not None:
            self.files["react.js"] = react
        self.script = f'<script src="{sdk_url}"></script>'
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Visit, self))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._url = f"http://127.0.0.1:{server.server_port}"

    def url(self, app: str, *, has_script: bool) -> str:
        """
        The address of a page.
        """
        return f"{self._url}/{app}/{'with' if has_script else 'without'}"

    def answer(self, path: str) -> tuple[str, bytes]:
        """
        The type and the body of what is at a path.
        """
        name = path.rpartition("/")[2]
        if name == "answer":
            return "application/json", b'{"ok": true, "names": ["lamp", "desk"]}'
        if name in self.files:
            return "text/javascript", self.files[name].read_bytes()
        app = path.split("/")[1]
        body = {"idle": _IDLE, "empty": ""}.get(app, _BOARD)
        kind = "" if app == "react" else ' type="module"'
        tag = "" if app == "empty" else f'<script{kind} src="/{app}.js"></script>'
        script = self.script if name == "with" else ""
        page = _PAGE.format(app=app, style=_STYLE, body=body, tag=tag, script=script)
        return "text/html; charset=utf-8", page.encode()


class _Visit(BaseHTTPRequestHandler):
    """
    One connection of a browser.
    """

    protocol_version = "HTTP/1.1"

    def __init__(self, site: Site, *given: object) -> None:
        self._site = site
        super().__init__(*given)  # type: ignore[arg-type]  # what socketserver hands over

    def log_message(self, *args: object) -> None:
        """
        Say nothing.
        """

    def do_GET(self) -> None:
        """
        A page or a file.
        """
        kind, body = self._site.answer(self.path)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
