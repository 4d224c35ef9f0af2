"""
Leaves that only a probe in the app's server can answer: ``server``, ``sql``, ``log``, ``mail``.

Without one they are never a yes and never a no. Facts that are tied to the action by id decide
(``domain.served``); one that is only inferred keeps the answer open, and so does one that belongs to no
request at all, since the action may have set it off in a thread. Facts of other requests are others' and
count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.facts import brief, list_of, literal, quoted, text_of, whole_of
from reticle.domain.predicate.counting import Tally, at_least_one, exactly
from reticle.domain.predicate.kinds import Log, Mail, Server, ServerFact, Sql
from reticle.domain.predicate.server_order import UNTOLD_ORDER, Moment, Place
from reticle.domain.predicate.whole_messages import is_whole_in_message
from reticle.domain.predicate.whole_numbers import is_whole_part
from reticle.domain.rollbacks import undone, unended
from reticle.domain.served import Served, Tied, awaited, place_of, served, serving, tied, untold
from reticle.model.server_facts import ExceptionEnd, FactKind, Strength
from reticle.model.server_facts import ServerFact as Fact
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Window

NO_PROBE: Final = (
    "no probe connected: what the app's server does is not seen; "
    "a Python server is seen when it is started with `reticle run -- COMMAND`"
)
OTHER_PROBES: Final = (
    "no probe connected to this page's server: a probe is there ({named}), but no request of this page "
    "carried an id of it"
)

_SHOWN: Final = 8
_KIND: Final[Mapping[type[ServerFact], str]] = {Server: "server", Sql: "sql", Log: "log", Mail: "mail"}
_GRAVITY: Final = {"warning": 1, "error": 2, "critical": 3}


@attrs.frozen
class _Entry:
    """
    One thing of the kind that a leaf is about: in words, whether it fits, and how it is tied.

    ``doubt`` says why it may not be what was claimed, although it fits; empty where nothing does.
    """

    words: str
    fits: bool
    strength: Strength
    t_ms: int
    loose: bool
    doubt: str = ""
    moment: Moment | None = None


def evaluate_server_fact(leaf: ServerFact, window: Window, place: Place | None = None) -> Outcome:
    """
    Whether the server did such a thing for the action, or exactly so often; with ``place`` behind what a
    sequence found before.
    """
    kind, wanted = _KIND[type(leaf)], _wanted(leaf)
    if not serving(window):
        named = ", ".join(str(probe) for probe in window.server.probes[:3])
        why = OTHER_PROBES.format(named=named) if named else NO_PROBE
        return Outcome(Held.UNKNOWN, f"{kind}.present", failure=why, expected=wanted)
    entries = [one for one in _entries(leaf, window) if one.t_ms >= _since_t_ms(leaf, window)]
    own = [one for one in entries if one.strength is Strength.ID]
    fitting = [one for one in own if one.fits and not one.doubt]
    undecided: list[str] = []
    if place is not None and place.number:
        undecided = [
            UNTOLD_ORDER.format(words=one.words, number=place.number)
            for one in fitting
            if one.moment and not place.is_followed(one.moment) and place.may_be_followed(one.moment)
        ]
        fitting = [one for one in fitting if one.moment and place.is_followed(one.moment)]
    seen = [one.words for one in own]
    told = "; ".join(dict.fromkeys(seen[:_SHOWN]))
    miss = f"no {wanted}; " + (f"seen: {told}" if told else "the action's requests show none")
    tally = Tally(
        channel="server",
        expected=wanted,
        fitting=[{kind: one.words, "tied": "id"} for one in fitting],
        last_t_ms=max((one.t_ms for one in fitting), default=None),
        maybe=[
            *undecided,
            *_open(entries),
            *(f"the probe has not told how {one.method} {one.url} ended" for one in untold(window)),
            *awaited(window),
            *_unseen(leaf, window),
        ],
        miss=miss,
        observed=seen[:_SHOWN],
    )
    if isinstance(leaf, Log) and leaf.absent:
        return exactly(0, tally, window, "log.absent")
    if leaf.count is not None:
        return exactly(leaf.count, tally, window, f"{kind}.count")
    return at_least_one(tally, window, f"{kind}.present", f"{kind}.present")


def moments(leaf: ServerFact, window: Window) -> tuple[Moment, ...]:
    """
    When the server did what a leaf is about, of all that is tied to the action by id.
    """
    since = _since_t_ms(leaf, window)
    return tuple(
        one.moment
        for one in _entries(leaf, window)
        if one.fits and not one.doubt and one.strength is Strength.ID and one.moment and one.t_ms >= since
    )


def _unseen(leaf: ServerFact, window: Window) -> Iterator[str]:
    """
    Why there may be more than was told, whatever was.
    """
    kind = _KIND[type(leaf)]
    for probe in serving(window):
        if isinstance(leaf, Sql) and probe.unseen:
            yield f"what {probe} asks its database by {', '.join(probe.unseen)} is not seen"
        if kind in probe.untold:
            yield f"OpenTelemetry of {probe} does not tell of every {kind}, or tells it later"


def _open(entries: Iterable[_Entry]) -> list[str]:
    """
    Why more may fit than is certain.
    """
    said: list[str] = []
    for one in entries:
        if not one.fits:
            continue
        if one.strength is Strength.ID and one.doubt:
            said.append(f"{one.words} {one.doubt}")
        elif one.strength is Strength.INFERRED:
            said.append(f"{one.words} is tied to the action only by its time and address")
        elif one.loose:
            said.append(
                f"{one.words} came outside of any request: whether the action set it off is not known"
            )
    return said


def _since_t_ms(leaf: ServerFact, window: Window) -> int:
    """
    The moment of a leaf's own cursor; no fact is older than 0.
    """
    if leaf.since is None or leaf.since <= window.since:
        return 0
    return max((event.t_ms for event in window.events if event.seq <= leaf.since), default=0)


def _entries(leaf: ServerFact, window: Window) -> list[_Entry]:
    match leaf:
        case Server():
            return [_request(leaf, one, window) for one in served(window)]
        case Sql():
            return [_statement(leaf, one, window) for one in tied(window, FactKind.SQL, FactKind.TRANSACTION)]
        case Log():
            return [
                _of(one, _log_words(one), window, fits=_is_log(leaf, one), part=leaf.contains)
                for one in tied(window, FactKind.LOG, FactKind.EXCEPTION, FactKind.WARNING)
            ]
        case Mail():
            return [
                _of(one, _mail_words(one), window, fits=_is_mail(leaf, one), part=leaf.subject)
                for one in tied(window, FactKind.MAIL)
            ]


def _of(one: Tied, words: str, window: Window, *, fits: bool, part: str | None = None) -> _Entry:
    moment = Moment.of_fact(one.fact, one.served, window) if one.served is not None else None
    said = text_of(one.fact.data, "subject") or _said(one)
    partly = fits and part is not None and not is_whole_in_message(part, said)
    doubt = "has it only as a part of another number" if partly else ""
    return _Entry(words, fits, one.strength, one.fact.t_ms, one.fact.rid is None, doubt, moment)


# --- server ------------------------------------------------------------------------------------


def _request(leaf: Server, one: Served, window: Window) -> _Entry:
    thrown = _thrown(one)
    route = one.text("route") if leaf.route is not None else None
    words = (
        f"{one}{f' ({one.view})' if one.view else ''}"
        f"{f', route {route}' if route else ''}{f', {thrown[0]}' if thrown else ''}"
    )
    return _Entry(
        words,
        _is_request(leaf, one, thrown),
        one.strength,
        one.facts[-1].t_ms,
        loose=False,
        doubt="" if one.ended else "is not done",
        moment=Moment.of_fact(_end(one), one, window),
    )


def _end(one: Served) -> Fact:
    ends = [*one.of(FactKind.REQUEST_HANDLED), *one.of(FactKind.REQUEST_ABORTED)]
    return ends[0] if ends else one.facts[-1]


def _is_request(leaf: Server, one: Served, thrown: Sequence[str]) -> bool:
    if leaf.method is not None and leaf.method.upper() != one.method:
        return False
    if leaf.url_contains is not None and not is_whole_part(leaf.url_contains, one.path):
        return False
    if not one.ended:
        return True
    if leaf.route is not None and not _is_route(leaf.route, one):
        return False
    if leaf.status is not None and leaf.status != one.status:
        return False
    return leaf.exception is None or any(leaf.exception in each for each in thrown)


def _is_route(wanted: str, one: Served) -> bool:
    """
    Django declares its routes without the slash that they begin with; a claim may name it or not.
    """
    declared = one.text("route")
    return wanted == one.text("view_name") or (
        declared is not None and wanted.removeprefix("/") == declared.removeprefix("/")
    )


def _thrown(one: Served) -> list[str]:
    return [
        f"{text_of(fact.data, 'type') or 'exception'}: {brief(text_of(fact.data, 'message') or '', 100)}"
        for fact in one.of(FactKind.EXCEPTION)
        if fact.data.get("handled") == ExceptionEnd.UNHANDLED
    ]


# --- sql ---------------------------------------------------------------------------------------


def _statement(leaf: Sql, one: Tied, window: Window) -> _Entry:
    """
    A write that was rolled back is none, unless the request calls it a success, which is a finding's matter.
    """
    entry = _of(one, _sql_words(one), window, fits=_is_sql(leaf, one))
    made = one.fact.process, one.fact.seq
    if not entry.fits or one.fact.kind is not FactKind.SQL:
        return entry
    if made in undone(window):
        return attrs.evolve(entry, fits=False, words=f"{entry.words}, which was rolled back")
    return attrs.evolve(entry, doubt="is not done") if made in unended(window) else entry


def _is_sql(leaf: Sql, one: Tied) -> bool:
    data = one.fact.data
    if one.fact.kind is FactKind.TRANSACTION:
        ended = {"committed": "COMMIT", "rolled_back": "ROLLBACK"}.get(text_of(data, "outcome") or "")
        return leaf.verb == ended and leaf.table is None
    if text_of(data, "failed"):
        return False
    if leaf.verb is not None and leaf.verb != (text_of(data, "verb") or "").upper():
        return False
    return leaf.table is None or any(_is_table(leaf.table, str(name)) for name in list_of(data, "tables"))


def _is_table(wanted: str, name: str) -> bool:
    """
    A table is named with or without its schema, in any case.
    """
    mine, theirs = wanted.lower(), name.lower()
    return mine == theirs or theirs.endswith(f".{mine}")


def _sql_words(one: Tied) -> str:
    data, place = one.fact.data, place_of(one.fact)
    at = f" at {place}" if place else ""
    if one.fact.kind is FactKind.TRANSACTION:
        return f"transaction {text_of(data, 'outcome')}{at}"
    tables = ", ".join(str(name) for name in list_of(data, "tables"))
    rows = whole_of(data, "rows")
    failed = f", failed with {data['failed']}" if text_of(data, "failed") else ""
    counted = "" if rows is None else f", {rows} row{'' if rows == 1 else 's'}"
    return f"{text_of(data, 'verb') or 'statement'} {tables}{counted}{failed}{at}"


# --- log and mail ------------------------------------------------------------------------------


def _is_log(leaf: Log, one: Tied) -> bool:
    data = one.fact.data
    if one.fact.kind is FactKind.LOG:
        level = (text_of(data, "level") or "").lower()
    else:
        level = "warning" if one.fact.kind is FactKind.WARNING else "error"
    if one.fact.kind is FactKind.EXCEPTION and data.get("handled") == ExceptionEnd.LOGGED:
        return False  # its log record tells it too
    if leaf.level is not None and _GRAVITY.get(level, 0) < _GRAVITY[leaf.level]:
        return False
    return leaf.contains is None or leaf.contains in _said(one)


def _said(one: Tied) -> str:
    data = one.fact.data
    thrown = f"{data.get('type')}: " if one.fact.kind is FactKind.EXCEPTION else ""
    return thrown + (text_of(data, "message") or "")


def _log_words(one: Tied) -> str:
    place = place_of(one.fact)
    level = text_of(one.fact.data, "level") or one.fact.kind.value
    return f"{level.lower()}: {brief(_said(one), 100)}{f' at {place}' if place else ''}"


def _is_mail(leaf: Mail, one: Tied) -> bool:
    data = one.fact.data
    if leaf.to is not None and not any(leaf.to.lower() in str(each).lower() for each in list_of(data, "to")):
        return False
    return leaf.subject is None or leaf.subject in (text_of(data, "subject") or "")


def _mail_words(one: Tied) -> str:
    to = ", ".join(str(each) for each in list_of(one.fact.data, "to")[:3])
    return f"mail to {to} {quoted(text_of(one.fact.data, 'subject') or '', 80)}"


def _wanted(leaf: ServerFact) -> str:
    said = {
        field.name: getattr(leaf, field.name)
        for field in attrs.fields(type(leaf))
        if field.name not in {"count", "since", "absent"} and getattr(leaf, field.name) is not None
    }
    named = ", ".join(f"{name} {brief(literal(value), 60)}" for name, value in said.items())
    return f"{_KIND[type(leaf)]}{f' ({named})' if named else ''}"
