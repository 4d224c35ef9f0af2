"""
The kinds ``storage``, ``stream``, ``perf``, ``dialog`` and ``download``.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.ids import Cursor
from reticle.model.page import Loss
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder


def outcome(builder: WindowBuilder, **predicate: object) -> Outcome:
    """
    A claim over a window that was watched long enough.
    """
    return evaluate(parse(predicate), builder.wait(1_000).build())


def stored(**data: object) -> WindowBuilder:
    """
    One write.
    """
    return WindowBuilder().event("storage.change", {"area": "local", "key": "theme", "old": None, **data})


THEME = stored(new="dark")
CART = {"new": '{"items": [1, 2], "note": "a"}', "key": "cart"}


@pytest.mark.parametrize(
    ("write", "claim", "expected"),
    [
        ({"new": "dark"}, {}, Held.YES),
        ({"new": "dark"}, {"key": "theme", "area": "local", "equals": "dark"}, Held.YES),
        ({"new": "dark"}, {"equals": "light"}, Held.NO),
        ({"new": "dark"}, {"key": "them"}, Held.NO),
        ({"new": "dark"}, {"area": "session"}, Held.NO),
        ({"new": "dark"}, {"equals": {"$matches": "^da"}}, Held.YES),
        ({"new": "dark"}, {"removed": True}, Held.NO),
        ({"new": None, "old": "dark"}, {"removed": True}, Held.YES),
        ({"new": None, "old": "dark"}, {"removed": False}, Held.NO),
        ({"new": None, "old": "dark"}, {}, Held.YES),
        ({"new": None, "old": "dark"}, {"equals": "*"}, Held.NO),
        ({"new": "3"}, {"equals": 3}, Held.YES),
        ({"new": "3"}, {"equals": {"$gt": 2}}, Held.YES),
        ({"new": "3"}, {"equals": "3"}, Held.YES),
        ({"new": "[]"}, {"equals": {"$length": 2}}, Held.NO),
        (CART, {"equals": {"items": [1, 2], "note": "a"}}, Held.YES),
        (CART, {"equals": {"items": [2, 1], "note": "a"}}, Held.NO),
        ({"new": "[REDACTED]"}, {"equals": "dark"}, Held.UNKNOWN),
        ({"new": '{"token": "[REDACTED]"}'}, {"equals": {"token": "x"}}, Held.UNKNOWN),
        ({"new": "dark"}, {"count": 1}, Held.YES),
        ({"new": "dark"}, {"count": 2}, Held.NO),
        ({"new": "dark"}, {"key": "other", "count": 0}, Held.YES),
        ({"new": "dark"}, {"since": 11}, Held.NO),
    ],
)  # fmt: skip
def test_a_write_is_found_by_its_place_and_value(
    write: dict[str, object], claim: dict[str, object], expected: Held
) -> None:
    """
    "The theme is kept as dark" holds for that write and for no other; JSON is compared as JSON.
    """
    assert outcome(stored(**write), kind="storage", **claim).held is expected


@pytest.mark.parametrize(
    ("op", "result", "claim", "expected"),
    [
        ("put", "complete", {"store": "drafts", "key": "7"}, Held.YES),
        ("put", "aborted", {"store": "drafts", "key": "7"}, Held.NO),
        ("put", "complete", {"removed": True}, Held.NO),
        ("delete", "complete", {"removed": True}, Held.YES),
        ("clear", "complete", {"removed": True}, Held.YES),
        ("put", "complete", {"equals": {"text": "Hi"}}, Held.YES),
    ],
)
def test_a_write_of_indexeddb_counts_when_its_transaction_is_complete(
    op: str, result: str, claim: dict[str, object], expected: Held
) -> None:
    """
    A draft whose transaction was rolled back was not kept.
    """
    data = {
        "area": "indexeddb",
        "database": "mail",
        "store": "drafts",
        "key": "7",
        "op": op,
        "outcome": result,
    }
    new = {"new": '{"text": "Hi"}'} if op == "put" else {"new": None}
    window = WindowBuilder().event("storage.change", {**data, **new})
    assert outcome(window, kind="storage", area="indexeddb", **claim).held is expected


def messages(*previews: str, direction: str = "in", size: int | None = None) -> WindowBuilder:
    """
    What a socket carried.
    """
    builder = WindowBuilder()
    for preview in previews:
        told = {"transport": "ws", "id": "w1", "url": "/live", "direction": direction, "preview": preview}
        builder.event("net.stream", {**told, "bytes": len(preview) if size is None else size})
    return builder


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({}, Held.YES),
        ({"contains": "shipped"}, Held.YES),
        ({"contains": "lost"}, Held.NO),
        ({"transport": "sse"}, Held.NO),
        ({"direction": "out"}, Held.NO),
        ({"direction": "close"}, Held.NO),
        ({"urlContains": "/live", "count": 2}, Held.YES),
        ({"count": 1}, Held.NO),
        ({"url": "/other", "count": 0}, Held.YES),
    ],
)
def test_a_message_is_found_by_what_it_carries(claim: dict[str, object], expected: Held) -> None:
    """
    "The server announces the shipment" is met by such a message, and not by another.
    """
    assert outcome(messages("order.shipped", "tick"), kind="stream", **claim).held is expected


def test_of_a_long_message_only_the_beginning_is_known() -> None:
    """
    A word that may stand behind what was seen is neither there nor missing.
    """
    assert outcome(messages("tick", size=4_000), kind="stream", contains="shipped").held is Held.UNKNOWN


def test_a_value_that_was_written_and_taken_back_is_open() -> None:
    """
    A theme that is kept and removed at once is gone with the next load; who counts writes counts both.
    """
    removed = {"area": "local", "key": "theme", "old": "dark", "new": None}
    undone = stored(new="dark").event("storage.change", removed)
    told = outcome(undone, kind="storage", key="theme", equals="dark")
    assert told.held is Held.UNKNOWN
    assert str(told.failure).endswith("it was written and then changed again")
    undone = stored(new="dark").event("storage.change", removed)
    assert outcome(undone, kind="storage", key="theme").held is Held.YES
    other = stored(new="dark").event("storage.change", {**removed, "key": "draft"})
    assert outcome(other, kind="storage", equals="dark").held is Held.YES
    again = stored(new="dark").event("storage.change", removed)
    again.event("storage.change", {"area": "local", "key": "theme", "old": None, "new": "dark"})
    assert outcome(again, kind="storage", key="theme", equals="dark").held is Held.YES


def test_what_was_written_over_with_what_nobody_can_read_is_open() -> None:
    """
    The value that is there now was not told, so nobody knows that it is the claimed one.
    """
    hidden = stored(new="dark").event(
        "storage.change", {"area": "local", "key": "theme", "old": "dark", "new": "[REDACTED]"}
    )
    assert outcome(hidden, kind="storage", key="theme", equals="dark").held is Held.UNKNOWN


def test_a_write_that_was_aborted_leaves_what_was_written_before() -> None:
    """
    The transaction of the second write took it back, and the first value stays.
    """
    row = {"area": "indexeddb", "store": "drafts", "key": "7", "op": "put"}
    window = WindowBuilder().event("storage.change", {**row, "new": "dark", "outcome": "complete"})
    window.event("storage.change", {**row, "new": "light", "outcome": "aborted"})
    assert outcome(window, kind="storage", key="7", equals="dark").held is Held.YES


@pytest.mark.parametrize(
    ("emptied", "expected"),
    [
        ({"store": "drafts", "op": "clear"}, Held.UNKNOWN),
        ({"store": None, "op": "delete-database"}, Held.UNKNOWN),
        ({"store": "others", "op": "clear"}, Held.YES),
        ({"store": "drafts", "op": "clear", "database": "other"}, Held.YES),
        ({"store": "drafts", "op": "clear", "outcome": "aborted"}, Held.YES),
    ],
)
def test_a_record_of_a_store_that_was_emptied_is_open(emptied: dict[str, object], expected: Held) -> None:
    """
    To empty a store names no key, and takes the record all the same; one emptied before it does not.
    """
    base = {"area": "indexeddb", "database": "shop", "outcome": "complete", "key": None, "new": None}
    put = {**base, "store": "drafts", "key": "7", "op": "put", "new": "dark"}
    claim: dict[str, object] = {"kind": "storage", "area": "indexeddb", "key": "7", "equals": "dark"}
    after = WindowBuilder().event("storage.change", put).event("storage.change", {**base, **emptied})
    assert evaluate(parse(claim), after.build()).held is expected
    before = WindowBuilder().event("storage.change", {**base, **emptied}).event("storage.change", put)
    assert evaluate(parse(claim), before.build()).held is Held.YES


def test_a_part_of_another_number_proves_no_message_and_no_address() -> None:
    """
    A message about order 12 on the stream of room 34 says nothing of order 1, nor of room 3.
    """
    told = {"transport": "ws", "id": "w1", "url": "/rooms/34", "direction": "in", "bytes": 12}
    window = WindowBuilder().event("net.stream", {**told, "preview": '{"order":12}'})
    assert outcome(window, kind="stream", contains='"order":12').held is Held.YES
    assert outcome(window, kind="stream", contains='"order":1').held is Held.UNKNOWN
    assert outcome(window, kind="stream", contains='"order":1', count=0).held is Held.UNKNOWN
    assert outcome(window, kind="stream", urlContains="/rooms/34").held is Held.YES
    assert outcome(window, kind="stream", urlContains="/rooms/3").held is Held.NO


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"metric": "longtask"}, Held.YES),
        ({"metric": "longtask", "value": {"$gt": 200}}, Held.YES),
        ({"metric": "longtask", "value": {"$gt": 300}, "count": 0}, Held.YES),
        ({"metric": "longtask", "value": {"$gt": 200}, "count": 0}, Held.NO),
        ({"metric": "cls"}, Held.NO),
    ],
)
def test_a_figure_is_held_against_a_bound(claim: dict[str, object], expected: Held) -> None:
    """
    "Sorting blocks the page for no more than 300 ms" can be claimed.
    """
    window = WindowBuilder().event("perf", {"metric": "longtask", "value": 250, "at": 5})
    assert outcome(window, kind="perf", **claim).held is expected


def dialog(**data: object) -> dict[str, object]:
    """
    What is told of a dialog.
    """
    return {"id": "d1", "kind": "confirm", "message": "Delete Mug?", "state": "open", **data}


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({}, Held.YES),
        ({"dialog": "confirm", "contains": "Delete", "count": 1}, Held.YES),
        ({"dialog": "alert"}, Held.NO),
        ({"message": "Save"}, Held.NO),
        ({"count": 0}, Held.NO),
    ],
)
def test_a_dialog_counts_once(claim: dict[str, object], expected: Held) -> None:
    """
    That it opened and that it closed are one dialog.
    """
    window = WindowBuilder().event("dialog", dialog()).event("dialog", dialog(state="closed", answer=True))
    assert outcome(window, kind="dialog", **claim).held is expected


def test_a_page_that_does_not_tell_of_dialogs_proves_none() -> None:
    """
    With the published packages "no dialog came up" cannot be told.
    """
    window = WindowBuilder().click().wait(1_000).build()
    published = attrs.evolve(window, page=attrs.evolve(window.page, own_script=False))
    claim = parse({"kind": "dialog", "count": 0})
    assert evaluate(claim, window).held is Held.YES
    assert evaluate(claim, published).held is Held.UNKNOWN


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"filename": "orders.csv", "count": 1}, Held.YES),
        ({"contains": "orders", "state": "kept"}, Held.YES),
        ({"state": "failed"}, Held.NO),
        ({"contains": "invoice"}, Held.NO),
    ],
)
def test_a_download_of_a_driven_page_counts_once(claim: dict[str, object], expected: Held) -> None:
    """
    The page tells of the link and the daemon of the file: one file.
    """
    window = WindowBuilder().event("download", {"filename": "orders.csv", "url": "/orders.csv"})
    for state in ("begun", "kept"):
        told = {"id": "f1", "filename": "orders.csv", "url": "/orders.csv", "state": state}
        window.event("download", told)
    assert outcome(window, kind="download", **claim).held is expected


def test_how_a_download_ended_is_not_known_of_a_page_that_dialled_in() -> None:
    """
    That a link was followed says nothing about the file.
    """
    window = WindowBuilder().event("download", {"filename": "orders.csv", "url": "/orders.csv"})
    assert outcome(window, kind="download", state="kept").held is Held.UNKNOWN


@pytest.mark.parametrize(
    ("states", "claim", "expected"),
    [
        (["begun", "failed"], {}, Held.NO),
        (["begun"], {}, Held.UNKNOWN),
        (["begun", "refused"], {}, Held.UNKNOWN),
        (["begun", "kept"], {}, Held.YES),
        (["begun", "failed"], {"state": "failed"}, Held.YES),
        (["begun", "failed"], {"state": "begun"}, Held.YES),
        (["begun", "failed"], {"count": 1}, Held.NO),
        (["begun", "failed"], {"count": 0}, Held.NO),
    ],
)
def test_a_file_that_did_not_come_was_not_downloaded(
    states: list[str], claim: dict[str, object], expected: Held
) -> None:
    """
    An export whose file fails is no pass, though the download began.
    """
    window = WindowBuilder().event("download", {"filename": "orders.csv", "url": "/orders.csv"})
    for state in states:
        window.event("download", {"id": "f1", "filename": "orders.csv", "url": "/orders.csv", "state": state})
    assert outcome(window, kind="download", contains="orders.csv", **claim).held is expected


@pytest.mark.parametrize("told", [{}, {"id": "f1", "state": "refused"}])
def test_a_file_that_the_page_made_itself_has_come(told: dict[str, object]) -> None:
    """
    What the page had already when it offered it no server can fail to send.
    """
    window = WindowBuilder().event("download", {"filename": "orders.csv", "url": "blob:", **told})
    assert outcome(window, kind="download", contains="orders.csv").held is Held.YES


@pytest.mark.parametrize(("claim", "expected"), [({}, Held.UNKNOWN), ({"state": "begun"}, Held.YES)])
def test_of_a_page_that_dialled_in_only_the_link_is_known(claim: dict[str, object], expected: Held) -> None:
    """
    A link that was followed to a file that is not there is no pass.
    """
    window = WindowBuilder().event("download", {"filename": "orders.csv", "url": "/orders.csv"})
    assert outcome(window, kind="download", **claim).held is expected


CLAIMS: list[dict[str, Any]] = [
    {"kind": "storage", "key": "theme"},
    {"kind": "stream", "contains": "x"},
    {"kind": "perf", "metric": "cls"},
    {"kind": "dialog"},
    {"kind": "download"},
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: str(claim["kind"]))
def test_what_was_lost_may_have_been_it(claim: dict[str, Any]) -> None:
    """
    Where events of the channel were dropped, neither a lack nor a count of none is told.
    """
    channel = {"stream": "net"}.get(claim["kind"], claim["kind"])
    window = attrs.evolve(WindowBuilder().wait(1_000).build(), losses=(Loss(Cursor(10), channel, 3, "page"),))
    assert evaluate(parse(claim), window).held is Held.UNKNOWN
    assert evaluate(parse({**claim, "count": 0}), window).held is Held.UNKNOWN


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: str(claim["kind"]))
def test_an_absence_needs_a_while(claim: dict[str, Any]) -> None:
    """
    "None came" is not told a moment after the act.
    """
    fresh = evaluate(parse({**claim, "count": 0}), WindowBuilder().quiet(50).build())
    assert (fresh.held, fresh.retry_after_ms) == (Held.UNKNOWN, 250)


@pytest.mark.parametrize(
    ("said", "size", "expected"),
    [
        ("Cost 2", None, Held.YES),
        ("Cost 2, sent", None, Held.YES),
        ("Cost 2,500", None, Held.UNKNOWN),
        ("Cost 2.50", None, Held.UNKNOWN),
        ("Cost 2", 4_000, Held.UNKNOWN),
    ],
)
def test_a_number_of_a_message_is_met_whole(said: str, size: int | None, expected: Held) -> None:
    """
    Neither "Cost 2,500" nor the cut beginning of a message proves "Cost 2".
    """
    assert outcome(messages(said, size=size), kind="stream", contains="Cost 2").held is expected
