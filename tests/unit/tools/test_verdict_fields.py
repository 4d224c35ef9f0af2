"""
A verdict as an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
import pytest

from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.ids import ActionId, VerdictId
from reticle.model.verdict import Decision, Finding, FindingTier, Held, Honesty, Outcome, Verdict
from reticle.model.window import ActionRecord, Effect
from reticle.testing.windows import WindowBuilder
from reticle.tools.verdict_fields import outcome_fields, verdict_fields, verdict_text

HONESTY = Honesty(Grade.NET, settled=False, partial=True, blind_spots={"closed-shadow-root": 2}, clean=False,
                  issues=["3 dom events lost (page)"])  # fmt: skip
FINDING = Finding("duplicate-request", FindingTier.ABSENCE, "one order", "two requests", {"count": 2})


def verdict(outcome: Outcome) -> Verdict:
    """
    A verdict over an outcome.
    """
    decision = Decision(
        Verified.NO, VerifiedReason.CONTRADICTED, "Two orders.", outcome, [FINDING], HONESTY, "cart.html:12"
    )
    return Verdict(VerdictId("v1"), 1.0, "reticle_assert", "local", "p1", "http://a/", {}, decision)


def test_every_part_of_a_verdict_is_in_its_fields() -> None:
    """
    Value, reason, honesty, contradictions and the place in the source are all given.
    """
    fields = verdict_fields(verdict(Outcome(Held.YES, "net.present")), WindowBuilder().build())
    assert {
        name: fields[name] for name in ("verified", "verifiedReason", "because", "verdict_id", "pass")
    } == {
        "verified": "no",
        "verifiedReason": "contradicted",
        "because": "Two orders.",
        "verdict_id": "v1",
        "pass": False,
    }
    assert fields["honesty"] == {
        "grade": "net",
        "settled": False,
        "coverage": {"partial": True, "blindSpots": {"closed-shadow-root": 2}},
        "integrity": {"clean": False, "issues": ["3 dom events lost (page)"]},
    }
    assert fields["contradictions"] == [
        {
            "kind": "duplicate-request",
            "tier": "absence-derived",
            "claim": "one order",
            "counter": "two requests",
            "detail": {"count": 2},
        }
    ]
    assert fields["source"] == "cart.html:12"
    assert "acted" not in fields


def test_an_act_is_told_in_one_line_with_its_warning() -> None:
    """
    What was clicked, and that something lay over it, stands beside the verdict.
    """
    report = {"ref": "e5", "role": "button", "name": "Pay", "warning": "covered by a banner",
              "effect": {"dispatched": True, "occluded": True}}  # fmt: skip
    record = ActionRecord(ActionId("a1"), "click", {"ref": "e5"}, Effect(report))
    made = verdict(Outcome(Held.YES, "net.present"))
    fields = verdict_fields(made, attrs.evolve(WindowBuilder().build(), action=record))
    assert (fields["acted"], fields["effect"]) == ('click button "Pay" (ref=e5)', {"occluded": True})
    text = verdict_text(made, fields).splitlines()
    assert text[0].startswith("verified: no (contradicted)")
    assert 'acted: click button "Pay" (ref=e5)' in text
    assert "warning: covered by a banner" in text


SEEN: Sequence[Mapping[str, object]] = [
    {"seq": 3, "method": "POST", "url": "/api/orders", "status": 201, "ok": True},
    {"held": "no more than 1", "watchedMs": 40},
    {"ref": "e9", "role": "status", "name": "Thank you", "states": ["visible"]},
    {"ref": "e9", "role": "status", "name": "Thank you", "states": ["visible"]},
    {"ref": "e10", "role": "row", "name": "x" * 300},
    {"ref": "e11", "role": "row", "name": "y"},
]


def passed(effect: dict[str, object]) -> tuple[dict[str, object], str]:
    """
    The fields and the text of a pass of several parts, after a click that the page said this of.
    """
    parts = [Outcome(Held.YES, "net.count"), Outcome(Held.YES, "element.role")]
    outcome = Outcome(Held.YES, "net.count", SEEN, children=parts)
    clean = Honesty(Grade.NET, settled=False, partial=False, blind_spots={}, clean=True)
    decision = Decision(Verified.YES, VerifiedReason.PROVED, "Held.", outcome, [], clean)
    made = Verdict(VerdictId("v1"), 1.0, "reticle_act_and_wait", "local", "p1", "http://a/", {}, decision)
    report = {"ref": "e5", "role": "button", "name": "Pay", "effect": effect}
    record = ActionRecord(ActionId("a1"), "click", {"ref": "e5"}, Effect(report))
    builder = WindowBuilder().click().net("POST", "/api/orders", 201)
    window = attrs.evolve(builder.build(), action=record)
    fields = verdict_fields(made, window)
    return fields, verdict_text(made, fields)


def test_a_pass_says_each_thing_once() -> None:
    """
    An agent that reads hundreds of them finds the proof in one sentence, and beside it only where to look.
    """
    fields, text = passed({"dispatched": True, "focusMoved": "null->e5", "domMutatedWithin": 3, "value": "x"})
    assert fields["evidence"] == [{"seq": 3}, {"ref": "e9"}, {"ref": "e10"}]
    assert fields["honesty"] == {"grade": "net", "settled": False}
    assert not {"assertion", "moreEvidence", "effect", "parts"} & fields.keys()
    assert fields["acted"] == 'click button "Pay" (ref=e5)'
    assert text.splitlines()[0] == "verified: yes (proved) — Held."
    assert text.splitlines()[1].startswith("verdict_id: v1")


def test_what_is_odd_about_an_act_is_told_beside_a_pass_too() -> None:
    """
    A banner over the button and a form that refused are news, whatever was proved.
    """
    fields, text = passed({"occluded": True, "focusMoved": None})
    assert fields["effect"] == {"occluded": True}
    assert "acted: click" in text
    wrong = {"role": "textbox", "name": "Mail", "message": "Please fill out this field."}
    fields, text = passed({"invalid": [wrong]})
    assert "effect" not in fields
    assert str(fields["acted"]).startswith('click button "Pay" (ref=e5); the form\'s own checks failed')
    assert text.splitlines()[1] == (
        'the form\'s own checks failed: textbox "Mail": Please fill out this field.'
    )


def test_a_claim_that_holds_and_is_contradicted_keeps_its_evidence() -> None:
    """
    What is no pass is explained with what was seen.
    """
    fields = verdict_fields(verdict(Outcome(Held.YES, "net.count", SEEN)), WindowBuilder().build())
    evidence = fields["evidence"]
    assert isinstance(evidence, list)
    assert evidence[0] == {"seq": 3, "method": "POST", "url": "/api/orders", "status": 201}
    assert (fields["assertion"], fields["moreEvidence"]) == ("net.count", 4)


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (
            {"invalid": [{"role": "textbox", "name": "Mail", "message": "Please fill out this field."}]},
            """; the form's own checks failed: textbox "Mail": Please fill out this field.""",
        ),
        ({"opened": [{"url": "/print", "blocked": True}]}, "; the browser blocked the window /print"),
        ({"opened": [{"url": "/help"}, {"url": "/two", "blocked": False}]}, ""),
        ({"invalid": "odd", "opened": [4]}, ""),
    ],
)
def test_what_the_browser_answered_outside_of_the_page_is_told(effect: dict[str, object], told: str) -> None:
    """
    An agent learns why a button did nothing that the page shows: a bubble, a blocked window.
    """
    report = {"ref": "e5", "role": "button", "name": "Join", "effect": effect}
    record = ActionRecord(ActionId("a1"), "click", {"ref": "e5"}, Effect(report))
    made = verdict(Outcome(Held.NO, "text.present"))
    fields = verdict_fields(made, attrs.evolve(WindowBuilder().build(), action=record))
    assert fields["acted"] == f'click button "Join" (ref=e5){told}'


