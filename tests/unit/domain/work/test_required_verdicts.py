"""
A plan asks for what can be shown, or is refused before any work begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.domain.work.required_verdicts import check_required
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.work_plan import RequiredVerdict

URL = "http://localhost:3000/cart"
CLAIM = {"kind": "text", "contains": "Order placed"}
REQUIRED = RequiredVerdict(claim=CLAIM, url=URL)


@pytest.mark.parametrize(
    ("claim", "url", "code"),
    [
        ({"kind": "nonsense"}, URL, RefusalCode.BAD_PREDICATE),
        ({"kind": "settled"}, URL, RefusalCode.BAD_ARGUMENTS),
        ({"kind": "net", "since": 4}, URL, RefusalCode.BAD_ARGUMENTS),
        (CLAIM, "/cart", RefusalCode.BAD_ARGUMENTS),
    ],
)
def test_refuses_a_gate_that_could_not_open(claim: Mapping[str, Any], url: str, code: str) -> None:
    """A plan that nobody could meet, or that everybody does, is refused before the work begins."""
    with pytest.raises(Refusal) as refused:
        check_required([REQUIRED, RequiredVerdict(claim=claim, url=url)], "jobs[0].requires_verdict")
    assert refused.value.code == code


def test_takes_a_gate_that_can_open() -> None:
    """An ordinary gate is taken."""
    check_required([REQUIRED], "jobs[0].requires_verdict")
