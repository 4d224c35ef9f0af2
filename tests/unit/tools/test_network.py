"""
The calls of a page.
"""

from __future__ import annotations

import pytest

from reticle.model.codes import EventType
from reticle.model.limits import LISTED_BODY_CHARS
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.network import TOOLS

NETWORK = TOOLS[0]


def call(scene: Scene, request_id: str, method: str, url: str, status: int | None, **fields: object) -> None:
    """
    Let the page begin a request, and end it where there is a status.
    """
    begun = {"id": request_id, "method": method, "url": url, "initiator": "fetch"}
    scene.page.record(EventType.NET_PENDING, begun)
    if status is not None:
        scene.page.record(
            EventType.NET_REQUEST, {**begun, "status": status, "ok": status < 400, "durationMs": 34, **fields}
        )


def test_calls_are_listed_oldest_first_with_their_bodies(scene: Scene) -> None:
    """
    Each call is a line with method, address, status and time, and what was sent and answered below.
    """
    call(scene, "n1", "GET", "/api/cart", 200)
    call(scene, "n2", "POST", "/api/order", 500, requestBody='{"qty": 1}', responseBody="boom")
    answer = answer_of(NETWORK, scene.context, {})
    assert answer.fields == {
        "calls": [
            {"method": "GET", "url": "/api/cart", "status": 200, "ms": 34, "seq": 1},
            {
                "method": "POST",
                "url": "/api/order",
                "status": 500,
                "ms": 34,
                "requestBody": '{"qty": 1}',
                "responseBody": "boom",
                "seq": 3,
            },
        ],
        "total": 2,
        "since": 0,
        "until": 4,
    }
    assert answer.text == (
        '1 GET /api/cart 200 34ms\n3 POST /api/order 500 34ms\n  > {"qty": 1}\n  < boom\nsince: 0 · until: 4'
    )


def test_a_request_without_an_answer_is_pending(scene: Scene) -> None:
    """
    A hanging request is seen as such, not missing.
    """
    call(scene, "n1", "POST", "/api/slow", None)
    answer = answer_of(NETWORK, scene.context, {})
    assert answer.fields["calls"] == [{"method": "POST", "url": "/api/slow", "status": "pending", "seq": 1}]


def test_a_request_that_was_open_before_the_stretch_belongs_to_it(scene: Scene) -> None:
    """
    Looking from a later cursor still shows what hangs, marked as older.
    """
    call(scene, "n1", "POST", "/api/slow", None)
    answer = answer_of(NETWORK, scene.context, {"since": 1})
    assert answer.fields["calls"] == [
        {"method": "POST", "url": "/api/slow", "status": "pending", "startedBefore": True, "seq": 1}
    ]


@pytest.mark.parametrize(
    ("arguments", "urls"),
    [
        ({"method": "post"}, ["/b", "/c"]),
        ({"urlContains": "a"}, ["/a"]),
        ({"status": 422}, ["/c"]),
        ({"ok": True}, ["/a", "/b"]),
        ({"ok": False}, ["/c"]),
        ({"method": "POST", "ok": True}, ["/b"]),
        ({"since": 4}, ["/c"]),
        ({"until": 2}, ["/a"]),
        ({"limit": 1}, ["/c"]),
    ],
)
def test_filters_narrow(scene: Scene, arguments: dict[str, object], urls: list[str]) -> None:
    """
    Every filter leaves exactly the calls that it names; the newest stay under a limit.
    """
    call(scene, "n1", "GET", "/a", 200)
    call(scene, "n2", "POST", "/b", 201)
    call(scene, "n3", "POST", "/c", 422)
    calls = answer_of(NETWORK, scene.context, arguments).fields["calls"]
    assert isinstance(calls, list)
    assert [one["url"] for one in calls] == urls


def test_a_call_belongs_to_the_action_that_began_it(scene: Scene) -> None:
    """
    A request that was answered after its action ended is still that action's, and answered.
    """
    action = scene.page.begin_action()
    begun = {"id": "n1", "method": "POST", "url": "/api/order", "initiator": "fetch"}
    scene.page.record(EventType.NET_PENDING, begun)
    scene.page.end_action(action)
    scene.page.record(EventType.NET_REQUEST, {**begun, "status": 201, "ok": True})
    call(scene, "n2", "GET", "/other", 200)
    calls = answer_of(NETWORK, scene.context, {"actionId": action}).fields["calls"]
    assert calls == [{"method": "POST", "url": "/api/order", "status": 201, "seq": 1}]


def test_a_limit_names_what_it_left_out(scene: Scene) -> None:
    """
    A cut list says how many older calls there are and how to see them.
    """
    for number in range(5):
        call(scene, f"n{number}", "GET", f"/{number}", 200)
    fields = answer_of(NETWORK, scene.context, {"limit": 2}).fields
    assert (fields["total"], fields["truncated"], fields["droppedOldest"]) == (5, True, 3)
    assert "3 older ones" in str(fields["note"])


def test_no_call_in_a_watched_stretch_is_evidence(scene: Scene) -> None:
    """
    An empty answer of a page that was watched says that nothing was sent.
    """
    fields = answer_of(NETWORK, scene.context, {}).fields
    assert (fields["calls"], fields["observed"]) == ([], True)
    assert fields["note"] == "No call between cursors 0 and 0: the page was watched."


