"""
A reviewer accepts, sends back, or rejects; each means one thing, and is decided once.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.model.codes import RefusalCode
from reticle.model.gates import LackKind
from tests.unit.tools.work.shop import GATE, ROOT, Agent, Shop, refused

MAKE = {"id": "make", "max_attempts": 2}
LOOK = {"id": "look", "role": "reviewer", "type": "review", "depends_on": ["make"]}
FINDINGS = "reviews/look.md"


def under_review(**look: Any) -> tuple[Shop, Agent, Agent]:
    """
    Work that is done, and a reviewer who has the packet.
    """
    shop = Shop(MAKE, {**LOOK, **look})
    maker, reviewer = shop.agent(), shop.agent("reviewer")
    maker.claim()
    maker.call("work.complete")
    reviewer.claim()
    shop.trees.write(ROOT, FINDINGS, "it is fine")
    return shop, maker, reviewer


@pytest.mark.parametrize("word", ["accept", "Approved", "LGTM", "approve with findings"])
def test_an_accepted_review_ends_the_run(word: str) -> None:
    """Whatever a reviewer calls it, accepted work is done (second seed, fault 132)."""
    shop, _, reviewer = under_review()
    done = reviewer.call("review.verdict", verdict=word, rationale="fine")
    assert done["status"] == "completed"
    assert done["verdict"] in {"accept", "accept_with_findings"}
    assert shop.states() == {"make": "completed", "look": "completed"}
    assert shop.detail()["state"] == "completed"


def test_deciding_twice_is_answered_as_once() -> None:
    """A reviewer that repeats itself hears that it is done, and no lease error (second seed, fault 127)."""
    _, _, reviewer = under_review()
    first = reviewer.call("review.verdict", verdict="accept")
    again = reviewer.call("review.verdict", verdict="reject", rationale="no, after all")
    assert again == {**first, "status": "already_completed"}
    shown = reviewer.call("review.submit", verdict="accept", path=FINDINGS)
    assert shown["status"] == "already_completed"


def test_work_that_is_sent_back_comes_again() -> None:
    """The reviewed job gets another attempt with what was wrong, and the review waits for it."""
    shop, maker, reviewer = under_review()
    sent = reviewer.call("review.verdict", verdict="request_changes", rationale="the total is wrong")
    assert (sent["verdict"], sent["reviewed_attempt"]) == ("needs_revision", 2)
    assert shop.states() == {"make": "queued", "look": "blocked"}
    packet = maker.claim()["packet"]
    assert packet["job"]["attempt"] == 2
    assert packet["revision"] == "the total is wrong"
    maker.call("work.complete")
    assert reviewer.claim()["packet"]["job"]["attempt"] == 2
    assert reviewer.call("review.verdict", verdict="accept")["status"] == "completed"
    assert shop.detail()["state"] == "completed"


def test_after_the_last_attempt_a_person_decides() -> None:
    """Work and review do not go round for ever."""
    shop, maker, reviewer = under_review()
    reviewer.call("review.verdict", verdict="needs_revision", rationale="wrong")
    maker.claim()
    maker.call("work.complete")
    reviewer.claim()
    sent = reviewer.call("review.verdict", verdict="needs_revision", rationale="still wrong")
    assert sent["status"] == "waiting_human"
    assert sent["blocker_id"].startswith("blk_")
    assert shop.states() == {"make": "waiting_human", "look": "blocked"}
    assert shop.detail()["state"] == "needs_operator"


def test_a_rejection_ends_the_run() -> None:
    """Rejected work does not leave a run that waits for ever (second seed, fault 140)."""
    shop, _, reviewer = under_review()
    done = reviewer.call("review.verdict", verdict="rejected", rationale="it deletes orders")
    assert (done["status"], done["run_state"]) == ("failed", "failed")
    assert shop.detail()["state"] == "failed"
    assert shop.states()["look"] == "failed"


def test_a_submission_is_all_or_nothing() -> None:
    """Acknowledging, publishing and deciding are one step: what is refused leaves nothing behind."""
    shop = Shop(MAKE, LOOK)
    maker, reviewer = shop.agent(), shop.agent("reviewer")
    maker.claim()
    maker.call("work.complete")
    reviewer.claim(ack=False)
    asked = {"path": FINDINGS, "rationale": "see there"}
    assert (
        refused(reviewer.call, "review.submit", verdict="accept", **asked).code == RefusalCode.ARTIFACT_ERROR
    )
    shop.trees.write(ROOT, FINDINGS, "it is fine")
    assert refused(reviewer.call, "review.submit", verdict="maybe", **asked).code == RefusalCode.BAD_ARGUMENTS
    assert reviewer.call("list.artifacts", run_id=shop.run_id)["artifacts"] == []
    done = reviewer.call("review.submit", verdict="accept", **asked)
    assert done["status"] == "completed"
    assert done["artifact"]["kind"] == "review"
    assert shop.detail()["state"] == "completed"


def test_a_second_look_that_says_the_same_is_none() -> None:
    """Findings of an earlier attempt, to the byte, are no second review (second seed, fault 106)."""
    shop, maker, reviewer = under_review()
    asked = {"path": FINDINGS}
    reviewer.call("review.submit", verdict="needs_revision", **asked)
    maker.claim()
    maker.call("work.complete")
    reviewer.claim()
    refusal = refused(reviewer.call, "review.submit", verdict="accept", **asked)
    assert refusal.code == RefusalCode.FRESH_REVIEW_BYTE_IDENTICAL
    shop.trees.write(ROOT, FINDINGS, "it is fine now")
    assert reviewer.call("review.submit", verdict="accept", **asked)["status"] == "completed"


def test_an_accepting_review_needs_its_own_verdict() -> None:
    """A reviewer whose packet demands a verdict shows one of its own; the maker's does not do."""
    shop, maker, reviewer = under_review(requires_verdict=[GATE])
    theirs = maker.verifies()
    refusal = refused(reviewer.call, "review.verdict", verdict="accept", verdict_ids=[theirs])
    assert refusal.code == RefusalCode.VERDICT_MISSING
    assert refusal.details["lacks"][0]["kind"] == LackKind.OTHER_PRINCIPAL  # type: ignore[index]  # a list
    mine = reviewer.verifies()
    assert reviewer.call("review.verdict", verdict="accept", verdict_ids=[mine])["status"] == "completed"
    assert shop.detail()["state"] == "completed"


