"""
Answers of a write with a status of success that say that nothing was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.domain.findings.partial_failure_in_ok_response import find
from reticle.domain.predicate import parse
from reticle.model.verdict import FindingTier
from reticle.testing.windows import WindowBuilder

SAVED = {"kind": "text", "contains": "Saved"}
NO, DOUBT = FindingTier.OBSERVED, FindingTier.ABSENCE


def shows(text: str) -> Mapping[str, Any]:
    """
    The claim that a text is shown.
    """
    return {"kind": "text", "contains": text}


def tiers(
    answer: object,
    claim: Mapping[str, Any] = SAVED,
    *,
    method: str = "POST",
    url: str = "/api/orders",
    sent: str = "{}",
    shown: str = "",
) -> list[FindingTier]:
    """
    What is found of a write that was answered so.
    """
    builder = WindowBuilder().click()
    builder.net(method, url, 200, responseBody=answer, requestBody=sent)
    if shown:
        builder.dom_added("paragraph", shown)
    return [finding.tier for finding in find(builder.build(), parse(claim))]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ('{"saved": false}', {}),
        ({"saved": False}, {}),
        ('{"isSaved": false, "message": "read only"}', {}),
        ('{"result": {"saved": false}}', {}),
        ('{"stored": false}', {"url": "/api/store"}),
        ('{"updated": false}', {"method": "PUT"}),
        ('{"updated": false}', {"url": "/orders/7/update"}),
        ('{"deleted": false}', {"method": "DELETE", "url": "/orders/7"}),
        ('{"removed": false}', {"method": "POST", "url": "/orders/7/remove"}),
        ('{"sent": false, "reason": "no recipient"}', {"url": "/api/messages"}),
        ('{"accepted": false}', {"url": "/offers/7/accept"}),
        ('{"done": false}', {"claim": {"kind": "text", "contains": "Done"}}),
        ('{"data": {"committed": false}}', {"url": "/commit"}),
        ('{"updated": false}', {"claim": shows("3 updated")}),
        ('{"deleted": false}', {"url": "/rows/clear", "claim": shows("3 deleted. Undo")}),
        ('{"saved": false}', {"claim": shows("Draft saved")}),
        ('{"saved": false, "task": {"title": "Milk"}}', {}),
        ('{"published": false}', {"url": "/posts/7", "claim": shows("Post published")}),
        ('{"applied": false}', {"url": "/backups/7/restore", "claim": shows("Backup applied")}),
    ],
)
def test_a_write_that_says_that_it_was_not_done_contradicts(answer: object, asked: Mapping[str, Any]) -> None:
    """
    "Saved" on the screen over ``{"saved": false}`` is no pass, whatever the status.
    """
    assert tiers(answer, **asked) == [NO]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ('{"created": 0}', {}),
        ('{"created": false}', {"claim": {"kind": "settled"}}),
        ('{"sent": 0}', {}),
        ('{"updated": 0, "message": "nothing to do"}', {"method": "PUT"}),
        ('{"acknowledged": true, "deletedCount": 0}', {"method": "DELETE"}),
        ('{"affectedRows": 0}', {}),
        ('{"created": [], "errors": []}', {}),
        ('{"failed": true}', {}),
        ('{"imported": 0, "updated": 0}', {"claim": {"kind": "text", "contains": "Imported"}}),
        ('{"isRejected": true, "reason": "closed"}', {}),
        ('{"rows_affected": 0}', {}),
        ('{"created": false}', {"url": "/tags", "claim": shows("Tag added")}),
        ('{"delivered": false}', {"url": "/messages/send"}),
        ('{"sent": 0, "remaining": 100}', {"url": "/mails/send"}),
        ('{"saved": false, "theme": "dark"}', {}),
        ("false", {}),
        ('{"result": false}', {}),
        (
            '{"data": {"deleteOrder": false}}',
            {"url": "/graphql", "sent": '{"query": "mutation { deleteOrder(id: 7) }"}'},
        ),
        (
            '{"data": {"saveOrder": {"saved": 0}}}',
            {"url": "/graphql", "sent": '{"query": "mutation { saveOrder { saved } }"}'},
        ),
    ],
)
def test_where_the_same_may_be_data_it_is_a_doubt(answer: object, asked: Mapping[str, Any]) -> None:
    """
    Nobody knows whether a count of 0 was to be expected, so it is neither a pass nor a fault.
    """
    assert tiers(answer, **asked) == [DOUBT]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ('{"id": 7, "title": "Mug", "archived": false, "deleted": false}', {}),
        ('{"id": 7, "saved": false}', {"url": "/orders/7/save"}),
        ('{"data": {"uuid": "a-b", "sent": false}}', {}),
        ('{"todo": {"title": "Milk", "done": false}}', {}),
        ('{"title": "Milk", "done": false}', {}),
        ('{"done": false}', {"claim": {"kind": "text", "contains": "Milk"}}),
        ('{"completed": false}', {"method": "PATCH", "sent": '{"completed": false}'}),
        ('{"accepted": false}', {"url": "/offers/7", "sent": "accepted=false&note="}),
        ('{"accepted": false}', {"url": "/offers/7/decline"}),
        ('{"saved": false}', {"url": "/articles/7/bookmark"}),
        ('{"saved": false}', {"url": "/articles/7/toggle-saved"}),
        ('{"saved": false}', {"method": "DELETE", "url": "/articles/7/mark"}),
        ('{"is_admin": false, "name": "Ada"}', {}),
        ('{"updated": 0, "created": 1}', {}),
        ('{"created": false, "updated": true}', {}),
        ('{"matched": 1, "in_stock": 0}', {}),
        ('{"saved": true}', {}),
        ('{"not_saved": 0}', {}),
        ('{"rejected": true}', {"url": "/offers/7/refusal-or-reject"}),
        ('{"denied": true}', {"url": "/requests/7", "sent": '{"denied": true}'}),
        ('{"failed": true, "score": 3}', {}),
        ('{"failed": false}', {}),
        ('{"created": [], "updated": [7]}', {}),
        ('{"created": 0, "updated": 0, "deleted": 0}', {"url": "/api/sync"}),
        ('{"sent": 3}', {}),
        ('{"published": false, "title": "Draft"}', {"url": "/posts"}),
        ('{"created": 0}', {"url": "/api/search"}),
        ('{"count": 0, "total": 0}', {}),
        ("false", {"claim": {"kind": "text", "contains": "Name is taken"}}),
        ("false", {"url": "/names/check"}),
        ('{"deleted": false}', {"url": "/deleted/7/restore", "claim": shows("Restored")}),
        ('{"deleted": false}', {"url": "/deleted/7", "claim": shows("Note restored")}),
        ('{"done": false}', {"url": "/todos/7/uncheck", "claim": shows("0 done")}),
        ('{"done": false}', {"url": "/todos/7", "claim": shows("2 done")}),
        ('{"done": false}', {"url": "/todos/7", "claim": shows("Not done")}),
        ('{"completed": false}', {"url": "/todos/7", "claim": shows("1 completed")}),
        ('{"published": false}', {"url": "/posts/7/draft", "claim": shows("Unpublished")}),
        ('{"published": false}', {"url": "/posts", "claim": shows("Saved as draft, not published")}),
        ('{"saved": false}', {"url": "/articles/7/mark", "claim": shows("Removed from saved")}),
        ('{"created": false}', {"method": "PUT", "url": "/items/7"}),
        ('{"inserted": 0}', {"method": "PATCH", "url": "/items/7"}),
        ('{"sent": 0, "queued": 3}', {"url": "/mails/send"}),
        ('{"sent": false, "status": "draft"}', {"url": "/mails", "claim": shows("Draft saved")}),
        ('{"processed": 0, "jobId": "a"}', {"url": "/process", "claim": shows("Started")}),
        ('{"confirmed": false}', {"url": "/accounts", "claim": shows("Check your mail to confirm")}),
        ('{"approved": false}', {"url": "/comments", "claim": shows("Comment awaits approval")}),
        ('{"approved": false}', {"url": "/comments", "claim": shows("Waiting to be approved")}),
        (
            '{"data": {"toggleSave": {"saved": false}}}',
            {"url": "/graphql", "sent": '{"query": "mutation { toggleSave(id: 7) { saved } }"}'},
        ),
        (
            '{"data": {"articleToggle": {"saved": false}}}',
            {"url": "/graphql", "sent": '{"query": "mutation { articleToggle { saved } }"}'},
        ),
        ('{"data": {"orders": {"created": 0}}}', {"url": "/graphql", "sent": '{"query": "{ orders }"}'}),
        ("[false]", {}),
        ("saved: false", {}),
        ('{"saved": false', {}),
        (None, {}),
    ],
)
def test_what_a_record_is_and_what_was_asked_for_is_no_failure(
    answer: object, asked: Mapping[str, Any]
) -> None:
    """
    A to-do that is not done yet was saved; who declines an offer is answered that it is not accepted.
    """
    assert tiers(answer, **asked) == []


def test_a_read_says_nothing_of_a_write() -> None:
    """
    That a draft has not been sent is what was asked.
    """
    assert tiers('{"sent": false}', method="GET") == []


@pytest.mark.parametrize(
    "declared",
    [
        {"kind": "net", "method": "POST", "bodyContains": '"saved": false'},
        {"kind": "net", "method": "POST", "body": {"saved": False}},
    ],
)
def test_what_was_claimed_or_is_owned_up_to_is_as_it_should_be(declared: Mapping[str, Any]) -> None:
    """
    Who claims that nothing is saved, or reads that it could not be, knows it.
    """
    assert tiers('{"saved": false}', {"allOf": [SAVED, declared]}) == []
    assert tiers('{"saved": false}', {"kind": "settled"}, shown="Could not be saved") == []
    assert tiers('{"created": 0}', {"kind": "settled"}, shown="Could not be saved") == []
    other = {"kind": "net", "method": "POST", "body": {"message": "read only"}}
    answer = '{"saved": false, "message": "read only"}'
    assert tiers(answer, {"allOf": [SAVED, other]}) == [NO]
