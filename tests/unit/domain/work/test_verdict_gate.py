"""
A job ends when verdicts show what its plan asks for; every way around that is refused with what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.work.verdict_gate import Standing, claim_of, missing, refusal_of
from reticle.model.codes import RefusalCode, Verified
from reticle.model.gates import Lack, LackKind
from reticle.model.ids import BrowserLeaseId, RepositoryId, VerdictId
from reticle.model.page import Attestation
from reticle.model.provenance import Provenance, Serving, ServingProcess
from reticle.model.verdict import Verdict
from reticle.model.work_plan import RequiredVerdict
from reticle.testing.verdicts import recorded_verdict

ONE = VerdictId("verdict_1")
URL = "http://localhost:3000/cart"
CLAIM = {"kind": "text", "contains": "Order placed"}
SERVER_CLAIM = {"kind": "sql", "verb": "INSERT", "table": "orders"}
REQUIRED = RequiredVerdict(claim=CLAIM, url=URL)
ROOT = "/srv/shop"
SHOP = RepositoryId("shop")

STANDING = Standing("token:dtok_a", SHOP, ROOT, 100.0, "tree:now", {"tree:then": ()})
PROVENANCE = Provenance(
    SHOP,
    101.0,
    "tree:now",
    "tree:now",
    commit="c0ffee",
    serving=Serving((ServingProcess(7, ROOT),)),
    probes=1,
)


def recorded(**changes: Any) -> Verdict:
    """
    A verdict that passes, but for the changes.
    """
    passing = attrs.evolve(
        recorded_verdict(ONE),
        principal=STANDING.principal,
        url=URL,
        claim=CLAIM,
        attested=Attestation(BrowserLeaseId("lease-1"), URL, 101.0),
        provenance=PROVENANCE,
    )
    decision = attrs.evolve(passing.decision, verified=changes.pop("verified", Verified.YES))
    return attrs.evolve(passing, decision=decision, **changes)


def of(**changes: Any) -> Verdict:
    return recorded(provenance=attrs.evolve(PROVENANCE, **changes))


def lacks(
    verdict: Verdict | None, required: RequiredVerdict = REQUIRED, standing: Standing = STANDING
) -> list[LackKind]:
    """
    What one verdict lacks.
    """
    return [lack.kind for lack in missing([required], {ONE: verdict}, standing)]


def test_a_verdict_of_this_attempt_passes() -> None:
    """Honest work is let through."""
    assert lacks(recorded()) == []
    assert (
        lacks(of(serving=Serving((ServingProcess(7, ROOT, (), 90.0), ServingProcess(8, ROOT, (), 102.0)))))
        == []
    )
    assert missing([], {}, STANDING) == ()


def test_a_verdict_is_of_the_claim_that_was_held() -> None:
    """
    Where it is known under which claim a verdict was taken, no clock that was set back makes it another's;
    where it is not, of an older record or an agent without a token of its own, the time decides.
    """
    ours = attrs.evolve(STANDING, work_lease_id="lease_2")
    for held in ("lease_1", ""):
        assert lacks(of(work_lease_id=held), standing=ours) == [LackKind.BEFORE_CLAIM]
        assert lacks(of(work_lease_id=held)) == []
    for known in ("lease_2", None):
        assert lacks(of(work_lease_id=known), standing=ours) == []
        assert lacks(of(work_lease_id=known, began_at=99.0), standing=ours) == [LackKind.BEFORE_CLAIM]


LIES: Mapping[str, tuple[Callable[[], Verdict | None], LackKind]] = {
    "invented": (lambda: None, LackKind.UNKNOWN_VERDICT),
    "borrowed": (lambda: recorded(principal="token:dtok_b"), LackKind.OTHER_PRINCIPAL),
    "a no": (lambda: recorded(verified=Verified.NO), LackKind.NOT_YES),
    "an unknown": (lambda: recorded(verified=Verified.UNKNOWN), LackKind.NOT_YES),
    "another claim": (lambda: recorded(claim={"kind": "text", "contains": "Order"}), LackKind.OTHER_CLAIM),
    "no claim": (lambda: recorded(claim={"kind": "later grammar"}), LackKind.OTHER_CLAIM),
    "reused": (lambda: of(began_at=99.0), LackKind.BEFORE_CLAIM),
    "begun before": (lambda: of(began_at=100.0), LackKind.BEFORE_CLAIM),
    "edited after": (lambda: of(tree="tree:old", tree_before="tree:old"), LackKind.EDITED_SINCE),
    "edited in between": (lambda: of(edited=("src/a.py",)), LackKind.EDITED_MEANWHILE),
    "perhaps edited in between": (lambda: of(edited=None), LackKind.EDITED_MEANWHILE),
    "of the page as it was": (lambda: of(newer_than_page=("src/a.js",)), LackKind.STALE_PAGE),
    "of the server as it was": (lambda: of(newer_than_server=("src/a.py",)), LackKind.STALE_SERVER),
    "of a browser that saw it before": (
        lambda: of(newer_than_browser=("src/a.js",)),
        LackKind.STALE_BROWSER,
    ),
    "of a page after a checkout": (lambda: of(newer_than_page=None), LackKind.STALE_PAGE),
    "of a browser after a checkout": (lambda: of(newer_than_browser=None), LackKind.STALE_BROWSER),
    "of a server after a checkout": (lambda: of(newer_than_server=None), LackKind.STALE_SERVER),
    "files not known": (lambda: of(tree=None), LackKind.TREE_UNKNOWN),
    "files forgotten": (lambda: of(tree="tree:lost", tree_before="tree:lost"), LackKind.TREE_UNKNOWN),
    "a fake page": (lambda: recorded(attested=None), LackKind.UNATTESTED),
    "with another program's caches": (
        lambda: of(
            serving=Serving((ServingProcess(7, ROOT, started_at=101.5), ServingProcess(8, ROOT, (), 102.0)))
        ),
        LackKind.STALE_BROWSER,
    ),
    "with another program's data": (
        lambda: of(beside=(Serving((ServingProcess(8, ROOT, started_at=101.5),)),)),
        LackKind.STALE_BROWSER,
    ),
    "another page": (lambda: recorded(url="http://localhost:3999/cart"), LackKind.OTHER_ADDRESS),
    "another app": (lambda: of(repository_id=RepositoryId("blog")), LackKind.OTHER_REPOSITORY),
    "another tree": (
        lambda: of(serving=Serving((ServingProcess(7, "/tmp/copy"),))),
        LackKind.SERVED_ELSEWHERE,
    ),
    "another tree under the same name": (
        lambda: of(serving=Serving((ServingProcess(7, ROOT, apart=True),)), projects=(ROOT,)),
        LackKind.SERVED_ELSEWHERE,
    ),
    "nobody knows which tree": (lambda: of(serving=Serving(trouble="no /proc")), LackKind.SERVER_UNKNOWN),
    "nothing recorded": (lambda: recorded(provenance=None), LackKind.NO_PROVENANCE),
}


@pytest.mark.parametrize("lie", [*LIES])
def test_every_lie_is_refused_for_what_it_is(lie: str) -> None:
    """A job is not ended by a verdict that is none, old, another's, of other code, or of a fake app."""
    make, kind = LIES[lie]
    standing = attrs.evolve(STANDING, changed={"tree:then": (), "tree:old": ("src/a.py",)})
    (lack,) = missing([REQUIRED], {ONE: make()}, standing)
    assert (lack.kind, lack.required, lack.verdict_id) == (kind, 0, ONE)
    assert lack.message
    assert lack.next_step


