"""
What is tried: journeys with their claims, faults planted below them, and traps that only look like faults.

Each lies in a TOML file of ``cases/``, in that order of writing: a claim hangs on a journey and says what the
feature's description says; a fault names the journey that it breaks and has no field for a claim, so that
none can be written to suit it. ``load`` refuses what is not so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

HERE: Final = Path(__file__).parent
SHARED: Final = "_shared"
"""
What the apps of a folder have in common: files of ``apps/_shared`` lie beside each app's own, and a journey
of ``cases/_shared.journeys.toml`` is one of each app, under its name.
"""

CATEGORIES: Final = (
    "state", "business logic", "status", "body", "count", "hang", "order", "storage", "cookies", "streams",
    "routing", "forms", "validation", "accessibility", "permissions", "money", "time", "pagination",
    "optimistic", "race", "cache", "console", "visual", "paint", "performance", "removal", "i18n",
    "exception", "sql", "transaction", "queries", "mail",
)  # fmt: skip
"""What kind of thing a fault breaks (issue #8); the last line is the server's alone (issue #9)."""

JOURNEY_FIELDS: Final = {"id", "feature", "start", "before", "act", "claim", "check", "timeout_ms"}
FAULT_FIELDS: Final = {"id", "category", "journey", "what", "change", "place"}
TRAP_FIELDS: Final = {"id", "kind", "journey", "what", "change"}
CHANGE_FIELDS: Final = {"file", "find", "put"}
PLACE_FIELDS: Final = {"file", "within"}


class EntryError(Exception):
    """
    An entry is not as the schema has it; says which, where, and what is wanted.
    """


class Journey(NamedTuple):
    """
    A way through an app, and what a sensible agent claims beforehand of its last step.

    ``before`` are acts that lead there, ``act`` is the one that is judged; each is an argument object of
    ``reticle_act``. ``check`` is what a good engineer asserts with Playwright for the same description,
    ``folder`` the app's.
    """

    id: str
    app: str
    folder: Path
    feature: str
    start: str
    before: Sequence[Mapping[str, Any]]
    act: Mapping[str, Any]
    claim: Mapping[str, Any]
    check: str
    timeout_ms: int


class Change(NamedTuple):
    """
    One replacement in a file of the app; ``find`` stands there exactly once.
    """

    file: str
    find: str
    put: str


class Variant(NamedTuple):
    """
    A build of an app that is not the clean one: a fault, or a trap.

    ``place`` is the file, and a text on the first line of the function or element, in which whoever mends the
    fault has to look; None for a trap.
    """

    id: str
    app: str
    category: str
    journey: str
    what: str
    changes: Sequence[Change]
    place: tuple[str, str] | None

    @property
    def is_trap(self) -> bool:
        """Whether the build is clean and only looks wrong."""
        return self.place is None


class Entries(NamedTuple):
    """
    Everything there is for some apps.
    """

    journeys: Mapping[str, Journey]
    faults: Sequence[Variant]
    traps: Sequence[Variant]


def load(apps: Sequence[str] = (), root: Path = HERE) -> Entries:
    """
    Read the entries of the named apps, or of all, from the folders ``apps`` and ``cases`` of ``root``.

    Raises ``EntryError`` for the first that is not as it should be.
    """
    root = root.resolve()  # builds lie elsewhere and link to what it has installed
    folders = [path for path in (root / "apps").iterdir() if path.is_dir()]
    names = sorted(path.name for path in folders if not path.name.startswith("_"))
    journeys: dict[str, Journey] = {}
    faults: list[Variant] = []
    traps: list[Variant] = []
    for app in [name for name in names if not apps or name in apps]:
        for table in _tables(root, SHARED, "journeys", "journey"):
            journey = _journey(root, app, {**table, "id": f"{app}-{table['id']}"})
            journeys[journey.id] = journey
        for table in _tables(root, app, "journeys", "journey"):
            journey = _journey(root, app, table)
            _unique(journey.id, journeys)
            journeys[journey.id] = journey
        faults += [_variant(app, table, FAULT_FIELDS) for table in _tables(root, app, "faults", "fault")]
        traps += [_variant(app, table, TRAP_FIELDS) for table in _tables(root, app, "traps", "trap")]
    entries = Entries(journeys, _of_shared(faults, journeys), _of_shared(traps, journeys))
    _check(entries)
    return entries


def together(parts: Iterable[Entries]) -> Entries:
    """
    The entries of several folders as one. Raises ``EntryError`` where two have one id.
    """
    journeys: dict[str, Journey] = {}
    faults: list[Variant] = []
    traps: list[Variant] = []
    for part in parts:
        for name, journey in part.journeys.items():
            _unique(name, journeys)
            journeys[name] = journey
        faults += part.faults
        traps += part.traps
    entries = Entries(journeys, faults, traps)
    _check(entries)
    return entries


def _of_shared(variants: Sequence[Variant], journeys: Mapping[str, Journey]) -> Sequence[Variant]:
    """
    Each with the name that its journey has among all, where all apps have one of that name.
    """
    named = [(one, f"{one.app}-{one.journey}") for one in variants]
    return [one._replace(journey=name) if name in journeys else one for one, name in named]


def _tables(root: Path, app: str, what: str, name: str) -> Sequence[Mapping[str, Any]]:
    path = root / "cases" / f"{app}.{what}.toml"
    if not path.exists():
        return ()
    with path.open("rb") as file:
        tables = tomllib.load(file)
    if set(tables) - {name}:
        raise EntryError(
            f"{path.name}: only tables [[{name}]] belong here, not {sorted(set(tables) - {name})}"
        )
    found: Sequence[Mapping[str, Any]] = tables.get(name, ())
    return found


def _journey(root: Path, app: str, table: Mapping[str, Any]) -> Journey:
    _fields(table, JOURNEY_FIELDS, {"id", "feature", "start", "act", "claim", "check"})
    return Journey(
        table["id"], app, root / "apps" / app, table["feature"], table["start"], table.get("before", ()),
        table["act"], table["claim"], table["check"], table.get("timeout_ms", 5_000),
    )  # fmt: skip


def _variant(app: str, table: Mapping[str, Any], allowed: set[str]) -> Variant:
    _fields(table, allowed, allowed)
    changes = []
    for change in table["change"]:
        _fields(change, CHANGE_FIELDS, CHANGE_FIELDS, table["id"])
        changes.append(Change(change["file"], change["find"], change["put"]))
    place = table.get("place")
    if place is not None:
        _fields(place, PLACE_FIELDS, PLACE_FIELDS, table["id"])
    found = None if place is None else (place["file"], place["within"])
    kind = table["category"] if "category" in allowed else table["kind"]
    return Variant(table["id"], app, kind, table["journey"], table["what"], changes, found)


def _fields(table: Mapping[str, Any], allowed: set[str], needed: set[str], of: str = "") -> None:
    name = of or table.get("id", "an entry without id")
    if set(table) - allowed:
        wrong = ", ".join(sorted(set(table) - allowed))
        raise EntryError(f"{name}: {wrong} do not belong there; allowed: {', '.join(sorted(allowed))}")
    if needed - set(table):
        raise EntryError(f"{name}: {sorted(needed - set(table))} are missing")


def _unique(name: str, known: Mapping[str, object]) -> None:
    if name in known:
        raise EntryError(f"{name}: there are two of that id")


def _check(entries: Entries) -> None:
    seen: dict[str, object] = {}
    for variant in [*entries.faults, *entries.traps]:
        _unique(variant.id, seen)
        seen[variant.id] = variant
        if variant.journey not in entries.journeys or entries.journeys[variant.journey].app != variant.app:
            raise EntryError(
                f"{variant.id}: there is no journey {variant.journey!r} of the app {variant.app}"
            )
        if not variant.is_trap and variant.category not in CATEGORIES:
            raise EntryError(f"{variant.id}: {variant.category!r} is none of {', '.join(CATEGORIES)}")
