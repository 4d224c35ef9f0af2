"""
The demo's table says per journey what was decided, why, on what evidence and where to look.
"""

from __future__ import annotations

from examples.journeys.report import WIDTH, Row, render
from reticle.client import CallResult

RED = CallResult(
    {
        "verified": "no",
        "verifiedReason": "contradicted",
        "because": "The request failed and the screen went on.",
        "source": "examples/shop/page.html:67",
        "contradictions": [{"kind": "ui-advanced-request-failed", "claim": "it moved", "counter": "500"}],
        "summary": {"net": {"total": 1, "headline": ["POST /api/orders 500"]}},
    },
    "",
    is_error=False,
)


def test_red_row_names_reason_evidence_and_place() -> None:
    """
    A reader sees the disagreement and the line to open, within the table's width.
    """
    table = render("faults", [Row("silent-500", RED, expected=True)], colours=False)
    assert table.splitlines() == [
        f"{'faults':<32}{'verified':<10}{'reason':<21}fix at",
        "─" * WIDTH,
        f"{'silent-500':<32}{'no':<10}{'contradicted':<21}examples/shop/page.html:67",
        "    because   The request failed and the screen went on.",
        "    evidence  ui-advanced-request-failed: it moved; but 500",
        "    evidence  network: POST /api/orders 500",
    ]


def test_unexpected_verdict_is_marked() -> None:
    """
    A verdict that the journey should not have is pointed out.
    """
    table = render("clean", [Row("clean", RED, expected=False)], colours=True)
    assert "\x1b[1;31mno        \x1b[0m" in table
    assert table.splitlines()[-1] == "    !         this is not what the journey should show"


def test_refusal_is_shown_with_its_sentence() -> None:
    """
    A call that was refused shows its code and what to do.
    """
    refused = CallResult({"ok": False, "error": "occluded", "message": "Covered."}, "", is_error=True)
    assert "refused   occluded" in render("faults", [Row("x", refused, expected=False)], colours=False)


def test_green_row_shows_what_it_rests_on() -> None:
    """
    Under a proved journey stands the first piece of evidence that says something, and no place to fix.
    """
    green = CallResult(
        {
            "verified": "yes",
            "verifiedReason": "proved",
            "because": "It held.",
            "source": "examples/shop/page.html:67",
            "evidence": [{"seq": 2}, {"seq": 1, "status": 201}],
        },
        "",
        is_error=False,
    )
    assert render("clean", [Row("clean", green, expected=True)], colours=False).splitlines()[2:] == [
        f"{'clean':<32}{'yes':<10}proved",
        "    because   It held.",
        '    evidence  {"status": 201}',
    ]