@given(st.sets(st.sampled_from([*LIES]), min_size=1, max_size=4))
def test_no_lie_hides_another(told: set[str]) -> None:
    """However many things are wrong with what is shown, it is not let through."""
    names = {VerdictId(f"verdict_{number}"): LIES[lie][0]() for number, lie in enumerate(sorted(told))}
    standing = attrs.evolve(STANDING, changed={"tree:then": (), "tree:old": ("src/a.py",)})
    assert missing([REQUIRED], names, standing)


def test_a_commit_of_what_was_verified_changes_nothing() -> None:
    """What is compared is the files, so that the verified state may be committed, or a report written."""
    same = of(tree="tree:then", tree_before="tree:then")
    assert lacks(same) == []


def test_the_plan_may_loosen_what_cannot_be_shown() -> None:
    """A page in a person's own browser, and a server that nobody sees, count where the plan says so."""
    loose = RequiredVerdict(claim=CLAIM, url=URL, accept_unattested=True, accept_unknown_server=True)
    dialled_in = attrs.evolve(of(serving=Serving(trouble="remote")), attested=None)
    assert lacks(dialled_in, loose) == []
    assert lacks(dialled_in) == [LackKind.UNATTESTED, LackKind.SERVER_UNKNOWN]
    old = of(newer_than_server=("src/a.py",))
    assert lacks(old, RequiredVerdict(claim=CLAIM, url=URL, server_reloads=True)) == []
    elsewhere = of(serving=Serving((ServingProcess(7, "/tmp/copy"),)))
    assert lacks(elsewhere, loose) == [LackKind.SERVED_ELSEWHERE]


