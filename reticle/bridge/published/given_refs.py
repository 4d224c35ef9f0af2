"""
Which refs a page of the published packages has given out in its present document.

They begin at e1 anew in each document (page-wire §9.1): an old one would silently name another element. One
that this document has not given out is therefore refused instead of looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from reticle.bridge.dialect import Send, overheard
from reticle.bridge.published.refusals import REQUERY
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import DocumentId
from reticle.model.limits import GIVEN_REFS

_REF = re.compile(r"e\d+")
_IN_TREE = re.compile(r"\(ref=(e\d+)\)")


def refs_in(args: Mapping[str, object]) -> Iterator[str]:
    """
    The refs that a command's arguments name, at the places where refs may stand.
    """
    places: list[object] = [args.get("ref"), args.get("scope")]
    for inner in ("args", "target", "query"):
        given = args.get(inner)
        if isinstance(given, Mapping):
            places += [given.get("toRef"), given.get("scope")]
    for place in places:
        if isinstance(place, str) and _REF.fullmatch(place):
            yield place


class GivenRefs:
    """
    The refs of one page's present document. After ``GIVEN_REFS`` of them it no longer tells them apart.
    """

    def __init__(self) -> None:
        self._document: DocumentId | None = None
        self._given: set[str] = set()

    def within(self, document_id: DocumentId | None) -> GivenRefs:
        """
        Those of this document; with another one it begins anew.
        """
        if document_id != self._document:
            self._document = document_id
            self._given.clear()
        return self

    def note(self, refs: Iterable[str | None]) -> None:
        """
        These were reported.
        """
        if len(self._given) < GIVEN_REFS:
            self._given.update(ref for ref in refs if ref is not None)

    def heard_by(self, send: Send) -> Send:
        """
        ``send``, with an ear for the refs in the answers.
        """
        return overheard(send, lambda _name, result: self.note_answer(result.result))

    def note_answer(self, answer: object) -> None:
        """
        Everything that an answer names: the lines of a tree, or elements.
        """
        if isinstance(answer, Mapping):
            tree, elements = answer.get("tree"), answer.get("elements")
            self.note(_IN_TREE.findall(tree) if isinstance(tree, str) else ())
            listed = elements if isinstance(elements, list) else []
            refs = (each.get("ref") for each in listed if isinstance(each, Mapping))
            self.note(ref for ref in refs if isinstance(ref, str))

    def check(self, ref: str) -> None:
        """
        Raises ``Refusal`` ``stale_ref`` for a ref that this document has not given out.
        """
        if ref not in self._given and len(self._given) < GIVEN_REFS:
            raise Refusal(
                RefusalCode.STALE_REF,
                f"Ref {ref} was not given out by this document of the page: it may name another element.",
                REQUERY,
            )
