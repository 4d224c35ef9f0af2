"""
Replies to a ticket.
"""

from __future__ import annotations

import account
import database
from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue
from tickets import refusal, ticket_or_404

pages = Blueprint("replies", __name__)


@pages.post("/tickets/<int:number>/replies")
def add(number: int) -> ResponseReturnValue:
    """
    One more reply, at the end.
    """
    ticket = ticket_or_404(number)
    words = request.form["words"].strip()
    if not words:
        return refusal("Write something first", 422)
    author = account.USERS[g.user].name
    database.change("INSERT INTO reply (ticket, author, words) VALUES (?, ?, ?)", (number, author, words))
    return _thread(ticket["id"])


@pages.delete("/replies/<int:number>")
def delete(number: int) -> ResponseReturnValue:
    """
    Take a reply away; only one's own.
    """
    reply = database.row("SELECT * FROM reply WHERE id = ?", (number,))
    if reply is None:
        return refusal("The reply is gone already", 404)
    if reply["author"] != account.USERS[g.user].name:
        return refusal("You can delete your own replies only", 403)
    database.change("DELETE FROM reply WHERE id = ?", (number,))
    return _thread(reply["ticket"])


def _thread(ticket: int) -> str:
    found = database.rows("SELECT * FROM reply WHERE ticket = ? ORDER BY id", (ticket,))
    return render_template("parts/thread.html", replies=found)
