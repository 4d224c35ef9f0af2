"""
Events made into requests: pairing, documents, and what an answer's status means.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.requests import ended_requests, requests
from reticle.testing.windows import WindowBuilder


def test_a_request_is_paired_by_its_document_and_id() -> None:
    """
    Two documents that both count from n1 do not answer for each other.
    """
    window = (
        WindowBuilder()
        .pending("GET", "/a", id_="n1")
        .new_document()
        .pending("GET", "/b", id_="n1")
        .answered("n1", "GET", "/b", 200)
        .build()
    )
    assert [str(one) for one in requests(window)] == [
        "GET /a whose page ended before the answer",
        "GET /b 200",
    ]
    assert [one.unseen for one in requests(window)] == [True, False]


def test_pages_that_send_no_ids_are_paired_by_the_call() -> None:
    """
    An older package's finished call does not look open for ever.
    """
    window = (
        WindowBuilder()
        .event("net.pending", {"method": "GET", "url": "/a"})
        .event("net.request", {"method": "GET", "url": "/a", "status": 200})
        .build()
    )
    (one,) = requests(window)
    assert (one.open, one.status, one.ok) == (False, 200, True)


@pytest.mark.parametrize(
    ("fields", "status", "ok"),
    [
        ({"status": 200, "ok": True}, 200, True),
        ({"status": 304, "ok": False}, 304, True),
        ({"status": 302}, 302, True),
        ({"status": 404}, 404, False),
        ({"status": 500, "ok": True}, 500, True),
        ({"status": 0, "error": "Failed to fetch"}, 0, False),
        ({"status": 0}, 0, None),
        ({"status": 0, "error": "AbortError: aborted"}, None, None),
        ({"status": 0, "aborted": True}, None, None),
        ({}, None, None),
        ({"status": "200"}, None, None),
    ],
)
def test_status_and_ok_follow_what_the_page_saw(
    fields: dict[str, object], status: object, ok: object
) -> None:
    """
    A redirect is no failure, an abort no answer, and no status no evidence.
    """
    window = WindowBuilder().event("net.request", {"method": "get", "url": "/a", **fields}).build()
    (one,) = requests(window)
    assert (one.method, one.status, one.ok, one.failed) == ("GET", status, ok, ok is False)


def test_what_began_before_the_action_is_not_its_consequence() -> None:
    """
    With an action, only requests begun in the window count as ended ones.
    """
    builder = WindowBuilder().open_before("GET", "/a", id_="o").answered("o", "GET", "/a", 200)
    assert [one.before for one in ended_requests(builder.build())] == [True]
    assert ended_requests(builder.click().build()) == ()


def test_words_for_people() -> None:
    """
    Each state of a request has its own words.
    """
    window = (
        WindowBuilder()
        .pending("GET", "/a")
        .net("POST", "/b", 0, error="Failed to fetch")
        .net("GET", "/c", None)
        .build()
    )
    assert [str(one) for one in requests(window)] == [
        "GET /a still in flight",
        "POST /b failed (Failed to fetch)",
        "GET /c with an answer that could not be read",
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["net.pending", "net.request"]),
            st.dictionaries(
                st.sampled_from(["id", "method", "url", "status", "ok", "initiator", "error"]),
                st.none() | st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=2),
            ),
        ),
        max_size=8,
    )
)
def test_nonsense_from_a_page_is_read_without_failing(events: list[tuple[str, dict[str, object]]]) -> None:
    """
    A page may send anything; no verdict crashes on it, and no event is counted twice.
    """
    builder = WindowBuilder()
    for type_, fields in events:
        builder.event(type_, fields)
    found = requests(builder.build())
    used = [event.seq for one in found for event in (one.begun, one.ended) if event is not None]
    assert sorted(used) == sorted(set(used))
    assert len(used) == len(events)
