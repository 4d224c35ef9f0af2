"""
A stored window is the window.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reticle.model.ids import ActionId, Cursor, DocumentId, PageId
from reticle.model.page import App, Loss, PageEvent, PageIdentity
from reticle.model.server_facts import FactKind, ProbedProcess, ServerFact, ServerSight
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import (
    ActionRecord,
    Effect,
    Mixed,
    Pending,
    Question,
    Reading,
    Scrutiny,
    Unheeded,
    Window,
)
from reticle.storage.window_json import window_from_bytes, window_to_bytes

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
MAYBE = st.none() | TEXT
COUNT = st.integers(0, 2**40)
CURSOR = COUNT.map(Cursor)
DOCUMENT = st.none() | TEXT.map(DocumentId)
ACTION = TEXT.map(ActionId)
APP = st.none() | st.builds(App, MAYBE, TEXT)
EVENTS = st.lists(
    st.builds(
        PageEvent, COUNT, COUNT, TEXT, OBJECT, MAYBE, DOCUMENT, st.none() | ACTION, st.none() | COUNT, APP
    ),
    max_size=3,
).map(tuple)
QUESTIONS = st.builds(Question, st.sampled_from(["match", "text", "state", "route"]), OBJECT)
READINGS = st.lists(st.builds(Reading, QUESTIONS, CURSOR, COUNT, st.none() | OBJECT, MAYBE), max_size=2).map(
    tuple
)
PROBES = st.builds(
    ProbedProcess, TEXT, st.none() | COUNT, TEXT, TEXT, st.booleans(), st.booleans(), COUNT, st.booleans()
)
FACTS = st.builds(
    ServerFact, st.sampled_from(FactKind), TEXT, COUNT, COUNT, MAYBE, MAYBE, OBJECT, st.booleans()
)
PAGES = st.builds(PageIdentity, TEXT.map(PageId), TEXT, TEXT, st.booleans(), DOCUMENT, MAYBE)
WINDOWS = st.builds(
    Window,
    page=PAGES,
    since=CURSOR,
    until=CURSOR,
    opened_t_ms=COUNT,
    closed_t_ms=COUNT,
    events=EVENTS,
    before=READINGS,
    after=READINGS,
    losses=st.lists(st.builds(Loss, CURSOR, TEXT, COUNT, TEXT), max_size=2).map(tuple),
    blind_spots=st.dictionaries(TEXT, COUNT, max_size=2),
    action=st.none()
    | st.builds(ActionRecord, ACTION, TEXT, OBJECT, st.none() | st.builds(Effect, OBJECT), MAYBE),
    document_id=DOCUMENT,
    open_requests_before=EVENTS,
    answers_before=EVENTS,
    changes_before=EVENTS,
    acted_at=st.lists(COUNT, max_size=2).map(tuple),
    scrutiny=st.builds(
        Scrutiny,
        st.lists(TEXT, max_size=2).map(tuple),
        st.lists(TEXT, max_size=2).map(tuple),
        st.lists(
            st.builds(Finding, TEXT, st.sampled_from(FindingTier), TEXT, TEXT, OBJECT, MAYBE), max_size=2
        ).map(tuple),
    ),
    pending=st.none()
    | st.builds(
        Pending,
        COUNT,
        COUNT,
        mixed=st.lists(st.builds(Mixed, TEXT, COUNT), max_size=2).map(tuple),
        unheeded=st.none() | st.builds(Unheeded, TEXT, MAYBE, MAYBE),
    ),
    server=st.builds(
        ServerSight, st.lists(PROBES, max_size=2).map(tuple), st.lists(FACTS, max_size=2).map(tuple)
    ),
)


@given(WINDOWS)
def test_a_window_comes_back_as_it_was(window: Window) -> None:
    """
    Nothing that a verdict rests on is lost or changed by keeping it.
    """
    assert window_from_bytes(window_to_bytes(window)) == window


def test_half_characters_do_not_keep_a_window_from_being_kept() -> None:
    """
    A page that cuts an emoji in half costs nobody their verdict.
    """
    event = PageEvent(1, 5, "dom.text", {"text": "a\ud83d"})
    page = PageIdentity(PageId("s1"), "http://x/", "t", own_script=True)
    window = Window(page, Cursor(0), Cursor(1), 0, 9, (event,))
    assert window_from_bytes(window_to_bytes(window)).events[0].data == {"text": "a?"}


def test_a_window_of_before_causes_were_told_comes_back_without() -> None:
    """
    What was stored by an older daemon is judged as it was then.
    """
    page = PageIdentity(PageId("s1"), "http://x/", "t", own_script=True)
    events = (PageEvent(1, 5, "signal", {"name": "saved"}),)
    window = Window(page, Cursor(0), Cursor(1), 0, 9, events)
    stored = json.loads(zlib.decompress(window_to_bytes(window)))
    del stored["events"][0]["cause"]
    assert window_from_bytes(zlib.compress(json.dumps(stored).encode())) == window


def test_a_window_of_many_events_is_kept_small() -> None:
    """
    Two thousand events of an app take a twentieth of their bytes on the disk.
    """
    events = tuple(
        PageEvent(seq, seq * 5, "net.request", {"id": f"r{seq}", "method": "GET", "url": f"/api/items/{seq}"})
        for seq in range(2_000)
    )
    page = PageIdentity(PageId("s1"), "http://x/", "t", own_script=True)
    stored = window_to_bytes(Window(page, Cursor(0), Cursor(2_000), 0, 9, events))
    assert len(stored) < 40_000
