"""
The help desk: a new database, htmx from npm beside the other static files, then the app. Prints its address
first.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from desk import create_app
from werkzeug.serving import make_server

HERE = Path(__file__).parent

if __name__ == "__main__":
    shutil.copy(HERE / "node_modules/htmx.org/dist/htmx.js", HERE / "static/htmx.js")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    database = HERE / "desk.db"
    database.unlink(missing_ok=True)
    server = make_server("127.0.0.1", 0, create_app(database), threaded=True)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
