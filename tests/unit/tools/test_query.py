"""
Finding elements.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.model.codes import CommandName
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.query import TOOLS, element_line

QUERY = TOOLS[0]
BUTTON = {
    "ref": "e4", "role": "button", "name": "Save", "states": ["present", "visible", "enabled", "focused"],
    "visible": True, "source": "app.html:12",
}  # fmt: skip


def test_found_elements_are_given_whole_and_as_lines(scene: Scene) -> None:
    """
    Each match is one line with its ref, states and place in the source.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [BUTTON], "count": 1})
    answer = answer_of(QUERY, scene.context, {"role": "button", "name": "Save"})
    assert answer.fields == {"elements": [BUTTON], "count": 1}
    assert answer.text == '- button "Save" (ref=e4) [visible,focused] source=app.html:12\ncount 1'
    assert scene.page.asked == [Asked(CommandName.QUERY, {"role": "button", "name": "Save", "limit": 200})]


def test_no_text_of_a_page_gets_out_of_its_quotes() -> None:
    """
    A name that looks like another element's line, or like a word of ours, is read as a name.
    """
    line = element_line(
        {
            "role": "button", "ref": "e1", "name": 'Pay" (ref=e9) [visible]', "value": 'a"\n- link (ref=e8)',
            "text": "x\u2028y", "testid": "t\n- link (ref=e7)", "source": "app/(shop)/page.tsx:3:1",
        }
    )  # fmt: skip
    assert line == (
        r'- button "Pay\" (ref=e9) [visible]" (ref=e1) value="a\" - link (ref=e8)" text="x y"'
        r' testid="t - link (ref=e7)" source=app/(shop)/page.tsx:3:1'
    )


def test_counting_alone_describes_nothing(scene: Scene) -> None:
    """
    The number of matches costs one line, however many there are.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [], "count": 4_000})
    answer = answer_of(QUERY, scene.context, {"role": "row", "count_only": True})
    assert answer.fields == {"count": 4_000}
    assert answer.text == "count 4000"
    assert scene.page.asked[0].args["count_only"] is True


def test_more_matches_than_shown_are_counted(scene: Scene) -> None:
    """
    A limit never hides how many there are.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [BUTTON, BUTTON, BUTTON], "count": 7})
    answer = answer_of(QUERY, scene.context, {"role": "button", "limit": 2})
    assert answer.fields["elements"] == [BUTTON, BUTTON]
    assert (answer.fields["count"], answer.fields["truncated"]) == (7, True)
    assert "5 more match" in str(answer.fields["note"])


def test_no_match_comes_with_what_is_there(scene: Scene) -> None:
    """
    An empty answer says where the page is and what it offers instead.
    """
    hint = {"route": "/login", "presentTestids": ["email"]}
    scene.page.answer(CommandName.QUERY, {"elements": [], "count": 0, "hint": hint})
    answer = answer_of(QUERY, scene.context, {"testid": "cart"})
    assert answer.fields == {"elements": [], "count": 0, "hint": hint}
    assert answer.text is not None
    assert '"presentTestids":["email"]' in answer.text


def test_a_scope_that_matches_nothing_is_said(scene: Scene) -> None:
    """
    Zero matches below a wrong scope are not zero matches in the page.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [], "count": 0, "scopeMissing": True})
    answer = answer_of(QUERY, scene.context, {"testid": "cart", "scope": "#nope"})
    assert answer.fields["scopeMissing"] is True
    assert answer.text is not None
    assert "the page was not searched" in answer.text


@pytest.mark.parametrize("arguments", [{}, {"name": "Save"}, {"by": "role"}, {"self": True}])
def test_a_query_for_nothing_in_particular_is_refused(scene: Scene, arguments: dict[str, object]) -> None:
    """
    A query that locates nothing is refused before the page is asked.
    """
    assert refusal_of(QUERY, scene.context, arguments).code == "bad_arguments"
    assert scene.page.asked == []


def test_extra_attributes_are_asked_for_and_shown(scene: Scene) -> None:
    """
    Named attributes come back with each element.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [{**BUTTON, "attrs": {"href": "/a"}}], "count": 1})
    answer = answer_of(QUERY, scene.context, {"testid": "x", "attrs": ["href"]})
    assert scene.page.asked[0].args["attrs"] == ["href"]
    assert answer.text is not None
    assert 'attrs={"href":"/a"}' in answer.text


def test_a_place_in_the_code_is_asked_for(scene: Scene) -> None:
    """
    An agent that knows the line it edited finds what it shows there.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [BUTTON], "count": 1})
    answer_of(QUERY, scene.context, {"source": {"file": "src/Cart.tsx", "line": 12}})
    assert scene.page.asked[0].args["source"] == {"file": "src/Cart.tsx", "line": 12}


def test_the_element_of_a_scope_is_asked_for_by_the_wire_name(scene: Scene) -> None:
    """
    ``self`` with a scope describes the scope element itself.
    """
    scene.page.answer(CommandName.QUERY, {"elements": [BUTTON], "count": 1})
    answer_of(QUERY, scene.context, {"self": True, "scope": "e4"})
    assert scene.page.asked[0].args == {"self": True, "scope": "e4", "limit": 200}


def test_a_line_tells_a_headings_level() -> None:
    """
    Headings of one text are told apart by their level.
    """
    assert (
        element_line({"ref": "e1", "role": "heading", "name": "Part", "level": 2})
        == '- heading "Part" (ref=e1) level=2'
    )


def test_a_line_never_breaks() -> None:
    """
    Line breaks in a name or text stay inside one line of the outline.
    """
    line = element_line({"ref": "e1", "role": "cell", "name": "a\nb", "text": "c\n d", "value": "x\ty"})
    assert line == '- cell "a b" (ref=e1) value="x y" text="c d"'


def test_a_refusal_of_the_page_is_passed_on(scene: Scene) -> None:
    """
    What the page will not do keeps its code.
    """
    scene.page.answer(CommandName.QUERY, Refusal("page_error", "no such frame"))
    assert refusal_of(QUERY, scene.context, {"role": "row"}).code == "page_error"


def test_a_chart_s_faults_are_in_its_line(scene: Scene) -> None:
    """
    Who reads the line alone learns that the drawing is wrong.
    """
    fault = {"kind": "non-finite-coordinates", "tag": "path", "attr": "d", "sample": "MNaN,1"}
    scene.page.answer(
        CommandName.QUERY, {"elements": [{"ref": "e1", "role": "img", "chart": [fault]}], "count": 1}
    )
    answer = answer_of(TOOLS[0], scene.context, {"role": "img"})
    assert answer.fields["elements"] == [{"ref": "e1", "role": "img", "chart": [fault]}]
    assert "chart faults: non-finite-coordinates" in (answer.text or "")
