"""
A text that the app does not have is looked for in the table of the texts beside it.
"""

from __future__ import annotations

from typing import Any

from reticle.domain.predicate import evaluate, parse
from reticle.domain.text_tables import said_itself, table_of
from reticle.model.runs import Position, Routine, RunScript
from reticle.testing.windows import WindowBuilder

ADDRESS = "http://app.test/words.js"
TABLE = 'const WORDS = {\n  en: { shop: "Shop" },\n  de: { shop: "Ein Laden", cart: "Cart" },\n};\n'
CLAIM: dict[str, Any] = {
    "kind": "allOf",
    "predicates": [{"kind": "text", "contains": "Ein Laden"}, {"kind": "text", "contains": "3 Artikel"}],
}


def place(
    code: str, claim: dict[str, Any] = CLAIM, *routines: Routine, shown: bool = True
) -> Position | None:
    """
    What is named where the number of articles is not shown, and the shop's name is, or not.
    """
    window = WindowBuilder().click().text("Ein Laden", there=shown).text("3 Artikel", there=False).build()
    scripts = [RunScript(ADDRESS, code, [Routine("", 0, len(code), ran=False, before=1), *routines])]
    return table_of(scripts, claim, evaluate(parse(claim), window))


def test_the_line_is_named_that_has_the_text_which_is_there() -> None:
    """
    The missing one belongs beside it.
    """
    found = place(TABLE)
    assert found is not None
    assert (found.address, found.line) == (ADDRESS, 3)


def test_a_text_that_the_app_has_is_in_no_table_missing() -> None:
    """
    Numbers are put in when it is shown.
    """
    assert place(TABLE.replace('"Cart"', '"{n} Artikel"')) is None


def test_a_text_in_a_function_is_in_no_table() -> None:
    """
    The function is weighed itself.
    """
    code = f"function f() {{\n{TABLE}}}\n"
    assert place(code, CLAIM, Routine("f", 0, len(code) - 1, ran=True, before=0)) is None


def test_where_nothing_is_shown_the_line_is_named_all_the_same() -> None:
    """
    A word that is missing may make the whole page fall over.
    """
    found = place(TABLE, shown=False)
    assert found is not None
    assert found.line == 3


def test_where_a_request_failed_too_no_table_is_named() -> None:
    """
    The text that is missing may have been the server's to tell.
    """
    net = {"kind": "net", "method": "GET", "urlContains": "/api/shop"}
    assert place(TABLE, {**CLAIM, "predicates": [*CLAIM["predicates"], net]}) is None


def test_a_text_that_was_answered_is_in_no_table() -> None:
    """
    The page only hands it on.
    """
    window = WindowBuilder().click().text("Ein Laden").text("3 Artikel", there=False).build()
    scripts = [RunScript(ADDRESS, TABLE, [Routine("", 0, len(TABLE), ran=False, before=1)])]
    outcome = evaluate(parse(CLAIM), window)
    assert table_of(scripts, CLAIM, outcome, ["{}"]) is not None
    assert table_of(scripts, CLAIM, outcome, ['{"error": "3 Artikel"}']) is None


SAID = """\
const WORDS = { en: { notes: "Notes ({n})", all: "All" }, de: { notes: "Notizen ({n})", all: "Alle" } };
function heading(count) {
  return "Notes (" + count + ")";
}
"""
GERMAN: dict[str, Any] = {"kind": "text", "contains": "Notizen (2)"}


def said(code: str, claim: dict[str, Any] = GERMAN) -> Position | None:
    """
    What is named where the text of the other language is not there.
    """
    window = WindowBuilder().click().text("Notizen (2)", there=False).text("Alle", there=False).build()
    begin, end = code.index("function"), len(code) - 1
    routines = [Routine("", 0, len(code), ran=False, before=1), Routine("heading", begin, end, True, 0)]
    return said_itself([RunScript(ADDRESS, code, routines)], claim, evaluate(parse(claim), window))


def test_a_function_that_says_itself_what_a_table_has_is_named() -> None:
    """
    It is not asked for by its key, so another language never shows there.
    """
    found = said(SAID)
    assert found is not None
    assert found.line == 3


def test_a_function_that_asks_by_the_key_is_not_named() -> None:
    """
    Nor one that says a text of which too little is known; and what is missing may be data.
    """
    assert said(SAID.replace('"Notes (" + count + ")"', 't("notes", count)')) is None
    assert said(SAID.replace('"Notes (" + count', '"All" + count'), {**GERMAN, "contains": "Alle"}) is None
    state = {"kind": "state", "store": "notes", "path": "count", "equals": 2}
    assert said(SAID, {"kind": "allOf", "predicates": [GERMAN, state]}) is None
