"""
Arguments that go with an action, and those that do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest

from reticle.errors import Refusal
from reticle.tools.actions import check_action


@attrs.frozen
class Rule:
    """
    What an action takes.
    """

    takes: Sequence[str] = ()
    needs: Sequence[str] = ()
    example: str = '{"action": "sow", "seed": "oats"}'


@attrs.frozen
class Given:
    """
    Arguments of a call.
    """

    seed: str | None = None
    depth: int | None = None
    blade: str | None = None
    wet: bool = False


ACTIONS = {"sow": Rule(("seed", "depth"), ("seed",)), "reap": Rule(("blade", "wet"))}


def refusal(action: str, given: Given) -> Refusal:
    """
    Why a call does not pass.
    """
    with pytest.raises(Refusal) as caught:
        check_action(ACTIONS, action, given)
    assert caught.value.code == "bad_arguments"
    return caught.value


def test_what_goes_with_the_action_passes() -> None:
    """
    A call with what its action takes is run; 0 is a value as good as any.
    """
    check_action(ACTIONS, "sow", Given(seed="oats", depth=0))
    check_action(ACTIONS, "reap", Given())


def test_what_would_go_nowhere_is_refused() -> None:
    """
    An argument of another action is named and not dropped.
    """
    refused = refusal("reap", Given(seed="oats", wet=True))
    assert "action reap does not take `seed`" in refused.message
    assert "blade, wet" in refused.recovery


def test_what_is_missing_is_named() -> None:
    """
    Nothing runs without what an action needs, and the refusal shows a call that is right.
    """
    refused = refusal("sow", Given(depth=3))
    assert "action sow needs seed" in refused.message
    assert '"seed": "oats"' in refused.recovery
