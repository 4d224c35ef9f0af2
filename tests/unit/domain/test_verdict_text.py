"""
A decision as text for an agent: short, and the answer first.
"""

from __future__ import annotations

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.domain.verdict_text import outline
from reticle.testing.windows import WindowBuilder


def test_a_yes_names_its_proof() -> None:
    """
    The first line is the verdict, the rest is what it stands on.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 201, responseBody="{}").dom_added()
    claim = {"allOf": [{"kind": "net", "method": "POST", "status": 201}, {"kind": "settled"}]}
    assert outline(decide(parse(claim), builder.build())).splitlines() == [
        ("verified: yes (proved) — Held at grade net: POST /api/orders 201, quiet for 1000 ms."),
    ]
    builder.blind_spot("closed-shadow-root", 2)
    assert outline(decide(parse(claim), builder.build())).splitlines()[1:] == [
        "honesty: could not watch 2 closed-shadow-root"
    ]


def test_a_no_names_finding_and_source() -> None:
    """
    A contradiction is told with its finding and the file and line to look at.
    """
    builder = WindowBuilder().click(source="cart.html:7").net("POST", "/api/orders", 500).dom_added()
    builder.loss("visible").blind_spot("closed-shadow-root", 2)
    text = outline(decide(None, builder.build()))
    assert text.splitlines() == [
        "verified: no (contradicted) — Evidence contradicts: the page went on, but POST /api/orders 500.",
        "source: cart.html:7 (the element is written here)",
        "finding: ui-advanced-request-failed (observed)",
        'evidence: {"quietMs": 1000}',
        (
            "honesty: grade none, settled, capture not clean (5 visible events lost (ring)), "
            "could not watch 2 closed-shadow-root"
        ),
    ]


def test_the_text_stays_short_whatever_happened() -> None:
    """
    Hundreds of parts, findings and facts fit into 25 lines of bounded length.
    """
    builder = WindowBuilder().click()
    for number in range(40):
        builder.net("POST", f"/api/{number}?{'x' * 900}", 500).uncaught("y" * 3_000).dom_added()
    claim = {"anyOf": [{"kind": "net", "urlContains": f"/none/{number}"} for number in range(60)]}
    lines = outline(decide(parse(claim), builder.build())).splitlines()
    assert len(lines) <= 25
    assert max(len(line) for line in lines) <= 600
