"""
Proving a claim and waiting for something, without acting.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.browser import Attestation, BrowserWish
from reticle.model.codes import CommandName, EventType, LogLevel
from reticle.model.ids import PageId, VerdictId
from reticle.model.leases import Lease
from reticle.testing.bridge import result_of
from reticle.testing.browser import FakeBrowser
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.toolcalls import Scene, answer_of, refusal_of, start_call
from reticle.tools.assertion import TOOLS as ASSERT_TOOLS
from reticle.tools.spec import Tool, ToolAnswer
from reticle.tools.wait_for import TOOLS as WAIT_TOOLS

ASSERT, WAIT_FOR = TOOLS = (*ASSERT_TOOLS, *WAIT_TOOLS)
URL = "http://localhost:8000/shop"
TEXT = {"kind": "text", "contains": "Saved"}
NO_ERROR = {"kind": "console", "level": "error", "absent": True}


def show(scene: Scene, text: str) -> None:
    """
    What the page's text says from now on.
    """

    def read(question: Mapping[str, object]) -> object:
        there = str(question["contains"]) in text
        return {"matched": there, "count": int(there), "visibleCount": int(there), "samples": []}

    scene.page.answer_reading("text", read)


def after(scene: Scene, call: Deferred[ToolAnswer], seconds: float) -> Mapping[str, object]:
    """
    The fields of a call after so much time, in small steps.
    """
    for _ in range(round(seconds / 0.05)):
        scene.clock.advance(0.05)
    assert isinstance(call.result, ToolAnswer)
    return call.result.fields


def test_a_claim_that_holds_is_proved_at_once(scene: Scene) -> None:
    """
    An assertion without a budget looks once and records its verdict.
    """
    show(scene, "Saved")
    answer = answer_of(ASSERT, scene.context, {"predicate": TEXT})
    assert (answer.fields["verified"], answer.fields["pass"]) == ("yes", True)
    assert answer.verdict_id in scene.context.verdicts.kept
    assert scene.context.verdicts.kept[answer.verdict_id].tool == "reticle_assert"
    assert scene.page.last_action_cursor() == 0


def test_a_verdict_on_a_page_that_the_daemon_opened_is_attested() -> None:
    """
    Whoever reads the verdict learns that it is of the page at that address; of a page that dialled in it
    says nothing of the kind, and nothing of it is the page's own word. A token in the address is not kept.
    """
    clock = FakeClock()
    browser = FakeBrowser(clock=clock)
    wish = BrowserWish(f"{URL}?token=s3cr3tvalue")
    opened = result_of(browser.acquire(wish, Lease("agent:me", "me", "", 0, clock.now() + 60)))
    page = browser.pages.resolve(opened.page_id)
    for each in (page, FakePage("p2", clock=clock.reactor, url=URL)):
        scene = Scene(clock, each, FakeContext(FakePages(each), clock=clock))
        show(scene, "Saved")
        answer = answer_of(ASSERT, scene.context, {"predicate": TEXT})
        kept = scene.context.verdicts.kept[VerdictId(str(answer.fields["verdict_id"]))]
        if each is page:
            address = f"{URL}?token=[REDACTED]"
            assert answer.fields["attested"] == {"lease": opened.lease_id, "url": address}
            assert (answer.text or "").endswith("· attested")
            assert kept.attested == Attestation(opened.lease_id, address)
        else:
            assert "attested" not in answer.fields
            assert "attested" not in (answer.text or "")
            assert kept.attested is None


def test_a_claim_that_does_not_hold_is_no(scene: Scene) -> None:
    """
    A missing text is a failed assertion, with what was expected.
    """
    show(scene, "Draft")
    fields = answer_of(ASSERT, scene.context, {"until": TEXT}).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("no", "assertion_failed")
    assert "Saved" in str(fields["because"])
    assert "failureReason" not in fields


@pytest.mark.parametrize(
    ("shown", "level", "verified"),
    [("Saved", LogLevel.INFO, "yes"), ("Draft", LogLevel.WARNING, "no"), (None, LogLevel.NOTICE, "unknown")],
)
def test_a_person_reads_the_verdict_in_the_log(
    scene: Scene, shown: str | None, level: LogLevel, verified: str
) -> None:
    """
    A client's log shows each verdict as it was given, whatever the agent tells of it.
    """
    if shown is None:
        scene.page.answer_reading("text", Refusal("page_error", "the frame is gone"))
    else:
        show(scene, shown)
    answer = answer_of(ASSERT, scene.context, {"predicate": TEXT})
    [(logged, told)] = scene.context.logged
    assert logged is level
    assert isinstance(told, Mapping)
    assert told["verified"] == verified == answer.fields["verified"]
    assert told["verdict_id"] == answer.verdict_id


@pytest.mark.parametrize("claim", [{"kind": "text", "contains": "Saved", "absent": True}, TEXT])
def test_a_page_that_could_not_be_read_is_unknown(scene: Scene, claim: dict[str, object]) -> None:
    """
    Original's defect 1: a failed match is neither "there" nor "not there".
    """
    scene.page.answer_reading("text", Refusal("page_error", "the frame is gone"))
    fields = answer_of(ASSERT, scene.context, {"predicate": claim}).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "inconclusive")
    wait = answer_of(WAIT_FOR, scene.context, {"predicate": claim, "timeout_ms": 0}).fields
    assert (wait["pass"], wait["inconclusive"]) == (False, True)


def test_the_window_starts_at_the_last_action_unless_told(scene: Scene) -> None:
    """
    An old error is not held against the last action; from an earlier cursor it is.
    """
    scene.page.record(EventType.CONSOLE_ERROR, {"message": "old"})
    scene.page.begin_action()
    scene.page.record(EventType.DOM_ADDED, {"role": "row"})
    scene.clock.advance(1)
    fields = answer_of(ASSERT, scene.context, {"predicate": NO_ERROR}).fields
    assert (fields["verified"], fields["since"]) == ("yes", 1)
    fields = answer_of(ASSERT, scene.context, {"predicate": NO_ERROR, "since": 0}).fields
    assert (fields["verified"], fields["since"]) == ("no", 0)


def test_an_absence_over_lost_events_is_not_proved(scene: Scene) -> None:
    """
    "No error" is unknown where console events were lost.
    """
    scene.page.lose("console", 4)
    scene.clock.advance(1)
    fields = answer_of(ASSERT, scene.context, {"predicate": NO_ERROR}).fields
    assert fields["verified"] == "unknown"


def test_a_reload_by_someone_else_is_not_the_apps_fault(scene: Scene) -> None:
    """
    VD-01: the page was reloaded during the wait and does not show the claim; unknown, not no.
    """
    show(scene, "Draft")
    call = start_call(ASSERT, scene.context, {"predicate": TEXT, "timeout_ms": 2_000})
    scene.clock.advance(0.3)
    scene.page.disconnect()
    scene.clock.advance(0.2)
    scene.page.load_document("doc00002")
    fields = after(scene, call, 2)
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "observation_lost")
    assert "source" not in fields


def test_a_page_that_comes_back_with_the_claim_proves_it(scene: Scene) -> None:
    """
    A short loss of the connection does not spoil a claim that is seen to hold afterwards.
    """
    show(scene, "Draft")
    call = start_call(ASSERT, scene.context, {"predicate": TEXT, "timeout_ms": 2_000})
    scene.clock.advance(0.3)
    scene.page.disconnect()
    scene.page.load_document("doc00002")
    show(scene, "Saved")
    assert after(scene, call, 2)["verified"] == "yes"


def test_an_assertion_never_acts(scene: Scene) -> None:
    """
    Looking sends no command that could change the page.
    """
    show(scene, "Saved")
    answer_of(ASSERT, scene.context, {"predicate": TEXT})
    answer_of(WAIT_FOR, scene.context, {"predicate": TEXT})
    assert [asked.command for asked in scene.page.asked if asked.command == CommandName.ACT] == []


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_call_without_a_claim_is_refused(scene: Scene, tool: Tool) -> None:
    """
    Nothing claimed is nothing proved: the call is refused with an example.
    """
    refusal = refusal_of(tool, scene.context, {})
    assert refusal.code == "bad_arguments"
    assert '"kind": "net"' in refusal.recovery


def test_a_demanded_grade_counts_here_too(scene: Scene) -> None:
    """
    A text on the screen does not pass where a signal was demanded.
    """
    show(scene, "Saved")
    fields = answer_of(ASSERT, scene.context, {"predicate": TEXT, "min_grade": "signal"}).fields
    assert (fields["verified"], fields["verifiedReason"]) == ("unknown", "vacuous_grade")
    assert "signal was demanded" in str(fields["because"])


def test_waiting_ends_when_the_predicate_holds_and_gives_no_verdict(scene: Scene) -> None:
    """
    A wait tells that it passed, and nothing more: no verified, no recorded verdict.
    """
    show(scene, "Draft")
    call = start_call(WAIT_FOR, scene.context, {"predicate": TEXT})
    scene.clock.advance(0.2)
    assert not call.called
    show(scene, "Saved")
    scene.page.record(EventType.DOM_TEXT, {"text": "Saved", "old": "Draft"})
    fields = after(scene, call, 0.1)
    assert fields["pass"] is True
    assert "verified" not in fields
    assert scene.context.verdicts.kept == {}


def test_waiting_does_not_wait_for_requests(scene: Scene) -> None:
    """
    A step on the way passes as soon as its predicate holds, whatever is still loading.
    """
    show(scene, "Saved")
    scene.page.record(EventType.NET_PENDING, {"id": "n1", "method": "GET", "url": "/slow"})
    assert answer_of(WAIT_FOR, scene.context, {"predicate": TEXT}).fields["pass"] is True


def test_a_wait_in_vain_says_what_is_missing(scene: Scene) -> None:
    """
    After its budget a wait is answered with why it did not pass.
    """
    show(scene, "Draft")
    call = start_call(WAIT_FOR, scene.context, {"predicate": TEXT, "timeout_ms": 1_000})
    fields = after(scene, call, 1)
    assert fields["pass"] is False
    assert "Saved" in str(fields["failureReason"])
    assert "inconclusive" not in fields


def test_a_wait_that_lost_its_page_says_so(scene: Scene) -> None:
    """
    A closed tab ends the wait; it did not pass, and it is known why.
    """
    show(scene, "Draft")
    call = start_call(WAIT_FOR, scene.context, {"predicate": TEXT, "timeout_ms": 30_000})
    scene.page.disconnect()
    fields = after(scene, call, 6)
    assert (fields["pass"], fields["observationLost"]) == (False, True)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_cursor_of_another_page_is_refused(scene: Scene, tool: Tool) -> None:
    """
    A cursor beyond the newest event would hide everything; it is refused with the present one.
    """
    scene.page.record(EventType.DOM_ADDED)
    refusal = refusal_of(tool, scene.context, {"predicate": NO_ERROR, "since": 400})
    assert (refusal.code, refusal.details) == ("bad_arguments", {"cursor": 1})


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_part_of_another_page_proves_nothing_here(scene: Scene, tool: Tool) -> None:
    """
    A claim inside a ref that was shown on another page is not judged on this page's element of that number.
    """
    scene.context.shown["e5"] = [PageId("p9")]
    refusal = refusal_of(tool, scene.context, {"predicate": {**TEXT, "scope": "e5"}})
    assert refusal.code == "ref_of_another_page"
    assert scene.page.asked == []
    assert scene.context.verdicts.kept == {}
