"""
The shop over HTTP: one page, its API, and a stream of stock changes.

``/?visit=new&fault=NAME`` begins a browser session with a clean cart and one planted fault.
"""

from __future__ import annotations

import json
import sys
import traceback
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from examples.shop import faults
from examples.shop.page import render, static_file
from examples.shop.stock import OrderRefusedError, Stock, Visitor

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
    READS: ClassVar = {"/api/products": "_products", "/api/cart": "_cart", "/events": "_events"}
    WRITES: ClassVar = {"/api/login": "_log_in", "/api/cart": "_put_in_cart", "/api/orders": "_place_order"}

    def do_GET(self) -> None:
        """
        The page, its files, and what it reads.
        """
        url = urlsplit(self.path)
        if url.path in PAGES:
            self._page(parse_qs(url.query))
        elif url.path.startswith("/static/"):
            self._static(url.path.removeprefix("/static/"))
        elif url.path in self.READS:
            getattr(self, self.READS[url.path])(self._visitor())
        else:
            self._json({"error": "There is nothing here."}, HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """
        What the page changes.
        """
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(min(length, BODY_BYTES))
        action = self.WRITES.get(urlsplit(self.path).path)
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if action is None or not isinstance(body, dict) or length > BODY_BYTES:
            self.close_connection = True
            self._json({"error": "That is not a request we know."}, HTTPStatus.BAD_REQUEST)
            return
        visitor = self._known_visitor()
        if visitor is None:
            self._json({"error": "Please open the shop first."}, HTTPStatus.UNAUTHORIZED)
            return
        try:
            getattr(self, action)(visitor, body)
        except OrderRefusedError as refused:
            self._json({"error": str(refused)}, HTTPStatus.CONFLICT)
        except Exception:  # noqa: BLE001 - as any framework does: log it, answer 500
            traceback.print_exc()
            self._json({"error": "Internal server error"}, HTTPStatus.INTERNAL_SERVER_ERROR)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """
        Stay quiet: the demo's table is what people should see.
        """

    def _page(self, query: dict[str, list[str]]) -> None:
        visitor = None if query.get("visit") == ["new"] else self._known_visitor()
        kept = "" if visitor is None else visitor.fault
        fault = query.get("fault", [kept])[0]
        fault = fault if fault in faults.FAULTS else ""
        cookie = None
        if visitor is None or visitor.fault != fault:
            visitor = self.server.stock.new_visitor(fault)
            cookie = f"{COOKIE}={visitor.id}; Path=/; HttpOnly; SameSite=Lax"
        self._send(render(visitor.fault, self.server.reticle_port), "text/html; charset=utf-8", cookie=cookie)

    def _static(self, name: str) -> None:
        found = static_file(name)
        if found is None:
            self._send(b"not found", "text/plain", HTTPStatus.NOT_FOUND)
        else:
            self._send(*found)

    def _products(self, _visitor: Visitor) -> None:
        self._json({"products": self.server.stock.products()})

    def _cart(self, visitor: Visitor) -> None:
        self._json({"user": visitor.user, "lines": self.server.stock.cart(visitor)})

    def _log_in(self, visitor: Visitor, body: dict[str, Any]) -> None:
        user = str(body.get("name"))
        if self.server.stock.log_in(visitor, user, str(body.get("password"))):
            self._json({"user": user})
        else:
            self._json({"error": "That name and password do not match."}, HTTPStatus.UNAUTHORIZED)

    def _put_in_cart(self, visitor: Visitor, body: dict[str, Any]) -> None:
        self.server.stock.put_in_cart(visitor, str(body["product"]), int(body["quantity"]))
        self._cart(visitor)

    def _place_order(self, visitor: Visitor, body: dict[str, Any]) -> None:
        if visitor.fault == faults.SILENT_500:
            raise RuntimeError("the payment service did not answer")
        if visitor.fault == faults.LYING_TOAST:
            raise OrderRefusedError("The card was declined.")
        if visitor.fault == faults.LYING_TOAST_200:
            self._json({"ok": False, "error": "The card was declined."})
            return
        lines = [(str(line["product"]), int(line["quantity"])) for line in body["lines"]]
        order = self.server.stock.place_order(visitor, lines, str(body["name"]), str(body["address"]))
        self._json(order, HTTPStatus.CREATED)

    def _events(self, _visitor: Visitor) -> None:
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

    def _visitor(self) -> Visitor:
        return self._known_visitor() or Visitor("", "", None)

    def _json(self, answer: object, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(answer).encode(), "application/json", status)

    def _send(
        self, body: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK, cookie: str | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body)
