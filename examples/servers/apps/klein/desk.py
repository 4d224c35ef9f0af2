"""
The order desk in Klein, over adbapi.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import letters
from klein import Klein
from twisted.enterprise.adbapi import ConnectionPool, Transaction
from twisted.logger import Logger
from twisted.web.iweb import IRequest

HERE = Path(__file__).parent
log = Logger()
pool = ConnectionPool("sqlite3", str(HERE / "desk.db"), check_same_thread=False, cp_max=1)
app = Klein()


def rows(database: Transaction, statement: str, *values: Any) -> list[dict[str, Any]]:
    """
    What a statement selects.
    """
    database.execute(statement, values)
    names = [column[0] for column in database.description]
    return [dict(zip(names, row, strict=True)) for row in database.fetchall()]


def reply(request: IRequest, told: Any, status: int = 200) -> bytes:
    """
    An answer as JSON.
    """
    request.setResponseCode(status)
    request.setHeader("Content-Type", "application/json")
    return json.dumps(told).encode()


def wish_of(request: IRequest) -> Any:
    """
    What the request asks for.
    """
    return json.loads(request.content.read() or b"{}")


@app.route("/")
def page(request: IRequest) -> bytes:
    """The page."""
    request.setHeader("Content-Type", "text/html; charset=utf-8")
    return (HERE / "desk.html").read_bytes()


@app.route("/desk.js")
def script(request: IRequest) -> bytes:
    """The page's script."""
    request.setHeader("Content-Type", "text/javascript")
    return (HERE / "desk.js").read_bytes()


@app.route("/desk")
async def show(request: IRequest) -> bytes:
    """All that the page shows."""

    def read(database: Transaction) -> dict[str, Any]:
        orders = rows(database, "SELECT id, product, quantity, state FROM orders ORDER BY id")
        return {
            "orders": orders,
            "stock": rows(database, "SELECT name AS product, stock FROM products ORDER BY rowid"),
        }

    return reply(request, await pool.runInteraction(read))


@app.route("/orders", methods=["POST"])
async def place(request: IRequest) -> bytes:
    """Take an order, take it off the stock, write to the customer."""
    wish = wish_of(request)

    def take(database: Transaction) -> int:
        product, quantity, email = wish["product"], wish["quantity"], wish["email"]
        database.execute("UPDATE products SET stock = stock - ? WHERE name = ?", (quantity, product))
        database.execute(
            "INSERT INTO orders (product, quantity, email) VALUES (?, ?, ?)", (product, quantity, email)
        )
        return int(database.lastrowid)

    number = await pool.runInteraction(take)
    letters.confirm(number, wish["email"])
    return reply(request, {"id": number}, 201)


@app.route("/orders/<int:number>/receipt", methods=["POST"])
async def receipt(request: IRequest, number: int) -> bytes:
    """Keep a receipt."""

    def keep(database: Transaction) -> None:
        [order] = rows(database, "SELECT email FROM orders WHERE id = ?", number)
        database.execute("INSERT INTO receipts VALUES (?, ?)", (number, order["email"]))

    await pool.runInteraction(keep)
    return reply(request, {})


@app.route("/orders/<int:number>/cancel", methods=["POST"])
async def cancel(request: IRequest, number: int) -> bytes:
    """Cancel an order."""
    await pool.runOperation("UPDATE orders SET state = 'cancelled' WHERE id = ?", (number,))
    return reply(request, {"id": number, "state": "cancelled"})


@app.route("/stock", methods=["POST"])
async def restock(request: IRequest) -> bytes:
    """Put something into stock."""
    wish = wish_of(request)

    def put(database: Transaction) -> dict[str, Any]:
        database.execute(
            "UPDATE products SET stock = stock + ? WHERE name = ?", (wish["add"], wish["product"])
        )
        [row] = rows(database, "SELECT name AS product, stock FROM products WHERE name = ?", wish["product"])
        return row

    return reply(request, await pool.runInteraction(put))


@app.route("/report")
async def report(request: IRequest) -> bytes:
    """How much was ordered of each product."""

    def count(database: Transaction) -> list[dict[str, Any]]:
        return rows(
            database,
            "SELECT name AS product, COALESCE(SUM(quantity), 0) AS ordered FROM products"
            " LEFT JOIN orders ON product = name AND state = 'open' GROUP BY name ORDER BY products.rowid",
        )

    return reply(request, await pool.runInteraction(count))
