"""
The Flask extension.
"""

from __future__ import annotations

from typing import Any

import flask
import pytest

from reticle.probe import probing
from reticle.probe.flask import Reticle
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT

PAGE = "<!doctype html><html><head><title>T</title></head></html>"


def page(number: int) -> str:
    """
    A view.
    """
    assert number
    return PAGE


def fault() -> str:
    """
    A view that fails.
    """
    raise ZeroDivisionError("no")


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> flask.Flask:
    """
    An app with the probe, whose facts stay here.
    """
    monkeypatch.setattr(probing, "start", lambda *_, **__: _On())
    made = flask.Flask(__name__)
    made.add_url_rule("/page/<int:number>", "page", page)
    made.add_url_rule("/fault", "fault", fault)
    Reticle(made)
    return made


class _On:
    is_on = True


def get(app: flask.Flask, url: str) -> Any:
    """
    One request of a browser.
    """
    return app.test_client().get(url, headers=DOCUMENT, base_url="http://localhost:8000")


def test_a_page_gets_its_tag_and_its_view_is_named(app: flask.Flask, facts: KeptFacts) -> None:
    """
    One line in the app, and a fact names the rule and the line.
    """
    response = get(app, "/page/3")
    assert "<head><script src=" in response.text
    assert response.headers["Content-Length"] == str(len(response.data))
    response.close()
    (handled,) = facts.of("request.handled")
    assert (handled["route"], handled["view_name"]) == ("/page/<int:number>", "page")
    assert handled["view"] == f"{__file__}:{page.__code__.co_firstlineno}"


def test_a_fault_that_flask_answers_is_told(app: flask.Flask, facts: KeptFacts) -> None:
    """
    No middleware hears of it; the signal does.
    """
    assert get(app, "/fault").status_code == 500
    (told,) = facts.of("exception")
    assert (told["type"], told["handled"], told["frames"][0]["function"]) == (
        "ZeroDivisionError",
        "unhandled",
        "fault",
    )


def test_a_fault_that_flask_passes_on_is_told_once(app: flask.Flask, facts: KeptFacts) -> None:
    """
    In debug mode it reaches the server as well.
    """
    app.config["PROPAGATE_EXCEPTIONS"] = True
    with pytest.raises(ZeroDivisionError):
        get(app, "/fault")
    assert len(facts.of("exception")) == 1


def test_it_is_put_around_an_app_once(app: flask.Flask, facts: KeptFacts) -> None:
    """
    A factory that is called twice does no harm.
    """
    Reticle().init_app(app)
    assert get(app, "/page/3").data.count(b"<script") == 1
    assert len(facts.of("request.handled")) == 1


def test_it_stays_off_without_debug(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app in production is left as it is.
    """
    monkeypatch.delenv("RETICLE_PROBE", raising=False)
    monkeypatch.delenv("FLASK_DEBUG", raising=False)
    monkeypatch.delenv("WERKZEUG_RUN_MAIN", raising=False)
    made = flask.Flask(__name__)
    before: object = made.wsgi_app
    Reticle(made)
    assert made.wsgi_app == before
    assert not probing.start().is_on


def test_the_debug_switch_of_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    ``app.run(debug=True)`` switches it on in the process that serves, though the app was made before.
    """
    asked: list[object] = []

    def start(*_: object, **said: object) -> _On:
        asked.extend(said[name] for name in said if name == "debug")
        return _On()

    monkeypatch.setattr(probing, "start", start)
    monkeypatch.delenv("FLASK_DEBUG", raising=False)
    monkeypatch.setenv("WERKZEUG_RUN_MAIN", "true")
    Reticle(flask.Flask(__name__))
    assert asked == [True]
