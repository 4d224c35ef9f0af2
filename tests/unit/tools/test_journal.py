"""
The journal of a page for administrators.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.errors import Refusal
from reticle.model.codes import Capability
from reticle.model.ids import PageId
from reticle.model.journal import JournalChunk, JournalEvent, JournalNote, RecordingState
from reticle.model.journal_limits import JOURNAL_SHOWN_CHARS
from reticle.testing.toolcalls import Scene, answer_of
from reticle.tools.journal import TOOLS

[READ] = TOOLS


def call(scene: Scene, **arguments: object) -> Any:
    """
    The fields of an answer.
    """
    return answer_of(READ, scene.context, {"page": "s1", **arguments}).fields


def put(
    scene: Scene, first: int, *types: str, notes: tuple[JournalNote, ...] = (), data: bytes = b"{}"
) -> None:
    """
    A chunk with events from that number on.
    """
    journal = scene.context.journal
    assert journal is not None
    newest = first + len(types) - 1
    journal.chunks.append(
        JournalChunk(
            page_id=PageId("s1"),
            first=first,
            newest=newest,
            at=0.0,
            events=[JournalEvent(seq, seq * 10, each, data) for seq, each in enumerate(types, first)],
            notes=notes,
            state=RecordingState(newest=newest, t_ms=newest * 10),
        )
    )


def test_only_administrators_read_it() -> None:
    """
    What pages of all repositories said is not for every agent; reading it changes nothing.
    """
    assert (READ.name, READ.capability) == ("journal.read", Capability.ADMIN)
    assert READ.annotations.read_only
    assert not READ.mutates


def test_events_commands_and_replies_stand_in_their_order(scene: Scene) -> None:
    """
    A command stands behind the event that came before it.
    """
    asked = JournalNote(1, 12, "command", {"name": "act", "args": {"ref": "e1"}})
    answered = JournalNote(2, 25, "reply", {"name": "act", "ok": True, "code": "", "ms": 13})
    put(scene, 1, "signal", "net.request", notes=(asked, answered))
    answer = call(scene)
    assert [(entry["kind"], entry["cursor"], entry["t_ms"]) for entry in answer["entries"]] == [
        ("event", 1, 10),
        ("command", 1, 12),
        ("event", 2, 20),
        ("reply", 2, 25),
    ]
    assert answer["next"] is None


def test_what_is_missing_is_said_also_between_two_answers(scene: Scene) -> None:
    """
    Whoever follows ``next`` learns of every gap, once.
    """
    put(scene, 1, "signal")
    put(scene, 4, "signal")
    entries, asked = list[Any](), dict[str, Any]()
    while True:
        answer = call(scene, **asked)
        entries += answer["entries"]
        if answer["next"] is None:
            break
        asked = answer["next"]
    assert [entry["kind"] for entry in entries] == ["event", "lost", "event"]
    assert (entries[1]["first"], entries[1]["last"]) == (2, 3)


def test_a_cursor_leaves_out_what_was_before(scene: Scene) -> None:
    """
    As everywhere: behind the cursor, and what made room before it is no gap.
    """
    put(scene, 5, "signal", "signal", "signal")
    assert [entry["cursor"] for entry in call(scene, since=6)["entries"]] == [7]


def test_long_data_is_cut(scene: Scene) -> None:
    """
    An answer stays readable whatever a page said.
    """
    put(scene, 1, "signal", data=b'"' + b"x" * 9_000 + b'"')
    [entry] = call(scene)["entries"]
    assert len(entry["data"]) == JOURNAL_SHOWN_CHARS + 1


def test_an_unknown_page_and_no_journal_are_refused(scene: Scene) -> None:
    """
    With what to do.
    """
    with pytest.raises(Refusal, match="nothing of a page s1"):
        call(scene)
    scene.context.journal = None
    with pytest.raises(Refusal, match="keeps no journal"):
        call(scene)
