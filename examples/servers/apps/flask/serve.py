"""
Serve the order desk; prints its address first.
"""

from __future__ import annotations

from preparing import prepare
from werkzeug.serving import make_server

if __name__ == "__main__":
    prepare()
    from desk import app

    server = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
