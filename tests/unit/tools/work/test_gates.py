"""
A packet with a gate is completed by who did the work and showed it, and by nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reticle.model.codes import RefusalCode, Verified
from reticle.model.gates import LackKind
from reticle.model.ids import VerdictId
from reticle.model.provenance import Serving, ServingProcess
from reticle.model.work_limits import ARTIFACTS_PER_ATTEMPT
from tests.unit.tools.work.shop import GATE, ROOT, Agent, Shop, refused

SCOPE = {"allowed_paths": ["src/**", "docs/**"]}
JOB = {"id": "fix", "write_scope": SCOPE, "requires_verdict": [GATE]}


def at_work(*jobs: dict[str, Any]) -> tuple[Shop, Agent]:
    """
    An agent with a packet, that has edited the app.
    """
    shop = Shop(*(jobs or (JOB,)))
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "src/cart.py", "total = 2")
    return shop, agent


def kinds(agent: Agent, *verdict_ids: VerdictId) -> list[str]:
    """
    What is missing, by the answer to a completion.
    """
    refusal = refused(agent.call, "work.complete", verdict_ids=list(verdict_ids))
    assert refusal.code == RefusalCode.VERDICT_MISSING
    assert refusal.recovery
    told = refusal.details["lacks"]
    assert isinstance(told, list)
    return [str(lack["kind"]) for lack in told]


def test_honest_work_is_completed() -> None:
    """An agent that edits, verifies and completes is done, and asking again says so."""
    shop, agent = at_work()
    verdict_id = agent.verifies()
    done = agent.call("work.complete", verdict_ids=[verdict_id], summary="mended")
    assert done["status"] == "completed"
    again = agent.call("work.complete", verdict_ids=[verdict_id], summary="mended")
    assert again["status"] == "already_completed"
    assert shop.states() == {"fix": "completed"}


def test_a_report_may_be_written_after_the_verdict() -> None:
    """Who verifies first and then writes and publishes what it saw has changed nothing of the app."""
    shop, agent = at_work()
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "docs/proof.md", f"seen: {verdict_id}")
    agent.call("artifact.publish", logical_name="proof", kind="verification", path="docs/proof.md")
    assert agent.call("work.complete")["status"] == "completed"


def test_source_that_is_published_as_a_report_is_an_edit() -> None:
    """Code does not become a report by its kind."""
    shop, agent = at_work()
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "src/cart.py", "total = 3")
    agent.call("artifact.publish", logical_name="r", kind="report", path="src/cart.py")
    assert kinds(agent, verdict_id) == [LackKind.EDITED_SINCE]


@pytest.mark.parametrize("planned", [False, True])
def test_a_page_of_text_that_was_there_is_no_report_unless_the_plan_says_so(planned: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Who verifies right text, puts the wrong one back and publishes that as a report has edited."""
    expected = [{"logical_name": "r", "kind": "report", "path": "docs/home.md"}]
    shop = Shop({**JOB, "expected_artifacts": expected if planned else []})
    shop.trees.write(ROOT, "docs/home.md", "wrong")
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/home.md", "right")
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "docs/home.md", "wrong")
    agent.call("artifact.publish", logical_name="r", kind="report", path="docs/home.md")
    if planned:
        assert agent.call("work.complete", verdict_ids=[verdict_id])["status"] == "completed"
    else:
        assert kinds(agent, verdict_id) == [LackKind.EDITED_SINCE]


def test_artifacts_of_claims_before_hide_none_of_this_one() -> None:
    """However much was published in an attempt before this claim of it, what is published now counts."""
    shop = Shop(JOB)
    shop.trees.write(ROOT, "docs/home.md", "wrong")
    agent = shop.agent()
    agent.claim(ack=False)
    for number in range(ARTIFACTS_PER_ATTEMPT):
        agent.call("artifact.publish", logical_name=f"r{number}", kind="report", path="docs/home.md")
    agent.call("work.release")
    assert agent.claim()["packet"]["job"]["attempt"] == 1
    shop.trees.write(ROOT, "docs/home.md", "right")
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "docs/home.md", "wrong")
    agent.call("artifact.publish", logical_name="r", kind="report", path="docs/home.md")
    assert kinds(agent, verdict_id) == [LackKind.EDITED_SINCE]


