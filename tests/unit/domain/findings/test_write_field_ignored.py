"""
A field that was sent and not kept.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from reticle.domain.findings import write_field_ignored
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder


def found(
    sent: object, kept: object, *, url: str = "/api/items/7", method: str = "PUT", **fields: object
) -> tuple[Finding, ...]:
    body = sent if isinstance(sent, str) else json.dumps(sent)
    builder = WindowBuilder().click()
    builder.net(method, url, 200, requestBody=body, responseBody=json.dumps(kept), **fields)
    return write_field_ignored.find(builder.dom_added().build(), None)


def test_a_changed_field_in_the_echo_of_a_write_is_found() -> None:
    """
    The server answers with the old name: the edit was dropped.
    """
    [finding] = found({"name": "New"}, {"id": 7, "name": "Old"})
    assert (finding.kind, finding.tier) == ("write-field-ignored", FindingTier.OBSERVED)
    assert finding.claim == "PUT /api/items/7 200 was sent name 'New'"
    assert finding.counter == "its answer has name 'Old'"
    assert finding.detail["field"] == "name"


@pytest.mark.parametrize(
    ("sent", "kept", "options"),
    [
        ({"amount": 100}, {"data": {"id": 7, "amount": 1}}, {}),
        ({"name": "A", "qty": 2}, {"id": 9, "name": "A", "qty": 1}, {"url": "/api/items", "method": "PUT"}),
        ({"name": "A", "hue": "red"}, {"id": 9, "name": "A", "hue": "blue"}, {"url": "/a", "method": "POST"}),
        ("name=New&city=Bonn", {"id": "7", "name": "Old", "city": "Bonn"}, {}),
        ({"active": True}, {"id": 7, "active": False}, {"method": "PATCH"}),
        ({"country": "GB"}, {"id": 7, "country": "DE"}, {}),
        ({"amount": "100"}, {"id": 7, "amount": "1.50"}, {}),
        ({"status": "pending_review"}, {"id": 7, "status": "draft_only"}, {}),
        ({"country": "United Kingdom"}, {"id": 7, "country": "Germany"}, {}),
        ({"id": 7, "name": "New"}, {"id": "7", "name": "Old"}, {"url": "/api/items"}),
    ],
)  # fmt: skip
def test_wrapped_new_and_form_written_things_are_compared_too(
    sent: object, kept: object, options: dict[str, str]
) -> None:
    """
    Whatever shape the echo has, as long as it is the same thing.
    """
    assert len(found(sent, kept, **options)) == 1


@pytest.mark.parametrize(
    ("sent", "kept", "options"),
    [
        # asking
        ({"q": "a", "name": "x"}, {"id": 7, "name": "y"}, {}),
        ({"name": "x"}, {"id": 7, "name": "y"}, {"url": "/api/items/7/search", "method": "POST"}),
        ({"operationName": "Items", "name": "x"}, {"id": 7, "name": "y"}, {"url": "/gq"}),
        ({"name": "x"}, {"data": {"item": {"id": 7, "name": "y"}}}, {"url": "/graphql", "method": "POST"}),
        # another thing
        ({"name": "x"}, {"id": 8, "name": "y"}, {}),
        ({"id": 7, "name": "x"}, {"id": 8, "name": "y"}, {"url": "/api/items"}),
        ({"name": "x"}, {"name": "y"}, {}),
        ({"name": "x"}, {"user": {"id": 3, "name": "Ann"}}, {}),
        ({"name": "x"}, {"id": 9, "name": "y"}, {"url": "/api/items", "method": "POST"}),
        # the same value, said differently
        ({"name": " New "}, {"id": 7, "name": "new"}, {}),
        ({"price": "12.50"}, {"id": 7, "price": 12.5}, {}),
        ({"price": 12.344}, {"id": 7, "price": 12.34}, {}),
        ({"phone": "+49 30 1"}, {"id": 7, "phone": "49301"}, {}),
        ({"day": "2026-01-02"}, {"id": 7, "day": "2 January"}, {}),
        ({"status": 3}, {"id": 7, "status": "open"}, {}),
        ({"active": "on"}, {"id": 7, "active": True}, {}),
        ({"name": "x"}, {"id": 7, "name": "[REDACTED]"}, {}),
        ({"name": "x"}, {"id": 7, "name": "y", "versions": [{"name": "x"}]}, {}),
        # a code, answered by its label or the other way round
        ({"country": "GB"}, {"id": 7, "country": "United Kingdom"}, {}),
        ({"status": "pending_review"}, {"id": 7, "status": "Awaiting approval"}, {}),
        ({"lang": "de"}, {"id": 7, "lang": "German"}, {}),
        ({"country": "Österreich"}, {"id": 7, "country": "AT"}, {}),
        # the server's own
        ({"version": 3, "name": "x"}, {"id": 7, "version": 4, "name": "x"}, {}),
        ({"id": "tmp1", "name": "x"}, {"id": 9, "name": "x"}, {"url": "/api/items", "method": "POST"}),
        ({"password": "x1", "name": "x"}, {"id": 7, "password": "y", "name": "x"}, {}),
        ({"sku": "s1", "qty": 1}, {"id": 7, "sku": "s1", "qty": 3}, {"url": "/api/cart", "method": "POST"}),
        # nothing to compare
        ("not json", {"id": 7, "name": "y"}, {}),
        ({"name": "x"}, "fine", {}),
        ({"name": "x"}, {"id": 7, "name": "y"}, {"method": "GET"}),
        ({"name": "x"}, {"id": 7, "name": "y"}, {"initiator": "document"}),
        ({"name": "x"}, {"id": 7, "name": "y"}, {"bodyTruncated": True}),
    ],
)  # fmt: skip
def test_what_only_looks_like_an_ignored_field_is_let_be(
    sent: object, kept: object, options: dict[str, Any]
) -> None:
    """
    Searches, other things, other spellings and the server's own fields accuse nobody.
    """
    assert found(sent, kept, **options) == ()


def test_an_app_that_says_so_has_owned_up_to_it() -> None:
    """
    "Could not change the name" over an unchanged name is honest.
    """
    builder = WindowBuilder().click()
    builder.net("PUT", "/a/7", requestBody='{"name": "x"}', responseBody='{"id": 7, "name": "y"}')
    assert write_field_ignored.find(builder.shown("alert", "Could not rename").build(), None) == ()
    [doubt] = write_field_ignored.find(builder_with_alert("Jejda").build(), None)
    assert doubt.tier is FindingTier.ABSENCE


def builder_with_alert(text: str) -> WindowBuilder:
    builder = WindowBuilder().click()
    builder.net("PUT", "/a/7", requestBody='{"name": "x"}', responseBody='{"id": 7, "name": "y"}')
    return builder.shown("alert", text)
