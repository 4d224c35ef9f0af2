"""
The order desk in FastAPI, over SQLAlchemy.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import letters
from fastapi import Depends, FastAPI
from fastapi.responses import FileResponse
from pydantic import BaseModel
from sqlalchemy import ForeignKey, create_engine, func, select, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from reticle.probe.starlette import install

HERE = Path(__file__).parent
log = logging.getLogger("desk")
engine = create_engine(f"sqlite:///{HERE / 'desk.db'}")

app = FastAPI()
install(app)


class Base(DeclarativeBase):
    """What the tables have in common."""


class Product(Base):
    """A product, and how many there are."""

    __tablename__ = "products"
    name: Mapped[str] = mapped_column(primary_key=True)
    stock: Mapped[int]


class Order(Base):
    """An order."""

    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    product: Mapped[str] = mapped_column(ForeignKey("products.name"))
    quantity: Mapped[int]
    email: Mapped[str]
    state: Mapped[str] = mapped_column(default="open")


class Receipt(Base):
    """A receipt that was kept."""

    __tablename__ = "receipts"
    order_id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str]


class Wish(BaseModel):
    """What a customer orders."""

    product: str
    quantity: int
    email: str


class Delivery(BaseModel):
    """What is put into stock."""

    product: str
    add: int


def session() -> Iterator[Session]:
    """The session of one request; what was not committed is lost."""
    with Session(engine) as opened:
        yield opened


Database = Annotated[Session, Depends(session)]


@app.get("/")
def page() -> FileResponse:
    """The page."""
    return FileResponse(HERE / "desk.html")


@app.get("/desk.js")
def script() -> FileResponse:
    """The page's script."""
    return FileResponse(HERE / "desk.js")


@app.get("/desk")
def show(database: Database) -> dict[str, Any]:
    """All that the page shows."""
    orders = database.scalars(select(Order).order_by(Order.id)).all()
    products = database.execute(select(Product.name.label("product"), Product.stock)).mappings()
    return {
        "orders": [
            {"id": each.id, "product": each.product, "quantity": each.quantity, "state": each.state}
            for each in orders
        ],
        "stock": [dict(product) for product in products],
    }


@app.post("/orders", status_code=201)
def place(wish: Wish, database: Database) -> dict[str, Any]:
    """Take an order, take it off the stock, write to the customer."""
    left = update(Product).where(Product.name == wish.product).values(stock=Product.stock - wish.quantity)
    database.execute(left)
    order = Order(product=wish.product, quantity=wish.quantity, email=wish.email)
    database.add(order)
    database.flush()
    number = order.id
    database.commit()
    letters.confirm(number, wish.email)
    return {"id": number}


@app.post("/orders/{number}/receipt")
def receipt(number: int, database: Database) -> dict[str, Any]:
    """Keep a receipt."""
    order = database.get_one(Order, number)
    database.add(Receipt(order_id=number, email=order.email))
    database.commit()
    return {}


@app.post("/orders/{number}/cancel")
def cancel(number: int, database: Database) -> dict[str, Any]:
    """Cancel an order."""
    database.execute(update(Order).where(Order.id == number).values(state="cancelled"))
    database.commit()
    return {"id": number, "state": "cancelled"}


@app.post("/stock")
def restock(delivery: Delivery, database: Database) -> dict[str, Any]:
    """Put something into stock."""
    more = update(Product).where(Product.name == delivery.product).values(stock=Product.stock + delivery.add)
    database.execute(more)
    database.commit()
    product = database.get_one(Product, delivery.product)
    return {"product": product.name, "stock": product.stock}


@app.get("/report")
def report(database: Database) -> list[dict[str, Any]]:
    """How much was ordered of each product."""
    ordered = (
        select(Product.name.label("product"), func.coalesce(func.sum(Order.quantity), 0).label("ordered"))
        .outerjoin(Order, (Order.product == Product.name) & (Order.state == "open"))
        .group_by(Product.name)
    )
    return [dict(row) for row in database.execute(ordered).mappings()]
