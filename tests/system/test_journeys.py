"""
The shop in a real browser: what is sound is proved, even where it looks faulty, and no planted fault passes.
"""

from __future__ import annotations

import re

import pytest

from examples.journeys import JOURNEYS, Journey, connected_page, travel
from examples.journeys.children import ROOT, Child
from reticle.client import Client


def place_of(fix_at: str) -> str:
    """
    The line of a control in the shop's template, or of a word in one of its scripts.
    """
    if not fix_at:
        return ""
    script, _, word = fix_at.rpartition(": ")
    if script:
        return f"/static/{script}:" + str(line_of(word, f"static/{script}"))
    return "examples/shop/page.html:" + str(line_of(f'data-testid="{word}"', "page.html"))


def line_of(mark: str, file: str) -> int:
    """
    The first line of one of the shop's files that has a mark.
    """
    lines = (ROOT / "examples/shop" / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if mark in line)


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.name)
def test_journey(client: Client, browser: Child, shop_url: str, journey: Journey) -> None:
    """
    The verdict on the last step is the one an honest tester would give, and a red one names the line.
    """
    del browser  # it only has to run
    verdict = travel(client, connected_page(client), shop_url, journey)
    fields = verdict.fields
    assert (verdict.verified, fields["verifiedReason"]) == (journey.verified, journey.reason), verdict.text
    assert verdict.text.startswith(f"verified: {verdict.verified}")
    source = str(fields.get("source", ""))
    assert re.fullmatch(rf"{re.escape(place_of(journey.fix_at))}(:\d+)?", source), source
    assert bool(source) is bool(journey.fix_at)


def test_page_can_be_read(client: Client, browser: Child, shop_url: str) -> None:
    """
    An agent that arrives sees the form, finds a field, and is told when a claim is wrong.
    """
    del browser
    page = connected_page(client)
    client.call("reticle_navigate", {"sessionId": page, "url": f"{shop_url}?visit=new"})
    assert client.call("reticle_assert", {"until": {"kind": "text", "contains": "Welcome back"}}).ok
    snapshot = client.call("reticle_snapshot", {"mode": "interactive"})
    assert 'button "Log in"' in snapshot.text
    found = client.call("reticle_query", {"testid": "login-name"})
    assert found.fields["count"] == 1
    wrong = client.call("reticle_assert", {"until": {"kind": "text", "contains": "Goodbye"}})
    assert wrong.verified == "no"


def test_wrong_password_is_acknowledged(client: Client, browser: Child, shop_url: str) -> None:
    """
    A refused login that the page shows as an error is what was asked for, not a contradiction.
    """
    del browser
    page = connected_page(client)
    client.call("reticle_navigate", {"sessionId": page, "url": f"{shop_url}?visit=new"})
    for testid, value in (("login-name", "ada"), ("login-password", "wrong")):
        client.call("reticle_act", {"action": "fill", "target": {"testid": testid}, "args": {"value": value}})
    verdict = client.call(
        "reticle_act_and_wait",
        {
            "action": "click",
            "target": {"testid": "login"},
            "until": {
                "kind": "allOf",
                "predicates": [
                    {"kind": "net", "method": "POST", "urlContains": "/api/login", "status": 401},
                    {"kind": "text", "contains": "Wrong name or password", "visible": True},
                ],
            },
        },
    )
    assert verdict.verified == "yes", verdict.text


def test_stale_ref_and_missing_target_are_told_apart(client: Client, browser: Child, shop_url: str) -> None:
    """
    Acting on what is not there is refused with the reason, and nothing is done.
    """
    del browser
    page = connected_page(client)
    client.call("reticle_navigate", {"sessionId": page, "url": f"{shop_url}?visit=new"})
    ref = client.call("reticle_query", {"testid": "login"}).fields["elements"][0]["ref"]  # type: ignore[index]  # JSON
    client.call("reticle_navigate", {"sessionId": page, "reload": True})
    assert client.call("reticle_act", {"action": "click", "ref": ref}).error == "stale_ref"
    missing = client.call("reticle_act", {"action": "click", "target": {"testid": "nowhere"}})
    assert missing.error == "no_match"
    guarded = client.call(
        "reticle_act", {"action": "fill", "target": {"testid": "login"}, "args": {"value": "x"}}
    )
    assert guarded.error in {"wrong_target", "not_editable"}
