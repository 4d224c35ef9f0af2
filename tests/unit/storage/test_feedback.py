"""
Notes about reticle, kept in a file of the state directory.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from reticle.errors import Refusal
from reticle.ports import FeedbackStore
from reticle.storage.database import Database
from reticle.storage.feedback import FEEDBACK_FILE, StoredFeedback
from reticle.testing.bridge import refusal_of, result_of
from reticle.testing.stores import MemoryFeedback
from reticle.testing.threads import ThreadCalls

NOTE = {"kind": "gap", "text": "ümlaut"}


def lines(state_dir: Path) -> list[Mapping[str, object]]:
    """
    The notes in the file.
    """
    text = (state_dir / FEEDBACK_FILE).read_text("utf-8")
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def test_a_note_is_a_line_that_only_its_owner_reads(
    state_dir: Path, database: Database, calls: ThreadCalls
) -> None:
    """
    A person finds each note with its time in a file of theirs alone.
    """
    store = StoredFeedback(state_dir, database, lambda: 0.0)
    assert [calls.result_of(store.keep(NOTE)) for _ in range(2)] == [0, 0]
    assert lines(state_dir) == [{"at": "1970-01-01T00:00:00+00:00", **NOTE}] * 2
    assert stat.S_IMODE((state_dir / FEEDBACK_FILE).stat().st_mode) == 0o600
    assert store.place == str(state_dir / FEEDBACK_FILE)


def test_a_note_stays_one_line(state_dir: Path, database: Database, calls: ThreadCalls) -> None:
    """
    Line and paragraph separators in a note do not tear it apart when the next note comes.
    """
    note = {"text": "one\u2028two\u2029three\x85four\nfive"}
    store = StoredFeedback(state_dir, database, lambda: 0.0)
    for _ in range(2):
        calls.result_of(store.keep(note))
    assert lines(state_dir) == [{"at": "1970-01-01T00:00:00+00:00", **note}] * 2


def test_the_oldest_notes_make_room(state_dir: Path, database: Database, calls: ThreadCalls) -> None:
    """
    The file stays small, and how many notes went is told; the newest is kept however long it is.
    """
    store = StoredFeedback(state_dir, database, lambda: 0.0, max_bytes=200)
    dropped = [calls.result_of(store.keep({"text": f"{number}" * 40})) for number in range(4)]
    assert dropped == [0, 0, 1, 1]
    assert [str(line["text"])[0] for line in lines(state_dir)] == ["2", "3"]
    assert calls.result_of(store.keep({"text": "x" * 500})) == 2
    assert len(lines(state_dir)) == 1


def test_a_disk_that_fails_is_a_refusal(state_dir: Path, file_database: Database, calls: ThreadCalls) -> None:
    """
    A note that could not be written is not called kept.
    """
    store = StoredFeedback(state_dir / "missing", file_database, lambda: 0.0)
    with pytest.raises(Refusal) as caught:
        calls.result_of(store.keep(NOTE))
    assert caught.value.code == "storage_failed"


def test_the_fake_keeps_and_fails_like_the_real_one() -> None:
    """
    Tests of tools see the same store.
    """
    store = MemoryFeedback()
    port: FeedbackStore = store
    assert (result_of(store.keep(NOTE)), store.notes, port.place) == (0, [NOTE], "memory")
    store.failing = True
    assert refusal_of(store.keep(NOTE)).code == "storage_failed"
