"""
Bringing an element into view that its list has not put into the page yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, EventType
from reticle.testing.context import FakeContext
from reticle.testing.pages import Asked, FakePage, FakePages
from reticle.testing.toolcalls import HeedfulPages, Scene, refusal_in, start_call
from reticle.tools.fields import list_of
from reticle.tools.scroll_to import MORE, RESTLESS, SPENT, TOOLS, UNTOLD
from reticle.tools.spec import ToolAnswer

SCROLL_TO = TOOLS[0]
ROW = 10
HEIGHT = 100


@attrs.define
class VirtualList:
    """
    A list of ``rows`` rows of which ten are in the page; ``name`` says what a row is called. ``ref`` is None
    for a page that is such a list itself.
    """

    rows: int
    ref: str | None = "e1"
    top: int = 0
    name: Callable[[int], str] = "Row {}".format
    loads: list[int] = attrs.field(factory=list)

    def scroll(self, args: Mapping[str, Any]) -> dict[str, object]:
        """
        The page's answer to ``scroll``.
        """
        before, way = self.top, max(self.rows * ROW - HEIGHT, 0)
        goal = args["fraction"] * way if "fraction" in args else before + args.get("dy", 0.8 * HEIGHT)
        self.top = round(min(max(goal, 0), way))
        answer: dict[str, object] = {
            "scrolled": self.top != before, "scrollTop": self.top, "scrollHeight": self.rows * ROW,
            "clientHeight": HEIGHT, "atEnd": self.top >= way,
        }  # fmt: skip
        if self.top >= way and self.loads:
            self.rows += self.loads.pop(0)
        return answer

    def query(self, args: Mapping[str, Any]) -> dict[str, object]:
        """
        The page's answer to ``query`` for a text.
        """
        first = self.top // ROW
        seen = [
            number for number in range(first, min(first + 10, self.rows)) if args["text"] in self.name(number)
        ]
        elements = [
            {"ref": f"e{100 + number}", "role": "listitem", "name": self.name(number), "visible": True}
            for number in seen
        ]
        return {"elements": elements, "count": len(elements)}


def show(page: FakePage, *lists: VirtualList, more: bool = False) -> None:
    """
    Let a page have these lists; without one of its own it does not scroll.
    """
    by_ref = {each.ref: each for each in lists}
    still: dict[str, object] = {
        "scrolled": False,
        "scrollTop": 0,
        "scrollHeight": 500,
        "clientHeight": 500,
        "atEnd": True,
    }

    def scroll(args: Mapping[str, Any]) -> object:
        scroller = by_ref.get(args.get("ref"))
        answer = dict(still) if scroller is None else scroller.scroll(args)
        if not answer["scrolled"] and "ref" not in args:
            others = [each for each in lists if each.ref is not None]
            answer["containers"] = [{"ref": each.ref, "unmounted": each.rows - 10} for each in others]
            answer["moreContainers"] = more
        return answer

    def query(args: Mapping[str, Any]) -> object:
        if args.get("self"):
            known = args["scope"] == "#rows"
            return {"elements": [{"ref": lists[0].ref}] if known else [], "count": int(known)}
        found = [element for each in lists for element in each.query(args)["elements"]]  # type: ignore[attr-defined]
        return {"elements": found, "count": len(found)}

    page.answer(CommandName.SCROLL, scroll)
    page.answer(CommandName.QUERY, query)
    page.answer(CommandName.ACT, {"ok": True})


def ended(scene: Scene, **arguments: Any) -> ToolAnswer:
    """
    The answer, after the time that it takes.
    """
    call = start_call(SCROLL_TO, scene.context, arguments)
    got: list[Any] = []
    call.addBoth(got.append)
    for _ in range(4000):
        if got:
            break
        scene.clock.advance(0.025)
    assert isinstance(got[0], ToolAnswer), got
    return got[0]


def refused(scene: Scene, **arguments: Any) -> Refusal:
    """
    Why it was not done.
    """
    return refusal_in(start_call(SCROLL_TO, scene.context, arguments))


def test_what_is_in_the_page_is_brought_into_view_at_once(scene: Scene) -> None:
    """
    No list is moved for an element that is there already.
    """
    show(scene.page, VirtualList(1000))
    answer = ended(scene, text="Row 3")
    assert answer.fields == {
        "found": True, "element": {"ref": "e103", "role": "listitem", "name": "Row 3"}, "scrolls": 0,
        "exhausted": False,
    }  # fmt: skip
    act = {"action": "scrollIntoView", "ref": "e103", "args": {}}
    assert Asked(CommandName.ACT, act) in scene.page.asked
    assert CommandName.SCROLL not in {asked.command for asked in scene.page.asked}


def test_a_row_further_down_is_found(scene: Scene) -> None:
    """
    The list is moved until the row is there, and left where it is.
    """
    rows = VirtualList(200)
    show(scene.page, rows)
    answer = ended(scene, text="Row 77")
    assert (answer.fields["found"], answer.fields["scrolls"]) == (True, 9)
    assert rows.top // ROW <= 77 < rows.top // ROW + 10
    assert scene.context.progress.told[-1].progress == 9


def test_a_row_above_is_found_too(scene: Scene) -> None:
    """
    A list that was scrolled down is looked through from its beginning.
    """
    show(scene.page, VirtualList(200, top=1500))
    assert ended(scene, text="Row 12").fields["found"] is True


def test_a_row_whose_place_is_known_is_found_with_few_scrolls(scene: Scene) -> None:
    """
    Index and count lead near to it in a list of any length.
    """
    show(scene.page, VirtualList(100_000))
    fields = ended(scene, text="Row 4200", targetIndex=4200, totalCount=100_000).fields
    assert (fields["found"], fields["scrolls"]) == (True, 1)
    fields = ended(scene, text="Row 70009", targetIndex=70_000, totalCount=100_000).fields
    assert fields["found"] is True
    assert int(str(fields["scrolls"])) <= 4


def test_not_found_after_the_whole_list_is_said_to_be_exhausted(scene: Scene) -> None:
    """
    Only when beginning and end were seen; the list stands then where it stood.
    """
    rows = VirtualList(100, top=300)
    show(scene.page, rows)
    answer = ended(scene, text="Row 100")
    assert (answer.fields["found"], answer.fields["exhausted"]) == (False, True)
    assert rows.top == 300
    assert answer.text is not None
    assert answer.text.startswith("not found\n")


def test_a_list_that_is_too_long_is_not_called_exhausted(scene: Scene) -> None:
    """
    Stopping for the number of scrolls is told, with what to do, and never passes for the end.
    """
    show(scene.page, VirtualList(1000))
    fields = ended(scene, text="Row 999", maxScrolls=5).fields
    assert fields == {"found": False, "scrolls": 5, "exhausted": False, "note": SPENT}


def test_rows_that_come_in_at_the_end_are_looked_through(scene: Scene) -> None:
    """
    A list that loads more when its end is reached ends only when nothing more came.
    """
    rows = VirtualList(30, loads=[30, 30])
    show(scene.page, rows)
    assert ended(scene, text="Row 85").fields["found"] is True
    rows = VirtualList(30, loads=[30])
    show(scene.page, rows)
    fields = ended(scene, text="Row 85").fields
    assert (fields["found"], fields["exhausted"], rows.rows) == (False, True, 60)


def test_the_end_of_a_page_at_work_is_not_the_end(scene: Scene) -> None:
    """
    While a request is open at the end of a list, more rows may come.
    """
    show(scene.page, VirtualList(30))
    scrolled = scene.page.ask

    def ask(command: CommandName, args: Mapping[str, object], **more: Any) -> Any:
        if command is CommandName.SCROLL:
            request = {"id": "r1", "method": "GET", "url": "http://localhost:8000/rows"}
            scene.page.record(EventType.NET_PENDING, request)
        return scrolled(command, args, **more)

    scene.page.ask = ask  # type: ignore[method-assign]
    fields = ended(scene, text="Row 85").fields
    assert (fields["found"], fields["exhausted"], fields["note"]) == (False, False, RESTLESS)


def test_every_list_is_looked_through(scene: Scene) -> None:
    """
    Without a container the page and all lists in it are walked, one after the other.
    """
    first, second = VirtualList(30, ref=None), VirtualList(60, ref="e2", name="Item {}".format)
    show(scene.page, first, second)
    assert ended(scene, text="Item 59").fields["found"] is True
    assert ended(scene, text="Row 59").fields["exhausted"] is True
    show(scene.page, first, second, more=True)
    fields = ended(scene, text="Row 59").fields
    assert (fields["exhausted"], fields["note"]) == (False, MORE)


def test_a_container_is_the_only_list_that_moves(scene: Scene) -> None:
    """
    A ref or selector names the list; one that is not there is refused before anything moves.
    """
    rows, others = VirtualList(100), VirtualList(100, ref="e2", name="Item {}".format)
    show(scene.page, rows, others)
    assert ended(scene, text="Row 50", container="#rows").fields["found"] is True
    assert ended(scene, text="Item 50", container="e1").fields["exhausted"] is True
    assert others.top == 0
    assert refused(scene, text="Row 5", container="#nowhere").code == "no_match"


def test_several_matches_are_asked_back(scene: Scene) -> None:
    """
    None of them is guessed.
    """
    show(scene.page, VirtualList(100))
    refusal = refused(scene, text="Row")
    assert (refusal.code, len(list_of(refusal.details["candidates"]))) == ("ambiguous_target", 5)


def test_a_part_of_the_text_is_said_to_be_one(scene: Scene) -> None:
    """
    "Row 5" in "Row 50" may not be the row that was meant.
    """
    show(scene.page, VirtualList(10, name="Row {} of ten".format))
    assert "part of its text" in str(ended(scene, text="Row 5").fields["note"])


def test_what_does_not_show_is_not_found(scene: Scene) -> None:
    """
    A hidden match is told and not called in view.
    """
    show(scene.page)
    hidden = {"elements": [{"ref": "e9", "role": "button", "visible": False}], "count": 1}
    scene.page.answer(CommandName.QUERY, hidden)
    fields = ended(scene, role="button", name="Save").fields
    assert (fields["found"], fields["exhausted"], fields["note"]) == (
        False,
        True,
        "1 that match do not show.",
    )


def test_a_row_that_was_drawn_anew_is_told_with_its_new_ref(scene: Scene) -> None:
    """
    The ref of the answer is good for the next act.
    """
    show(scene.page, VirtualList(10))
    scene.page.answer(CommandName.QUERY, {"elements": [{"ref": "e5", "visible": True}], "count": 1}, times=1)
    scene.page.answer(CommandName.ACT, Refusal("stale_ref", "gone"))
    assert ended(scene, text="Row 7").fields["element"]["ref"] == "e107"  # type: ignore[index]


def test_the_published_packages_are_walked_without_being_probed() -> None:
    """
    They tell of no lists, so that only the page is walked, and nothing is called exhausted.
    """
    scene = published()
    rows = VirtualList(40, ref=None)
    show(scene.page, rows)
    fields = ended(scene, text="Row 99").fields
    assert (fields["found"], fields["exhausted"], fields["note"]) == (False, False, UNTOLD)
    assert {"dy": 0} not in [dict(asked.args) for asked in scene.page.asked]
    assert ended(scene, text="Row 33").fields["found"] is True


def published() -> Scene:
    """
    A page of the published packages.
    """
    clock = FakeContext(FakePages()).clock
    page = FakePage("p1", clock=clock.reactor, own_script=False)
    return Scene(clock, page, FakeContext(FakePages(page), clock=clock))


@pytest.mark.parametrize(
    "arguments",
    [
        {}, {"by": "text"}, {"text": "Row", "targetIndex": 3}, {"text": "Row", "totalCount": 3},
        {"text": "Row", "targetIndex": 3, "totalCount": 3},
    ],
)  # fmt: skip
def test_what_cannot_be_looked_for_is_refused(scene: Scene, arguments: Mapping[str, Any]) -> None:
    """
    Nothing is asked of the page.
    """
    assert refused(scene, **arguments).code == "bad_arguments"
    assert scene.page.asked == []


def test_a_person_who_pauses_meanwhile_stops_it(scene: Scene) -> None:
    """
    The list moves no further under a person's hands.
    """
    paused = Scene(scene.clock, scene.page, FakeContext(HeedfulPages(scene.page), clock=scene.clock))
    show(scene.page, VirtualList(1000))
    call = start_call(SCROLL_TO, paused.context, {"text": "Row 900"})
    scene.page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    asked = len(scene.page.asked)
    for _ in range(40):
        scene.clock.advance(0.025)
    assert refusal_in(call).code == "paused"
    assert len(scene.page.asked) <= asked + 1


def test_it_needs_to_drive() -> None:
    """
    It moves the page and makes the app load rows.
    """
    assert (SCROLL_TO.capability, SCROLL_TO.acts) == (Capability.DRIVE, True)
