"""
The help desk as a Flask application.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import account
import billing
import database
import replies
import tickets
from flask import Flask, Response, g, redirect, request, session
from flask.typing import ResponseReturnValue
from words import moment, money, translate

from reticle.probe.flask import Reticle


def create_app(path: Path) -> Flask:
    """
    The app over a database that is made anew.
    """
    app = Flask(__name__)
    app.secret_key = "for the bench alone"  # nothing is kept from anybody here
    app.config["DATABASE"] = path
    database.create(path)

    @app.before_request
    def who() -> None:
        g.user = session.get("user", "kim")
        g.role = account.USERS[g.user].role
        g.language = request.cookies.get("language", "en")

    @app.after_request
    def uncached(answer: Response) -> Response:
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    @app.context_processor
    def common() -> dict[str, Any]:
        return {"t": translate, "money": money, "moment": moment, "open_count": tickets.open_count}

    @app.get("/")
    def home() -> ResponseReturnValue:
        return redirect("/tickets")

    @app.teardown_appcontext
    def leave(_: BaseException | None) -> None:
        database.close()

    for part in (account, tickets, replies, billing):
        app.register_blueprint(part.pages)
    Reticle(app)
    return app
