"""
Tools with an ``action``: what each action takes and needs is a table, checked before anything is done, so
that an argument that would go nowhere is refused instead of dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.tools.spelling import refuse_strange


class Takes(Protocol):
    """
    What one action takes, what of it is needed, and a call that is right.
    """

    @property
    def takes(self) -> Sequence[str]:
        """
        Names of arguments.
        """

    @property
    def needs(self) -> Sequence[str]:
        """
        Those without which nothing can be done.
        """

    @property
    def example(self) -> str:
        """
        As JSON.
        """


def check_action(actions: Mapping[str, Takes], action: str, arguments: object) -> None:
    """
    Let a call pass that has what its action takes.

    Raises:
        Refusal: ``bad_arguments``; a retry makes sense with the arguments mended.
    """
    rule = actions[action]
    owned = {name for each in actions.values() for name in each.takes}
    given = [name for name in sorted(owned) if getattr(arguments, name) not in (None, False)]
    refuse_strange(given, list(rule.takes), f"action {action}", rule.example)
    missing = [name for name in rule.needs if name not in given]
    if missing:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"action {action} needs {', '.join(missing)}. Nothing ran.",
            f"For example {rule.example}.",
        )
