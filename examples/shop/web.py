"""
The shop over HTTP: one page, its API, and a stream of stock changes.

``/?visit=new`` begins a browser session with an empty cart, ``/checkout?visit=ready`` one that has logged in
and filled it; ``&fault=NAME`` or ``&trap=NAME`` chooses its variant.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from examples.shop import api
from examples.shop.page import render, static_file
from examples.shop.stock import Stock, Visitor
from examples.shop.variants import FAULTS, TRAPS

PAGES = {"/", "/login", "/checkout", "/thanks"}
BODY_BYTES = 64 * 1024
COOKIE = "shop"


class ShopServer(ThreadingHTTPServer):
    """
    The listener, with what its requests need.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, stock: Stock, reticle_port: int) -> None:
        super().__init__(("127.0.0.1", port), ShopRequest)
        self.stock = stock
        self.reticle_port = reticle_port

    def handle_error(self, request: Any, client_address: Any) -> None:
        """
        A browser that leaves in the middle of a stream is not worth a traceback.
        """
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class ShopRequest(BaseHTTPRequestHandler):
    """
    One connection.
    """

    server: ShopServer
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        """
        The page, its files, and what it reads.
        """
        url = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        if url.path in PAGES:
            self._page(query)
        elif url.path.startswith("/static/"):
            self._static(url.path.removeprefix("/static/"))
        elif url.path == "/events":
            self._events()
        else:
            visitor = self._known_visitor() or Visitor("", "", None)
            self._answer(api.read(self.server.stock, visitor, url.path, query))

    def do_POST(self) -> None:
        """
        What the page changes.
        """
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(min(length, BODY_BYTES))
        visitor = self._known_visitor()
        if length > BODY_BYTES:
            self.close_connection = True
            self._json({"error": "That is too long."}, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif visitor is None:
            self._json({"error": "Please open the shop first."}, HTTPStatus.UNAUTHORIZED)
        elif self.path == "/logout":
            self.server.stock.log_out(visitor)
            self._answer((HTTPStatus.SEE_OTHER, "/login"))
        else:
            self._write(visitor, raw)

    def _write(self, visitor: Visitor, raw: bytes) -> None:
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self._json({"error": "That is not a request we know."}, HTTPStatus.BAD_REQUEST)
            return
        try:
            answer = api.write(self.server.stock, visitor, urlsplit(self.path).path, body)
        except Exception:  # noqa: BLE001 - as any framework does: log it, answer 500
            traceback.print_exc()
            answer = HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "Internal server error"}
        self._answer(answer)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """
        Stay quiet: the demo's table is what people should see.
        """

    def _page(self, query: dict[str, str]) -> None:
        visitor = self._known_visitor() if "visit" not in query else None
        kept = "" if visitor is None else visitor.variant
        variant = query.get("fault", query.get("trap", kept))
        variant = variant if variant in FAULTS | TRAPS else ""
        cookie = {}
        if visitor is None or visitor.variant != variant:
            ready = query.get("visit") == "ready"
            begin = self.server.stock.ready_visitor if ready else self.server.stock.new_visitor
            visitor = begin(variant)
            cookie = {"Set-Cookie": f"{COOKIE}={visitor.id}; Path=/; HttpOnly; SameSite=Lax"}
        page = render(visitor.variant, self.server.reticle_port)
        self._send(page, "text/html; charset=utf-8", HTTPStatus.OK, cookie)

    def _static(self, name: str) -> None:
        found = static_file(name)
        if found is None:
            self._send(b"not found", "text/plain", HTTPStatus.NOT_FOUND)
        else:
            self._send(*found)

    def _events(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        seen = -1
        while True:
            now = self.server.stock.wait_for_change(seen, timeout_seconds=15)
            if now == seen:
                self.wfile.write(b": still here\n\n")
                continue
            seen = now
            stock = {product["id"]: product["stock"] for product in self.server.stock.products()}
            self.wfile.write(f"event: stock\ndata: {json.dumps(stock)}\n\n".encode())

    def _known_visitor(self) -> Visitor | None:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        return None if cookie is None else self.server.stock.visitor(cookie.value)

    def _answer(self, answer: api.Answer | None) -> None:
        status, body = answer or (HTTPStatus.NOT_FOUND, {"error": "There is nothing here."})
        if status is HTTPStatus.SEE_OTHER:
            self._send(b"", "text/plain", status, {"Location": str(body)})
        else:
            self._json(body, status)

    def _json(self, answer: object, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(answer).encode(), "application/json", status)

    def _send(
        self,
        body: bytes,
        kind: str,
        status: HTTPStatus = HTTPStatus.OK,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
