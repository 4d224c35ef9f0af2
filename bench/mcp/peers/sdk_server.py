"""
The peer of the Python SDK: one no-op tool.

    python sdk_server.py http|sse|stdio [PORT]
"""

from __future__ import annotations

import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

server = MCPServer("bench", log_level="ERROR")


@server.tool(structured_output=False)
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
        server.run("stdio")
        return
    app = server.streamable_http_app(json_response=True) if carrier == "http" else server.sse_app()
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False)


if __name__ == "__main__":
    main()
