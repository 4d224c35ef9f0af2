"""
What a page reported, with the places that people wrote.
"""

from __future__ import annotations

from typing import Any

from reticle.bridge.sources.placing import Placing
from reticle.model.runs import AS_SERVED
from tests.unit.bridge.sources.served import ORIGIN, Served, atlas_of
from tests.unit.bridge.sources.written_maps import inline, written_map

APP = f"{ORIGIN}/app.js"
MAPPED = written_map(
    [[(0, (0, 9, 4)), (10, (1, 0, 0)), (20, None), (30, (2, 1, 1))]],
    ["src/cart.ts", "../node_modules/lib/index.js", "src/other.ts"],
)


def placed(told: Any, served: Served | None = None) -> Any:
    """
    What becomes of an answer or an event's data once all maps that there are were read.
    """
    server = served or Served()
    if served is None:
        server.put("/app.js", f"f()\n{inline(MAPPED)}")
        server.put("/plain.js", "f()")
    placing = Placing(atlas_of(server), ORIGIN, "d1")
    placing.scripts(told)
    return placing.placed(told)


def at(*positions: tuple[str, int, int], source: str = "/app.js:1:1") -> dict[str, Any]:
    """
    A place as the page script tells it.
    """
    return {"source": source, "frames": [list(position) for position in positions]}


def test_a_place_in_a_built_script_becomes_the_one_that_a_person_wrote() -> None:
    """
    And nothing of how it was found is left.
    """
    assert placed({**at((APP, 1, 1)), "line": 1, "name": "Pay"}) == {
        "source": "src/cart.ts:10:5",
        "name": "Pay",
    }


def test_the_first_frame_of_the_users_counts() -> None:
    """
    Not a library's in the same bundle, nor what the build put between.
    """
    assert placed(at((APP, 1, 12), (APP, 1, 22), (APP, 1, 31)))["source"] == "src/other.ts:2:2"
    assert placed(at((APP, 1, 22), (APP, 1, 12)))["source"] == "node_modules/lib/index.js:1:1"


def test_a_script_that_was_not_built_is_its_own_place() -> None:
    """
    Without its origin, if that is the page's.
    """
    assert placed(at((f"{ORIGIN}/plain.js?v=1", 7, 3)))["source"] == "/plain.js:7:3" + AS_SERVED
    assert placed(at((f"{ORIGIN}/plain.js", 7, 3)))["source"] == "/plain.js:7:3"


def test_a_place_of_which_nobody_knows_says_so() -> None:
    """
    A script of another machine, one that is gone, one that evaluates pieces of itself.
    """
    for address, shown in {
        "https://cdn.example/lib.js?k=1": "https://cdn.example/lib.js",
        f"{ORIGIN}/gone.js": "/gone.js",
        "webpack-internal:///./src/App.js": "src/App.js",
    }.items():
        assert placed(at((address, 5, 2)))["source"] == f"{shown}:5:2{AS_SERVED}"


def test_a_place_in_a_strangers_script_gives_way_to_one_of_the_users() -> None:
    """
    The library that a page has from elsewhere called it.
    """
    assert placed(at(("https://cdn.example/lib.js", 5, 2), (APP, 1, 1)))["source"] == "src/cart.ts:10:5"


def test_the_lines_of_a_stack_are_told_by_their_files() -> None:
    """
    Those that can be; the others stay.
    """
    stack = f"Error: no\n    at pay ({APP}:1:2)\n    at {APP}:1:31\n    at x (https://cdn.example/l.js:1:1)"
    assert placed({**at((APP, 1, 2)), "stack": stack})["stack"] == (
        "Error: no\n    at pay (src/cart.ts:10:5)\n    at src/other.ts:2:2\n"
        "    at x (https://cdn.example/l.js:1:1)"
    )


def test_places_stand_in_elements_candidates_and_components() -> None:
    """
    At any depth of an answer, and nowhere else: an app's own data may call anything frames.
    """
    told = {"elements": [{"ref": "e1", "component": at((APP, 1, 1)), **at((APP, 1, 1))}], "count": 1}
    place = "src/cart.ts:10:5"
    assert placed(told) == {
        "elements": [{"ref": "e1", "component": {"source": place}, "source": place}],
        "count": 1,
    }
    own = {"value": at((APP, 1, 1)), "responseBody": {"frames": [[APP, 1, 1]], "source": "x"}}
    assert placed(own) == own


def test_what_is_no_frame_is_left_as_it_is() -> None:
    """
    A page can send anything.
    """
    strange: list[Any] = [
        None, 5, [], {}, [5], [[APP]], [[APP, "1", 1]], [[APP, 1, 1, 1, 1]], [[5, 1, 1]], [[APP, -1, 1]],
        [[APP, True, 1]], [["x" * 5000, 1, 1]],
    ]  # fmt: skip
    for frames in strange:
        told = {"source": "/app.js:1:1", "frames": frames}
        assert placed(told) == told
    assert placed({"frames": [[APP, 1, 1]]}) == {"frames": [[APP, 1, 1]]}
    assert placed({"source": 5, "frames": [[APP, 1, 1]]}) == {"source": 5, "frames": [[APP, 1, 1]]}
    for plain in (None, 5, "x", [1]):
        assert placed(plain) == plain


def test_lists_in_lists_without_end_are_left_as_they_are() -> None:
    """
    A page that sends them loses neither its socket nor what else it says.
    """
    deep: Any = at((APP, 1, 1))
    for _ in range(900):
        deep = [deep]
    told = {**at((APP, 1, 1)), "elements": deep}
    assert placed(told)["source"] == "src/cart.ts:10:5"
    assert placed(told)["elements"] is not None


def test_a_line_of_a_stack_that_has_no_end_is_left_as_it_is() -> None:
    """
    And looked through once at most.
    """
    stack = "\n".join(["http://a" * 200_000] * 12)
    assert placed({**at((APP, 1, 1)), "stack": stack})["stack"] == stack


def test_a_map_that_is_still_being_read_is_not_guessed() -> None:
    """
    The place is told as it was served.
    """
    served = Served()
    served.waits = True
    assert placed(at((APP, 1, 1)), served)["source"] == "/app.js:1:1" + AS_SERVED
