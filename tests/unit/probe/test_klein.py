"""
The probe around Klein.
"""

from __future__ import annotations

from typing import Any

import pytest
from klein import Klein
from twisted.internet.defer import Deferred
from werkzeug.routing import Map, Rule

from reticle.probe import probing
from reticle.probe.klein import wrap
from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import Ask, Reply, parsed, through_site

PAGE = "<!doctype html><html><head><title>T</title></head></html>"
app = Klein()


@app.route("/page/<int:number>")
def page(request: Any, number: int) -> str:
    """
    A route.
    """
    request.setHeader("content-type", "text/html; charset=utf-8")
    return PAGE.replace("T", str(number))


@app.route("/later")
async def later(request: Any) -> str:
    """
    A coroutine.
    """
    del request
    waited: Deferred[None] = Deferred()
    waited.callback(None)
    await waited
    return PAGE


@app.route("/fault")
def fault(request: Any) -> str:
    """
    A route that fails.
    """
    raise ZeroDivisionError(request.path)


@app.route("/stock", methods=["GET"])
@app.route("/goods/<name>")
def goods(request: Any, name: str = "") -> str:
    """
    One function, two routes.
    """
    del request
    return name


class Own(Klein):
    """
    Calls its functions in a way of its own.
    """

    def execute_endpoint(self, endpoint: str, request: Any, *arguments: Any, **named: Any) -> Any:
        """
        As Klein does.
        """
        return self.endpoints[endpoint](None, request, *arguments, **named)


class _On:
    is_on = True


def get(path: str, monkeypatch: pytest.MonkeyPatch) -> Reply:
    """
    One request of a browser.
    """
    monkeypatch.setattr(probing, "start", lambda *_, **__: _On())
    return parsed(through_site(wrap(app), Ask(path)), {})


@pytest.mark.parametrize(
    ("path", "route", "view"), [("/page/3", "/page/<int:number>", page), ("/later", "/later", later)]
)
def test_a_page_gets_its_tag_and_its_route_is_named(
    path: str, route: str, view: Any, facts: KeptFacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A fact names the rule and the function.
    """
    reply = get(path, monkeypatch)
    assert b"<head><script src=" in reply.body
    (handled,) = facts.of("request.handled")
    assert (handled["route"], handled["view_name"]) == (route, view.__name__)
    assert handled["view"] == f"{__file__}:{view.__code__.co_firstlineno + 1}"


def test_what_no_route_answers(facts: KeptFacts, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Klein's 404 is told as one, without a route.
    """
    assert get("/nowhere", monkeypatch).status == 404
    (handled,) = facts.of("request.handled")
    assert (handled["status"], handled["route"]) == (404, None)


def test_a_fault_is_told(facts: KeptFacts, monkeypatch: pytest.MonkeyPatch, logged_failures: Any) -> None:
    """
    Klein hands it to Twisted.
    """
    assert get("/fault", monkeypatch).status == 500
    assert facts.of("exception")[0]["type"] == "ZeroDivisionError"
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


@pytest.mark.parametrize(("path", "route"), [("/stock", "/stock"), ("/goods/mug", "/goods/<name>")])
def test_a_function_with_two_routes(
    path: str, route: str, facts: KeptFacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The route that led there is named.
    """
    get(path, monkeypatch)
    (handled,) = facts.of("request.handled")
    assert (handled["route"], handled["view_name"]) == (route, "goods")


def test_an_app_that_calls_its_functions_itself(facts: KeptFacts, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Its routes are named too.
    """
    own = Own()
    own.route("/own/<int:number>")(page)
    monkeypatch.setattr(probing, "start", lambda *_, **__: _On())
    through_site(wrap(own), Ask("/own/3"))
    (handled,) = facts.of("request.handled")
    assert (handled["route"], handled["view_name"]) == ("/own/<int:number>", "page")


def test_a_request_is_matched_once(facts: KeptFacts, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    What Klein found is not looked for again, which would cost more than all the rest of the probe.
    """
    binds: list[str] = []
    bind = app.url_map.bind

    def counting(*given: Any, **named: Any) -> Any:
        binds.append(named["path_info"])
        return bind(*given, **named)

    monkeypatch.setattr(app.url_map, "bind", counting)
    get("/page/3", monkeypatch)
    assert binds == ["/page/3"]
    assert facts.of("request.handled")[0]["route"] == "/page/<int:number>"


def test_a_rule_that_is_added_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    What an app calls of Werkzeug takes what it took.
    """
    get("/page/1", monkeypatch)
    rules = Map()
    rules.add(rulefactory=Rule("/a", endpoint="a"))
    assert [each.rule for each in rules.iter_rules()] == ["/a"]
