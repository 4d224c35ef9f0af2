"""
The connected pages, and what a person lets agents do on them; provided by ``reticle.bridge``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from reticle.model.codes import CommandName, ControlState
    from reticle.model.human import Guidance, Mark
    from reticle.model.ids import ActionId, Cursor, PageId
    from reticle.model.page import (
        App,
        Attachment,
        BufferFill,
        EarlierLives,
        PageEvent,
        PageHealth,
        PageIdentity,
        RefusedDial,
    )
    from reticle.model.runs import Position
    from reticle.model.server_facts import SkippedInsertion
    from reticle.model.window import Question, Reading, Window


Whose = Callable[["App | None"], bool]
"""Whether what belongs to an app is meant; None is what nobody knows the app of."""


def anybodys(_: App | None) -> bool:
    """
    Everything is meant.
    """
    return True


class Steering(Protocol):
    """
    How a person steers the agents of one page, by its panel. It survives reloads; changes are shown there.
    """

    @property
    def state(self) -> ControlState:
        """
        Whether agents may act. The gate refuses what acts while it is not ``active``.
        """

    @property
    def ended_by_person(self) -> bool:
        """
        Whether ``ended`` is what a person wanted; an agent's own end is over with its next act.
        """

    def acts(self) -> None:
        """
        An agent acts: an end that an agent declared is over. Changes nothing of what a person decided.
        """

    def resume(self) -> bool:
        """
        An agent goes on, because the person said so; whether there was anything to lift.
        """

    def finish(self, summary: str) -> None:
        """
        An agent is done; the panel shows the summary.
        """

    def take_guidance(self, whose: Whose = anybodys) -> Guidance:
        """
        What the person wrote on those apps since the last time; each message is given once.
        """

    def waiting(self, whose: Whose = anybodys) -> int:
        """
        How many messages ``take_guidance`` would give.
        """

    def marks(self) -> Sequence[Mark]:
        """
        Every flagged element that is remembered, oldest first.
        """

    def marks_lost(self) -> int:
        """
        How many more were flagged and forgotten before anybody had answered them.
        """

    def resolve(self, mark_id: str, resolution: str) -> Mark | None:
        """
        Say what became of a mark, also to the person; None when there is no such mark. May be called twice.
        """


class Page(Protocol):
    """
    One connected page.

    A page object stays usable after its socket is gone: reads of what was recorded work, commands are
    refused with ``session_gone``. A reload keeps the object where the page keeps its session id; the
    identity then shows the new document.
    """

    @property
    def identity(self) -> PageIdentity:
        """
        What the page last said of itself; follows route changes.
        """

    def take_skew(self) -> bool:
        """
        Whether the answer being made should say that the page runs another script than is served
        (``PageIdentity.version_skew``); True once per document.
        """

    def health(self) -> PageHealth:
        """
        How it is right now.
        """

    @property
    def steering(self) -> Steering:
        """
        What a person wants of the agents on this page.
        """

    def buffer(self) -> BufferFill:
        """
        How full the event buffer is.
        """

    def attachment(self) -> Attachment:
        """
        How steadily it is connected.
        """

    def cursor(self) -> Cursor:
        """
        The number of the newest event.
        """

    def elapsed_ms(self) -> int:
        """
        Milliseconds since the first hello, the time base of ``PageEvent.t_ms``.
        """

    def document_ms(self) -> int:
        """
        For how many milliseconds the daemon has known the page's document; what was edited since is not in
        it.
        """

    def last_action_cursor(self) -> Cursor:
        """
        The cursor before the last action or navigation; 0 when there was none.
        """

    def events(self, since: Cursor, until: Cursor | None = None) -> Sequence[PageEvent]:
        """
        Recorded events with ``since < seq <= until``, oldest first, as far as they are still held.
        """

    def apps(self, since: Cursor, until: Cursor | None = None) -> Sequence[tuple[Cursor, App | None]]:
        """
        From which cursor on which app was shown, oldest first; the first one at ``since`` or before it. Late
        events of a document that was left keep their own app (``PageEvent.app``).
        """

    def window(self, since: Cursor, until: Cursor | None = None) -> Window:
        """
        Events, losses, blind spots and open requests of a stretch; without readings and action.
        """

    def placed(self, window: Window, wait_seconds: float) -> Awaitable[Window]:
        """
        A window of this page with every place in a running script read through that script's source map.

        Maps that are not there yet are waited for so long at most, with 0 not at all, nor are they asked for.
        A place that cannot be read so is marked as it was served. The same window where it tells no such
        place. Never raises.
        """

    def located(self, positions: Sequence[Position], wait_seconds: float) -> Awaitable[Sequence[str | None]]:
        """
        For each position in a running script the place in a file of the app that it was made from, as
        ``file:line[:column]``; None where it is a library's. Maps that are not there yet are waited for so
        long at most. Never raises.
        """

    def texts(self, addresses: Sequence[str]) -> Awaitable[Sequence[str]]:
        """
        The first few of those scripts as their servers give them now; an empty text for one that cannot be
        got. Never raises.
        """

    def ask(
        self, command: CommandName, args: Mapping[str, object], *, timeout_seconds: float | None = None
    ) -> Awaitable[object]:
        """
        Send one command and get the page's result as decoded JSON.

        Every event that the page produced before it answered is recorded when this is ready.
        Raises ``Refusal``: ``session_gone``, ``command_timeout``, or the page's own refusal with its
        code and recovery. A read may be asked again; an action must not be: it may have happened.
        """

    def read(self, questions: Sequence[Question], *, rest_ms: int = 0) -> Awaitable[Sequence[Reading]]:
        """
        Ask several questions at one instant of the page: now, or with ``rest_ms`` when it has come to rest
        (``Pending.rested``), after so many milliseconds at the latest, where it can tell. Never raises for a
        page that fails to answer: each reading then carries ``error``. The page's windows then hold what it
        has scheduled (``Window.pending``); no question at all asks for that alone, ``PENDING_SECONDS`` at
        most.
        """

    def changed(self, since: Cursor, timeout_seconds: float) -> Awaitable[bool]:
        """
        Ready with True as soon as an event beyond ``since`` is recorded or the socket is lost, else with
        False after ``timeout_seconds``.
        """

    def begin_action(self) -> ActionId:
        """
        Start attributing events to a new action; remembers the cursor for ``last_action_cursor``.
        """

    def end_action(self, action_id: ActionId) -> None:
        """
        Stop attributing. Harmless when another action has begun since.
        """


class Pages(Protocol):
    """
    The connected pages.
    """

    def all(self) -> Sequence[Page]:
        """
        Connected pages, the most recently active first.
        """

    def resolve(self, page_id: PageId | None, among: Callable[[Page], bool] | None = None) -> Page:
        """
        The page a call means: the named one, or the only sensible one; of those for which ``among`` is true,
        the others not being there.

        Raises ``Refusal``: ``no_session``, ``unknown_session``, ``multiple_sessions``,
        ``scope_mismatch``; each names the candidates and the next step.
        """

    def await_page(self, page_id: PageId | None, timeout_seconds: float) -> Awaitable[bool]:
        """
        Ready with True when a page (that page) is connected, False after the time.
        """

    def refused_dials(self) -> Sequence[RefusedDial]:
        """
        Recently refused connections, newest first.
        """

    def skipped_insertions(self) -> Sequence[SkippedInsertion]:
        """
        Documents that got no page script from a probe in the app's server of late, and why, newest first.
        """

    def seen_before(self) -> int:
        """
        How many pages have connected in this daemon's life.
        """

    def earlier_lives(self) -> EarlierLives | None:
        """
        What is known of the time before this start; None where nothing is.
        """
