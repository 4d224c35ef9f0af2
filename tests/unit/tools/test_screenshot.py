"""
Pictures of pages: of what, where they are kept, and of which pages there are none.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from reticle.domain.browser_lease import Asker, begin
from reticle.errors import Refusal
from reticle.model.browser import BrowserWish, Shot
from reticle.model.codes import Capability, CommandName, EventType, RefusalCode
from reticle.model.limits import PICTURE_SHOWN_BYTES
from reticle.testing.bridge import result_of
from reticle.testing.browser import PNG
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.tokens import a_repository
from reticle.testing.toolcalls import answer_of, refusal_of
from reticle.tools.screenshot import TOOLS, picture_size
from reticle.tools.spec import ToolAnswer

SCREENSHOT = TOOLS[0]
URL = "http://localhost:8000/"
BOX = {"x": 10, "y": 20, "width": 100, "height": 30}
BUTTON = {"ref": "e7", "role": "button", "name": "Pay", "visible": True}


@pytest.fixture(name="context")
def context_fixture() -> FakeContext:
    """
    An agent and the page that it drives, with a button.
    """
    return opened("agent:me")


def opened(holder: str, *capabilities: Capability) -> FakeContext:
    """
    A page that an agent drives.
    """
    context = FakeContext(FakePages(), capabilities=capabilities or (Capability.OBSERVE, Capability.DRIVE))
    lease = begin(Asker(holder, context.clock.now()), holder, 300)
    got = result_of(context.browser.acquire(BrowserWish(URL), lease))
    page = context.pages.resolve(got.page_id)
    assert isinstance(page, FakePage)
    page.answer(CommandName.ACT, {"ok": True, "ref": "e7"})
    page.answer(CommandName.INSPECT, {"ref": "e7", "box": BOX})
    page.answer(CommandName.QUERY, {"elements": [BUTTON], "count": 1})
    return context


def page_of(context: FakeContext) -> FakePage:
    """
    The page that is driven.
    """
    page = context.pages.all()[0]
    assert isinstance(page, FakePage)
    return page


def take(context: FakeContext, **arguments: Any) -> ToolAnswer:
    """
    A picture.
    """
    return answer_of(SCREENSHOT, context, arguments)


def refused(context: FakeContext, **arguments: Any) -> Refusal:
    """
    Why there is none.
    """
    return refusal_of(SCREENSHOT, context, arguments)


def commands(context: FakeContext) -> list[CommandName]:
    """
    What the page was asked.
    """
    return [asked.command for asked in page_of(context).asked]


def test_the_picture_is_in_the_answer(context: FakeContext) -> None:
    """
    An agent that can see gets an image, every agent its size; nothing is written anywhere.
    """
    answer = take(context)
    assert answer.fields == {
        "sessionId": "bl1-1", "width": 1, "height": 1, "bytes": len(PNG), "shown": True,
    }  # fmt: skip
    [block] = answer.blocks
    assert (block["type"], block["mimeType"]) == ("image", "image/png")
    assert base64.b64decode(str(block["data"])) == PNG
    assert answer.text == f"picture of page bl1-1, 1x1, {len(PNG)} bytes"
    assert context.pictures.kept == {}
    assert context.browser.shots == [("bl1-1", Shot())]


def test_the_whole_document_or_a_region(context: FakeContext) -> None:
    """
    Both are as the agent named them, in pixels of the document.
    """
    take(context, fullPage=True)
    take(context, clip={"x": 0, "y": 1500.5, "width": 10, "height": 20})
    assert [shot for _, shot in context.browser.shots] == [
        Shot(full_page=True),
        Shot(clip=(0.0, 1500.5, 10.0, 20.0)),
    ]
    assert page_of(context).asked == []


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ({"ref": "e7"}, [CommandName.ACT, CommandName.INSPECT]),
        (
            {"target": {"role": "button", "name": "Pay"}},
            [CommandName.QUERY, CommandName.ACT, CommandName.INSPECT],
        ),
    ],
)
def test_an_element_is_brought_into_view_and_cut_out(
    context: FakeContext, address: Mapping[str, object], asked: list[CommandName]
) -> None:
    """
    By ref or by query; where it is counts from the window after it was scrolled.
    """
    take(context, **address)
    assert commands(context) == asked
    assert page_of(context).asked[-2].args == {"action": "scrollIntoView", "ref": "e7", "args": {}}
    assert context.browser.shots == [("bl1-1", Shot(clip=(10.0, 20.0, 100.0, 30.0), in_window=True))]


def test_a_page_in_other_hands_is_looked_at_as_it_is() -> None:
    """
    Neither another agent's page, nor one that a person has paused, nor that of an observer is scrolled.
    """
    others, observers, paused = (
        opened("agent:other"),
        opened("agent:me", Capability.OBSERVE),
        opened("agent:me"),
    )
    page_of(paused).record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    for context in (others, observers, paused):
        take(context, ref="e7")
        assert commands(context) == [CommandName.INSPECT]
        assert len(context.browser.shots) == 1


def test_a_query_that_does_not_find_one_element_takes_no_picture(context: FakeContext) -> None:
    """
    The refusal names the candidates; what does not show gives way to what does.
    """
    hidden = {**BUTTON, "ref": "e9", "visible": False}
    target = {"role": "button"}
    page_of(context).answer(
        CommandName.QUERY, {"elements": [BUTTON, {**BUTTON, "ref": "e8"}], "count": 2}, times=1
    )
    several = refused(context, target=target)
    assert several.code == "ambiguous_target"
    assert '- button "Pay" (ref=e8)' in several.details["candidates"]  # type: ignore[operator]  # a list of ours
    page_of(context).answer(CommandName.QUERY, {"elements": [], "count": 0}, times=1)
    assert refused(context, target=target).code == "no_match"
    assert context.browser.shots == []
    page_of(context).answer(CommandName.QUERY, {"elements": [hidden, BUTTON], "count": 2}, times=1)
    take(context, target=target)
    assert page_of(context).asked[-1].args == {"ref": "e7"}


def test_an_element_without_room_is_no_picture(context: FakeContext) -> None:
    """
    A hidden element is said to be one; an empty picture would be taken for an empty button.
    """
    page_of(context).answer(CommandName.INSPECT, {"ref": "e7", "box": {**BOX, "height": 0}})
    assert refused(context, ref="e7").code == "not_visible"
    page_of(context).answer(CommandName.INSPECT, Refusal(RefusalCode.STALE_REF, "e7 is gone"))
    assert refused(context, ref="e7").code == "stale_ref"


def test_a_page_that_dialled_in_is_refused_with_the_way(context: FakeContext) -> None:
    """
    Nobody can see it as its browser paints it; the refusal has the call that opens it here.
    """
    tab = FakePage("tab", url="http://localhost:3000/cart")
    context.pages = FakePages(tab)
    refusal = refused(context)
    assert refusal.code == "not_driven"
    assert '"acquire", "url": "http://localhost:3000/cart"' in refusal.recovery
    assert tab.asked == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"fullPage": True, "ref": "e7"},
        {"ref": "e7", "clip": BOX},
        {"ref": "x"},
        {"ref": "e7", "target": {"text": "a"}},
    ],
)
def test_a_picture_is_of_one_thing(context: FakeContext, arguments: Mapping[str, object]) -> None:
    """
    A call that names two things, or what is no ref, is refused before anything is moved.
    """
    assert refused(context, **arguments).code == "bad_arguments"
    assert commands(context) == []


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "a" * 101, "a\n"])
def test_a_name_is_no_path(context: FakeContext, name: str) -> None:
    """
    Nothing is written anywhere else than where pictures lie.
    """
    with pytest.raises(msgspec.ValidationError):
        take(context, name=name)


def test_a_named_picture_is_kept_where_its_app_is(context: FakeContext) -> None:
    """
    In the registered repository, else in the state directory under the app's address; the path is told.
    """
    path = take(context, name="cart.png").fields["path"]
    assert path == "/state/visual/localhost_8000/cart.png"
    context.repositories.keep(a_repository("shop", ["http://localhost:8000"]))
    answer = take(context, name="cart")
    assert answer.fields["path"] == "/src/shop/.reticle/visual/cart.png"
    assert "kept in /src/shop/.reticle/visual/cart.png" in (answer.text or "")
    assert context.pictures.kept["/src/shop/.reticle/visual/cart.png"] == PNG


def test_a_picture_of_a_page_without_an_address_has_a_place_too(context: FakeContext) -> None:
    """
    A page that could not be loaded is no site; its picture lies in a folder all the same.
    """
    page_of(context).load_document("doc00002", url="chrome-error://chromewebdata/")
    assert take(context, name="blank").fields["path"] == "/state/visual/pages/blank.png"


def test_a_picture_too_large_for_an_answer(context: FakeContext) -> None:
    """
    With a name it is kept and the file named; without one it is refused with what helps.
    """
    context.browser.png = PNG + b"\0" * PICTURE_SHOWN_BYTES
    assert "name" in refused(context).recovery
    answer = take(context, name="cart")
    assert (answer.fields["shown"], list(answer.blocks)) == (False, [])
    assert "read the file" in (answer.text or "")


def test_the_size_of_a_picture_is_its_own_word() -> None:
    """
    What is no PNG has none.
    """
    assert picture_size(PNG) == (1, 1)
    assert picture_size(b"GIF89a" + b"\0" * 30) == (0, 0)
    assert picture_size(PNG[:20]) == (0, 0)
