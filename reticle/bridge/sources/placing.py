"""
What a page reported, with each place in a running script replaced by the place in the file that a person
wrote.

Our page script tells such places as ``frames`` beside ``source``; nothing else is touched. Where the
script's map was not read the place stays as it was served and says so (``AS_SERVED``): never a line of a
build as if it were a file's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from reticle.bridge.sources.atlas import Atlas, Lost, Mapped, Plain, Script
from reticle.bridge.sources.names import is_library_address
from reticle.model.origins import origin_of
from reticle.model.runs import AS_SERVED, Position
from reticle.model.source_limits import FRAMES_READ, STACK_LINES

_ADDRESS_CHARS: Final = 4_096
_STACK_LINE_CHARS: Final = _ADDRESS_CHARS + 1_024
"""A longer line of a stack is no engine's, and looking through it would take long."""

_IN_STACK: Final = re.compile(r"(https?://[^\s()]{1,4096}?):(\d{1,9}):(\d{1,9})(?=\)?\s*$)")
_HOLDERS: Final = ("elements", "candidates", "component")
"""
The fields of answers that hold descriptors and such; what else an answer or an event holds may be the app's
own data, in which ``frames`` means what it likes.
"""

_LEVELS: Final = 8
"""
How deep a place may stand. An answer's element and its component are the fourth; a page can send a list in
a list a hundred times.
"""


@attrs.frozen
class Frame:
    """
    A position in a script, line and column from 1.
    """

    script: Script
    line: int
    column: int


class Placing:
    """
    Args:
        atlas: Where maps are.
        origin: The page's origin, which its own addresses are shown without.
        document: The document that ran the scripts.
    """

    def __init__(self, atlas: Atlas, origin: str, document: str | None) -> None:
        self._atlas = atlas
        self._origin = origin
        self._document = document

    def scripts(self, told: object) -> set[Script]:
        """
        Every script that an answer or an event's data names, and has it read.
        """
        named = {frame.script for frame in self._frames_in(told, _LEVELS)}
        for script in named:
            self._atlas.want(script)
        return named

    def placed(self, told: object) -> Any:
        """
        An answer or an event's data with every place that has frames replaced.
        """
        return self._placed(told, _LEVELS)

    def script_of(self, position: Position) -> Script:
        """
        The script that a position is in.
        """
        return Script(self._document, position.address.partition("#")[0], position.size_bytes)

    def located(self, position: Position) -> str | None:
        """
        The place in a file of the app that a position was made from; None for a library's, and for what a
        build put in.
        """
        script = self.script_of(position)
        frame = Frame(script, position.line, position.column)
        if position.is_inline:
            return self._short(frame)
        sheet = self._atlas.known(script)
        if isinstance(sheet, Mapped):
            found = sheet.original(position.line, position.column)
            if found is None or found[1].library or found[0].ignored:
                return None
            return f"{found[1].path}:{found[0].line}:{found[0].column}"
        if is_library_address(script.address):
            return None
        return self._short(frame) + ("" if isinstance(sheet, Plain) else AS_SERVED)

    # --- inside ------------------------------------------------------------------------------

    def _placed(self, told: object, levels: int) -> Any:
        if levels == 0:
            return told
        if isinstance(told, list):
            return [self._placed(item, levels - 1) for item in told]
        if not isinstance(told, Mapping):
            return told
        held = {name: self._placed(told[name], levels - 1) for name in _HOLDERS if name in told}
        frames = self._frames(told)
        if not held and not frames:
            return told
        placed = {**told, **held}
        if frames:
            del placed["frames"]
            placed["source"] = self._place(frames)
            placed.pop("line", None)  # the built line of the same place
            if isinstance(placed.get("stack"), str):
                named = {frame.script.address: frame.script for frame in frames}
                placed["stack"] = self._stack(placed["stack"], named)
        return placed

    def _frames_in(self, told: object, levels: int) -> Iterator[Frame]:
        if levels == 0:
            return
        if isinstance(told, list):
            for item in told:
                yield from self._frames_in(item, levels - 1)
        elif isinstance(told, Mapping):
            yield from self._frames(told)
            for name in _HOLDERS:
                if name in told:
                    yield from self._frames_in(told[name], levels - 1)

    def _frames(self, value: Mapping[str, object]) -> list[Frame]:
        """
        The frames of one place; a page can send anything, so what is none is passed over.
        """
        told = value.get("frames")
        if not isinstance(told, list) or not isinstance(value.get("source"), str):
            return []
        read = (self._frame(item) for item in told[:FRAMES_READ])
        return [frame for frame in read if frame is not None]

    def _frame(self, told: object) -> Frame | None:
        if not isinstance(told, list) or len(told) not in (3, 4):
            return None
        address, *numbers = told
        if not isinstance(address, str) or len(address) > _ADDRESS_CHARS:
            return None
        if not all(type(number) is int and number >= 0 for number in numbers):
            return None
        size = numbers[2] if len(numbers) == 3 else None
        return Frame(Script(self._document, address.partition("#")[0], size), numbers[0], numbers[1])

    def _place(self, frames: Sequence[Frame]) -> str:
        """
        The first place that is the user's, else the first of a library, else the first as it was served.
        """
        library = served = None
        for frame in frames:
            sheet = self._atlas.known(frame.script)
            if isinstance(sheet, Plain):
                if not is_library_address(frame.script.address):
                    return self._short(frame)
                library = library or self._short(frame)
            elif isinstance(sheet, Mapped):
                found = sheet.original(frame.line, frame.column)
                if found is None:
                    continue
                original, name = found
                text = f"{name.path}:{original.line}:{original.column}"
                if not name.library and not original.ignored:
                    return text
                library = library or text
            elif isinstance(sheet, Lost):
                served = served or self._short(frame) + AS_SERVED
            else:
                return self._short(frame) + AS_SERVED
        return served or library or self._short(frames[0]) + AS_SERVED

    def _short(self, frame: Frame) -> str:
        address = frame.script.address
        bare = re.sub(r"^webpack(?:-internal)?:///?(?:[^/]*/)?\.?/?", "", address.partition("?")[0])
        if origin_of(bare) == self._origin != "null":
            bare = bare[bare.index("/", bare.index("//") + 2) :] if bare.count("/") > 2 else "/"
        return f"{bare}:{frame.line}:{frame.column}"

    def _stack(self, stack: str, scripts: Mapping[str, Script]) -> str:
        lines = stack.split("\n")
        read = [self._stack_line(line, scripts) for line in lines[:STACK_LINES]]
        return "\n".join([*read, *lines[STACK_LINES:]])

    def _stack_line(self, line: str, scripts: Mapping[str, Script]) -> str:
        found = _IN_STACK.search(line) if len(line) <= _STACK_LINE_CHARS else None
        if found is None:
            return line
        sheet = self._atlas.known(scripts.get(found[1], Script(self._document, found[1])))
        original = sheet.original(int(found[2]), int(found[3])) if isinstance(sheet, Mapped) else None
        if original is None:
            return line
        place, name = original
        return f"{line[: found.start()]}{name.path}:{place.line}:{place.column}{line[found.end() :]}"
