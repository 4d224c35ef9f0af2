"""
What is looked for in an app's code is what the failed part of the claim speaks of.
"""

from __future__ import annotations

import attrs

from reticle.domain.claim_words import (
    ClaimWords,
    failed_queries,
    fails_by_attribute,
    fails_by_status,
    fails_in_code_alone,
    paths,
    stems,
    words_of,
)
from reticle.domain.predicate import evaluate, parse
from reticle.model.run_limits import CLAIM_WORDS
from reticle.model.verdict import Finding, FindingTier, Held, Outcome
from reticle.testing.windows import WindowBuilder


def said(claim: dict[str, object], builder: WindowBuilder, *findings: Finding) -> ClaimWords:
    """
    The words of a claim over a window.
    """
    window = builder.build()
    return words_of(claim, evaluate(parse(claim), window), findings, window)


def test_a_name_and_a_word_of_it_are_the_same() -> None:
    """
    Whatever a language puts at its end, and however names are joined.
    """
    assert [*stems("archivedOrders ORDER_ID to-do")] == ["archi", "order", "order"]


def test_an_address_is_looked_for_with_and_without_what_differs_each_time() -> None:
    """
    Code has ``/api/cart/lines/${id}``.
    """
    assert [*paths("http://app.test/api/cart/lines/7?x=1")] == [
        "/api/cart/lines/7",
        "/api/cart/lines/",
        "/api/cart/",
        "/api/",
    ]


def test_what_failed_weighs_more_than_what_held_beside_it() -> None:
    """
    The part that held is not where the fault is.
    """
    net = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}
    text = {"kind": "text", "contains": "Thank you"}
    claim: dict[str, object] = {"kind": "allOf", "predicates": [net, text]}
    words = said(claim, WindowBuilder().net("POST", "/api/orders", 201).text("Thank you", there=False))
    assert words.phrases["Thank you"] > words.phrases["/api/orders"] > 0
    assert "allOf" not in words.phrases


def test_keys_and_values_of_bodies_and_states_are_spoken_of() -> None:
    """
    The name of the field is often what stands in the code.
    """
    claim: dict[str, object] = {"kind": "state", "path": "cart.lines", "equals": {"discount": "none"}}
    words = said(claim, WindowBuilder().state("cart.lines", []))
    assert {"cart", "line", "disco", "none"} <= set(words.words)


def test_the_control_the_requests_and_the_contradiction_count_too() -> None:
    """
    They lead to the code that the claim is about.
    """
    finding = Finding(
        "kind", FindingTier.OBSERVED, 'the page says "Saved it"', "PUT /api/profile failed with 500"
    )
    builder = (
        WindowBuilder().click("Empty basket").net("DELETE", "/api/basket", 204).text("Gone", there=False)
    )
    words = said({"kind": "text", "contains": "Gone"}, builder, finding)
    assert {"/api/basket", "/api/profile", "Saved it", "Empty basket"} <= set(words.phrases)
    assert {"empty", "baske"} <= set(words.words)


def test_a_long_claim_is_looked_for_by_its_heaviest_words() -> None:
    """
    However long it is, looking takes no longer.
    """
    words = ClaimWords()
    for number in range(CLAIM_WORDS + 40):
        words.add(f"key{number}", 1.0 if number == CLAIM_WORDS + 39 else 0.5)
    assert len(words.phrases) == CLAIM_WORDS
    assert f"key{CLAIM_WORDS + 39}" in words.phrases


def test_a_name_that_is_made_is_looked_for_by_its_fixed_part() -> None:
    """
    Code has ``order-${id}``; a sentence is no such name.
    """
    words = ClaimWords()
    words.add("order-1008", 1.0)
    words.add("Order no. 7", 1.0)
    assert set(words.phrases) == {"order-1008", "order-", "Order no. 7"}


