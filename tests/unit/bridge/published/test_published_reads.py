"""
Reading through the published packages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest

from reticle.model.codes import CommandName, ControlState
from reticle.model.window import Question
from reticle.testing.bridge import PAIRING_TOKEN, Bridge, refusal_of, result_of
from reticle.testing.published import BUTTON, PublishedPage, ask, read

FLAG = '- button "Flag a bug for the agent" (ref=e9)\n  - text "Flag a bug"'
TREE = f'- button "Save" (ref=e5)\n{FLAG}\n- text "x"'


def test_a_snapshot_is_without_the_packages_own_overlay(published: PublishedPage) -> None:
    """
    The agent never sees, and never presses, the packages' own button.
    """
    published.on("snapshot", {"tree": TREE, "nodes": 3, "truncated": False, "status": {"route": "/"}})
    answer = ask(published, CommandName.SNAPSHOT, mode="full")
    assert answer["tree"] == '- button "Save" (ref=e5)\n- text "x"'
    assert (answer["truncated"], answer["status"]) == (False, {"route": "/"})
    assert published.asked == [("snapshot", {"mode": "full"})]


@pytest.mark.parametrize("tree", ["- main\n" + " " * 38 + "- text", "- main\n- bu[TRUNCATED]"])
def test_a_cut_tree_says_that_it_is_cut(published: PublishedPage, tree: str) -> None:
    """
    The packages do not say when they stop at depth 20 or at their text limit.
    """
    published.on("snapshot", {"tree": tree, "nodes": 3, "truncated": False})
    assert ask(published, CommandName.SNAPSHOT)["truncated"] is True


def test_a_scope_that_is_not_there_is_not_the_whole_page(published: PublishedPage) -> None:
    """
    ``#gone`` gives an empty tree and says why.
    """
    published.on("snapshot", {"tree": TREE, "nodes": 3})
    answer = ask(published, CommandName.SNAPSHOT, scope="#gone")
    assert (answer["tree"], answer["scopeMissing"]) == ("", True)


def test_a_scope_that_is_there_is_used(published: PublishedPage) -> None:
    """
    A scoped tree that differs from the whole one is the scope's.
    """
    published.on("snapshot", lambda args: {"tree": "- text" if "scope" in args else TREE, "nodes": 1})
    answer = ask(published, CommandName.SNAPSHOT, scope="#here")
    assert (answer["tree"], "scopeMissing" in answer) == ("- text", False)


def test_an_invalid_selector_is_the_agents_fault(published: PublishedPage) -> None:
    """
    The agent is told to mend its CSS.
    """

    def fail(_: Mapping[str, object]) -> object:
        raise LookupError("Failed to execute 'querySelector' on 'Document': '!!' is not a valid selector.")

    published.on("snapshot", fail)
    refusal = refusal_of(published.page.ask(CommandName.SNAPSHOT, {"scope": "!!"}))
    assert refusal.code == "bad_arguments"


def test_a_query_counts_and_filters(published: PublishedPage) -> None:
    """
    A name beside a testid is enforced although the packages ignore it.
    """
    other = {**BUTTON, "ref": "e6", "name": "Cancel"}
    published.on("match", {"matched": True, "count": 2, "elements": [BUTTON, other]})
    answer = ask(published, CommandName.QUERY, testid="x", name="Save")
    assert answer == {"elements": [BUTTON], "count": 1}
    assert published.asked == [("match", {"query": {"testid": "x"}})]
    assert ask(published, CommandName.QUERY, testid="x", count_only=True) == {"elements": [], "count": 2}
    assert ask(published, CommandName.QUERY, testid="x", limit=1) == {
        "elements": [BUTTON], "count": 2, "truncated": True,
    }  # fmt: skip


def test_no_match_comes_with_the_packages_hint(published: PublishedPage) -> None:
    """
    An empty answer tells what is there instead.
    """
    published.on("match", {"matched": False, "count": 0, "elements": []})
    published.on("query", {"elements": [], "hint": {"route": "/"}})
    assert ask(published, CommandName.QUERY, role="button") == {
        "elements": [], "count": 0, "hint": {"route": "/"},
    }  # fmt: skip


@pytest.mark.parametrize(
    "query", [{"role": "button", "attrs": ["href"]}, {"role": "a", "text": "b"}, {"self": True}, {}]
)
def test_what_the_packages_cannot_find_is_said(published: PublishedPage, query: dict[str, object]) -> None:
    """
    A query that they would silently widen is refused.
    """
    assert refusal_of(published.page.ask(CommandName.QUERY, query)).code == "bad_arguments"
    assert published.asked == []


def test_a_place_in_the_code_is_asked_as_it_is_and_nothing_found_proves_nothing(
    published: PublishedPage,
) -> None:
    """
    The packages compare stamped places letter by letter: an empty answer never becomes an absence.
    """
    place = {"file": "src/Cart.tsx", "line": 12}
    published.on("match", {"count": 1, "elements": [BUTTON]})
    assert ask(published, CommandName.MATCH, query={"source": place})["count"] == 1
    assert published.asked == [("match", {"query": {"source": place}})]
    published.on("match", {"matched": False, "count": 0, "elements": []})
    refusal = refusal_of(published.page.ask(CommandName.MATCH, {"query": {"source": place}}))
    assert refusal.code == "unsupported_surface"


def test_a_place_beside_another_locator_is_refused(published: PublishedPage) -> None:
    """
    The packages would drop the other locator and find more than was meant.
    """
    query = {"role": "button", "source": {"file": "src/Cart.tsx", "line": 12}}
    assert refusal_of(published.page.ask(CommandName.QUERY, query)).code == "bad_arguments"
    assert published.asked == []


def test_a_component_is_asked_the_way_that_works(published: PublishedPage) -> None:
    """
    The field form of component is dropped by the packages, the other form works.
    """
    published.on("match", {"count": 1, "elements": [BUTTON]})
    ask(published, CommandName.MATCH, query={"component": "Cart"})
    assert published.asked == [("match", {"query": {"by": "component", "value": "Cart"}})]


def test_a_match_counts_the_state_too(published: PublishedPage) -> None:
    """
    ``count`` satisfies query and state, ``candidates`` the query alone.
    """
    off = {**BUTTON, "ref": "e6", "states": ["present", "visible", "disabled"]}
    published.on("match", {"count": 2, "elements": [BUTTON, off]})
    reading = read(published, "match", query={"role": "button"}, state="disabled")
    assert reading.answer == {"matched": True, "count": 1, "candidates": 2, "elements": [BUTTON, off]}


def test_what_is_in_the_document_is_asked_without_a_state(published: PublishedPage) -> None:
    """
    The packages have no word for ``attached``; what they find is in the document.
    """
    off = {**BUTTON, "ref": "e6", "visible": False, "states": ["present", "hidden"]}
    published.on("match", {"count": 1, "elements": [off]})
    reading = read(published, "match", query={"role": "button"}, state="attached")
    assert reading.answer is not None
    assert (reading.answer["matched"], reading.answer["count"]) == (True, 1)
    assert "perceivable" not in reading.answer


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("match", {"query": {"role": "button"}, "style": ["color"]}),
        ("text", {"contains": "1 product", "exact": True}),
    ],
)
def test_what_the_packages_do_not_tell_is_not_guessed(
    published: PublishedPage, kind: Literal["match", "text"], fields: dict[str, object]
) -> None:
    """
    They know no computed style, and show no more than the beginning of a text.
    """
    published.on("match", {"count": 1, "elements": [BUTTON]})
    reading = read(published, kind, **fields)
    assert reading.answer is None
    assert "does not tell" in str(reading.error)
    assert published.asked == []


@pytest.mark.parametrize("state", ["invalid", "required", "readonly", "mixed"])
def test_a_state_that_the_packages_do_not_tell_is_no_state_that_does_not_hold(
    published: PublishedPage, state: str
) -> None:
    """
    Whether a field is invalid is refused, not answered with none; of nothing there is nothing to tell.
    """
    published.on("match", {"count": 1, "elements": [BUTTON]})
    reading = read(published, "match", query={"role": "button"}, state=state)
    assert reading.error == f"The published @reticlehq package does not know whether an element is {state}."
    published.on("match", {"count": 0, "elements": []})
    assert read(published, "match", query={"testid": "gone"}, state=state).answer is not None


def test_what_is_in_the_window_is_asked_of_the_page(published: PublishedPage) -> None:
    """
    The packages never list that state, and answer when they are asked for it.
    """
    published.on("match", lambda args: {"count": 0 if "state" in args else 1, "elements": [BUTTON]})
    reading = read(published, "match", query={"role": "button"}, state="inViewport")
    assert reading.answer is not None
    assert (reading.answer["count"], reading.answer["candidates"]) == (0, 1)


def test_a_damaged_list_is_counted_by_the_page(published: PublishedPage) -> None:
    """
    With 300 matches the descriptors are damaged and the page's own number is used.
    """
    published.on(
        "match",
        lambda args: {"count": 7 if "state" in args else 300, "elements": [BUTTON, {"ref": "[TRUNCATED]"}]},
    )
    reading = read(published, "match", query={"role": "button"}, state="checked")
    assert reading.answer is not None
    assert (reading.answer["count"], reading.answer["candidates"]) == (7, 300)
    unsure = read(published, "match", query={"role": "button", "value": "x"})
    assert (unsure.answer, unsure.error) == (
        None,
        "Too many elements match for the published @reticlehq package to describe.",
    )


def test_text_needs_the_very_words(published: PublishedPage) -> None:
    """
    The packages find "saved" for "Saved"; the reading does not.
    """
    lower = {**BUTTON, "role": "generic", "name": "", "text": "all  saved"}
    published.on("match", {"count": 1, "elements": [lower]})
    reading = read(published, "text", contains="all saved")
    assert reading.answer == {
        "matched": True, "count": 1, "visibleCount": 1,
        "samples": [{"ref": "e5", "text": "all  saved", "visible": True}],
    }  # fmt: skip
    missing = read(published, "text", contains="Saved")
    assert missing.answer is not None
    assert (missing.answer["matched"], missing.answer["count"]) == (False, 0)


def test_state_is_looked_for_in_every_store(published: PublishedPage) -> None:
    """
    One store that has the path answers; two make it ambiguous; none says which stores there are.
    """
    held = {"a": {"found": True, "value": 1}, "b": {"found": False, "value": None}}
    published.on(
        "state_read", lambda args: held[args["store"]] if "store" in args else {"storeNames": ["a", "b"]}
    )
    assert read(published, "state", path="x").answer == {"found": True, "value": 1, "store": "a"}
    held["b"] = {"found": True, "value": 2}
    ambiguous = read(published, "state", path="x").answer
    assert ambiguous is not None
    assert ambiguous["ambiguous"] == ["a", "b"]
    held.update(a={"found": False}, b={"found": False})
    assert read(published, "state", path="x").answer == {
        "found": False, "value": None, "path": "x", "storeNames": ["a", "b"],
    }  # fmt: skip
    assert read(published, "state", path="x", store="b").answer == {"found": False}


def test_the_route_is_read_from_the_status(published: PublishedPage) -> None:
    """
    The packages' own parameters in the URL are not the app's.
    """
    published.on("snapshot", {"status": {"route": "/cart?q=1&__reticle_session=s1#top"}})
    assert read(published, "route").answer == {
        "url": "http://localhost:8000/cart?q=1#top", "pathname": "/cart", "search": "?q=1", "hash": "#top",
    }  # fmt: skip
    published.on("snapshot", {})
    assert read(published, "route").error == "the page did not tell its route"


def test_a_failed_question_does_not_fail_the_others(published: PublishedPage) -> None:
    """
    Each reading has its own error.
    """
    published.on("match", {"count": 0, "elements": []})
    first, second = result_of(
        published.page.read([Question("match", {"query": {}}), Question("match", {"query": {"text": "x"}})])
    )
    assert (first.error, second.error) == ("The element query names no element.", None)


def test_a_page_that_goes_fails_all_questions(published: PublishedPage) -> None:
    """
    Readings of a lost page are errors, never "not there".
    """
    published.end.lose()
    assert read(published, "route").error == "Page s1 is no longer connected."


def test_navigation_keeps_the_session(published: PublishedPage) -> None:
    """
    The URL carries the session's name, and the agent does not see it.
    """
    published.on("navigate", lambda args: {"ok": True, "url": args["url"]})
    assert ask(published, CommandName.NAVIGATE, url="/cart") == {
        "ok": True, "url": "http://localhost:8000/cart",
    }  # fmt: skip
    ask(published, CommandName.REFRESH)
    assert [args["url"] for _, args in published.asked] == [
        "http://localhost:8000/cart?__reticle_session=s1&__reticle_project=shop",
        "http://localhost:8000/?__reticle_session=s1&__reticle_project=shop",
    ]


def test_an_address_that_held_a_credential_is_not_loaded_again(bridge: Bridge) -> None:
    """
    It is not kept, and what stands in its place would load another page.
    """
    end = bridge.dial()
    end.hello("s9", own=False, url=f"http://localhost:8000/?t={PAIRING_TOKEN}")
    refusal = refusal_of(bridge.page("s9").ask(CommandName.REFRESH, {}))
    assert (refusal.code, end.commands()) == ("unsupported_surface", [])


def test_a_command_of_our_script_only_is_refused(published: PublishedPage) -> None:
    """
    Nothing is sent that the packages would not understand.
    """
    refusal = refusal_of(published.page.ask(CommandName.READ, {"questions": []}))
    assert (refusal.code, published.asked) == ("unsupported_surface", [])


def test_inspecting_goes_through_and_a_dead_ref_is_refused(published: PublishedPage) -> None:
    """
    The packages answer a dead ref with a success that has an error in it.
    """
    published.on("inspect", BUTTON)
    assert result_of(published.page.ask(CommandName.INSPECT, {"ref": "e5"})) == BUTTON
    published.on("inspect", {"error": "ref 'e5' no longer resolves"})
    assert refusal_of(published.page.ask(CommandName.INSPECT, {"ref": "e5"})).code == "stale_ref"


def test_the_packages_panel_is_told_too(published: PublishedPage) -> None:
    """
    A pause in their panel holds and is confirmed there; narrating and tuning reach it as they are.
    """
    published.on("presenter", {"applied": True})
    published.on("narrate", {"shown": True})
    published.end.event("human.control", {"kind": "pause"})
    assert published.page.steering.state is ControlState.PAUSED
    assert published.asked == [("presenter", {"state": "paused"})]
    assert result_of(published.page.ask(CommandName.NARRATE, {"text": "hi"})) == {"shown": True}
    assert refusal_of(published.page.ask(CommandName.SESSION_CONFIG, {})).code == "unsupported_surface"


def test_scrolling_a_ref_that_is_gone_does_not_scroll_the_page(published: PublishedPage) -> None:
    """
    The packages scroll the document instead, and take a share beyond 1 for no share at all.
    """
    published.on("inspect", {"error": "ref 'e9' no longer resolves"})
    gone = refusal_of(published.page.ask(CommandName.SCROLL, {"ref": "e9", "dy": 100}))
    far = refusal_of(published.page.ask(CommandName.SCROLL, {"fraction": 2}))
    assert (gone.code, far.code) == ("stale_ref", "bad_arguments")
    assert published.names() == ["inspect"]
    published.on("inspect", BUTTON)
    moved = {"scrolled": True, "scrollTop": 100, "atEnd": False}
    published.on("scroll", moved)
    assert ask(published, CommandName.SCROLL, ref="e5", dy=100, fraction=None) == moved
    assert published.asked[-1] == ("scroll", {"ref": "e5", "dy": 100})


def test_animations_that_name_no_element_are_refused(published: PublishedPage) -> None:
    """
    The packages answer, but their panel's animations stand among the app's: none of it is passed on.
    """
    published.on("animations", {"animations": [{"playState": "running", "currentTime": 0, "duration": 260}]})
    refusal = refusal_of(published.page.ask(CommandName.ANIMATIONS, {}))
    assert refusal.code == "unsupported_surface"
    assert "panel" in refusal.message
    assert published.asked == []
