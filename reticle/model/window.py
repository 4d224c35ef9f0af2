"""
A recorded window: all that a verdict may be decided from.

A verdict is a pure function of one ``Window``: same window, same verdict (DESIGN §6).
So everything that was asked of the live page while waiting is in it too, as ``Reading``s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from reticle.model.ids import ActionId, Cursor, DocumentId
from reticle.model.page import Loss, PageEvent, PageIdentity
from reticle.model.runs import Place
from reticle.model.server_facts import ServerSight
from reticle.model.verdict import Finding

QuestionKind = Literal["match", "text", "state", "route", "content", "stored"]


@attrs.frozen
class Question:
    """
    Something that only the live page can tell.

    ``fields`` by kind:
    ``match``: ``query`` (an element query) and optionally ``state``.
    ``text``: ``contains`` and optionally ``visible`` (bool), ``scope``.
    ``state``: ``path`` and optionally ``store``.
    ``route``: nothing.
    ``content``: ``query``, and ``all`` (True) where only the numbers of elements are asked for.
    ``stored``: ``key`` and optionally ``area``.
    """

    kind: QuestionKind
    fields: Mapping[str, object] = attrs.field(factory=dict)


@attrs.frozen
class Reading:
    """
    The page's answer to a question, as of cursor ``at``; exactly one of ``answer`` and ``error`` is set.

    A failed reading is never the same as "not there".
    """

    question: Question
    at: Cursor
    t_ms: int
    answer: Mapping[str, object] | None = None
    error: str | None = None


@attrs.frozen
class Effect:
    """
    What the page reports of an action it carried out, as sent; keys of the page wire's act report.
    """

    fields: Mapping[str, object]


@attrs.frozen
class ActionRecord:
    """
    The action of the window: which, on what, and what the page said it did.
    """

    action_id: ActionId
    action: str
    target: Mapping[str, object]
    effect: Effect | None = None
    source: str | None = None


@attrs.frozen
class Emptied:
    """
    A field (role and name) whose words the request with this id on the wire had sent.
    """

    request: str
    field: str


@attrs.frozen
class Mixed:
    """
    A React component that draws rows without keys, and how many of them show what others showed before.

    Such a row is written at ``at`` in a script as it runs (address, line, column), or where ``source`` says.
    """

    component: str
    rows: int
    source: str | None = None
    at: tuple[str, int, int] | None = None


@attrs.frozen
class Unheeded:
    """
    The scheme (``dark``, ``light``) that the page says it has since the action and no text has; where it is
    known, the rule of a style sheet that is for this scheme and does not apply.
    """

    scheme: str
    selector: str | None = None
    sheet: str | None = None


@attrs.frozen
class Pending:
    """
    What the app had scheduled since the last action and not done yet, told at ``t_ms`` of the page's time.

    ``timers`` are one-shots with a delay of at most ``PENDING_WAIT_MS``, ``animations`` run and have an end,
    ``loads`` are scripts, style sheets and frames under way (page-wire, "Pending work").
    ``soonest_ms`` and ``latest_ms`` say in how many milliseconds from then the first and the last timer or
    animation is due; ``later_ms`` when the first one-shot with a longer delay is.
    ``quiet_ms`` is for how long nothing at all is due, whoever scheduled it; 0 beside an open socket.
    ``undrawn`` says that the document had changed and no frame had been drawn since.
    ``rested`` says that after all that the app did a frame was drawn and its event loop had nothing left to
    run, and that nothing was reported since.
    ``unseen`` names ways, in use on the page, by which something may come that the page script does not see
    begin, such as ``modules`` (``import()``).
    ``emptied`` are the fields that are empty then although a write that failed had sent their words.
    ``mixed`` are lists whose rows changed places among the elements that React keeps for them.
    ``unheeded`` is a switch of the theme that nothing of the page follows.
    """

    t_ms: int
    timers: int = 0
    animations: int = 0
    loads: int = 0
    soonest_ms: int | None = None
    latest_ms: int | None = None
    later_ms: int | None = None
    quiet_ms: int | None = None
    undrawn: bool = False
    rested: bool = False
    unseen: tuple[str, ...] = ()
    emptied: tuple[Emptied, ...] = ()
    mixed: tuple[Mixed, ...] = ()
    unheeded: Unheeded | None = None


@attrs.frozen
class Scrutiny:
    """
    Who looked at a window for disagreements, beside the detectors that always do.

    ``off`` are the kinds of finding that nobody looked for, as the daemon's settings say. ``failed`` are the
    kinds that a detector of the project's own should have looked for and could not, ``found`` what such
    detectors found: another program, which may change or go, so that its answers are kept as readings are.
    """

    off: Sequence[str] = ()
    failed: Sequence[str] = ()
    found: Sequence[Finding] = ()


InvariantSource = Literal["project", "settings", "app"]
"""Where an invariant was declared: in the project's own file, in ``reticle.toml``, by the app."""


