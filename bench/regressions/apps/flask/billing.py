"""
Time that was worked on a ticket, and what it costs.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import database
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from tickets import ticket_or_404

pages = Blueprint("billing", __name__)
RATE = Decimal("90.00")
"""Euros an hour."""
VAT = Decimal("0.20")
CENT = Decimal("0.01")


class Sum(NamedTuple):
    """
    What all entries of a ticket come to.
    """

    net: Decimal
    vat: Decimal
    gross: Decimal


def price(minutes: int) -> Decimal:
    """
    What some minutes cost, without tax.
    """
    return (RATE * minutes / 60).quantize(CENT)


def summed(ticket: int) -> Sum:
    """
    The sum of a ticket's entries.
    """
    minutes = [
        entry["minutes"] for entry in database.rows("SELECT minutes FROM entry WHERE ticket = ?", (ticket,))
    ]
    net = sum((price(one) for one in minutes), Decimal(0))
    vat = (net * VAT).quantize(CENT)
    return Sum(net, vat, net + vat)


def hours_of(text: str) -> Decimal | None:
    """
    Hours that somebody typed; None if they cannot be.
    """
    try:
        hours = Decimal(text)
    except InvalidOperation:
        return None
    return hours if Decimal(0) < hours <= 12 else None


@pages.get("/tickets/<int:number>/time")
def listed(number: int) -> ResponseReturnValue:
    """
    The entries of a ticket.
    """
    ticket = ticket_or_404(number)
    return render_template("time.html", ticket=ticket, **_entries(number))


@pages.post("/tickets/<int:number>/time")
def add(number: int) -> ResponseReturnValue:
    """
    One more entry, or what is wrong with it.
    """
    ticket = ticket_or_404(number)
    hours = hours_of(request.form["hours"])
    if hours is None:
        error = "Hours are a number above 0, up to 12"
        return render_template(
            "parts/time.html", ticket=ticket, error=error, form=request.form, **_entries(number)
        ), 422
    minutes = int(hours * 60)
    database.change(
        "INSERT INTO entry (ticket, minutes, what) VALUES (?, ?, ?)", (number, minutes, request.form["what"])
    )
    return render_template("parts/time.html", ticket=ticket, form={}, **_entries(number))


def _entries(ticket: int) -> dict[str, object]:
    found = database.rows("SELECT * FROM entry WHERE ticket = ? ORDER BY id", (ticket,))
    return {"entries": [(entry, price(entry["minutes"])) for entry in found], "sum": summed(ticket)}