def test_what_was_published_is_what_was_verified() -> None:
    """A file that is edited after it was published is published again, or the reviewer reads another one."""
    shop, agent = at_work()
    asked = {"kind": "source", "path": "src/cart.py"}
    agent.call("artifact.publish", logical_name="change", **asked)
    shop.trees.write(ROOT, "src/cart.py", "total = 3")
    verdict_id = agent.verifies()
    refusal = refused(agent.call, "work.complete", verdict_ids=[verdict_id])
    assert refusal.code == RefusalCode.ARTIFACT_ERROR
    assert "change-2" in refusal.recovery
    agent.call("artifact.publish", logical_name="change-2", **asked)
    assert agent.call("work.complete", verdict_ids=[verdict_id])["status"] == "completed"


LIES: dict[str, tuple[Callable[[Shop, Agent], VerdictId | None], LackKind]] = {
    "none": (lambda _shop, _agent: None, LackKind.NO_VERDICT),
    "invented": (lambda _shop, _agent: VerdictId("verdict_0"), LackKind.UNKNOWN_VERDICT),
    "borrowed": (lambda shop, _agent: shop.agent().verifies(), LackKind.OTHER_PRINCIPAL),
    "a no": (lambda _shop, agent: agent.verifies(verified=Verified.NO), LackKind.NOT_YES),
    "another claim": (
        lambda _shop, agent: agent.verifies(claim={"kind": "text", "contains": "Cart"}),
        LackKind.OTHER_CLAIM,
    ),
    "dialled in": (lambda _shop, agent: agent.verifies(attested=None), LackKind.UNATTESTED),
    "another page": (
        lambda _shop, agent: agent.verifies(url="http://localhost:3999/cart"),
        LackKind.OTHER_ADDRESS,
    ),
    "another tree": (
        lambda _shop, agent: agent.verifies(
            provenance={"serving": Serving((ServingProcess(7, "/tmp/copy"),))}
        ),
        LackKind.SERVED_ELSEWHERE,
    ),
}


@pytest.mark.parametrize("lie", [*LIES])
def test_a_liar_is_refused(lie: str) -> None:
    """Done is what the daemon saw, whatever an agent names as proof."""
    shop, agent = at_work()
    make, kind = LIES[lie]
    verdict_id = make(shop, agent)
    assert kinds(agent, *([] if verdict_id is None else [verdict_id])) == [kind]
    assert shop.states() == {"fix": "running"}


def test_a_clock_that_was_set_back_makes_no_verdict_younger() -> None:
    """
    One that was taken under an earlier claim stays so, whatever time it is said to be at the next one.
    """
    shop, agent = at_work()
    verdict_id = agent.verifies()
    agent.call("work.release", reason="try again")
    shop.clock.set_back(600)
    agent.claim()
    assert kinds(agent, verdict_id) == [LackKind.BEFORE_CLAIM]
    assert agent.call("work.complete", verdict_ids=[agent.verifies()])["status"] == "completed"


def test_a_verdict_of_an_earlier_attempt_counts_no_more() -> None:
    """A verdict from before the claim is of other work, even one's own."""
    _, agent = at_work()
    verdict_id = agent.verifies()
    agent.call("work.release", reason="try again")
    agent.claim()
    assert kinds(agent, verdict_id) == [LackKind.BEFORE_CLAIM]
    assert agent.call("work.complete", verdict_ids=[agent.verifies()])["status"] == "completed"


