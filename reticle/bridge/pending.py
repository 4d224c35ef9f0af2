"""
What a page says of its scheduled work, from the answers of ``read`` and ``act`` (page-wire, "Pending work").

It is only ever as fresh as the last of these answers, and ends with the document that gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.bridge.dialect import Send, overheard
from reticle.bridge.wire import CommandResult
from reticle.model.codes import CommandName
from reticle.model.limits import PENDING_WAIT_MS
from reticle.model.window import Emptied, Mixed, Pending, Unheeded

MAX_COUNT: Final = 1_000_000
"""Numbers a page reports are clamped, so that sums stay sensible whatever it sends."""

MAX_NAMES: Final = 32
MAX_NAME_CHARS: Final = 40
"""Ways by which something may come unseen: more than there are, and longer than any is called."""

MAX_FIELD_CHARS: Final = 160
"""Of a field's role and name, of a request's id, and of a place."""

MAX_ADDRESS_CHARS: Final = 2_000
"""Of a script's address: one that is longer is none that anybody could open."""

MODULES: Final = "modules"
"""What a page calls the way of ``import()``."""

_TELLING: Final = frozenset({CommandName.READ.value, CommandName.ACT.value})


class PendingReport:
    """
    What the present document said last.

    Args:
        elapsed_ms: The page's time, in milliseconds.
    """

    def __init__(self, elapsed_ms: Callable[[], int]) -> None:
        self._elapsed_ms = elapsed_ms
        self._told: Pending | None = None
        self._fetching: tuple[int, int] | None = None
        self._showing: tuple[int, int] = (0, 0)

    def forget(self) -> None:
        """
        The document ended, or the page does not answer: nothing is known.
        """
        self._told = self._fetching = None
        self._showing = (0, 0)

    def stirred(self) -> None:
        """
        The page reported something since it said what is pending.
        """
        if self._told is not None and self._told.rested:
            self._told = attrs.evolve(self._told, rested=False)

    def fetching(self, scripts: int, elements: int) -> None:
        """
        The browser fetches so many scripts for the page, and so much for its elements, as it tells of a page
        that it was opened for.
        """
        now = self._elapsed_ms()
        if self._fetching is None or self._fetching[0] != scripts:
            self._fetching = (scripts, now)
        if self._showing[0] != elements:
            self._showing = (elements, now)

    @property
    def latest(self) -> Pending | None:
        """
        What the page said last. Where the browser tells of scripts under way, modules cannot come unseen;
        what has not come after ``PENDING_WAIT_MS`` is given up, and then they can. While it fetches what an
        element shows the page is not quiet.
        """
        told = self._told
        if told is None or self._fetching is None:
            return told
        elements, begun = self._showing
        if elements and told.quiet_ms and self._elapsed_ms() - begun <= PENDING_WAIT_MS:
            told = attrs.evolve(told, quiet_ms=0)
        number, since = self._fetching
        if number and self._elapsed_ms() - since > PENDING_WAIT_MS:
            return told
        seen = tuple(way for way in told.unseen if way != MODULES)
        return attrs.evolve(told, loads=told.loads + number, unseen=seen)

    def heard_by(self, send: Send) -> Send:
        """
        ``send``, with an ear for what the answers tell of scheduled work.
        """
        return overheard(send, self._hear)

    def _hear(self, name: str, result: CommandResult) -> None:
        if name in _TELLING and result.ok:
            self._told = read_pending(result.result, self._elapsed_ms())


def read_pending(result: object, t_ms: int) -> Pending | None:
    """
    The scheduled work that an answer tells, or None where it tells none or makes no sense.

    Args:
        result: A command's result as decoded JSON.
        t_ms: When it arrived, in the page's own milliseconds.
    """
    told = result.get("pending") if isinstance(result, Mapping) else None
    if not isinstance(told, Mapping):
        return None
    counts = [_whole(told.get(name)) for name in ("timers", "animations", "loads")]
    timers, animations, loads = counts
    if timers is None or animations is None or loads is None:
        return None
    return Pending(
        t_ms,
        timers,
        animations,
        loads,
        _whole(told.get("soonestMs")),
        _whole(told.get("latestMs")),
        _whole(told.get("laterMs")),
        _whole(told.get("quietMs")),
        undrawn=told.get("undrawn") is True,
        rested=told.get("rested") is True,
        unseen=_names(told.get("unseen")),
        emptied=tuple(_emptied(told.get("emptied"))),
        mixed=tuple(_mixed(told.get("mixed"))),
        unheeded=_unheeded(told.get("unheeded")),
    )


def _emptied(told: object) -> Iterator[Emptied]:
    """
    Fields that were emptied; what makes no sense is left out.
    """
    for one in told[:MAX_NAMES] if isinstance(told, list) else ():
        request, field = (one.get("request"), one.get("field")) if isinstance(one, Mapping) else (None, None)
        if isinstance(request, str) and isinstance(field, str):
            yield Emptied(request[:MAX_FIELD_CHARS], field[:MAX_FIELD_CHARS])


def _mixed(told: object) -> Iterator[Mixed]:
    """
    Lists whose rows got mixed up; what makes no sense is left out.
    """
    for one in told[:MAX_NAMES] if isinstance(told, list) else ():
        fields = one if isinstance(one, Mapping) else {}
        component, rows, source = fields.get("component"), _whole(fields.get("rows")), fields.get("source")
        if isinstance(component, str) and rows:
            written = source[:MAX_FIELD_CHARS] if isinstance(source, str) else None
            yield Mixed(component[:MAX_NAME_CHARS], rows, written, _position(fields.get("frames")))


def _position(told: object) -> tuple[str, int, int] | None:
    """
    The first of the frames that a page tells with a place.
    """
    match told:
        case [[str(address), line, column, *_], *_] if len(address) <= MAX_ADDRESS_CHARS:
            whole = _whole(line), _whole(column)
            return None if None in whole else (address, whole[0] or 0, whole[1] or 0)
    return None


def _unheeded(told: object) -> Unheeded | None:
    """
    A switch of the theme; None where it makes no sense.
    """
    fields = told if isinstance(told, Mapping) else {}
    scheme, selector, sheet = (fields.get(name) for name in ("scheme", "selector", "sheet"))
    if not isinstance(scheme, str) or scheme not in {"dark", "light"}:
        return None
    if not isinstance(selector, str) or not isinstance(sheet, str) or len(sheet) > MAX_ADDRESS_CHARS:
        return Unheeded(scheme)
    return Unheeded(scheme, selector[:MAX_FIELD_CHARS], sheet)


def _names(told: object) -> tuple[str, ...]:
    """
    Names that a page tells; something else that it told in their place is a name too, for it is not nothing.
    """
    if told is None:
        return ()
    if not isinstance(told, Sequence) or isinstance(told, str):
        return ("unknown",)
    return tuple(sorted({str(name)[:MAX_NAME_CHARS] for name in told[:MAX_NAMES]}))


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return min(value, MAX_COUNT)
