"""
The words of an audit row.
"""

from __future__ import annotations

import hashlib

from reticle.dispatch.audit import ALLOWED, digest, failed_by, refused_by


def test_decisions_are_one_word_with_a_reason() -> None:
    """
    A row tells how a call ended and why, in bounded text.
    """
    assert ALLOWED.word == "allowed"
    assert refused_by("cancelled").word == "cancelled"
    assert refused_by("no_session").word == "refused:no_session"
    assert failed_by("incident_1").word == "failed:incident_1"
    assert len(refused_by("x" * 1_000).word) == len("refused:") + 64


def test_arguments_are_hashed_as_sent() -> None:
    """
    A row can be matched with a call without holding what was typed.
    """
    assert digest(b'{"password":"x"}') == hashlib.sha256(b'{"password":"x"}').hexdigest()
