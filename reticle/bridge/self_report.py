"""
What a page says of itself: who it is, which document, whether it can be seen.

The published packages name no documents although their refs and request ids restart with each; their
``page.health`` with reason ``initial`` is the sign of a new one, and the names are minted here.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from reticle.bridge.identity import identity_of, url_after
from reticle.bridge.ring import Entry
from reticle.bridge.script_skew import SkewNotice
from reticle.bridge.wire import Hello, read_data
from reticle.model.browser import Attestation
from reticle.model.ids import DocumentId, PageId
from reticle.model.page import PageIdentity

BY_RULE = "rule"
"""Who answers a dialog in a browser that the daemon drives (page-wire, ``dialog``)."""

DIALOG_CHARS = 120
"""How much of an open dialog's text a refusal repeats."""


class SelfReport:
    """
    The latest of what one page said.

    Args:
        hello: The hello that brought it.
        page_id: Its name.
        on_document: Called when another document has loaded.
        served_script: The content hash of the page script that this daemon serves, if it serves one.
        attested: What the daemon knows of a page that it opened itself.
    """

    def __init__(
        self,
        hello: Hello,
        page_id: PageId,
        on_document: Callable[[DocumentId], None],
        served_script: str | None = None,
        attested: Attestation | None = None,
    ) -> None:
        self._attested = attested
        self._on_document = on_document
        self._served_script = served_script
        self._skew = SkewNotice()
        self._minted = 1
        self._awaits_initial = True
        document_id = hello.document_id or self._mint()
        self.identity: PageIdentity = identity_of(hello, page_id, document_id, served_script, attested)
        self.hidden = False
        self.focused = False
        self._dialog_id: object = None
        self.dialog = ""

    def introduced(self, hello: Hello) -> bool:
        """
        A hello came: take what it says. True when it is another document's.
        """
        before = self.identity
        document_id = hello.document_id or before.document_id
        self.identity = identity_of(hello, before.page_id, document_id, self._served_script, self._attested)
        if hello.document_id is None and self.identity.app.origin != before.app.origin:
            # Its `initial` is still to come; by then it has said things that are not the old document's.
            self._minted += 1
            self._awaits_initial = True
            document_id = self._mint()
            self.identity = attrs.evolve(self.identity, document_id=document_id)
        new = document_id is not None and document_id != before.document_id
        if new or self.identity.app != before.app:
            self.hidden = False
            self.dialog = ""
        if new and document_id is not None:
            self._on_document(document_id)
        return new

    def came_back(self, document_id: DocumentId) -> PageIdentity:
        """
        A document that was there before speaks again, from the back/forward cache.
        """
        self.identity = attrs.evolve(self.identity, document_id=document_id)
        self.hidden = False
        self.dialog = ""
        self._on_document(document_id)
        return self.identity

    def take_skew(self) -> bool:
        """
        See ``ports.Page.take_skew``.
        """
        return self._skew.take(self.identity)

    def route_changed(self, entry: Entry) -> None:
        """
        Follow a ``route.change`` of the present document.
        """
        if entry.document_id == self.identity.document_id:
            url = url_after(self.identity.url, read_data(entry.raw).get("to"))
            self.identity = attrs.evolve(self.identity, url=url)

    def dialog_said(self, entry: Entry) -> None:
        """
        Follow a ``dialog`` of the present document: one that opens stops the page until it is answered,
        unless the rule of a browser lease answers it at once.
        """
        if entry.document_id != self.identity.document_id:
            return
        said = read_data(entry.raw)
        by_rule = said.get("by") == BY_RULE and self.identity.attested is not None
        if said.get("state") == "open" and not by_rule:
            self._dialog_id = said.get("id")
            kind, message = str(said.get("kind", "dialog")), str(said.get("message", ""))
            self.dialog = f'{kind[:20]} "{message[:DIALOG_CHARS]}"'
        elif said.get("id") == self._dialog_id:
            self.dialog = ""

    def health_said(self, entry: Entry) -> None:
        """
        Follow a ``page.health`` of the present document.
        """
        if entry.document_id != self.identity.document_id:
            return
        said = read_data(entry.raw)
        self.dialog = ""  # a page that stands still says nothing
        self.hidden = said.get("hidden") is True
        self.focused = said.get("focused") is True
        if said.get("reason") == "initial" and not self.identity.own_script:
            if not self._awaits_initial:
                self._minted += 1
                entry.document_id = self._mint()
                self.identity = attrs.evolve(self.identity, document_id=entry.document_id)
                self._on_document(entry.document_id)
            self._awaits_initial = False

    def _mint(self) -> DocumentId:
        return DocumentId(f"published-{self._minted}")
