"""
A page of the published packages, in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reticle.bridge.page import BridgedPage
from reticle.bridge.published.overlay import PARTS
from reticle.bridge.published.unseen import HOSTS, WHOLE
from reticle.model.codes import CommandName
from reticle.model.window import Question, Reading
from reticle.testing.bridge import Bridge, result_of
from reticle.testing.sockets import PageEnd

BUTTON = {
    "ref": "e5",
    "role": "button",
    "name": "Save",
    "states": ["present", "visible", "enabled"],
    "visible": True,
}

NOTHING = {"matched": False, "count": 0, "elements": []}
PANEL_SCOPES = frozenset(scope for scope, _ in PARTS)


class PublishedPage:
    """
    A page whose answers are set per command; ``asked`` lists what it was asked.

    What of the packages' panel an answer may hold is asked each time: ``panel`` answers that, by default that
    nothing is of it, and is not listed. Nor is what the packages cannot look into: nothing, unless ``hosts``
    is the tree of such a part. Its document has given out the refs e1 to e59.
    """

    def __init__(self) -> None:
        self.bridge = Bridge()
        self.hosts = ""
        self.panel: Callable[[Mapping[str, Any]], object] = lambda _query: NOTHING
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.answers: dict[str, Callable[[Mapping[str, Any]], object]] = {}
        self.end: PageEnd = self.bridge.connect(own=False, answers=self._answer, projectId="shop")
        self.page: BridgedPage = self.bridge.page()
        self.gives(*(f"e{number}" for number in range(1, 60)))

    def gives(self, *refs: str) -> None:
        """
        Show an agent a tree with these refs; a ref that a document has not given out is no good in it.
        """
        before, kept = len(self.asked), dict(self.answers)
        self.on("snapshot", {"tree": "\n".join(f'- button "x" (ref={ref})' for ref in refs)})
        self.on("presenter", {"applied": True})
        ask(self, CommandName.SNAPSHOT)
        self.answers = kept
        del self.asked[before:]

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
        if name == "match" and args.get("query", {}).get("scope") in PANEL_SCOPES:
            return self.panel(args["query"])
        if name == "snapshot" and args.get("scope") in {HOSTS, WHOLE}:
            return {"tree": self.hosts if args["scope"] == HOSTS else ""}
        self.asked.append((name, args))
        if name not in self.answers:
            raise LookupError(f"unknown command '{name}'")
        return self.answers[name](args)


def ask(published: PublishedPage, command: CommandName, **args: Any) -> Mapping[str, Any]:
    """
    The answer to a command that succeeds.
    """
    answer = result_of(published.page.ask(command, args))
    assert isinstance(answer, dict)
    return answer


def read(published: PublishedPage, kind: Any, **fields: object) -> Reading:
    """
    The answer to one question.
    """
    [reading] = result_of(published.page.read([Question(kind, fields)]))
    return reading
