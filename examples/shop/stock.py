"""
The shop's SQLite database: products and their stock, visitors, carts, orders.

One connection behind one lock: a demo has a handful of visitors. Money is whole cents.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections import Counter
from typing import Any, NamedTuple

SHIPPING_CENTS = 490
ACCOUNTS = {"ada": "lovelace"}
READY_CART = {"sencha": 1, "cup": 2}

_SCHEMA = """
create table product (
    id text primary key, name text not null, blurb text not null,
    price integer not null, stock integer not null, full integer not null
);
create table visitor (id text primary key, variant text not null, user text);
create table cart_line (
    visitor text not null, product text not null, quantity integer not null,
    primary key (visitor, product)
);
create table placed_order (
    id integer primary key, visitor text not null, name text not null, address text not null,
    total integer not null, refunded integer not null default 0
);
"""
_PRODUCTS = [
    ("sencha", "Sencha, first flush", "100 g from Shizuoka, steamed, bright and grassy", 1450, 24, 24),
    ("teapot", "Cast-iron teapot", "0.6 litres, enamelled inside, with a strainer", 4900, 6, 6),
    ("cup", "Stoneware cup", "Thrown by hand, 180 ml, ash glaze", 1800, 15, 15),
    ("kettle", "Gooseneck kettle", "Pours exactly where you look, 0.9 litres", 7200, 4, 4),
]


class OrderRefusedError(Exception):
    """
    The order cannot be taken as it is; the text is for the customer.
    """


class Visitor(NamedTuple):
    """
    A browser session: its cookie, its variant of the shop (empty: the plain one), who has logged in.
    """

    id: str
    variant: str
    user: str | None


class Stock:
    """
    Everything the shop remembers. Safe to use from several threads.
    """

    def __init__(self, path: str = ":memory:") -> None:
        self._changed = threading.Condition()
        self._version = 0
        self._attempts: Counter[str] = Counter()
        self._rows = sqlite3.connect(path, check_same_thread=False)
        self._rows.row_factory = sqlite3.Row
        self._rows.executescript(_SCHEMA)
        self._rows.executemany("insert into product values (?, ?, ?, ?, ?, ?)", _PRODUCTS)
        self._rows.commit()

    def new_visitor(self, variant: str) -> Visitor:
        """
        A browser session with an empty cart, and full shelves to look at.
        """
        visitor = Visitor(secrets.token_urlsafe(12), variant, None)
        with self._changed, self._rows:
            self._rows.execute("insert into visitor values (?, ?, ?)", visitor)
            if self._rows.execute("update product set stock = full where stock < full").rowcount:
                self._tell()
        return visitor

    def visitor(self, cookie: str) -> Visitor | None:
        """
        Who has this cookie.
        """
        with self._changed:
            row = self._rows.execute("select * from visitor where id = ?", (cookie,)).fetchone()
        return None if row is None else Visitor(**row)

    def log_in(self, visitor: Visitor, user: str, password: str) -> bool:
        """
        Note the visitor's name when the password is right.
        """
        if ACCOUNTS.get(user) != password:
            return False
        self._let_in(visitor, user)
        return True

    def log_out(self, visitor: Visitor) -> None:
        """
        Forget the visitor's name.
        """
        self._let_in(visitor, None)

    def ready_visitor(self, variant: str) -> Visitor:
        """
        A browser session that has logged in and filled its cart.
        """
        visitor = self.new_visitor(variant)
        self._let_in(visitor, "ada")
        for product, quantity in READY_CART.items():
            self.put_in_cart(visitor, product, quantity)
        return visitor

    def products(self, words: str = "") -> list[dict[str, Any]]:
        """
        What is sold, with the present stock: all, or those with the words in their name.
        """
        with self._changed:
            rows = self._rows.execute(
                "select id, name, blurb, price, stock from product where instr(lower(name), ?) > 0",
                (words.strip().lower(),),
            ).fetchall()
        return [dict(row) for row in rows]

    def cart(self, visitor: Visitor) -> list[dict[str, Any]]:
        """
        The visitor's lines, in the order of the list.
        """
        with self._changed:
            rows = self._rows.execute(
                "select product.id, name, price, quantity from cart_line join product on product.id = product"
                " where visitor = ? order by product.rowid",
                (visitor.id,),
            ).fetchall()
        return [dict(row) for row in rows]

    def put_in_cart(self, visitor: Visitor, product: str, quantity: int) -> None:
        """
        Set how many of one product are in the cart; 0 takes it out.
        """
        with self._changed, self._rows:
            self._rows.execute(
                "delete from cart_line where visitor = ? and product = ?", (visitor.id, product)
            )
            if quantity > 0:
                self._rows.execute("insert into cart_line values (?, ?, ?)", (visitor.id, product, quantity))

    def place_order(
        self, visitor: Visitor, lines: list[tuple[str, int]], name: str, address: str
    ) -> dict[str, Any]:
        """
        Take the goods out of stock and write the order down, in one transaction.

        Raises ``OrderRefusedError`` when nothing is ordered, a name is missing or the stock is too small.
        """
        if not lines or not name or not address:
            raise OrderRefusedError("An order needs goods, a name and an address.")
        with self._changed, self._rows:
            total = SHIPPING_CENTS
            for product, quantity in lines:
                row = self._rows.execute(
                    "update product set stock = stock - ? where id = ? and stock >= ? returning price",
                    (quantity, product, quantity),
                ).fetchone()
                if row is None or quantity < 1:
                    raise OrderRefusedError("We do not have that many.")
                total += row["price"] * quantity
            self._rows.execute("delete from cart_line where visitor = ?", (visitor.id,))
            placed = self._rows.execute(
                "insert into placed_order (visitor, name, address, total) values (?, ?, ?, ?)",
                (visitor.id, name, address, total),
            )
            self._tell()
        return {"id": placed.lastrowid, "name": name, "address": address, "total": total}

    def order(self, visitor: Visitor, number: int) -> dict[str, Any] | None:
        """
        One of the visitor's own orders.
        """
        with self._changed:
            row = self._rows.execute(
                "select id, total, refunded from placed_order where id = ? and visitor = ?",
                (number, visitor.id),
            ).fetchone()
        return None if row is None else dict(row)

    def refund(self, visitor: Visitor, number: int, amount: int) -> dict[str, Any]:
        """
        Give back an amount of an order, in cents.

        Raises ``OrderRefusedError`` when it is more than was paid, or the order is not the visitor's.
        """
        with self._changed, self._rows:
            row = self._rows.execute(
                "update placed_order set refunded = refunded + ?"
                " where id = ? and visitor = ? and ? between 0 and total - refunded"
                " returning id, total, refunded",
                (amount, number, visitor.id, amount),
            ).fetchone()
        if row is None:
            raise OrderRefusedError("That is more than you paid.")
        return dict(row)

    def attempt(self, visitor: Visitor) -> int:
        """
        Which attempt of the visitor's at an order this is, counted from 1.
        """
        with self._changed:
            self._attempts[visitor.id] += 1
            return self._attempts[visitor.id]

    def orders_of(self, visitor: Visitor) -> int:
        """
        How many orders a visitor has really placed.
        """
        with self._changed:
            counted = self._rows.execute(
                "select count(*) from placed_order where visitor = ?", (visitor.id,)
            ).fetchone()
        return int(counted[0])

    def wait_for_change(self, seen: int, timeout_seconds: float) -> int:
        """
        The version of the stock once it differs from ``seen``, or after the time.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._version != seen, timeout_seconds)
            return self._version

    def close(self) -> None:
        """
        Let the database go; nothing else may be called afterwards.
        """
        with self._changed:
            self._rows.close()

    def _let_in(self, visitor: Visitor, user: str | None) -> None:
        with self._changed, self._rows:
            self._rows.execute("update visitor set user = ? where id = ?", (user, visitor.id))

    def _tell(self) -> None:
        self._version += 1
        self._changed.notify_all()
