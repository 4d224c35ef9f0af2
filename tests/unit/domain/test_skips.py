"""
Why a probe put no page script into a document.
"""

from __future__ import annotations

import pytest

from reticle.domain.skips import skip_words
from reticle.model.server_facts import SkippedInsertion
from reticle.probe.words import WORTH_TELLING


@pytest.mark.parametrize("reason", sorted(WORTH_TELLING))
def test_each_reason_is_told_in_words_with_a_step(reason: str) -> None:
    """
    No reason that a probe sends reaches a person as a bare word.
    """
    why, step = skip_words(SkippedInsertion("p", "flask 3.1", reason, "", ""))
    assert not why.endswith(f": {reason}")
    assert len(step.split()) > 2


def test_the_directive_and_how_often_stand_there() -> None:
    """
    A policy names what blocked; one of another version is told as it is.
    """
    why, _ = skip_words(SkippedInsertion("p", "", "policy", "script-src", "/shop", 3))
    assert why.endswith("lets no script of ours run (script-src), 3 times")
    assert "The probe in the app put no page script into a page of /shop" in why
    assert skip_words(SkippedInsertion("p", "", "new_word", "", ""))[0].endswith(": new_word")
