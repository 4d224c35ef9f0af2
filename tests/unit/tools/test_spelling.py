"""
Misspelt names inside a call.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.tools.spelling import refuse_strange


def test_known_names_pass() -> None:
    """
    A call that is right is not complained about.
    """
    refuse_strange(["role", "name"], ["role", "name", "text"], "target")
    refuse_strange([], [], "args of blur")


def test_a_strange_name_is_refused_with_the_nearest() -> None:
    """
    The refusal names the wrong word, the right one, everything that is taken, and that nothing ran.
    """
    with pytest.raises(Refusal) as caught:
        refuse_strange(["confirm_dangerous", "zzz"], ["confirmDangerous", "force"], "args", '{"a": 1}')
    assert caught.value.message == (
        "args does not take `confirm_dangerous`, `zzz`; did you mean `confirmDangerous`? Nothing ran."
    )
    assert caught.value.recovery == 'It takes confirmDangerous, force. For example {"a": 1}.'
    assert caught.value.details == {"unknown": ["confirm_dangerous", "zzz"]}


def test_endless_names_are_cut() -> None:
    """
    A name that nobody can have meant does not fill the answer.
    """
    with pytest.raises(Refusal) as caught:
        refuse_strange(["x" * 10_000] * 50, ["value"], "args")
    assert len(caught.value.message) < 800
