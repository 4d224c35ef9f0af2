"""
Where the rule stands that hides what a user should have seen.
"""

from __future__ import annotations

from reticle.domain.hiding_rules import HidingRule, hiding_rules, line_of
from reticle.domain.predicate import evaluate, parse
from reticle.testing.windows import WindowBuilder

SHEET = "http://app.test/style.css"
CSS = """\
/* .problem { display: none } */
body > ul,
.list { margin: 0 }

.problem {
  color: red;
}
@media (min-width: 1px) {
  .problem { display: none; }
  #total[data-big="1"] { max-height: 0; height: auto }
}
"""


def line(selector: str, name: str) -> int | None:
    """
    Where that rule begins.
    """
    return line_of(CSS, HidingRule(SHEET, selector, name))


def test_the_rule_with_the_property_is_meant() -> None:
    """
    Of several with its selector; none in a comment.
    """
    assert (line(".problem", "display"), line(".problem", "color")) == (9, 5)
    assert line(".nowhere", "display") is None
    assert line_of("", HidingRule(SHEET, ".problem", "display")) is None


def test_a_selector_is_the_same_however_the_browser_writes_it() -> None:
    """
    Blanks and quotes are its own.
    """
    assert line("body>ul, .list", "margin") == 2
    assert line("#total[data-big='1']", "max-height") == 10
    assert line(".problem", "opacity") == 9


def test_only_what_a_failed_part_says_nobody_sees_counts() -> None:
    """
    What was claimed to be hidden is no fault.
    """
    rule = {"selector": ".problem", "property": "display", "sheet": SHEET}
    answer = {
        "matched": True, "count": 1, "candidates": 1, "perceivable": False, "unseen": "is not displayed",
        "unseenBy": rule, "elements": [{"ref": "e1", "visible": False, "states": ["hidden"]}],
    }  # fmt: skip
    for claim, told in (
        ({"kind": "element", "testid": "problem"}, [HidingRule(SHEET, ".problem", "display")]),
        ({"kind": "element", "testid": "problem", "state": "hidden"}, []),
    ):
        predicate = parse(claim)
        window = WindowBuilder().answers(claim, answer).build()
        assert list(hiding_rules(evaluate(predicate, window), window)) == told


def test_a_text_that_came_up_and_nobody_sees_in_the_end_is_hidden() -> None:
    """
    The verdict says that it was taken back; it is there still, and a rule hides it.
    """
    rule = {"selector": ".problem", "property": "display", "sheet": SHEET}
    sample = {
        "ref": "e1",
        "text": "Too long",
        "visible": False,
        "unseen": "is not displayed",
        "unseenBy": rule,
    }
    answer = {
        "matched": False, "count": 1, "visibleCount": 0, "perceivableCount": 0, "samples": [sample],
    }  # fmt: skip
    claim = {"kind": "text", "contains": "Too long", "visible": True}
    window = WindowBuilder().click().shown("alert", "Too long").net("POST", "/a", 422)
    seen = window.answers(claim, answer).build()
    outcome = evaluate(parse(claim), seen)
    assert "taken back" in str(outcome.failure)
    assert list(hiding_rules(outcome, seen)) == [HidingRule(SHEET, ".problem", "display")]
