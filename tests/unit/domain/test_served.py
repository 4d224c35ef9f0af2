"""
How firmly what a server told is tied to the action.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.served import awaited, own_served, place_of, served, serving, tied, untold
from reticle.model.server_facts import FactKind, Strength
from reticle.testing.windows import WindowBuilder

A, B, C = "a" * 32, "b" * 32, "c" * 32


def strengths(window: WindowBuilder) -> dict[str, Strength]:
    """
    The strength of each request, by its id.
    """
    return {one.rid: one.strength for one in served(window.build())}


def test_the_id_of_a_response_ties_a_request() -> None:
    """
    What the server told under the id that the page saw is the action's.
    """
    window = WindowBuilder().probe().click().served(A).net("POST", "/api/orders", 200, rid=A)
    [one] = own_served(window.build())
    assert (one.strength, one.view, one.status) == (Strength.ID, "shop/views.py:12", 200)
    assert one.page is not None
    assert one.page.url == "/api/orders"


def test_facts_without_the_token_only_support() -> None:
    """
    Anybody on the machine may send facts under an id that a response told.
    """
    window = WindowBuilder().probe(attested=False).click().served(A).net("POST", "/api/orders", 200, rid=A)
    assert strengths(window) == {A: Strength.INFERRED}


def test_the_actions_name_ties_a_request_whose_answer_the_page_never_saw() -> None:
    """
    A request that was cut off is the action's by the header that it carried.
    """
    builder = WindowBuilder().probe().click()
    action = builder.build().action
    assert action is not None
    window = builder.served(A, action=f"s1.{action.action_id}").served(B, action="s1.another")
    assert strengths(window) == {A: Strength.ID, B: Strength.AMBIENT}


def test_a_redirect_is_followed_back_to_the_post() -> None:
    """
    The next document knows its own id alone; the cookie's chain leads back to the form post, and no further.
    """
    window = (
        WindowBuilder().probe().click()
        .served(C, "GET", "/old")
        .served(A, "POST", "/orders", 302)
        .served(B, "GET", "/orders/7", action=A, link="cookie")
        .net("GET", "http://localhost:8000/orders/7", 200, rid=B, initiator="document")
    )  # fmt: skip
    assert strengths(window) == {A: Strength.ID, B: Strength.ID, C: Strength.AMBIENT}


def test_the_like_of_a_nameless_request_is_inferred() -> None:
    """
    Behind a proxy that strips headers the same method, path and status at the time is a good guess, no more.
    """
    window = WindowBuilder().probe().click().served(A).net("POST", "/api/orders", 200)
    assert strengths(window) == {A: Strength.INFERRED}


@pytest.mark.parametrize(
    "told", [("GET", "/api/orders", 200), ("POST", "/api/other", 200), ("POST", "/api/orders", 500)]
)
def test_what_is_not_alike_is_somebody_elses(told: tuple[str, str, int]) -> None:
    """
    Another method, path or status is another request.
    """
    window = WindowBuilder().probe().click().served(A, *told).net("POST", "/api/orders", 200)
    assert strengths(window) == {A: Strength.AMBIENT}


def test_of_two_alike_none_is_inferred() -> None:
    """
    Two visitors at the same moment cannot be told apart.
    """
    window = WindowBuilder().probe().click().served(A).served(B).net("POST", "/api/orders", 200)
    assert set(strengths(window).values()) == {Strength.AMBIENT}


def test_a_poll_is_not_the_actions_whatever_it_carried() -> None:
    """
    A request of before the action that ends in its window is known to be something else.
    """
    builder = WindowBuilder().probe().open_before("GET", "/api/feed", id_="old1").click()
    action = builder.build().action
    assert action is not None
    window = builder.served(A, "GET", "/api/feed", action=f"s1.{action.action_id}")
    window.answered("old1", "GET", "/api/feed", 200, rid=A)
    assert strengths(window) == {A: Strength.AMBIENT}


def test_what_is_outside_of_any_request_is_ambient() -> None:
    """
    A statement of a thread of the app belongs to nothing.
    """
    window = WindowBuilder().probe().click().fact("sql", None, verb="INSERT", tables=["jobs"])
    assert [one.strength for one in tied(window.build(), FactKind.SQL)] == [Strength.AMBIENT]


def test_a_process_serves_the_page_by_an_id_that_both_know() -> None:
    """
    Another app's probe on the same machine is nothing to this page.
    """
    window = WindowBuilder().probe(serves=False).probe(serves=False, process="p2").click().served(A)
    window.net("POST", "/api/orders", 200, rid=A)
    assert [probe.process for probe in serving(window.build())] == ["p1"]


def test_the_probes_word_is_waited_for_but_not_for_ever() -> None:
    """
    The page has the answer before the probe's next batch; a probe that lost it holds no verdict up.
    """
    window = WindowBuilder().probe().click().net("POST", "/api/orders", 200, rid=A).quiet(50)
    assert awaited(window.build()) == ("the probe's word on POST /api/orders",)
    assert awaited(window.quiet(2_000).build()) == ()
    assert [one.url for one in untold(window.build())] == ["/api/orders"]
    assert awaited(window.quiet(50).served(A).build()) == ()
    assert untold(window.build()) == ()


def test_an_answer_out_of_a_cache_is_not_the_servers() -> None:
    """
    It brings the id of the request that it was made for, long before the click.
    """
    window = WindowBuilder().probe().served(A, "GET", "/data").served(B, "GET", "/data").click()
    window.net("GET", "/data", 200, rid=A).net("GET", "/data", 200, rid=B)
    built = window.build()
    old, new = built.server.facts[:2], built.server.facts[2:]
    facts = (*(attrs.evolve(fact, t_ms=fact.t_ms - 5_000) for fact in old), *new)
    built = attrs.evolve(built, server=attrs.evolve(built.server, facts=facts))
    assert {one.rid: one.strength for one in served(built)} == {A: Strength.AMBIENT, B: Strength.ID}
    assert untold(built) == ()
    assert awaited(built) == ()


def test_work_behind_an_answer_is_waited_for() -> None:
    """
    A background task may fail yet; one that takes for ever holds no verdict up.
    """
    window = WindowBuilder().probe().click().served(A, ended=False).net("POST", "/api/orders", 200, rid=A)
    window.fact("request.handled", A, method="POST", path="/api/orders", status=200, working=True).quiet(900)
    assert awaited(window.build()) == ("the server at work on POST /api/orders 200",)
    assert awaited(window.quiet(5_000).build()) == ()
    assert awaited(window.fact("request.done", A, ms=7.0).build()) == ()


def test_a_server_that_is_still_at_work_is_waited_for() -> None:
    """
    A request of the action that is not handled yet may still write.
    """
    builder = WindowBuilder().probe().click()
    action = builder.build().action
    assert action is not None
    window = builder.served(A, action=f"s1.{action.action_id}", ended=False).build()
    assert awaited(window) == ("the server at work on POST /api/orders",)


@pytest.mark.parametrize("window", [WindowBuilder().probe(silent_ms=60_000), WindowBuilder()])
def test_a_server_that_was_idle_for_long_is_waited_for_too(window: WindowBuilder) -> None:
    """
    Half a minute of thought before a click, or a daemon that has just started, makes no verdict early.
    """
    window.click().net("POST", "/api/orders", 200, rid=A).quiet(50)
    assert awaited(window.build()) == ("the probe's word on POST /api/orders",)
    assert awaited(window.quiet(2_000).build()) == ()


def test_an_exceptions_place_is_the_innermost_of_the_app() -> None:
    """
    A library's frame is where it was thrown, the app's is where to look.
    """
    frames = [
        {"file": "/usr/lib/orm.py", "line": 9, "function": "get", "app": False},
        {"file": "shop/views.py", "line": 31, "function": "order", "app": True},
    ]
    window = WindowBuilder().probe().fact("exception", A, type="KeyError", message="x", frames=frames)
    assert place_of(window.build().server.facts[0]) == "shop/views.py:31"