def test_an_edit_after_the_verdict_needs_another_one() -> None:
    """What was verified is what is there, or it is verified again."""
    shop, agent = at_work()
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "src/cart.py", "total = 3")
    assert kinds(agent, verdict_id) == [LackKind.EDITED_SINCE]
    assert kinds(agent, agent.verifies(provenance={"edited": ("src/cart.py",)})) == [
        LackKind.EDITED_MEANWHILE
    ]
    assert agent.call("work.complete", verdict_ids=[agent.verifies()])["status"] == "completed"


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("edited", LackKind.EDITED_MEANWHILE),
        ("newer_than_page", LackKind.STALE_PAGE),
        ("newer_than_browser", LackKind.STALE_BROWSER),
        ("newer_than_server", LackKind.STALE_SERVER),
    ],
)
def test_only_its_own_edits_make_a_verdict_stale(field: str, kind: LackKind) -> None:
    """A page and a server must have the edits of this job; what another agent edits meanwhile is its own."""
    mine = {**JOB, "write_scope": {"allowed_paths": ["src/cart.py"]}}
    theirs = {"id": "other", "write_scope": {"allowed_paths": ["src/list.py"]}, "priority": -1}
    shop, agent = at_work(mine, theirs)
    shop.agent().claim()
    verdict_id = agent.verifies(provenance={field: ("src/cart.py", "src/list.py")})
    assert kinds(agent, verdict_id) == [kind]
    verdict_id = agent.verifies(provenance={field: ("src/list.py",)})
    assert agent.call("work.complete", verdict_ids=[verdict_id])["status"] == "completed"


def test_a_file_that_git_was_told_to_ignore_proves_nothing() -> None:
    """Who hides the file that is to be mended from the look at the files hides it from the verdict, too."""
    shop, agent = at_work()
    shop.trees.ignored.add("src/cart.py")
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "src/cart.py", "total = 1")
    assert kinds(agent, verdict_id) == [LackKind.HIDDEN_FILES]
    shop.trees.ignored.clear()
    assert kinds(agent, verdict_id) == [LackKind.EDITED_SINCE]


def test_files_that_cannot_be_read_prove_nothing() -> None:
    """Where git fails, the gate stays shut and says why."""
    shop, agent = at_work()
    verdict_id = agent.verifies()
    shop.trees.trouble = "git could not list the files"
    refusal = refused(agent.call, "work.complete", verdict_ids=[verdict_id])
    assert "git could not list" in refusal.message


def test_a_scope_that_could_not_be_checked_is_said() -> None:
    """Where the files cannot be listed, nobody claims that they were looked at."""
    shop = Shop({"id": "fix", "write_scope": SCOPE})
    agent = shop.agent()
    shop.trees.trouble = "git failed"
    agent.claim()
    done = agent.call("work.complete")
    assert done["warnings"] == ["write_scope was not checked: git failed"]


def test_a_scope_that_cannot_be_checked_any_more_is_refused() -> None:
    """Who breaks the repository after the claim does not get around its write scope with that."""
    shop, agent = at_work({"id": "fix", "write_scope": SCOPE})
    shop.trees.trouble = "git failed"
    refusal = refused(agent.call, "work.complete")
    assert refusal.code == RefusalCode.WRITE_SCOPE_DRIFT
    assert "git failed" in refusal.message
    shop.trees.trouble = ""
    assert agent.call("work.complete")["status"] == "completed"


def test_an_early_acknowledgement_leaves_no_scope_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who learns the lease from a list and acknowledges while the files are looked at is held to them too."""
    shop = Shop({"id": "fix", "write_scope": SCOPE})
    agent = shop.agent()
    look = shop.trees.snapshot

    def early(root: str) -> object:
        monkeypatch.setattr(shop.trees, "snapshot", look)
        (seen,) = shop.detail()["sessions"]
        agent.call("work.ack", lease_id=seen["lease_id"])
        return look(root)

    monkeypatch.setattr(shop.trees, "snapshot", early)
    agent.claim(ack=False)
    shop.trees.write(ROOT, "deploy.sh", "rm")
    assert refused(agent.call, "work.complete").code == RefusalCode.WRITE_SCOPE_DRIFT


def test_a_review_that_goes_on_excuses_nobody() -> None:
    """A reviewer reads; what an agent changes outside of its scope meanwhile is not the reviewer's."""
    shop, agent = at_work(
        {"id": "first"},
        {"id": "look", "type": "review", "role": "reviewer", "depends_on": ["first"], "reviews": "first"},
        {"id": "fix", "write_scope": SCOPE, "priority": -1},
    )
    agent.call("work.complete")
    shop.clock.advance(1)
    agent.claim()
    shop.agent("reviewer").claim()
    shop.trees.write(ROOT, "deploy.sh", "rm")
    assert refused(agent.call, "work.complete").details["paths"] == ["deploy.sh"]


