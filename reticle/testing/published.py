"""
A page of the published packages, in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reticle.bridge.page import BridgedPage
from reticle.testing.bridge import Bridge
from reticle.testing.sockets import PageEnd

BUTTON = {
    "ref": "e5",
    "role": "button",
    "name": "Save",
    "states": ["present", "visible", "enabled"],
    "visible": True,
}


class PublishedPage:
    """
    A page whose answers are set per command; ``asked`` lists what it was asked.
    """

    def __init__(self) -> None:
        self.bridge = Bridge()
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.answers: dict[str, Callable[[Mapping[str, Any]], object]] = {}
        self.end: PageEnd = self.bridge.connect(own=False, answers=self._answer, projectId="shop")
        self.page: BridgedPage = self.bridge.page()

    def on(self, name: str, answer: object) -> None:
        """
        What it answers to a command: a value, or a function from the args; ``LookupError`` is an error.
        """
        self.answers[name] = answer if callable(answer) else lambda _: answer

    def names(self) -> list[str]:
        """
        The commands it was asked, by name.
        """
        return [name for name, _ in self.asked]

    def _answer(self, name: str, args: Mapping[str, Any]) -> object:
        self.asked.append((name, args))
        if name not in self.answers:
            raise LookupError(f"unknown command '{name}'")
        return self.answers[name](args)
