"""
What makes a shown value is found by the name of the element that shows it, and a text by its key.
"""

from __future__ import annotations

import re

from reticle.domain.claim_words import ClaimWords
from reticle.domain.routine_tree import tree_of
from reticle.domain.routine_words import mark_words
from reticle.model.runs import Routine, RunScript

CODE = """\
const WORDS = {
  en: { found: "{n} tasks", wrong: "Hours must be between 1 and 9" },
};
function page(task) {
  return row("p", { "data-testid": "cost" }, money(task));
}
function money(task) { return format(task); }
function format(task) {
  return "€" + task.cents / 100;
}
function check(hours) {
  return hours > 9 ? t("wrong") : "";
}
function other(hours) {
  return "";
}
"""


def spoken(*texts: str) -> dict[str, dict[str, float]]:
    """
    What each function speaks of, of a claim of those texts.
    """
    routines = [Routine("", 0, len(CODE), ran=True, before=1)]
    found = re.finditer(r"function (\w+)[^\n]*(?:\n  [^\n]*)*\n?}", CODE)
    routines += [Routine(one[1], one.start(), one.end(), ran=True, before=0) for one in found]
    script = RunScript("http://app.test/shop.js", CODE, routines)
    tree = tree_of(0, script)
    said = ClaimWords()
    for text in texts:
        said.add(text, 1.0)
    mark_words([script], [tree], said)
    return {node.routine.name: node.terms for node in tree}


def test_what_is_called_beside_an_element_makes_what_it_shows() -> None:
    """
    A wrong amount leads to the function that writes amounts, through one that only hands on.
    """
    terms = spoken("cost")
    assert "cost" in terms["page"]
    assert terms["money"]
    assert terms["format"]
    assert not terms["check"]


def test_a_text_leads_to_who_asks_for_it_by_its_key() -> None:
    """
    Though the code around has none of its words, and numbers in it may be made.
    """
    terms = spoken("Hours must be between 0.25 and 200")
    assert '"wrong"' in terms["check"]
    assert not any("wrong" in term for term in terms["other"])
