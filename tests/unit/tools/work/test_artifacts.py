"""
Files as results of work: what is published is what was there, in its place, under a name that never changes.
"""

from __future__ import annotations

import base64

import pytest

from reticle.model.codes import RefusalCode, Verified
from reticle.model.work_limits import ARTIFACT_BYTES
from tests.unit.tools.work.shop import ROOT, Shop, refused

JOB = {"id": "fix", "write_scope": {"allowed_paths": ["src/**", "docs/**"]}}
REPORT = {"logical_name": "report", "kind": "report", "path": "docs/report.md"}


def test_publishes_and_gives_back() -> None:
    """What was published is read back as it was, whatever became of the file."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "all of it works: ö" * 3)
    made = agent.call("artifact.publish", **{**REPORT, "path": "./docs//report.md"})
    assert made["status"] == "published"
    assert (made["path"], made["size_bytes"], made["attempt"]) == ("docs/report.md", 57, 1)
    assert made["version"].startswith("tree:")
    assert made["published_by"] == agent.session_id
    shop.trees.write(ROOT, "docs/report.md", "another")
    text, asked = "", {"artifact_id": made["artifact_id"], "max_bytes": 19}
    offset: int | None = 0
    while offset is not None:
        page = agent.call("artifact.get_content", offset=offset, **asked)
        text, offset = text + page["text"], page.get("next_offset")
    assert text == "all of it works: ö" * 3
    whole = agent.call("artifact.get_content", artifact_id=made["artifact_id"], encoding="base64")
    assert base64.b64decode(whole["body_base64"]).decode() == text
    (listed,) = agent.call("list.artifacts", run_id=shop.run_id)["artifacts"]
    assert listed["artifact_id"] == made["artifact_id"]
    assert agent.call("list.artifacts", run_id=shop.run_id, kind="log")["artifacts"] == []


def test_bytes_that_are_no_text_are_given_as_such() -> None:
    """A picture is no text, and is said so."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.files[ROOT]["docs/a.png"] = b"\x89PNG\xff\xfe"
    made = agent.call("artifact.publish", logical_name="shot", kind="picture", path="docs/a.png")
    page = agent.call("artifact.get_content", artifact_id=made["artifact_id"])
    assert page["encoding"] == "base64"
    asked = {"artifact_id": made["artifact_id"], "encoding": "text"}
    assert refused(agent.call, "artifact.get_content", **asked).code == RefusalCode.ARTIFACT_ERROR


def test_publishing_twice_is_answered_as_once() -> None:
    """An agent that repeats itself gets the first answer again, and not an error (second seed, fault 58)."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "one")
    first = agent.call("artifact.publish", **REPORT)
    again = agent.call("artifact.publish", **REPORT)
    assert again == {**first, "status": "already_published"}


def test_a_name_never_means_another_file() -> None:
    """What was published under a name stays what it is (second seed, fault 94)."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "one")
    agent.call("artifact.publish", **REPORT)
    shop.trees.write(ROOT, "docs/report.md", "two")
    assert refused(agent.call, "artifact.publish", **REPORT).code == RefusalCode.ARTIFACT_ERROR
    shop.trees.write(ROOT, "docs/report.md", "one")
    other = {**REPORT, "kind": "log"}
    assert refused(agent.call, "artifact.publish", **other).code == RefusalCode.ARTIFACT_ERROR


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("README.md", RefusalCode.PATH_OUTSIDE_SCOPE),
        ("docs/../README.md", RefusalCode.PATH_OUTSIDE_SCOPE),
        ("/etc/passwd", RefusalCode.PATH_OUTSIDE_SCOPE),
        ("docs/.git/config", RefusalCode.PATH_OUTSIDE_SCOPE),
        ("docs/out.md", RefusalCode.PATH_OUTSIDE_SCOPE),
        ("docs/none.md", RefusalCode.ARTIFACT_ERROR),
        ("docs/large.md", RefusalCode.ARTIFACT_ERROR),
    ],
)
def test_publishes_only_files_of_the_scope(path: str, code: str) -> None:
    """A path outside of the scope, a link, a missing or too large a file is no artifact."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "README.md", "r")
    shop.trees.links.add("docs/out.md")
    shop.trees.files[ROOT]["docs/large.md"] = b"x" * (ARTIFACT_BYTES + 1)
    assert refused(agent.call, "artifact.publish", **{**REPORT, "path": path}).code == code


@pytest.mark.parametrize(("name", "value"), [("kind", "transcript"), ("logical_name", "../x")])
def test_refuses_what_is_no_artifact(name: str, value: str) -> None:
    """There is no kind for transcripts, and a name is a name."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "one")
    assert (
        refused(agent.call, "artifact.publish", **{**REPORT, name: value}).code == RefusalCode.ARTIFACT_ERROR
    )


def test_what_is_expected_is_published_as_expected() -> None:
    """Neither kind nor place of an expected artifact is guessed from a file's name (fault 96)."""
    expected = [{"logical_name": "report", "kind": "report", "path": "docs/report.md"}]
    shop = Shop({**JOB, "expected_artifacts": expected})
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/other.md", "one")
    shop.trees.write(ROOT, "docs/report.md", "one")
    for wrong in ({"path": "docs/other.md"}, {"kind": "log"}):
        assert (
            refused(agent.call, "artifact.publish", **{**REPORT, **wrong}).code == RefusalCode.ARTIFACT_ERROR
        )
    refusal = refused(agent.call, "work.complete")
    assert refusal.code == RefusalCode.ARTIFACT_ERROR
    assert refusal.details["expected_artifacts"] == expected
    agent.call("artifact.publish", **REPORT)
    assert agent.call("work.complete")["status"] == "completed"


