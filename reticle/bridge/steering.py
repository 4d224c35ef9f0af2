"""
What a person wants of the agents on one page: provides ``ports.Steering``.

The page only reports what was pressed and written (``human.control``, ``human.mark``); the authority is
here, and what is decided is shown in the panel with exactly one ``presenter`` per change (page-wire,
"The panel"). Who refuses an act is the gate.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence

import attrs

from reticle.bridge.control_machine import Facts, build_machine
from reticle.model.codes import CommandName, ControlState
from reticle.model.human import Guidance, Mark
from reticle.model.limits import HUMAN_MESSAGES, HUMAN_TEXT_CHARS, MARKS, NARRATION_CHARS, URL_CHARS
from reticle.model.page import App
from reticle.ports.pages import Whose, anybodys

LABEL_CHARS = 256
ANCHOR_CHARS = 128
"""Bounds of a mark's fields; longer text is cut."""

LINES = 10_000_000
"""Lines of a file that a page may name; a number beyond is none."""

Tell = Callable[[CommandName, Mapping[str, object]], None]
"""Sends the panel a command without waiting for an answer."""


class PanelSteering:
    """
    Provides ``ports.Steering``.

    Args:
        tell: How the panel is reached.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._facts = Facts(self._present)
        self._inputs = build_machine(self._facts)
        self._messages: deque[tuple[str, App | None]] = deque()
        self._dropped: Counter[App | None] = Counter()
        self._marks: dict[str, Mark] = {}
        self._marked = 0
        self._marks_lost = 0

    # --- what the page reports ---------------------------------------------------------------

    def controlled(self, said: Mapping[str, object], app: App | None = None) -> None:
        """
        A person pressed a button or wrote a message on that app; what is not understood changes nothing.
        """
        match said.get("kind"):
            case "pause":
                self._inputs.pause()
            case "resume":
                self._inputs.unpause()
            case "end":
                self._inputs.end()
            case "message":
                self._message(said.get("text"), app)
            case _:
                pass

    def marked(self, said: Mapping[str, object], app: App | None = None) -> None:
        """
        A person flagged an element of that app.
        """
        note = _text(said.get("note"), HUMAN_TEXT_CHARS)
        if not note:
            return
        self._marked += 1
        mark = Mark(
            mark_id=f"m{self._marked}",
            note=note,
            label=_text(said.get("label"), LABEL_CHARS),
            anchor=_text(said.get("anchor"), ANCHOR_CHARS),
            strategy=_text(said.get("strategy"), ANCHOR_CHARS),
            route=_text(said.get("route"), URL_CHARS),
            source=_source(said.get("source")),
            app=app,
        )
        if len(self._marks) >= MARKS:
            self._forget_one()
        self._marks[mark.mark_id] = mark
        self._narrate(f"{mark.mark_id} noted: {mark.label or mark.anchor}")

    def renew(self) -> None:
        """
        Another document has loaded, whose panel knows nothing yet.
        """
        self._inputs.renew()

    # --- ports.Steering ----------------------------------------------------------------------

    @property
    def state(self) -> ControlState:
        """
        See ``ports.Steering``.
        """
        return self._facts.state

    @property
    def ended_by_person(self) -> bool:
        """
        See ``ports.Steering``.
        """
        return self._facts.state is ControlState.ENDED and self._facts.by_person

    def acts(self) -> None:
        """
        See ``ports.Steering``.
        """
        self._inputs.act()

    def resume(self) -> bool:
        """
        See ``ports.Steering``.
        """
        held = self._facts.state is not ControlState.ACTIVE
        self._inputs.resume()
        return held

    def finish(self, summary: str) -> None:
        """
        See ``ports.Steering``.
        """
        self._inputs.finish(summary)

    def take_guidance(self, whose: Whose = anybodys) -> Guidance:
        """
        See ``ports.Steering``.
        """
        taken = tuple(text for text, app in self._messages if whose(app))
        self._messages = deque((text, app) for text, app in self._messages if not whose(app))
        dropped = sum(self._dropped.pop(app) for app in tuple(self._dropped) if whose(app))
        return Guidance(taken, dropped)

    def waiting(self, whose: Whose = anybodys) -> int:
        """
        See ``ports.Steering``.
        """
        return sum(whose(app) for _, app in self._messages)

    def marks(self) -> Sequence[Mark]:
        """
        See ``ports.Steering``.
        """
        return list(self._marks.values())

    def marks_lost(self) -> int:
        """
        See ``ports.Steering``.
        """
        return self._marks_lost

    def resolve(self, mark_id: str, resolution: str) -> Mark | None:
        """
        See ``ports.Steering``.
        """
        mark = self._marks.get(mark_id)
        if mark is None:
            return None
        resolved = attrs.evolve(mark, resolution=resolution)
        self._marks[mark_id] = resolved
        self._narrate(f"{mark_id} resolved" + (f": {resolution}" if resolution else ""))
        return resolved

    # --- inside ------------------------------------------------------------------------------

    def _message(self, text: object, app: App | None) -> None:
        message = _text(text, HUMAN_TEXT_CHARS)
        if not message:
            return
        self._messages.append((message, app))
        if len(self._messages) > HUMAN_MESSAGES:
            _, of = self._messages.popleft()
            # As few names as there are messages, whatever a page calls itself.
            self._dropped[of if of in self._dropped or len(self._dropped) < HUMAN_MESSAGES else None] += 1

    def _forget_one(self) -> None:
        resolved = (mark_id for mark_id, each in self._marks.items() if not each.pending)
        forgotten = self._marks.pop(next(resolved, next(iter(self._marks))))
        self._marks_lost += forgotten.pending

    def _present(self, state: ControlState, text: str) -> None:
        told = {"state": state.value, **({"text": text} if text else {})}
        self._tell(CommandName.PRESENTER, told)

    def _narrate(self, text: str) -> None:
        self._tell(CommandName.NARRATE, {"text": text[:NARRATION_CHARS]})


def _text(value: object, chars: int) -> str:
    return " ".join(value.split())[:chars] if isinstance(value, str) else ""


def _source(value: object) -> str | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("file"), str):
        return None
    file, line = value["file"][:URL_CHARS], value.get("line")
    is_line = isinstance(line, int) and not isinstance(line, bool) and 0 < line <= LINES
    return f"{file}:{line}" if is_line else file
