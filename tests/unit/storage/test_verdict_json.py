"""
A stored verdict is the verdict.
"""

from __future__ import annotations

from typing import Any

import attrs
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.model.browser import Attestation
from reticle.model.codes import Grade, Verified, VerifiedReason
from reticle.model.ids import RepositoryId
from reticle.model.provenance import Provenance, Serving, ServingProcess
from reticle.model.verdict import Decision, Finding, FindingTier, Held, Honesty, Outcome, Verdict
from reticle.storage.verdict_json import verdict_from_json, verdict_to_json
from reticle.testing.verdicts import recorded_verdict

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
MAYBE = st.none() | TEXT


def outcomes(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Outcome]:
    """
    One node of an outcome tree above ``children``.
    """
    return st.builds(
        Outcome,
        held=st.sampled_from(Held),
        assertion=TEXT,
        evidence=st.lists(OBJECT, max_size=2).map(tuple),
        failure=MAYBE,
        observed=JSON,
        expected=JSON,
        final=st.booleans(),
        retry_after_ms=st.none() | st.integers(0, 10_000),
        children=children,
    )


TREES = st.recursive(
    outcomes(st.just(())), lambda t: outcomes(st.lists(t, max_size=2).map(tuple)), max_leaves=4
)
DECISIONS = st.builds(
    Decision,
    verified=st.sampled_from(Verified),
    reason=st.sampled_from(VerifiedReason),
    because=TEXT,
    outcome=TREES,
    findings=st.lists(
        st.builds(
            Finding,
            kind=TEXT,
            tier=st.sampled_from(FindingTier),
            claim=TEXT,
            counter=TEXT,
            detail=OBJECT,
            source=MAYBE,
        ),
        max_size=2,
    ).map(tuple),
    honesty=st.builds(
        Honesty,
        grade=st.sampled_from(Grade),
        settled=st.booleans(),
        partial=st.booleans(),
        blind_spots=st.dictionaries(TEXT, st.integers(0, 99), max_size=2),
        clean=st.booleans(),
        issues=st.lists(TEXT, max_size=2).map(tuple),
    ),
    source=MAYBE,
)
VERDICTS = st.builds(
    Verdict,
    verdict_id=TEXT,
    at=st.floats(0, 4e9),
    tool=TEXT,
    principal=TEXT,
    page_id=TEXT,
    url=TEXT,
    claim=OBJECT,
    decision=DECISIONS,
    versions=st.dictionaries(TEXT, TEXT, max_size=2),
    attested=st.none() | st.builds(Attestation, lease_id=TEXT, opened_url=TEXT),
)


@given(VERDICTS)
def test_what_comes_back_is_what_was_stored(verdict: Verdict) -> None:
    """
    Explaining a verdict later shows the same facts, to the last field.
    """
    assert verdict_from_json(verdict_to_json(verdict)) == verdict


@given(VERDICTS)
def test_half_a_surrogate_pair_in_a_page_does_not_cost_the_verdict(verdict: Verdict) -> None:
    """
    A page whose text is broken Unicode still gets its verdict stored, with a question mark there.
    """
    broken = attrs.evolve(verdict, claim={"a\ud800": ["x\udfff", {"n": 1}]})
    assert verdict_from_json(verdict_to_json(broken)) == attrs.evolve(verdict, claim={"a?": ["x?", {"n": 1}]})


def test_a_field_of_a_newer_version_is_passed_over() -> None:
    """
    A verdict that a newer program stored can still be read.
    """
    verdict = _plain()
    document = {**msgspec.json.decode(verdict_to_json(verdict)), "weather": True}
    assert verdict_from_json(msgspec.json.encode(document).decode()) == verdict


def test_a_verdict_of_an_older_version_is_of_a_page_that_dialled_in() -> None:
    """
    What was stored before pages were opened by the daemon can be read, and is never taken for attested.
    """
    document = msgspec.json.decode(verdict_to_json(_plain()))
    del document["attested"]
    assert verdict_from_json(msgspec.json.encode(document).decode()) == _plain()


def test_text_that_is_no_verdict_is_refused() -> None:
    """
    A damaged row is an error, never half a verdict.
    """
    with pytest.raises(msgspec.ValidationError):
        verdict_from_json('{"verdict_id": "x"}')


def _plain() -> Verdict:
    honesty = Honesty(Grade.NET, settled=True, partial=False, blind_spots={}, clean=True)
    decision = Decision(Verified.YES, VerifiedReason.PROVED, "it held", Outcome(Held.YES, "net"), (), honesty)
    return Verdict("verdict_1", 1.5, "reticle_assert", "local", "s1", "http://x/", {}, decision)  # type: ignore[arg-type]  # plain text for ids


def test_what_stood_behind_a_page_comes_back() -> None:
    """
    The files and the server of a verdict are stored with it; one of an older version has none.
    """
    served = Serving((ServingProcess(7, "/srv/shop", ("/srv/shop/app.py",)), ServingProcess(8, None)), "")
    provenance = Provenance(
        RepositoryId("shop"),
        1.5,
        "tree:a",
        None,
        edited=("a.py",),
        newer_than_page=("b.js",),
        commit="c0ffee",
        tree_trouble="git failed",
        serving=served,
        projects=("/srv/shop",),
        probes=2,
        forgeable=True,
    )
    verdict = attrs.evolve(recorded_verdict(), provenance=provenance)
    assert verdict_from_json(verdict_to_json(verdict)) == verdict
    older = msgspec.json.decode(verdict_to_json(verdict))
    del older["provenance"]
    assert verdict_from_json(msgspec.json.encode(older).decode()).provenance is None
