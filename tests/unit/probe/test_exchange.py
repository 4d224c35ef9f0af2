"""
What an exchange asks of a request, and how it ends.
"""

from __future__ import annotations

import itertools

import pytest

from reticle.probe.exchange import SELDOM, SELDOM_OF_A_PAGE, USUAL, Exchange
from reticle.testing.kept_facts import KeptFacts

HEADERS = {
    "sec-fetch-dest": "document", "accept": "text/html", "host": "localhost:8000", "cookie": "a=b",
    "x-requested-with": "fetch", "x-forwarded-for": "127.0.0.1", "content-length": "2",
    "location": "/next",
}  # fmt: skip


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "PUT"])
@pytest.mark.parametrize("status", [200, 303])
def test_an_exchange_asks_for_no_other_header(method: str, status: int) -> None:
    """
    An adapter that looks only for these misses nothing that decides about a page.
    """
    asked: set[str] = set()
    for left_out in itertools.chain([""], HEADERS):
        told = {name: value for name, value in HEADERS.items() if name != left_out}

        def header(name: str, told: dict[str, str] = told) -> str | None:
            asked.add(name)
            return told.get(name)

        exchange = Exchange(method, "/", "", header, "127.0.0.1", "http", "poll")
        exchange.without_ours()
        head = [("Content-Type", "text/html"), ("Location", "http://localhost:8000/next")]
        exchange.answer(status, head)
        exchange.finished()
    assert asked <= {*USUAL, *SELDOM}
    assert "host" in asked or method == "PUT"


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize(
    ("destination", "may_be_asked"),
    [
        ("document", {*USUAL, *SELDOM_OF_A_PAGE}),
        ("empty", {*USUAL, "content-language"} - {"accept", "host"}),
        ("image", {*USUAL, "content-language"} - {"accept", "host"}),
    ],
)
def test_of_what_the_browser_names_fewer_are_asked_for(destination: str, may_be_asked: set[str]) -> None:
    """
    An adapter that looks for fewer where the browser says what it wants misses nothing either.
    """
    asked: set[str] = set()
    told = {**HEADERS, "sec-fetch-dest": destination}

    def header(name: str) -> str | None:
        asked.add(name)
        return told.get(name)

    for method, status in itertools.product(["GET", "POST", "HEAD", "PUT"], [200, 303]):
        exchange = Exchange(method, "/", "", header, "127.0.0.1", "http", "poll")
        exchange.without_ours()
        head = [("Content-Type", "text/html"), ("Location", "http://localhost:8000/next")]
        exchange.answer(status, head)
        exchange.finished()
    assert asked <= may_be_asked


def test_a_body_in_one_piece_is_told_as_any_other(facts: KeptFacts) -> None:
    """
    Status and sizes of an answer that is sent at once stand in its fact, and it is told once.
    """
    exchange = Exchange("POST", "/a", "", {"content-length": "7"}.get, None, "http", "poll")
    assert exchange.context.rid in exchange.untouched(201)
    exchange.whole(11)
    exchange.whole(11)
    exchange.finished()
    (told,) = facts.of("request.handled")
    assert (told["status"], told["request_bytes"], told["response_bytes"]) == (201, 7, 11)
    assert not told["streamed"]


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"x-reticle-action": "a1", "content-length": "7"},
        {"content-language": "x-reticle-a2, de", "x-reticle-action": "a1"},
        {"cookie": "a=b; __reticle_nav=0123456789abcdef0123456789abcdef"},
    ],
)
def test_a_call_whose_headers_are_read_already_is_told_as_any_other(
    facts: KeptFacts, told: dict[str, str]
) -> None:
    """
    A call of a page's script has the same action, path and sizes by either way.
    """
    headers = {"sec-fetch-dest": "empty", **told}
    names = ("cookie", "content-language", "x-reticle-action", "content-length")
    by_lookup = Exchange("POST", "/a", "q=1", headers.get, "127.0.0.1", "http", "poll")
    by_lookup.whole(3)
    read = Exchange.of_a_script("POST", "/a", "q=1", *map(headers.get, names))
    read.whole(3)
    for kind in ("request.started", "request.handled"):
        one, other = ({**each, "rid": None, "ms": None} for each in facts.of(kind))
        assert one == other
    assert (read.skip, read.asked, read.has_ours) == (by_lookup.skip, by_lookup.asked, by_lookup.has_ours)
    assert read.without_ours() == by_lookup.without_ours()
