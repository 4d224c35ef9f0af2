"""
Serve the order desk by uvicorn; prints its address first.
"""

from __future__ import annotations

import socket

import uvicorn
from preparing import prepare

if __name__ == "__main__":
    prepare()
    from desk import app

    listening = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
