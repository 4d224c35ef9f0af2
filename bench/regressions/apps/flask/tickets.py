"""
Tickets: the list, one of them, and what can be done with it.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from urllib.parse import urlencode

import account
import database
from flask import Blueprint, Response, abort, flash, g, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

pages = Blueprint("tickets", __name__)
BATCH = 10
ANSWER_HOURS = {"high": 4, "normal": 24, "low": 72}
SORTS = {"newest": "id DESC", "oldest": "id", "subject": "subject COLLATE NOCASE"}


def open_count() -> int:
    """
    How many tickets are open.
    """
    found = database.row("SELECT count(*) AS n FROM ticket WHERE status = 'open'")
    assert found is not None
    return int(found["n"])


def ticket_or_404(number: int) -> sqlite3.Row:
    """
    The ticket of that number, if the user may see it.
    """
    found = database.row("SELECT * FROM ticket WHERE id = ?", (number,))
    if found is None or (g.role == "customer" and found["customer"] != account.USERS[g.user].name):
        abort(404)
    return found


def answer_by(ticket: sqlite3.Row) -> datetime:
    """
    When the customer is to have an answer.
    """
    return datetime.fromisoformat(ticket["created"]) + timedelta(hours=ANSWER_HOURS[ticket["priority"]])


def problem_with(subject: str) -> str:
    """
    Why a subject will not do; empty if it does.
    """
    if len(subject.strip()) < 5:
        return "A subject has 5 letters at least"
    if database.row("SELECT id FROM ticket WHERE subject = ? COLLATE NOCASE", (subject.strip(),)):
        return "There is a ticket with this subject already"
    return ""


@pages.get("/tickets")
def listed() -> ResponseReturnValue:
    """
    The tickets that fit; for htmx only the rows.
    """
    words, status = request.args.get("q", "").strip(), request.args.get("status", "")
    sort, first = request.args.get("sort", "newest"), int(request.args.get("after", 0))
    where, values = ["subject LIKE ?"], [f"%{words}%"]
    if status:
        where.append("status = ?")
        values.append(status)
    if g.role == "customer":
        where.append("customer = ?")
        values.append(account.USERS[g.user].name)
    fitting = f"FROM ticket WHERE {' AND '.join(where)}"
    counted = database.row(f"SELECT count(*) AS n {fitting}", values)
    assert counted is not None
    found = database.rows(
        f"SELECT * {fitting} ORDER BY {SORTS[sort]} LIMIT ? OFFSET ?", [*values, BATCH, first]
    )
    asked = {name: value for name, value in {"q": words, "status": status, "sort": sort}.items() if value}
    more = urlencode({**asked, "after": first + BATCH}) if first + BATCH < counted["n"] else ""
    shown = {
        "tickets": found,
        "total": counted["n"],
        "more": more,
        "words": words,
        "status": status,
        "sort": sort,
    }
    if first:
        return render_template("parts/rows.html", **shown)
    if request.headers.get("HX-Request"):
        answer = make_response(render_template("parts/found.html", **shown))
        answer.headers["HX-Replace-Url"] = f"/tickets?{urlencode(asked)}"
        return answer
    return render_template("tickets.html", **shown)


@pages.get("/tickets/new")
def new() -> ResponseReturnValue:
    """
    The form of a new ticket.
    """
    return render_template("new.html", form={"priority": "normal"}, errors={})


@pages.post("/tickets/subject")
def check_subject() -> ResponseReturnValue:
    """
    The field of the subject with what is wrong about it.
    """
    subject = request.form["subject"]
    return render_template("parts/subject.html", value=subject, error=problem_with(subject))


@pages.post("/tickets")
def create() -> ResponseReturnValue:
    """
    A new ticket, or the form again with what is wrong.
    """
    form = request.form
    errors = {"subject": problem_with(form["subject"])}
    if not form["customer"].strip():
        errors["customer"] = "Who asks?"
    if any(errors.values()):
        return render_template("new.html", form=form, errors=errors), 422
    number = database.change(
        "INSERT INTO ticket (subject, customer, priority, created) VALUES (?, ?, ?, ?)",
        (form["subject"].strip(), form["customer"].strip(), form["priority"], database.FIRST),
    )
    flash(f"Ticket {number} was created")
    return redirect(f"/tickets/{number}", 303)


@pages.get("/tickets/<int:number>")
def shown(number: int) -> ResponseReturnValue:
    """
    A ticket with its replies.
    """
    ticket = ticket_or_404(number)
    found = database.rows("SELECT * FROM reply WHERE ticket = ? ORDER BY id", (number,))
    return render_template("ticket.html", ticket=ticket, answer_by=answer_by(ticket), replies=found)


@pages.patch("/tickets/<int:number>/status")
def set_status(number: int) -> ResponseReturnValue:
    """
    Close a ticket or open it again; what was worked has to be billed before it is closed.
    """
    ticket_or_404(number)
    status = request.form["status"]
    unbilled = database.row("SELECT id FROM entry WHERE ticket = ? AND billed = 0", (number,))
    if status == "closed" and unbilled:
        return refusal("Bill the time before you close the ticket", 409)
    database.change("UPDATE ticket SET status = ? WHERE id = ?", (status, number))
    return render_template("parts/status.html", ticket=ticket_or_404(number), swapped=True)


@pages.patch("/tickets/<int:number>/priority")
def set_priority(number: int) -> ResponseReturnValue:
    """
    Another priority, and with it another time to answer by.
    """
    ticket_or_404(number)
    database.change("UPDATE ticket SET priority = ? WHERE id = ?", (request.form["priority"], number))
    ticket = ticket_or_404(number)
    return render_template("parts/answer_by.html", ticket=ticket, answer_by=answer_by(ticket))


@pages.delete("/tickets/<int:number>")
def delete(number: int) -> ResponseReturnValue:
    """
    Take a ticket away with all that belongs to it.
    """
    ticket = ticket_or_404(number)
    database.change("DELETE FROM ticket WHERE id = ?", (number,))
    flash(f"{ticket['subject']} was deleted")
    answer = make_response("")
    answer.headers["HX-Redirect"] = "/tickets"
    return answer


@pages.get("/queue")
def queue() -> ResponseReturnValue:
    """
    How many are open, for the line at the top.
    """
    return render_template("parts/queue.html")


def refusal(words: str, status: int) -> Response:
    """
    An answer that says why not, in the place for messages.
    """
    answer = make_response(render_template("parts/message.html", words=words, kind="alert"), status)
    answer.headers["HX-Retarget"] = "#message"
    answer.headers["HX-Reswap"] = "outerHTML"
    return answer