def test_changes_outside_of_the_scope_are_named() -> None:
    """A job that changed files that are none of its business is not completed."""
    shop, agent = at_work({"id": "fix", "write_scope": SCOPE})
    shop.trees.write(ROOT, "deploy.sh", "rm")
    del shop.trees.files[ROOT]["src/cart.py"]
    refusal = refused(agent.call, "work.complete")
    assert refusal.code == RefusalCode.WRITE_SCOPE_DRIFT
    assert refusal.details["paths"] == ["deploy.sh"]
    del shop.trees.files[ROOT]["deploy.sh"]
    assert agent.call("work.complete")["status"] == "completed"


def test_agents_that_work_side_by_side_do_not_stop_each_other() -> None:
    """What another agent changes in its own scope is no drift of this one, and no edit after its verdict."""
    mine = {**JOB, "write_scope": {"allowed_paths": ["src/cart.py"]}}
    theirs = {"id": "other", "write_scope": {"allowed_paths": ["src/list.py"]}, "priority": -1}
    shop, agent = at_work(mine, theirs)
    other = shop.agent()
    other.claim()
    verdict_id = agent.verifies()
    shop.trees.write(ROOT, "src/list.py", "rows = []")
    assert agent.call("work.complete", verdict_ids=[verdict_id])["status"] == "completed"
    assert other.call("work.complete")["status"] == "completed"


def test_nobodys_changes_are_somebodys() -> None:
    """A file that is in the scope of a job that nobody held is a stray all the same."""
    mine = {"id": "fix", "write_scope": {"allowed_paths": ["src/cart.py"]}}
    waits = {"id": "later", "depends_on": ["fix"], "write_scope": {"allowed_paths": ["src/list.py"]}}
    shop, agent = at_work(mine, waits)
    shop.trees.write(ROOT, "src/list.py", "rows = []")
    assert refused(agent.call, "work.complete").code == RefusalCode.WRITE_SCOPE_DRIFT


def test_a_job_without_scope_and_gate_costs_no_look() -> None:
    """Who asks for nothing pays for nothing: no file is read for it."""
    shop, agent = at_work({"id": "fix"})
    looks = shop.trees.looks
    assert agent.call("work.complete")["status"] == "completed"
    assert shop.trees.looks == looks == 0


def test_what_was_before_the_claim_is_no_drift() -> None:
    """A folder that was dirty when the packet was handed over is not this agent's doing."""
    shop = Shop({"id": "fix", "write_scope": SCOPE})
    shop.trees.write(ROOT, "notes.txt", "a person's")
    agent = shop.agent()
    agent.claim()
    assert agent.call("work.complete")["status"] == "completed"


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"write_scope": {"allowed_paths": ["/etc"]}}, "is absolute"),
        ({"expected_artifacts": [{"logical_name": "a", "kind": "transcript"}]}, "no kind of artifact"),
        (
            {
                "write_scope": {"allowed_paths": ["src"]},
                "expected_artifacts": [{"logical_name": "a", "kind": "report", "path": "docs/a.md"}],
            },
            "not in this job's write scope",
        ),
        ({"requires_verdict": [{**GATE, "claim": {"kind": "settled"}}]}, "names no consequence"),
        ({"requires_verdict": [{**GATE, "claim": {"kind": "nonsense"}}]}, "unknown kind"),
        ({"requires_verdict": [{**GATE, "url": "/cart"}]}, "no address of a page"),
    ],
)
def test_a_plan_that_nobody_could_meet_is_refused(job: dict[str, Any], said: str) -> None:
    """A gate that can never open is told before the work begins."""
    refusal = refused(Shop, {"id": "fix", **job})
    assert refusal.code == RefusalCode.WORKFLOW_ERROR
    assert said in str(refusal.details["faults"])