def test_what_a_leaf_is_about_is_done_by_code_that_is_known() -> None:
    """
    An address is changed by the history, a cookie by the document, a field gets the focus by a call.
    """
    route = said({"kind": "route", "contains": "q=lamp"}, WindowBuilder().at("/shop"))
    assert {"history.", "location."} <= set(route.phrases)
    cookie: dict[str, object] = {"kind": "storage", "area": "cookies", "key": "currency"}
    assert "document.cookie" in said(cookie, WindowBuilder()).phrases
    claim: dict[str, object] = {"kind": "element", "query": {"role": "textbox"}, "state": "focused"}
    window = WindowBuilder().element({"role": "textbox"}, there=False)
    assert ".focus(" in said(claim, window).phrases


def test_the_elements_of_failed_parts_are_asked_for_without_their_text() -> None:
    """
    They are there, with another text; by what else they are called the code may know them.
    """
    total = {"kind": "element", "query": {"testid": "total", "text": "$7"}}
    text = {"kind": "text", "contains": "Thank you"}
    claim: dict[str, object] = {"kind": "allOf", "predicates": [total, text]}
    window = WindowBuilder().element({"testid": "total", "text": "$7"}, there=False).text("Thank you").build()
    outcome = evaluate(parse(claim), window)
    assert list(failed_queries(claim, outcome)) == [{"testid": "total"}]
    assert "sum-of-all" in words_of(claim, outcome, (), window, ["sum-of-all"]).phrases


def test_the_part_of_the_page_that_a_text_should_stand_in_is_looked_at() -> None:
    """
    Also where the part that was claimed is not there, by what of its selector may be.
    """
    scope = "ul.rows li:nth-child(3)[lang=de]"
    claim: dict[str, object] = {"kind": "text", "contains": "Mail", "scope": scope}
    window = WindowBuilder().text("Mail", there=False, scope=scope).build()
    asked = list(failed_queries(claim, evaluate(parse(claim), window)))
    assert asked == [{"self": True, "scope": scope}, {"self": True, "scope": "ul.rows li"}]
    everywhere: dict[str, object] = {"kind": "text", "contains": "Mail", "scope": "[lang=de]"}
    window = WindowBuilder().text("Mail", there=False, scope="[lang=de]").build()
    asked = list(failed_queries(everywhere, evaluate(parse(everywhere), window)))
    assert asked == [{"self": True, "scope": "[lang=de]"}]


def test_a_request_that_went_as_claimed_says_less() -> None:
    """
    Where only what is shown is wrong, what shows it is looked for.
    """
    net = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201}
    text = {"kind": "text", "contains": "Thank you"}
    claim: dict[str, object] = {"kind": "allOf", "predicates": [net, text]}
    right = said(claim, WindowBuilder().net("POST", "/api/orders/7", 201).text("Thank you", there=False))
    wrong = said(claim, WindowBuilder().net("POST", "/api/orders/7", 500).text("Thank you", there=False))
    assert wrong.phrases["/api/orders/7"] > right.phrases["/api/orders/7"] > 0


def test_where_an_element_is_written_says_nothing_of_focus_or_of_what_was_not_sent() -> None:
    """
    Both are done in code; a text that is not there may be a matter of how the element is written.
    """
    window = WindowBuilder().click().text("Saved", there=False).build()
    net: dict[str, object] = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}
    text: dict[str, object] = {"kind": "text", "contains": "Saved"}
    focus: dict[str, object] = {"kind": "element", "query": {"label": "Title"}, "state": "focused"}
    told = [fails_in_code_alone(claim, evaluate(parse(claim), window)) for claim in (net, text, focus)]
    assert told == [True, False, True]


def test_states_but_for_the_focus_are_told_by_attributes() -> None:
    """
    Where a text is wrong too, the element's own attributes are not all that there is to mend.
    """
    window = WindowBuilder().click().text("Saved", there=False).build()
    invalid: dict[str, object] = {"kind": "element", "query": {"label": "Title"}, "state": "invalid"}
    focus: dict[str, object] = {"kind": "element", "query": {"label": "Title"}, "state": "focused"}
    text: dict[str, object] = {"kind": "text", "contains": "Saved"}
    both: dict[str, object] = {"kind": "allOf", "predicates": [invalid, text]}
    claims = (invalid, focus, both)
    assert [fails_by_attribute(claim, evaluate(parse(claim), window)) for claim in claims] == [
        True,
        False,
        False,
    ]