@attrs.frozen
class Invariant:
    """
    What must hold of an app on every action: ``predicate`` as canonical JSON; ``fault`` says why it cannot be
    judged.
    """

    name: str
    predicate: Mapping[str, object]
    source: InvariantSource
    fault: str | None = None


@attrs.frozen
class Window:
    """
    A stretch of a page's life.

    ``before`` holds readings taken before the action (for "already true"), ``after`` the last complete
    round of readings. ``events`` are those with ``since < seq <= until``, oldest first.
    ``opened_t_ms`` and ``closed_t_ms`` are the stretch in the page's own milliseconds.
    ``connection_lost`` is set when the page's socket ended inside the window.
    ``document_id`` is the document at the window's end; events of others belong to documents that ended.
    ``new_document`` is set when that document began inside the window: by a link, a form post, a reload.
    ``budget_spent`` says that waiting ended because its time was over.
    ``answers_before`` are the newest ``net.request`` events from before the window, oldest first: what a
    write is compared with, and how polls went before the action.
    ``changes_before`` are the newest changes of page, state and signals from before it, oldest first: what
    goes on changing as it did is no reaction to the action.
    ``acted_at`` are the page's milliseconds at which the newest actions up to the window's end began: what
    came of them at an even pace is no poll.
    ``hidden`` says that the page could not be seen at the window's end, ``silent_ms`` how long it had then
    said nothing: a browser slows or stops the timers and frames of such a page.
    ``pending`` is what the page said last of its scheduled work; None where that is not known.
    ``expired`` says that what the call claimed went by itself after the window's end, as a toast does, while
    that work was waited for.
    ``invariants`` are those that were judged with the action.
    ``control`` are the newest events from before the action of the channels that the claim is about and that
    no other field tells: what comes without the action (``domain.control``).
    ``places`` are where to look in the app's code when the verdict is no ``yes``, the likeliest first; found
    by ``tools.places`` from what the browser told, which cannot be asked again.
    ``scrutiny`` says which detectors did not look, and what those of the project found.
    ``server`` is what was seen of the servers behind the page; what was lost of it is among ``losses``.
    """

    page: PageIdentity
    since: Cursor
    until: Cursor
    opened_t_ms: int
    closed_t_ms: int
    events: Sequence[PageEvent] = ()
    before: Sequence[Reading] = ()
    after: Sequence[Reading] = ()
    losses: Sequence[Loss] = ()
    blind_spots: Mapping[str, int] = attrs.field(factory=dict)
    action: ActionRecord | None = None
    connection_lost: bool = False
    document_id: DocumentId | None = None
    new_document: bool = False
    budget_spent: bool = False
    open_requests_before: Sequence[PageEvent] = ()
    answers_before: Sequence[PageEvent] = ()
    changes_before: Sequence[PageEvent] = ()
    acted_at: Sequence[int] = ()
    hidden: bool = False
    silent_ms: int = 0
    pending: Pending | None = None
    expired: bool = False
    invariants: Sequence[Invariant] = ()
    control: Sequence[PageEvent] = ()
    scrutiny: Scrutiny = Scrutiny()
    places: Sequence[Place] = ()
    server: ServerSight = attrs.field(factory=ServerSight)
