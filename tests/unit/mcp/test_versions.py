"""
Revisions and their negotiation.
"""

from __future__ import annotations

import pytest

from reticle.mcp.versions import BY_HANDSHAKE, REVISIONS, WITHOUT_HANDSHAKE, negotiate


@pytest.mark.parametrize(
    ("requested", "answered"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("", "2025-11-25"),
        (20241105, "2025-11-25"),
        (None, "2025-11-25"),
        ([], "2025-11-25"),
    ],
)
def test_a_handshake_always_ends_with_a_revision_that_we_speak(requested: object, answered: str) -> None:
    """
    A client gets the revision that it asked for, or our latest, and never an error.
    """
    assert negotiate(requested).name == answered


def test_each_revision_has_its_own_words() -> None:
    """
    Which revision knows what, as the specification's changelogs say.
    """
    assert [
        (one.name, one.batch, one.annotations, one.progress_message, one.structured_content, one.titles)
        for one in REVISIONS
    ] == [
        ("2024-11-05", True, False, False, False, False),
        ("2025-03-26", True, True, True, False, False),
        ("2025-06-18", False, True, True, True, True),
        ("2025-11-25", False, True, True, True, True),
        ("2026-07-28", False, True, True, True, True),
    ]
    assert "2026-07-28" not in BY_HANDSHAKE


def test_before_a_handshake_everything_is_understood_and_sent() -> None:
    """
    A client that calls without a handshake loses nothing by it.
    """
    assert WITHOUT_HANDSHAKE.batch
    assert WITHOUT_HANDSHAKE.structured_content