def test_long_evidence_is_cut_in_sight() -> None:
    """
    Evidence of a hundred facts shows ten and says how many more the verdict keeps.
    """
    outcome = Outcome(
        Held.NO, "text.present", [{"seen": "x" * 600}] * 100, "not there", observed="y" * 600, expected="z"
    )
    fields = outcome_fields(outcome)
    evidence = fields["evidence"]
    assert isinstance(evidence, list)
    assert len(evidence) == 10
    assert evidence[0]["seen"] == "x" * 300 + "…(+300 chars)"
    assert fields["moreEvidence"] == 90
    assert fields["observed"] == "y" * 300 + "…(+300 chars)"


def test_findings_that_say_the_same_are_told_once() -> None:
    """
    Five retries that failed alike are one line; what is left out is said to be in the kept verdict.
    """
    outcome = Outcome(Held.NO, "net.present", (), "no POST")
    detail = {"method": "POST", "url": "/api/orders", "status": 500, "tries": 2}
    alike = Finding("server-exception", FindingTier.ABSENCE, "all is well", "POST /api/orders 500", detail)
    others = [attrs.evolve(alike, kind=f"other-{number}", detail={}) for number in range(5)]
    known = verdict(outcome)
    decision = attrs.evolve(known.decision, findings=[alike, alike, *others, alike])
    fields = verdict_fields(attrs.evolve(known, decision=decision), WindowBuilder().build())
    told = fields["contradictions"]
    assert isinstance(told, list)
    assert [one["kind"] for one in told] == ["server-exception", "other-0", "other-1", "other-2"]
    assert (told[0]["times"], told[0]["detail"]) == (3, {"tries": 2})
    assert fields["moreContradictions"] == "2: reticle_verdict has them"
    text = verdict_text(attrs.evolve(known, decision=decision), fields).splitlines()
    assert [line for line in text if line.startswith("finding")] == [
        "finding: server-exception (absence-derived) — all is well, but POST /api/orders 500 (3 times)",
        "finding: other-0 (absence-derived) — all is well, but POST /api/orders 500",
        "finding: other-1 (absence-derived)",
        "finding: other-2 (absence-derived)",
        "finding: other-3 (absence-derived)",
        "finding: 1 more",
    ]


