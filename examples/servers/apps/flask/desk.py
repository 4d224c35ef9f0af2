"""
The order desk in Flask, over the standard library's sqlite3.
"""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any

import letters
from flask import Flask, Response, g, jsonify, request, send_from_directory

from reticle.probe.flask import Reticle

HERE = Path(__file__).parent
log = logging.getLogger("desk")

app = Flask(__name__)
Reticle(app)


def database() -> sqlite3.Connection:
    """
    The connection of this request.
    """
    if "database" not in g:
        g.database = sqlite3.connect(HERE / "desk.db")
        g.database.row_factory = sqlite3.Row
    connection: sqlite3.Connection = g.database
    return connection


@app.teardown_appcontext
def close(_error: BaseException | None) -> None:
    """
    Close it with the request; what was not committed is lost.
    """
    if "database" in g:
        g.database.close()


def rows(statement: str, *values: Any) -> list[dict[str, Any]]:
    """
    What a statement selects.
    """
    return [dict(row) for row in database().execute(statement, values)]


@app.get("/")
def page() -> Response:
    """The page."""
    return send_from_directory(HERE, "desk.html")


@app.get("/desk.js")
def script() -> Response:
    """The page's script."""
    return send_from_directory(HERE, "desk.js")


@app.get("/desk")
def show() -> Response:
    """All that the page shows."""
    orders = rows("SELECT id, product, quantity, state FROM orders ORDER BY id")
    return jsonify(orders=orders, stock=rows("SELECT name AS product, stock FROM products ORDER BY rowid"))


@app.post("/orders")
def place() -> tuple[Response, int]:
    """Take an order, take it off the stock, write to the customer."""
    wish = request.get_json()
    product, quantity, email = wish["product"], wish["quantity"], wish["email"]
    database().execute("UPDATE products SET stock = stock - ? WHERE name = ?", (quantity, product))
    taken = database().execute(
        "INSERT INTO orders (product, quantity, email) VALUES (?, ?, ?)", (product, quantity, email)
    )
    database().commit()
    letters.confirm(taken.lastrowid or 0, email)
    return jsonify(id=taken.lastrowid), 201


@app.post("/orders/<int:number>/receipt")
def receipt(number: int) -> tuple[str, int]:
    """Keep a receipt."""
    [order] = rows("SELECT email FROM orders WHERE id = ?", number)
    database().execute("INSERT INTO receipts VALUES (?, ?)", (number, order["email"]))
    database().commit()
    return "", 204


@app.post("/orders/<int:number>/cancel")
def cancel(number: int) -> Response:
    """Cancel an order."""
    database().execute("UPDATE orders SET state = 'cancelled' WHERE id = ?", (number,))
    database().commit()
    return jsonify(id=number, state="cancelled")


@app.post("/stock")
def restock() -> Response:
    """Put something into stock."""
    wish = request.get_json()
    database().execute("UPDATE products SET stock = stock + ? WHERE name = ?", (wish["add"], wish["product"]))
    database().commit()
    [row] = rows("SELECT name AS product, stock FROM products WHERE name = ?", wish["product"])
    return jsonify(row)


@app.get("/report")
def report() -> Response:
    """How much was ordered of each product."""
    return jsonify(
        rows(
            "SELECT name AS product, COALESCE(SUM(quantity), 0) AS ordered FROM products"
            " LEFT JOIN orders ON product = name AND state = 'open' GROUP BY name ORDER BY products.rowid"
        )
    )