def test_a_filter_that_matched_nothing_shows_what_there_was(scene: Scene) -> None:
    """
    A misspelt filter is noticed, because the calls that were made are named.
    """
    call(scene, "n1", "GET", "/api/cart", 200)
    fields = answer_of(NETWORK, scene.context, {"urlContains": "/api/crat"}).fields
    assert fields["hint"] == {"totalInWindow": 1, "present": ["GET /api/cart 200"]}
    assert fields["note"] == "No call that matches between cursors 0 and 2: the page was watched."


def test_lost_events_make_an_empty_answer_no_evidence(scene: Scene) -> None:
    """
    When network events were lost, "none listed" is not said to be "none".
    """
    scene.page.lose("net", 12)
    fields = answer_of(NETWORK, scene.context, {}).fields
    assert fields["observed"] is False
    assert "12 net events lost (page)" in str(fields["note"])


def test_lost_events_are_named_beside_what_is_listed(scene: Scene) -> None:
    """
    A list with a hole in it says so; a loss elsewhere does not disturb.
    """
    call(scene, "n1", "GET", "/a", 200)
    scene.page.lose("dom", 3)
    assert "losses" not in answer_of(NETWORK, scene.context, {}).fields
    scene.page.lose("*", 2)
    assert answer_of(NETWORK, scene.context, {}).fields["losses"] == "2 events lost (page)"


def test_a_blind_spot_makes_an_empty_answer_no_evidence(scene: Scene) -> None:
    """
    Where fetch was wrapped before the script, no call seen is not no call made.
    """
    scene.page.record(EventType.BLIND_SPOT, {"kind": "wrapped-network", "count": 1})
    fields = answer_of(NETWORK, scene.context, {}).fields
    assert fields["observed"] is False
    assert "wrapped-network" in str(fields["note"])


def test_a_lost_page_makes_an_empty_answer_no_evidence(scene: Scene) -> None:
    """
    After the page went away nobody watched.
    """
    context = scene.context
    call(scene, "n1", "GET", "/a", 200)
    scene.page.disconnect()
    fields = answer_of(NETWORK, context, {"sessionId": "p1", "since": 2}).fields
    assert fields["observed"] is False
    assert "the page was lost" in str(fields["note"])


def test_bodies_are_bounded_in_a_list_and_whole_alone(scene: Scene) -> None:
    """
    One call is shown with its whole captured body; in a list each is cut, with the cut in sight.
    """
    body = "x" * (LISTED_BODY_CHARS + 10)
    call(scene, "n1", "GET", "/a", 200, responseBody=body)
    alone = answer_of(NETWORK, scene.context, {}).fields["calls"]
    assert isinstance(alone, list)
    assert alone[0]["responseBody"] == body
    call(scene, "n2", "GET", "/b", 200)
    listed = answer_of(NETWORK, scene.context, {}).fields["calls"]
    assert isinstance(listed, list)
    assert listed[0]["responseBody"] == "x" * LISTED_BODY_CHARS + "…(+10 chars)"
    bare = answer_of(NETWORK, scene.context, {"bodies": False}).fields["calls"]
    assert isinstance(bare, list)
    assert "responseBody" not in bare[0]


def test_a_write_whose_answer_was_not_captured_is_named(scene: Scene) -> None:
    """
    The agent learns that the outcome of a write could not be read.
    """
    call(scene, "n1", "POST", "/a", 200, responseSize=120)
    answer = answer_of(NETWORK, scene.context, {})
    said = "not captured for 1 of the successful writes: what they were answered is not known."
    assert answer.fields["bodiesNotCaptured"] == said
    assert answer.text is not None
    assert f"bodies: {said}" in answer.text.splitlines()


def test_a_form_posts_answer_is_the_page_itself(scene: Scene) -> None:
    """
    A navigation's body is not missed: it can be read as the page.
    """
    scene.page.record(
        EventType.NET_REQUEST,
        {"id": "n2", "method": "POST", "url": "/b", "status": 200, "ok": True, "initiator": "document",
         "responseSize": 99},
    )  # fmt: skip
    calls = answer_of(NETWORK, scene.context, {"urlContains": "/b"})
    assert "bodiesNotCaptured" not in calls.fields


def test_a_failed_request_shows_its_error(scene: Scene) -> None:
    """
    A call that never got an answer is a failure with its reason, not a status.
    """
    call(scene, "n1", "GET", "/a", 0, ok=False, error="net::ERR_CONNECTION_REFUSED")
    answer = answer_of(NETWORK, scene.context, {})
    assert answer.text is not None
    assert answer.text.splitlines()[0] == "1 GET /a failed 34ms (net::ERR_CONNECTION_REFUSED)"


@pytest.mark.parametrize("arguments", [{"since": 9}, {"since": 2, "until": 1}])
def test_cursors_that_make_no_stretch_are_refused(scene: Scene, arguments: dict[str, object]) -> None:
    """
    A cursor of another page or another life is noticed, and the present one is given.
    """
    call(scene, "n1", "GET", "/a", 200)
    refusal = refusal_of(NETWORK, scene.context, arguments)
    assert (refusal.code, refusal.details) == ("bad_arguments", {"cursor": 2})
