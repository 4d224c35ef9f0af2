"""
The order desk as a plain WSGI application, over the standard library's sqlite3.
"""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import letters

from reticle.probe import answered_by
from reticle.probe.wsgi import WSGIMiddleware

HERE = Path(__file__).parent
FILES = {"/": ("desk.html", "text/html; charset=utf-8"), "/desk.js": ("desk.js", "text/javascript")}
log = logging.getLogger("desk")

Reply = tuple[int, Any]


def rows(database: sqlite3.Connection, statement: str, *values: Any) -> list[dict[str, Any]]:
    """
    What a statement selects.
    """
    return [dict(row) for row in database.execute(statement, values)]


def show(database: sqlite3.Connection, _wish: Any) -> Reply:
    """All that the page shows."""
    orders = rows(database, "SELECT id, product, quantity, state FROM orders ORDER BY id")
    stock = rows(database, "SELECT name AS product, stock FROM products ORDER BY rowid")
    return 200, {"orders": orders, "stock": stock}


def place(database: sqlite3.Connection, wish: Any) -> Reply:
    """Take an order, take it off the stock, write to the customer."""
    product, quantity, email = wish["product"], wish["quantity"], wish["email"]
    database.execute("UPDATE products SET stock = stock - ? WHERE name = ?", (quantity, product))
    taken = database.execute(
        "INSERT INTO orders (product, quantity, email) VALUES (?, ?, ?)", (product, quantity, email)
    )
    database.commit()
    letters.confirm(taken.lastrowid or 0, email)
    return 201, {"id": taken.lastrowid}


def receipt(database: sqlite3.Connection, _wish: Any, number: int) -> Reply:
    """Keep a receipt."""
    [order] = rows(database, "SELECT email FROM orders WHERE id = ?", number)
    database.execute("INSERT INTO receipts VALUES (?, ?)", (number, order["email"]))
    database.commit()
    return 200, {}


def cancel(database: sqlite3.Connection, _wish: Any, number: int) -> Reply:
    """Cancel an order."""
    database.execute("UPDATE orders SET state = 'cancelled' WHERE id = ?", (number,))
    database.commit()
    return 200, {"id": number, "state": "cancelled"}


def restock(database: sqlite3.Connection, wish: Any) -> Reply:
    """Put something into stock."""
    database.execute("UPDATE products SET stock = stock + ? WHERE name = ?", (wish["add"], wish["product"]))
    database.commit()
    [row] = rows(database, "SELECT name AS product, stock FROM products WHERE name = ?", wish["product"])
    return 200, row


def report(database: sqlite3.Connection, _wish: Any) -> Reply:
    """How much was ordered of each product."""
    return 200, rows(
        database,
        "SELECT name AS product, COALESCE(SUM(quantity), 0) AS ordered FROM products"
        " LEFT JOIN orders ON product = name AND state = 'open' GROUP BY name ORDER BY products.rowid",
    )


ROUTES: list[tuple[str, str, Callable[..., Reply]]] = [
    ("GET", "/desk", show),
    ("POST", "/orders", place),
    ("POST", r"/orders/(\d+)/receipt", receipt),
    ("POST", r"/orders/(\d+)/cancel", cancel),
    ("POST", "/stock", restock),
    ("GET", "/report", report),
]


def desk(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """
    One request: a file, or what the first route that fits answers as JSON.
    """
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    if method == "GET" and path in FILES:
        name, kind = FILES[path]
        return _answer(start_response, 200, (HERE / name).read_bytes(), kind)
    for wanted, pattern, view in ROUTES:
        found = re.fullmatch(pattern, path)
        if found and method == wanted:
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            database = sqlite3.connect(HERE / "desk.db")
            database.row_factory = sqlite3.Row
            answered_by(view, pattern)
            try:
                status, told = view(database, json.loads(body or b"{}"), *map(int, found.groups()))
            finally:
                database.close()
            return _answer(start_response, status, json.dumps(told).encode(), "application/json")
    return _answer(start_response, 404, b"{}", "application/json")


def _answer(start_response: Callable[..., Any], status: int, body: bytes, kind: str) -> Iterable[bytes]:
    line = f"{status} {HTTPStatus(status).phrase}"
    start_response(line, [("Content-Type", kind), ("Content-Length", str(len(body)))])
    return [body]


app = WSGIMiddleware(desk)
