"""
``reticle_server``: what the servers behind the page did.
"""

from __future__ import annotations

from typing import Any

from reticle.testing.toolcalls import Scene, answer_of
from reticle.testing.windows import WindowBuilder
from reticle.tools.server import TOOLS

A = "a" * 32
FRAMES = [{"file": "shop/views.py", "line": 31, "function": "order", "app": True}]


def told(scene: Scene, window: WindowBuilder | None = None, **arguments: object) -> dict[str, Any]:
    """
    The answer's fields.
    """
    if window is not None:
        scene.page.server = window.build().server
    [tool] = TOOLS
    return dict(answer_of(tool, scene.context, arguments).fields)


def served() -> WindowBuilder:
    """
    A request with one of each, and a statement of nobody's.
    """
    statement: dict[str, Any] = {"statement": "INSERT INTO orders VALUES (?)", "verb": "INSERT", "rows": 1}
    window = WindowBuilder().probe().served(A, status=500)
    window.fact("sql", A, tables=["orders"], ms=0.4, file="shop/views.py", line=20, **statement)
    window.fact("log", A, level="ERROR", logger="shop", message="no price", file="shop/views.py", line=30)
    window.fact("exception", A, type="KeyError", message="'price'", handled="unhandled", frames=FRAMES)
    window.fact("mail", A, to=["ada@example.org"], subject="Your order")
    window.fact("task", A, name="shop.pack", queue="slow", file="shop/views.py", line=33)
    bank: dict[str, Any] = {
        "method": "POST",
        "url": "https://bank.example/pay?card",
        "status": 402,
        "ms": 8.0,
    }
    window.fact("http.out", A, file="shop/bank.py", line=7, **bank)
    window.fact("template", A, name="shop/thanks.html", file="shop/templates/shop/thanks.html")
    return window.fact("sql", None, statement="DELETE FROM jobs", verb="DELETE", tables=["jobs"])


def test_what_the_actions_request_did(scene: Scene) -> None:
    """
    Each entry names its line, its request and how firmly it is tied.
    """
    done = {"id": "n1", "method": "POST", "url": "/api/orders", "status": 500, "ok": False, "rid": A}
    scene.page.record("net.request", done)
    fields = told(scene, served(), since=0)
    assert [(one["path"], one["status"], one["tied"]) for one in fields["requests"]] == [
        ("/api/orders", 500, "by id")
    ]
    assert [one["source"] for one in fields["sql"]] == ["shop/views.py:20"]
    assert fields["exceptions"][0]["source"] == "shop/views.py:31"
    assert fields["logs"][0]["message"] == "no price"
    assert fields["mails"][0]["subject"] == "Your order"
    [task], [call], [template] = fields["tasks"], fields["outgoing"], fields["templates"]
    assert (task["name"], task["queue"], task["source"]) == ("shop.pack", "slow", "shop/views.py:33")
    assert (call["method"], call["status"], call["source"]) == ("POST", 402, "shop/bank.py:7")
    assert template["name"] == "shop/thanks.html"
    assert fields["probes"] == [{"process": "flask 3.1 (pid 42)", "serves": True}]
    assert "note" not in fields
    everything = told(scene, since=0, ambient=True)
    assert [one["tied"] for one in everything["sql"]] == ["by id", "ambient"]


def test_without_a_probe_it_says_so(scene: Scene) -> None:
    """
    Nothing told is not nothing done.
    """
    fields = told(scene)
    assert fields["requests"] == []
    assert "No probe is connected" in fields["note"]


def test_a_probe_of_another_server_is_told_apart(scene: Scene) -> None:
    """
    Its facts are not this page's.
    """
    fields = told(scene, WindowBuilder().probe(serves=False).served(A), since=0)
    assert fields["requests"] == []
    assert "load the page again" in fields["note"]
