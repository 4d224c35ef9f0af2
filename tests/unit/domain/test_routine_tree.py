"""
Functions of a script are known by where they stand.
"""

from __future__ import annotations

from reticle.domain.routine_tree import calls_in, is_whole, node_at, only_calls, tree_of
from reticle.model.runs import Routine, RunScript

CODE = """\
function outer() {
  const inner = () => show(1);
  return money("x", inner);
}
"""


def script() -> RunScript:
    """
    The code with its functions.
    """
    spans = {
        "": (0, len(CODE)),
        "outer": (0, len(CODE) - 1),
        "inner": (CODE.index("() =>"), CODE.index(";\n  return")),
    }
    routines = [Routine(name, begin, end, ran=True, before=0) for name, (begin, end) in spans.items()]
    return RunScript("http://app.test/shop.js", CODE, routines)


def test_a_place_is_in_the_innermost_function_around_it() -> None:
    """
    A verdict names the one that a person would mend.
    """
    tree = tree_of(0, script())
    begins = [node.routine.begin for node in tree]
    found = [node_at(tree, begins, CODE.index(text)) for text in ("show", "money")]
    assert [node.routine.name for node in found if node] == ["inner", "outer"]
    assert [node.routine.name for node in tree if is_whole(node, [script()])] == [""]


def test_what_only_hands_on_is_known() -> None:
    """
    It is seen through to what does the work.
    """
    _, outer, inner = tree_of(0, script())
    assert (only_calls(CODE, inner), only_calls(CODE, outer)) == (True, False)
    assert calls_in(CODE, outer, {"money", "show"}) == {"money", "show"}
    assert calls_in(CODE, inner, {"money"}) == set()
