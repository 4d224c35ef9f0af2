"""
The shop's rules: what is on the shelf, and orders. A WSGI application.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

STATIC = Path(__file__).parent / "static"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
SHELF = [
    {"id": "tea", "name": "Green tea", "cents": 300},
    {"id": "jam", "name": "Plum jam", "cents": 450},
    {"id": "rye", "name": "Rye bread", "cents": 280},
]

# Kept when this file is read anew.
ORDERS: list[dict[str, Any]] = globals().get("ORDERS", [])


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer one request."""
    path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
    if path == "/api/shelf":
        return answer(start_response, "200 OK", SHELF)
    if path == "/api/orders" and method == "GET":
        return answer(start_response, "200 OK", ORDERS)
    if path == "/api/orders" and method == "POST":
        size = int(environ.get("CONTENT_LENGTH") or 0)
        return answer(start_response, "201 Created", place(json.loads(environ["wsgi.input"].read(size))))
    return static(start_response, "index.html" if path == "/" else path.removeprefix("/static/"))


def place(wanted: dict[str, Any]) -> dict[str, Any]:
    """Take an order; gives it with its number."""
    order = {"number": len(ORDERS) + 1, "lines": wanted["lines"]}
    list(ORDERS).append(order)
    return order


def answer(start_response: StartResponse, status: str, body: object) -> Iterable[bytes]:
    """Send JSON."""
    data = json.dumps(body).encode()
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(data)))])
    return [data]


def static(start_response: StartResponse, name: str) -> Iterable[bytes]:
    """Send one of the page's files."""
    file = STATIC / Path(name).name
    if not file.is_file():
        start_response("404 Not Found", [("Content-Type", "text/plain"), ("Content-Length", "0")])
        return []
    data = file.read_bytes()
    headers = [("Content-Type", TYPES[file.suffix]), ("Content-Length", str(len(data)))]
    start_response("200 OK", [*headers, ("Cache-Control", "no-store")])
    return [data]
