"""
Serve the order desk by Django's own threads; prints its address first.
"""

from __future__ import annotations

import os

from preparing import prepare

if __name__ == "__main__":
    prepare()
    os.environ["DJANGO_SETTINGS_MODULE"] = "settings"

    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    class Quiet(WSGIRequestHandler):
        """Prints no line for each request."""

        def log_message(self, *_args: object) -> None:
            """Nothing."""

    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.set_app(get_wsgi_application())
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
