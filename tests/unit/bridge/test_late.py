"""
The bridge before and after the first page.
"""

from __future__ import annotations

import pytest

from reticle.bridge.directory import Directory
from reticle.bridge.late import LateDirectory
from reticle.errors import Refusal
from reticle.model.codes import CloseCode
from reticle.model.ids import PageId
from reticle.testing.bridge import Bridge, result_of
from reticle.testing.sockets import FakeSocketWriter


def test_nothing_is_made_before_the_first_page_or_question() -> None:
    """
    A daemon that no page has dialled says so without loading the bridge, and stops without it.
    """
    late = LateDirectory(lambda: pytest.fail("made"))
    assert (late.all(), late.refused_dials(), late.seen_before()) == ([], [], 0)
    late.close_all()


def test_after_it_everything_is_the_real_ones(bridge: Bridge) -> None:
    """
    Made once; what it knows is what is told.
    """
    made: list[Directory] = []

    def make() -> Directory:
        made.append(bridge.directory)
        return made[-1]

    late = LateDirectory(make)
    with pytest.raises(Refusal) as nobody:
        late.resolve(None)
    assert nobody.value.code == "no_session"
    late.refused("http://evil.example", "no", "go away")
    bridge.connect("s1")
    assert late.admit(FakeSocketWriter(), "http://localhost:5173", needs_token=False) is not None
    assert [one.identity.page_id for one in late.all()] == ["s1"]
    assert late.resolve(PageId("s1")) is bridge.page("s1")
    assert result_of(late.await_page(PageId("s1"), 1.0)) is True  # type: ignore[arg-type]  # a Deferred
    assert [dial.origin for dial in late.refused_dials()] == ["http://evil.example"]
    assert (late.seen_before(), late.earlier_lives()) == (1, None)
    late.close_all()
    assert len(made) == 1


def test_a_page_that_dials_into_a_stop_is_sent_away(bridge: Bridge) -> None:
    """
    The first page comes while the daemon stops: it is told to come back later, as any other.
    """
    late = LateDirectory(lambda: bridge.directory)
    late.close_all()
    writer = FakeSocketWriter()
    assert late.admit(writer, "http://localhost:5173", needs_token=False) is None
    assert writer.closed is not None
    assert writer.closed[0] == CloseCode.GOING_AWAY
