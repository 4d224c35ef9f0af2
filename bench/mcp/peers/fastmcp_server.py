"""
The peer of FastMCP: one no-op tool.

    python fastmcp_server.py http|sse|stdio [PORT]
"""

from __future__ import annotations

import sys

import uvicorn
from fastmcp import FastMCP

server = FastMCP("bench")


@server.tool(output_schema=None)
def noop(text: str = "") -> str:
    """
    Do nothing.
    """
    del text
    return "ok"


def main() -> None:
    """
    Serve by the carrier that was asked for; Streamable HTTP answers as JSON, its faster form.
    """
    carrier = sys.argv[1]
    if carrier == "stdio":
        server.run("stdio", show_banner=False)
        return
    if carrier == "http":
        app = server.http_app(path="/mcp", json_response=True)
    else:
        app = server.http_app(path="/sse", transport="sse")
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False)


if __name__ == "__main__":
    main()