def test_a_reason_is_told_once() -> None:
    """
    Why a claim does not hold stands in the sentence; the part that it is about does not say it again.
    """
    parts = (
        Outcome(Held.NO, "net.count", (), "2 times, not 1"),
        Outcome(Held.NO, "text.present", (), "no text"),
    )
    known = verdict(Outcome(Held.NO, "net.count", (), "2 times, not 1", children=parts))
    decision = attrs.evolve(known.decision, because="It did not hold: 2 times, not 1.")
    fields = verdict_fields(attrs.evolve(known, decision=decision), WindowBuilder().build())
    assert "failureReason" not in fields
    assert fields["parts"] == [
        {"held": "no", "assertion": "net.count"},
        {"held": "no", "assertion": "text.present", "failureReason": "no text"},
    ]


def test_the_parts_of_a_composite_are_told_apart() -> None:
    """
    Of a joined claim it is seen which part failed and why.
    """
    parts = [
        Outcome(Held.YES, "net.present", failure="irrelevant"),
        Outcome(Held.NO, "text.present", failure="no"),
    ]
    fields = outcome_fields(Outcome(Held.NO, "allOf", failure="a part failed", children=parts))
    assert fields["parts"] == [
        {"held": "yes", "assertion": "net.present"},
        {"held": "no", "assertion": "text.present", "failureReason": "no"},
    ]


def test_an_empty_value_that_was_seen_is_told() -> None:
    """
    "Expected true, saw false" shows both, and so does an empty text.
    """
    fields = outcome_fields(
        Outcome(Held.NO, "state.equals", failure="differs", observed=False, expected=True)
    )
    assert (fields["observed"], fields["expected"]) == (False, True)
    assert outcome_fields(Outcome(Held.NO, "state.equals", observed="", expected=0))["observed"] == ""
