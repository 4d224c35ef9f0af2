"""
Notes about reticle itself.
"""

from __future__ import annotations

import msgspec
import pytest

from reticle._version import __version__
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.feedback import TOOLS

FEEDBACK = TOOLS[0]


def test_a_note_is_kept_here_and_said_to_be(scene: Scene) -> None:
    """
    The answer says where the note lies and that it was sent nowhere.
    """
    answer = answer_of(
        FEEDBACK, scene.context, {"kind": "gap", "text": "no way to drag a file", "rating": 4, "need": "drop"}
    )
    assert (answer.fields["accepted"], answer.fields["sent"], answer.fields["keptIn"]) == (
        True,
        False,
        "memory",
    )
    assert scene.context.feedback.notes == [
        {"kind": "gap", "rating": 4, "text": "no way to drag a file", "need": "drop", "reticle": __version__}
    ]


def test_secrets_are_not_kept(scene: Scene) -> None:
    """
    A note that quotes a credential is kept without it, and the agent hears which field had one.
    """
    answer = answer_of(
        FEEDBACK,
        scene.context,
        {"kind": "bug", "text": "login failed", "trace": 'fill {"password": "hunter2"}'},
    )
    assert answer.fields["redacted"] == ["trace: named value"]
    assert "hunter2" not in repr(scene.context.feedback.notes)


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "praise", "text": "x"},
        {"kind": "bug"},
        {"kind": "bug", "text": ""},
        {"kind": "bug", "text": "x" * 4_001},
        {"kind": "bug", "text": "x", "need": "y" * 1_001},
        {"kind": "bug", "text": "x", "rating": 6},
    ],
)
def test_a_note_has_its_bounds(scene: Scene, arguments: dict[str, object]) -> None:
    """
    A note of an unknown kind, without a text or longer than anyone reads is refused.
    """
    with pytest.raises(msgspec.ValidationError):
        answer_of(FEEDBACK, scene.context, arguments)
    assert scene.context.feedback.notes == []


def test_a_note_that_could_not_be_kept_is_not_called_kept(scene: Scene) -> None:
    """
    A full disk is told.
    """
    scene.context.feedback.failing = True
    assert refusal_of(FEEDBACK, scene.context, {"kind": "bug", "text": "x"}).code == "storage_failed"
