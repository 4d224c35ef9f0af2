"""
Acts of a test on a page.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.client import CallResult
from reticle.pytest_plugin.claims import text
from reticle.pytest_plugin.outcomes import ActNotPerformed, CallRefused, VerdictNo, judged
from reticle.pytest_plugin.pages import Page


class Daemon:
    """
    Answers every call with what it was told to, and keeps what it was asked.
    """

    def __init__(self, **fields: object) -> None:
        self.answer = CallResult(fields, "what an agent reads", is_error=fields.get("ok") is False)
        self.asked: list[tuple[str, Mapping[str, object]]] = []

    def call(self, tool: str, arguments: Mapping[str, object]) -> CallResult:
        """
        A call.
        """
        self.asked.append((tool, arguments))
        return self.answer

    @property
    def page(self) -> Page:
        """
        A page of it.
        """
        return Page("p1", self.call, judged)


def test_an_act_is_made_with_its_claim() -> None:
    """
    ``click(...).expects(...)`` acts once, with the claim named before the act.
    """
    daemon = Daemon(verified="yes", verdict_id="verdict_1")
    verdict = daemon.page.click(role="button", name="Pay").expects(text("Thanks"), timeout_ms=900)
    assert verdict.id == "verdict_1"
    assert daemon.asked == [
        (
            "reticle_act_and_wait",
            {
                "sessionId": "p1",
                "action": "click",
                "target": {"role": "button", "name": "Pay"},
                "args": {"confirmDangerous": True},
                "until": {"kind": "text", "contains": "Thanks", "visible": True},
                "timeout_ms": 900,
            },
        )
    ]


def test_an_act_without_a_claim_is_made_by_perform() -> None:
    """
    Steps on the way to what is tested are made, and prove nothing.
    """
    daemon = Daemon(effect={})
    daemon.page.fill("Ada", label="Name").perform()
    assert daemon.asked == [
        (
            "reticle_act",
            {
                "sessionId": "p1",
                "action": "fill",
                "target": {"label": "Name"},
                "args": {"value": "Ada", "confirmDangerous": True},
            },
        )
    ]


def test_a_ref_is_no_query() -> None:
    """
    An element of a snapshot can be acted on by its ref.
    """
    daemon = Daemon(effect={})
    daemon.page.click(ref="e7").perform()
    assert daemon.asked[0][1] == {
        "sessionId": "p1",
        "action": "click",
        "ref": "e7",
        "args": {"confirmDangerous": True},
    }


def test_an_act_that_was_never_made_fails_the_test() -> None:
    """
    A forgotten ``expects`` is an error and no test that passes.
    """
    daemon = Daemon()
    page = daemon.page
    page.click(role="button", name="Pay")
    with pytest.raises(ActNotPerformed, match=r"click on .*Pay.* was never made"):
        page.snapshot()
    page.click(role="button", name="Pay")
    with pytest.raises(ActNotPerformed):
        page.finish()
    assert daemon.asked == []


def test_a_verdict_of_no_fails_with_what_the_daemon_says() -> None:
    """
    The failure of a test has the evidence, in the daemon's own words.
    """
    daemon = Daemon(verified="no", verdict_id="verdict_2")
    with pytest.raises(VerdictNo) as raised:
        daemon.page.expects(text("Thanks"))
    assert str(raised.value) == "what an agent reads"


def test_a_refused_call_says_why_and_what_next() -> None:
    """
    A claim with a misspelt field names the right spelling.
    """
    daemon = Daemon(
        ok=False, error="invalid_arguments", message="no field 'contain'", recovery="say contains"
    )
    with pytest.raises(CallRefused, match="invalid_arguments: no field 'contain'\nsay contains") as raised:
        daemon.page.click(text="Pay").expects({"kind": "text", "contain": "x"})
    assert raised.value.code == "invalid_arguments"


@pytest.mark.parametrize("wrong", ["target", "claims"])
def test_an_act_needs_an_element_and_a_claim(wrong: str) -> None:
    """
    Half an act is refused where it is written.
    """
    page = Daemon().page
    with pytest.raises(TypeError, match="needs an element" if wrong == "target" else "at least one claim"):
        page.click().perform() if wrong == "target" else page.click(text="Pay").expects()


def test_a_page_that_does_not_arrive_is_said() -> None:
    """
    ``goto`` an address that answers nothing fails there and not three lines later.
    """
    with pytest.raises(CallRefused):
        Daemon(confirmed=False).page.goto("/nowhere")
    Daemon(confirmed=True).page.goto("/cart")
