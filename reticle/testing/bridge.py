"""
The real page bridge without sockets, in a time that tests move by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from reticle.bridge.directory import Directory
from reticle.bridge.page import BridgedPage
from reticle.domain.raw_secrets import RawSecrets
from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.ids import PageId
from reticle.model.page import EarlierLives, PageIdentity
from reticle.model.trust import Secret
from reticle.testing.journal import MemoryJournal
from reticle.testing.sockets import SERVED_SCRIPT, PageEnd

T = TypeVar("T")
NOW = 1_750_000_000.0
DAEMON_URL = "http://127.0.0.1:4477"
PAIRING_TOKEN = "right-pairing-token"  # noqa: S105 - made up


class Bridge:
    """
    The directory, its clock, and a way to dial in; another one with the same journal and clock is the daemon
    after a restart.
    """

    def __init__(self, *, journal: MemoryJournal | None = None, clock: Clock | None = None) -> None:
        self.clock = Clock() if clock is None else clock
        self.journal = journal
        self.earlier: EarlierLives | None = None
        self.projects: list[str | None] = []
        self.documents: list[PageIdentity] = []
        self.changed: list[PageId] = []
        self.redacted: list[int] = []
        self.directory = Directory(
            self.clock,
            now=lambda: NOW + self.clock.seconds(),
            boot="7",
            check_token=lambda token: token == "right",  # noqa: S105  a made-up token for tests
            daemon_url=lambda: DAEMON_URL,
            earlier_lives=lambda: self.earlier,
            on_new_page=self.projects.append,
            on_document=self.documents.append,
            on_page_change=self.changed.append,
            served_script=SERVED_SCRIPT,
            redaction=RawSecrets.of(Secret(PAIRING_TOKEN)),
            on_redacted=self.redacted.append,
            journal=journal,
        )

    def dial(
        self,
        *,
        answers: Callable[[str, Mapping[str, Any]], object] | None = None,
        origin: str = "http://localhost:8000",
        needs_token: bool = False,
        attested: Attestation | None = None,
    ) -> PageEnd:
        """
        A socket that has not said hello; with ``attested`` the link of a page that the daemon opened.
        """
        return PageEnd(
            self.directory, answers=answers, origin=origin, needs_token=needs_token, attested=attested
        )

    def connect(
        self,
        session_id: str = "s1",
        document_id: str = "doc00001",
        *,
        own: bool = True,
        answers: Callable[[str, Mapping[str, Any]], object] | None = None,
        **fields: object,
    ) -> PageEnd:
        """
        A page that said hello.
        """
        end = self.dial(answers=answers)
        end.hello(session_id, document_id if own else None, own=own, **fields)
        return end

    def page(self, name: str = "s1") -> BridgedPage:
        """
        The page of that name.
        """
        return self.directory.resolve(PageId(name))


def result_of(deferred: Deferred[T]) -> T:
    """
    What a Deferred has fired with.
    """
    outcome: list[T] = []
    deferred.addCallback(outcome.append)
    assert outcome, "nothing has come yet"
    return outcome[0]


def refusal_of(deferred: Deferred[Any]) -> Refusal:
    """
    The refusal that a Deferred has failed with.
    """
    failed: list[Refusal] = []

    def caught(failure: Any) -> None:
        failure.trap(Refusal)
        failed.append(failure.value)

    deferred.addErrback(caught)
    assert failed, "it has not been refused"
    return failed[0]