def test_facts_of_the_server_need_the_token() -> None:
    """What a program posted to /ingest without the token proves nothing of the database."""
    required = RequiredVerdict(claim=SERVER_CLAIM, url=URL)
    assert lacks(recorded(claim=SERVER_CLAIM), required) == []
    forged = attrs.evolve(of(forgeable=True), claim=SERVER_CLAIM)
    assert lacks(forged, required) == [LackKind.FORGEABLE_FACTS]
    assert lacks(attrs.evolve(of(probes=0), claim=SERVER_CLAIM), required) == [LackKind.FORGEABLE_FACTS]
    assert lacks(of(forgeable=True)) == []


def test_a_stronger_claim_counts_and_one_verdict_may_show_two() -> None:
    """An agent that verifies both claims at once needs no second verdict."""
    other = RequiredVerdict(claim={"kind": "net", "method": "POST"}, url=URL)
    both = recorded(claim={"allOf": [CLAIM, {"kind": "net", "method": "POST", "count": 1}]})
    assert missing([REQUIRED, other], {ONE: both}, STANDING) == ()


def test_says_which_claim_has_no_verdict() -> None:
    """An agent that names none is told what to verify, and where."""
    (lack,) = missing([REQUIRED], {}, STANDING)
    assert lack.kind is LackKind.NO_VERDICT
    assert "Order placed" in lack.message
    assert URL in lack.message


def test_of_several_verdicts_the_nearest_is_spoken_of() -> None:
    """Of the verdicts that an agent names, the one that nearly counts is the one it hears about."""
    names = {VerdictId("verdict_0"): None, ONE: recorded(verified=Verified.NO)}
    (lack,) = missing([REQUIRED], names, STANDING)
    assert (lack.kind, lack.verdict_id) == (LackKind.NOT_YES, ONE)
    assert missing([REQUIRED], {**names, VerdictId("verdict_2"): recorded()}, STANDING) == ()


def test_the_refusal_leads_on() -> None:
    """What is refused names the next step first."""
    told = [Lack(LackKind.NOT_YES, 0, "it is no", "mend it"), Lack(LackKind.NO_VERDICT, 1, "none", "verify")]
    refusal = refusal_of(told)
    assert refusal.code == RefusalCode.VERDICT_MISSING
    assert refusal.recovery == "mend it"
    assert [one["kind"] for one in refusal.details["lacks"]] == ["not_yes", "no_verdict"]  # type: ignore[attr-defined]  # a list


def test_a_claim_of_another_grammar_is_none() -> None:
    """A record that this version does not understand shows nothing."""
    assert claim_of(recorded()) is not None
    assert claim_of(recorded(claim={"kind": "later"})) is None
