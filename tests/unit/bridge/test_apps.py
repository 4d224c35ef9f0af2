"""
Whose app a page showed, and whose each document is.
"""

from __future__ import annotations

from reticle.bridge.apps import Apps
from reticle.model.ids import Cursor, DocumentId
from reticle.model.page import App

ONE, OTHER = App("one", "http://localhost:1"), App(None, "http://localhost:2")
FIRST, SECOND, THIRD = DocumentId("d1"), DocumentId("d2"), DocumentId("d3")


def shown(apps: Apps, since: int, until: int) -> list[tuple[int, App | None]]:
    """
    The stretches as plain pairs.
    """
    return [(int(at), app) for at, app in apps.during(Cursor(since), Cursor(until))]


def test_each_stretch_has_its_app() -> None:
    """
    A look at the past finds the app that was there then; a reload of the same one begins no stretch.
    """
    apps = Apps()
    assert shown(apps, 0, 5) == [(0, None)]
    apps.shows(ONE, FIRST, Cursor(0))
    apps.shows(ONE, SECOND, Cursor(3))
    apps.shows(OTHER, THIRD, Cursor(5))
    assert shown(apps, 0, 9) == [(0, ONE), (5, OTHER)]
    assert shown(apps, 4, 5) == [(0, ONE), (5, OTHER)]
    assert shown(apps, 4, 4) == [(0, ONE)]
    assert shown(apps, 5, 9) == [(5, OTHER)]


def test_an_app_without_an_event_leaves_no_stretch() -> None:
    """
    Who is led away and back before anything was reported has never been elsewhere, as far as events go.
    """
    apps = Apps()
    apps.shows(ONE, FIRST, Cursor(0))
    apps.shows(OTHER, SECOND, Cursor(4))
    apps.shows(ONE, THIRD, Cursor(4))
    assert shown(apps, 0, 4) == [(0, ONE)]
    assert apps.of(SECOND) == OTHER


def test_late_events_are_of_their_own_document() -> None:
    """
    What a document that was left still sends is its app's; of one that was never there nobody knows.
    """
    apps = Apps()
    apps.shows(ONE, FIRST, Cursor(0))
    apps.shows(OTHER, SECOND, Cursor(0))
    assert [apps.of(each) for each in (FIRST, SECOND, THIRD, None)] == [ONE, OTHER, None, None]


def test_what_is_forgotten_is_nobodys() -> None:
    """
    A page that goes to and fro for ever makes its oldest past nobody's, never another's.
    """
    apps = Apps(marks=2)
    for number, app in enumerate([ONE, OTHER, ONE, OTHER]):
        apps.shows(app, DocumentId(f"d{number}"), Cursor(number))
    assert shown(apps, 0, 9) == [(0, None), (2, ONE), (3, OTHER)]
    assert [apps.of(DocumentId(f"d{number}")) for number in range(4)] == [None, None, ONE, OTHER]


def test_a_document_that_is_shown_again_is_not_the_oldest() -> None:
    """
    Who comes back to a document and goes on to a third is still known by that one, and not by the older.
    """
    apps = Apps(marks=2)
    for document, app in ((FIRST, ONE), (SECOND, OTHER), (FIRST, ONE), (THIRD, OTHER)):
        apps.shows(app, document, Cursor(1))
    assert [apps.of(each) for each in (FIRST, SECOND, THIRD)] == [ONE, None, OTHER]
