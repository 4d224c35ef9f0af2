"""
Answers that overtook each other.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings import stale_response_applied
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep

OLD, NEW = '["Apple pie"]', '["Apricot jam"]'


def found(builder: WindowBuilder) -> tuple[Finding, ...]:
    return stale_response_applied.find(builder.build(), None)


def typed(
    first: str = "/api/search?q=a", second: str = "/api/search?q=ap", *, old: str | None = OLD
) -> WindowBuilder:
    """
    Two reads, the later answered first and shown.
    """
    builder = WindowBuilder().action("fill").pending("GET", first, id_="1").pending("GET", second, id_="2")
    builder.answered("2", "GET", second, responseBody=NEW).dom_added("option", "Apricot jam").wait(600)
    return builder.answered("1", "GET", first, responseBody=old)


def test_an_older_answer_that_is_shown_last_is_found() -> None:
    """
    The box says "ap" and the list shows what "a" found.
    """
    [finding] = found(typed().dom_added("option", "Apple pie"))
    assert (finding.kind, finding.tier) == ("stale-response-applied", FindingTier.OBSERVED)
    assert finding.claim == "GET /api/search?q=ap 200 was asked for last"
    assert finding.counter == "the page then showed the older GET /api/search?q=a 200"


def test_a_state_that_took_the_older_answer_is_found() -> None:
    """
    An app that shows nothing of its own but keeps the wrong list in its store.
    """
    [finding] = found(typed().state_change("results", ["Apple pie"], ["Apricot jam"]))
    assert finding.tier is FindingTier.OBSERVED


@pytest.mark.parametrize("body", [None, "[]"])
def test_without_words_of_its_own_it_is_only_a_doubt(body: str | None) -> None:
    """
    A page that moved just then may have shown it, or something else.
    """
    [finding] = found(typed(old=body).dom_removed("option", "Apricot jam"))
    assert finding.tier is FindingTier.ABSENCE


@pytest.mark.parametrize(
    "right",
    [
        lambda b: b,
        lambda b: b.dom_added("status", "2 results"),
        lambda b: b.wait(600).dom_added("option", "Apple pie"),
        lambda b: b.dom_added("option", "Apple pie").dom_added("option", "Apricot jam"),
        lambda b: b.dom_removed("option", "Apple pie"),
    ],
)
def test_an_older_answer_that_is_dropped_or_mended_is_right(right: WindowStep) -> None:
    """
    Nothing shown, something else shown, shown for another reason, put right, or taken away: no accusation.
    """
    assert found(right(typed())) == ()


def test_older_words_behind_the_newer_answer_are_a_doubt() -> None:
    """
    Both answers came in order, and the list still shows what was asked for first: it may be about to change.
    """

    def overlapping(*, new: str = NEW) -> WindowBuilder:
        builder = (
            WindowBuilder()
            .action("fill")
            .pending("GET", "/s?q=a", id_="1")
            .pending("GET", "/s?q=ap", id_="2")
        )
        builder.answered("1", "GET", "/s?q=a", responseBody=OLD)
        return builder.answered("2", "GET", "/s?q=ap", responseBody=new)

    [finding] = found(overlapping().dom_added("option", "Apple pie"))
    assert finding.tier is FindingTier.ABSENCE
    assert finding.counter == "behind its answer the page showed the older GET /s?q=a 200"
    assert found(overlapping()) == ()
    assert found(overlapping().dom_added("option", "Apple pie").dom_added("option", "Apricot jam")) == ()
    assert found(overlapping(new=OLD).dom_added("option", "Apple pie")) == ()


def drawn_first(
    first: str = "/s?q=a", second: str = "/s?q=ap", *, old: str = OLD, new: str = NEW
) -> WindowBuilder:
    """
    Two reads on their way at once, whose answers come in order, and only the first was drawn yet.
    """
    builder = WindowBuilder().action("fill").pending("GET", first, id_="1").pending("GET", second, id_="2")
    builder.answered("1", "GET", first, responseBody=old).dom_added("option", "Apple pie")
    return builder.answered("2", "GET", second, responseBody=new)


def test_an_answer_to_what_was_typed_on_that_draws_nothing_is_a_doubt() -> None:
    """
    The box says "ap", its answer came last as it should, and the list still shows what "a" found.
    """
    [finding] = found(drawn_first())
    assert finding.tier is FindingTier.ABSENCE
    assert finding.claim == "GET /s?q=ap 200 was asked for last"
    assert finding.counter == "the page showed the older GET /s?q=a 200 before, and nothing of it since"
    assert found(drawn_first("/s?q=ap", "/s?q=a"))


@pytest.mark.parametrize(
    "right",
    [
        lambda b: b.dom_added("option", "Apricot jam"),
        lambda b: b.dom_added("option", "Apricot jam").dom_removed("option", "Apple pie"),
        lambda b: b.dom_removed("option", "Apple pie"),
        lambda b: b.wait(900).state_change("results", ["Apricot jam"], ["Apple pie"]),
    ],
)
def test_an_answer_that_is_drawn_or_has_the_older_taken_away_is_right(right: WindowStep) -> None:
    """
    The list shows what was found for the whole word, or is closed: no doubt.
    """
    assert found(right(drawn_first())) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/item?id=1", "/item?id=12"),
        ("/chart?of=sales", "/chart?of=visits"),
        ("/s", "/s?q=a"),
        ("/s?q=a", "/s?q=a"),
    ],
)
def test_what_is_read_ahead_need_not_be_drawn(first: str, second: str) -> None:
    """
    The next item, another tab's figures, the same once more: an answer kept for later is no doubt.
    """
    assert found(drawn_first(first, second)) == ()


def test_an_answer_with_nothing_of_its_own_to_show_is_no_doubt() -> None:
    """
    The longer word finds some of the same, or a field that is not shown differs: there is nothing to draw.
    """
    assert found(drawn_first(new='["Apple pie"]')) == ()
    assert found(drawn_first(new="[]")) == ()
    old = '{"ran": "at noon", "rows": [{"name": "Apple pie"}, {"name": "Apricot jam"}]}'
    assert found(drawn_first(old=old, new='{"ran": "at one", "rows": [{"name": "Apricot jam"}]}')) == ()
    assert found(drawn_first(old=old, new='{"ran": "at one", "rows": [{"name": "Quince"}]}'))


def test_an_earlier_pair_is_let_be_where_the_first_question_was_put_again() -> None:
    """
    Typed on and back again: the list shows what was asked for last.
    """
    again = drawn_first().pending("GET", "/s?q=a", id_="3").answered("3", "GET", "/s?q=a", responseBody=OLD)
    assert found(again) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/api/rows?page=1", "/api/rows?page=2"),
        ("/api/search?q=a", "/api/search?q=a"),
        ("/api/search?q=a", "/api/other?q=ap"),
    ],
)
def test_pages_of_one_list_and_other_paths_do_not_overtake(first: str, second: str) -> None:
    """
    Reads that are meant to stand side by side may end in any order.
    """
    assert found(typed(first, second).dom_added("option", "Apple pie")) == ()


def test_answers_in_order_and_failures_are_let_be() -> None:
    """
    The usual case, and an older read that failed.
    """
    builder = WindowBuilder().net("GET", "/api/search?q=a", responseBody=OLD)
    builder.net("GET", "/api/search?q=ap", responseBody=NEW).dom_added("option", "Apple pie")
    assert found(builder) == ()
    failed = WindowBuilder().pending("GET", "/s?q=a", id_="1").pending("GET", "/s?q=b", id_="2")
    failed.answered("2", "GET", "/s?q=b").answered("1", "GET", "/s?q=a", 500, responseBody=OLD)
    assert found(failed.dom_added("option", "Apple pie")) == ()
