"""
The kinds of predicate, as frozen values: what a claim can be about.

Leaves are about one channel each; ``AllOf``, ``AnyOf`` and ``Not`` join them.
Field names follow the grammar (``grammar.py``), in our spelling.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

import attrs

from reticle.model.limits import QUIET_MS


class Unset(enum.Enum):
    """
    "Was not given", where None is a value that can be expected.
    """

    UNSET = "unset"


UNSET: Final = Unset.UNSET


@attrs.frozen
class Element:
    """
    An element is there (in ``state``), or is not. In every state but two somebody has to meet it.

    ``style`` holds one pattern per property of its computed style.
    """

    query: Mapping[str, object]
    state: str | None = None
    absent: bool = False
    style: Mapping[str, object] | None = None


@attrs.frozen
class Text:
    """
    A text is on the page, or is not. ``visible`` None counts what is only read out, too.

    With ``exact`` it has to be all that an element says.
    """

    contains: str
    visible: bool | None = None
    scope: str | None = None
    absent: bool = False
    exact: bool = False


@attrs.frozen
class Net:
    """
    Requests that ended in the window; ``count`` is exact, None means at least one.

    ``body`` and ``request_body`` hold one pattern per path into the JSON that came and that was sent.
    """

    method: str | None = None
    url_contains: str | None = None
    status: int | None = None
    ok: bool | None = None
    body_contains: str | None = None
    count: int | None = None
    since: int | None = None
    body: Mapping[str, object] | None = None
    body_schema: Mapping[str, object] | None = None
    request_body: Mapping[str, object] | None = None


@attrs.frozen
class Route:
    """
    The page is at an address, or changed it. ``contains`` looks at path, query and hash.
    """

    pathname: str | None = None
    contains: str | None = None
    since: int | None = None


@attrs.frozen
class Console:
    """
    The console was written, or was not. ``level`` error includes uncaught errors.
    """

    level: str | None = None
    contains: str | None = None
    absent: bool = False
    since: int | None = None


@attrs.frozen
class Signal:
    """
    The app announced something. ``data_matches`` holds one pattern per key of the signal's data.
    """

    name: str | None = None
    data_matches: Mapping[str, object] | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class State:
    """
    A registered store has a path, with a value that fits ``equals`` (a literal or operators).
    """

    path: str
    store: str | None = None
    equals: object = UNSET


@attrs.frozen
class Animation:
    """
    An animation began, or with ``completed`` ran to its end. ``target`` is the ref of its element.
    """

    name: str | None = None
    target: str | None = None
    completed: bool | None = None
    since: int | None = None


@attrs.frozen
class Storage:
    """
    A stored value was written, or with ``removed`` taken away. ``equals`` is compared with what was written.
    """

    area: str | None = None
    key: str | None = None
    store: str | None = None
    equals: object = UNSET
    removed: bool | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Stream:
    """
    A WebSocket, an event source or a streamed body opened, closed, or carried a message.
    """

    transport: str | None = None
    direction: str | None = None
    url_contains: str | None = None
    contains: str | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Perf:
    """
    The browser told a figure of this metric that fits ``value``.
    """

    metric: str
    value: object = UNSET
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Dialog:
    """
    The browser's own dialog came up.
    """

    dialog: str | None = None
    contains: str | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Download:
    """
    A file was downloaded. ``contains`` looks at its name; ``state`` says how far it came, which is known
    whole of pages that the daemon drives. Without a state the file has to have come.
    """

    contains: str | None = None
    state: str | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Server:
    """
    The app's server handled a request; only a probe in it tells.
    """

    method: str | None = None
    route: str | None = None
    url_contains: str | None = None
    status: int | None = None
    exception: str | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Sql:
    """
    The app's server ran a statement; only a probe in it tells.
    """

    verb: str | None = None
    table: str | None = None
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Log:
    """
    The app's server logged something; only a probe in it tells.
    """

    level: str | None = None
    contains: str | None = None
    absent: bool = False
    count: int | None = None
    since: int | None = None


@attrs.frozen
class Mail:
    """
    The app's server sent a mail; only a probe in it tells. ``to`` is a part of a recipient's address.
    """

    to: str | None = None
    subject: str | None = None
    count: int | None = None
    since: int | None = None


Channel: TypeAlias = Literal[
    "text", "value", "number", "count", "state", "response", "request", "storage", "literal"
]
"""Where one side of a relation is read."""


@attrs.frozen
class Side:
    """
    One side of a relation: the channel, and in ``of`` what is read there.

    ``of`` is an element query (``text``, ``value``, ``number``, ``count``), a path (``state``, ``response``,
    ``request``), a key (``storage``) or the value itself (``literal``). A number is multiplied by ``scale``;
    ``decimal`` says which sign parts whole and fraction in a text.
    """

    channel: Channel
    of: object
    store: str | None = None
    method: str | None = None
    url_contains: str | None = None
    area: str | None = None
    path: str | None = None
    scale: float | None = None
    decimal: Literal[".", ","] | None = None


@attrs.frozen
class Same:
    """
    What several channels say is the same, or with ``contains`` the first one's has the second one's in it.

    ``tolerance`` is by how much numbers may differ.
    """

    sides: tuple[Side, ...]
    operator: Literal["equals", "contains"] = "equals"
    tolerance: float | None = None

    @property
    def is_read_from_page(self) -> bool:
        """
        Whether every side is what is so now, so that it can have been so before an action.
        """
        return all(side.channel not in ("response", "request") for side in self.sides)


@attrs.frozen
class Settled:
    """
    No request is open and nothing stirred for ``quiet_ms``. Declares no consequence by itself.
    """

    quiet_ms: int = QUIET_MS


@attrs.frozen
class AllOf:
    """
    Every part holds.
    """

    predicates: tuple[Predicate, ...]


@attrs.frozen
class AnyOf:
    """
    At least one part holds.
    """

    predicates: tuple[Predicate, ...]


@attrs.frozen
class Not:
    """
    The part does not hold; what cannot be told stays untold.

    With ``hold_ms`` it is ``never``: that nothing came is told after so long alone.
    """

    predicate: Predicate
    hold_ms: int | None = None


@attrs.frozen
class InOrder:
    """
    Each part happened, and each after the one before it.
    """

    predicates: tuple[Leaf, ...]


@attrs.frozen
class Within:
    """
    The part happened at most ``ms`` after the window's start.
    """

    predicate: Predicate
    ms: int


Happening: TypeAlias = Storage | Stream | Perf | Dialog | Download
"""Kinds that are about one event of the window each, and count them alike."""

ServerFact: TypeAlias = Server | Sql | Log | Mail
"""Kinds that only a probe in the app's server can answer."""

Leaf: TypeAlias = (
    Element
    | Text
    | Net
    | Route
    | Console
    | Animation
    | Signal
    | State
    | Same
    | Settled
    | Happening
    | ServerFact
)
Predicate: TypeAlias = Leaf | AllOf | AnyOf | Not | InOrder | Within


def leaves(predicate: Predicate) -> Iterator[Leaf]:
    """
    Every leaf of the tree, in reading order.
    """
    match predicate:
        case AllOf(predicates=parts) | AnyOf(predicates=parts) | InOrder(predicates=parts):
            for part in parts:
                yield from leaves(part)
        case Not(predicate=part) | Within(predicate=part):
            yield from leaves(part)
        case _:
            yield predicate


def declared(predicate: Predicate) -> bool:
    """
    Whether a real consequence is named: anything but ``settled`` (DESIGN §6).
    """
    return any(not isinstance(leaf, Settled) for leaf in leaves(predicate))