def test_an_artifact_of_an_earlier_attempt_satisfies_nothing() -> None:
    """Each attempt publishes for itself (second seed, fault 84)."""
    shop = Shop({**JOB, "expected_artifacts": [{"logical_name": "report", "kind": "report"}]})
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "one")
    agent.call("artifact.publish", **REPORT)
    agent.call("work.release", reason="again")
    agent.claim()
    assert agent.packet["packet"]["job"]["attempt"] == 2
    assert refused(agent.call, "work.complete").code == RefusalCode.ARTIFACT_ERROR
    assert agent.call("artifact.publish", **REPORT)["status"] == "published"
    assert agent.call("work.complete")["status"] == "completed"


def test_nobody_publishes_without_the_claim() -> None:
    """A lease that ended, or is another's, publishes nothing."""
    shop = Shop(JOB, {**JOB, "id": "other"})
    agent, stranger = shop.agent(), shop.agent()
    agent.claim()
    stranger.claim()
    shop.trees.write(ROOT, "docs/report.md", "one")
    lease_id = agent.packet["lease_id"]
    assert (
        refused(stranger.call, "artifact.publish", lease_id=lease_id, **REPORT).code
        == RefusalCode.LEASE_ERROR
    )
    agent.call("work.release")
    assert refused(agent.call, "artifact.publish", **REPORT).code == RefusalCode.LEASE_ERROR


def test_a_verification_is_the_daemons_word() -> None:
    """Nobody writes a verification of verdicts that the daemon did not give."""
    shop = Shop(JOB)
    agent, other = shop.agent(), shop.agent()
    agent.claim()
    mine, no, theirs = agent.verifies(), agent.verifies(verified=Verified.NO), other.verifies()
    asked = {"logical_name": "proof", "kind": "verification", "path": "docs/proof.md"}
    for text in ("it works", "verdict_invented", f"{no}"):
        shop.trees.write(ROOT, "docs/proof.md", text)
        assert refused(agent.call, "artifact.publish", **asked).code == RefusalCode.ARTIFACT_ERROR
    assert theirs != mine
    shop.trees.write(ROOT, "docs/proof.md", f"it works: {mine}")
    assert agent.call("artifact.publish", **asked)["status"] == "published"


def test_other_repositories_artifacts_are_not_there() -> None:
    """Who asks for another repository sees nothing of this one."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "one")
    made = agent.call("artifact.publish", **REPORT)
    asked = {"repository_id": "blog", "artifact_id": made["artifact_id"]}
    assert refused(agent.call, "artifact.get_content", **asked).code == RefusalCode.NOT_FOUND
    listed = {"repository_id": "blog", "run_id": shop.run_id}
    assert refused(agent.call, "list.artifacts", **listed).code == RefusalCode.NOT_FOUND
    assert refused(agent.call, "list.artifacts").code == RefusalCode.BAD_ARGUMENTS


def test_who_published_is_the_daemons_word() -> None:
    """What a file says of its author changes nothing (second seed, fault 2)."""
    shop = Shop(JOB)
    agent, other = shop.agent(), shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", f"author: {other.session_id}")
    made = agent.call("artifact.publish", **REPORT)
    assert made["published_by"] == agent.session_id


def test_no_file_says_how_a_run_is() -> None:
    """What is committed about a run that was cancelled does not bring it back (second seed, "di-run2")."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, ".reticle/run.json", '{"state": "running"}')
    shop.cancel()
    assert shop.detail()["state"] == "canceled"
    assert refused(agent.call, "work.complete").code in {
        RefusalCode.SESSION_INACTIVE,
        RefusalCode.LEASE_ERROR,
    }
    assert shop.states() == {"fix": "canceled"}


def test_an_artifact_has_its_story() -> None:
    """Who has an artifact's id learns which job it is of and when it was published."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    shop.trees.write(ROOT, "docs/report.md", "all of it works")
    made = agent.call("artifact.publish", **REPORT)
    told = agent.call("why", target_id=made["artifact_id"])
    assert (told["artifact"]["path"], told["job"]["id"]) == ("docs/report.md", "fix")
    assert [event["kind"] for event in told["events"]] == ["artifact.published"]
    assert refused(agent.call, "why", target_id="art_0").code == "not_found"


def test_a_long_list_comes_in_parts_in_the_order_of_publication() -> None:
    """A reviewer reads all of many artifacts, and a clock that goes back changes nothing of their order."""
    shop = Shop(JOB)
    agent = shop.agent()
    agent.claim()
    names = [f"r{number}" for number in range(5)]
    for name in names:
        shop.trees.write(ROOT, f"docs/{name}.md", name)
        shop.clock.advance(-1)
        agent.call("artifact.publish", logical_name=name, kind="report", path=f"docs/{name}.md")
    first = agent.call("list.artifacts", run_id=shop.run_id, limit=3)
    rest = agent.call("list.artifacts", run_id=shop.run_id, limit=3, after=first["next_cursor"])
    assert [one["logical_name"] for one in (*first["artifacts"], *rest["artifacts"])] == names
    assert "next_cursor" not in rest