def test_an_attribute_that_is_claimed_is_told_where_the_element_is_written() -> None:
    """
    As the value of a field, or the language of the document; a text that is missing in a part of the page
    which is there says nothing of its attributes.
    """
    there = WindowBuilder().click().text("Saved", there=False).build()
    value: dict[str, object] = {"kind": "element", "query": {"label": "Hours", "attrs": {"value": "-2"}}}
    language: dict[str, object] = {"kind": "text", "contains": "Anfragen", "scope": "html[lang=de]"}
    gone: dict[str, object] = {"kind": "element", "query": {"label": "Hours", "attrs": {}}, "absent": True}
    assert fails_by_attribute(value, evaluate(parse(value), there))
    assert fails_by_attribute(language, Outcome(Held.UNKNOWN, "text"))
    assert not fails_by_attribute(language, Outcome(Held.NO, "text"))
    assert not fails_by_attribute({**language, "scope": "[data-testid=rows]"}, Outcome(Held.UNKNOWN, "text"))
    assert not fails_by_attribute(gone, Outcome(Held.NO, "element"))


def test_what_was_sent_is_spoken_of_where_it_was_answered_otherwise() -> None:
    """
    A table that knows the value decides about it; where the answer was as claimed nothing hangs on it.
    """
    sent = WindowBuilder().net("POST", "/api/coupon", 200, requestBody='{"code": "WINTER20", "n": 3}').build()
    refused: dict[str, object] = {"kind": "net", "method": "POST", "urlContains": "/coupon", "status": 422}
    told = words_of(refused, evaluate(parse(refused), sent), (), sent)
    assert "winte" in told.words
    text: dict[str, object] = {"kind": "text", "contains": "Saved"}
    assert "winte" not in words_of(text, Outcome(Held.NO, "text"), (), sent).words
    deep = WindowBuilder().net("POST", "/api/coupon", 200, requestBody="[" * 100_000).build()
    assert "coupo" in words_of(refused, evaluate(parse(refused), deep), (), deep).words


def test_an_answer_that_the_browser_kept_speaks_of_keeping() -> None:
    """
    Its id is of a request that the server saw long before: whoever says how long answers live is looked at.
    """
    text: dict[str, object] = {"kind": "text", "contains": "2 lamps"}
    builder = WindowBuilder(opened_t_ms=60_000).probe().click()
    builder.served("a" * 32, "GET", "/api/cart").net("GET", "/api/cart", 200, rid="a" * 32)
    asked = builder.build()
    long_ago = [attrs.evolve(fact, t_ms=1_000) for fact in asked.server.facts]
    kept = attrs.evolve(asked, server=attrs.evolve(asked.server, facts=long_ago))
    told = [words_of(text, Outcome(Held.NO, "text"), (), window).words for window in (kept, asked)]
    assert ["cache" in words for words in told] == [True, False]


def test_another_success_than_was_claimed_is_told_from_a_failure() -> None:
    """
    What was asked for was done, only what is said of it is wrong; a refusal may be right.
    """
    claim: dict[str, object] = {"kind": "net", "method": "POST", "urlContains": "/notes", "status": 201}
    for status, told in ((200, True), (409, False), (201, False)):
        window = WindowBuilder().net("POST", "/api/notes", status).build()
        assert fails_by_status(claim, evaluate(parse(claim), window), window) is told


def test_what_is_shown_says_less_where_a_request_fails_too() -> None:
    """
    It follows from what was asked.
    """
    net = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201}
    text = {"kind": "text", "contains": "Thank you"}
    claim: dict[str, object] = {"kind": "allOf", "predicates": [net, text]}
    right = said(claim, WindowBuilder().net("POST", "/api/orders", 201).text("Thank you", there=False))
    wrong = said(claim, WindowBuilder().net("POST", "/api/orders", 500).text("Thank you", there=False))
    assert right.phrases["Thank you"] > wrong.phrases["Thank you"] > 0
