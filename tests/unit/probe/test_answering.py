"""
Apps that route by themselves.
"""

from __future__ import annotations

from reticle.probe import answered_by
from reticle.probe.context import begin
from reticle.testing.kept_facts import keeping_facts


def orders() -> None:
    """
    A view.
    """


def test_the_request_is_told_with_the_function_that_answered() -> None:
    """
    A verdict over a plain WSGI app leads to the function of the request and not to the app's one entry.
    """
    with keeping_facts() as kept:
        request = begin("GET", "/orders/7")
        answered_by(orders, r"/orders/(\d+)")
        request.end(200)
    [told] = kept.of("request.handled")
    assert told["view"] == f"{__file__}:{orders.__code__.co_firstlineno}"
    assert told["route"] == r"/orders/(\d+)"
    assert told["view_name"].endswith("orders")


def test_outside_of_a_request_nothing_happens() -> None:
    """
    A script that shares the code runs as ever.
    """
    answered_by(orders)
    answered_by(None)
