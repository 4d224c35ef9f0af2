"""
A page that runs an old copy of the page script is known as such, and spoken of once (field reports SN-11).
"""

from __future__ import annotations

import pytest

from reticle.bridge.script_skew import SkewNotice, is_other_script
from reticle.bridge.wire import Hello
from reticle.model.ids import DocumentId, PageId
from reticle.model.page import PageIdentity


@pytest.mark.parametrize(
    ("own", "said", "served", "other"),
    [
        (True, "aa", "aa", False),
        (True, "bb", "aa", True),
        (True, None, "aa", True),
        (True, "bb", None, False),
        (False, None, "aa", False),
        (False, "bb", "aa", False),
    ],
)
def test_only_our_own_script_can_be_another_one(
    *, own: bool, said: str | None, served: str | None, other: bool
) -> None:
    """
    An old or unnamed copy of our script is noticed; a published package is not accused (SN-11).
    """
    hello = Hello(1, "s1", "http://x/", "x", own_script=own, script_hash=said)
    assert is_other_script(hello, served) is other


def identity(document: str, *, skew: bool) -> PageIdentity:
    """
    A page in a document.
    """
    return PageIdentity(
        PageId("s1"), "http://x/", "x", own_script=True, document_id=DocumentId(document), version_skew=skew
    )


def test_the_skew_is_spoken_of_once_per_document() -> None:
    """
    An agent hears it once, and again only when a reload has brought the old script back (SN-11).
    """
    notice = SkewNotice()
    said = [
        notice.take(identity(document, skew=skew))
        for document, skew in [("a", False), ("a", True), ("a", True), ("b", True), ("b", True), ("c", False)]
    ]
    assert said == [False, True, False, True, False, False]
