"""
A server's fault that is told as the user's.
"""

from __future__ import annotations

import pytest

from reticle.domain.findings import failure_misattributed, find_all
from reticle.domain.predicate import parse
from reticle.model.verdict import FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep


def kinds(builder: WindowBuilder, claim: object = None) -> list[str]:
    found = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding.kind for finding in found]


def login(status: int = 500, **fields: object) -> WindowBuilder:
    return WindowBuilder().click().net("POST", "/login", status, **fields)


@pytest.mark.parametrize(
    "blame",
    [
        lambda b: b.shown("alert", "Invalid password"),
        lambda b: b.dom_added("alert", "Falsches Passwort"),
        lambda b: b.shown("status", "密码不正确"),
        lambda b: b.signal("login.denied"),
        lambda b: b.state_change("auth.message", "Incorrect user name", None),
    ],
)
def test_blaming_the_user_for_a_500_is_found(blame: WindowStep) -> None:
    """
    "Wrong password" over a server that fell over sends the user the wrong way.
    """
    [finding] = find_all(blame(login()).build(), None)
    assert (finding.kind, finding.tier) == (failure_misattributed.KIND, FindingTier.OBSERVED)
    assert finding.counter == "POST /login 500"


def test_an_alert_that_is_named_by_its_content_is_quoted_once() -> None:
    """
    The words that blame the user stand in the sentence as the user reads them.
    """
    [finding] = find_all(login().dom_added("alert", "Wrong password", "Wrong password").build(), None)
    assert finding.claim == 'the app blames the user: "Wrong password"'


@pytest.mark.parametrize(
    "honest",
    [
        lambda b: b.shown("alert", "Something went wrong"),
        lambda b: b.shown("alert", "Invalid response from the server"),
        lambda b: b.shown("alert", "Invalid password").shown("alert", "The server could not be reached"),
        lambda b: b.dom_added("listitem", "Invalid invoices"),
        lambda b: b.shown("alert", "Login failed"),
        lambda b: b.console("error", "invalid password"),
    ],
)
def test_naming_the_server_or_a_mere_failure_blames_nobody(honest: WindowStep) -> None:
    """
    A message that owns up to a failure, and the rows of a list, are no blame.
    """
    assert failure_misattributed.KIND not in kinds(honest(login()))


def test_a_4xx_a_declared_failure_and_the_servers_own_words_are_no_misattribution() -> None:
    """
    A refusal may be the user's fault, a test of it names it, and an app may repeat what it was told.
    """
    assert kinds(login(401).shown("alert", "Invalid password")) == []
    said = login(503, responseBody='{"detail": "Invalid password"}').shown("alert", "Invalid password")
    assert kinds(said) == []
    assert kinds(login().shown("alert", "Invalid password"), {"kind": "net", "status": 500}) == []
    before = WindowBuilder().click().shown("alert", "Invalid password").net("POST", "/login", 500)
    assert failure_misattributed.KIND not in kinds(before)