def test_to_send_back_needs_no_verdict_but_a_reason() -> None:
    """Only what is accepted has to be shown; what is refused has to be said why."""
    _, _, reviewer = under_review(requires_verdict=[GATE])
    assert refused(reviewer.call, "review.verdict", verdict="reject").code == RefusalCode.BAD_ARGUMENTS
    sent = reviewer.call("review.verdict", verdict="needs_revision", rationale="wrong")
    assert sent["verdict"] == "needs_revision"


def test_findings_are_of_this_attempt() -> None:
    """A review of another attempt, or of nobody, is no finding."""
    _, _, reviewer = under_review()
    asked = {"verdict": "accept", "findings_artifact_id": "art_0"}
    assert refused(reviewer.call, "review.verdict", **asked).code == RefusalCode.ARTIFACT_ERROR


def test_work_is_not_decided_and_a_review_not_completed() -> None:
    """Each kind of job ends by its own method, and the refusal names it."""
    shop = Shop(MAKE, LOOK)
    maker, reviewer = shop.agent(), shop.agent("reviewer")
    maker.claim()
    refusal = refused(maker.call, "review.verdict", verdict="accept")
    assert (refusal.code, "work.complete" in refusal.recovery) == (RefusalCode.INVALID_TRANSITION, True)
    maker.call("work.complete")
    reviewer.claim(ack=False)
    refusal = refused(reviewer.call, "review.verdict", verdict="accept")
    assert (refusal.code, "work.ack" in refusal.recovery) == (RefusalCode.INVALID_TRANSITION, True)
    refusal = refused(reviewer.call, "work.complete")
    assert (refusal.code, "review." in refusal.recovery) == (RefusalCode.INVALID_TRANSITION, True)
