"""
Signing in and out, and the language.
"""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, flash, make_response, redirect, render_template, request, session
from flask.typing import ResponseReturnValue

pages = Blueprint("account", __name__)
YEAR_SECONDS = 365 * 24 * 3600


class User(NamedTuple):
    """
    Somebody who may sign in.
    """

    name: str
    password: str
    role: str


USERS = {
    "kim": User("Kim", "desk-1", "agent"),
    "pat": User("Pat", "print-2", "customer"),
}


@pages.get("/login")
def login_form() -> ResponseReturnValue:
    """
    The form.
    """
    return render_template("login.html", name="")


@pages.post("/login")
def login() -> ResponseReturnValue:
    """
    Sign in, or say that it was not right without saying what.
    """
    name = request.form["name"].strip().lower()
    user = USERS.get(name)
    if user is None or user.password != request.form["password"]:
        return render_template("login.html", name=request.form["name"], error="Wrong name or password"), 401
    session["user"] = name
    flash(f"Signed in as {user.name}")
    answer = redirect("/tickets", 303)
    if request.form.get("remember"):
        answer.set_cookie("last_name", name, max_age=YEAR_SECONDS, samesite="Lax")
    return answer


@pages.post("/logout")
def logout() -> ResponseReturnValue:
    """
    Leave nothing of the user in the browser.
    """
    session.clear()
    answer = redirect("/login", 303)
    answer.delete_cookie("last_name")
    return answer


@pages.post("/language")
def language() -> ResponseReturnValue:
    """
    Remember the language and show the page anew.
    """
    answer = make_response("", 204)
    answer.set_cookie("language", request.form["language"], max_age=YEAR_SECONDS, samesite="Lax")
    answer.headers["HX-Refresh"] = "true"
    return answer
