"""
Artifacts: files that the holder of a claim publishes, each under a name of its own that never means another.

What is published is the content at that moment, by its hash, in this attempt under this claim: an artifact of
an earlier one satisfies nothing (second seed, "Artifacts").
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from reticle.domain.work.calling import Holding, WorkCaller, heard_of, holding
from reticle.domain.work.claimed import Outcome
from reticle.domain.work.queue import Moment
from reticle.domain.work.write_scope import normalised, refuse_outside
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import ArtifactId, JobId, WorkLeaseId, WorkSessionId
from reticle.model.work import Artifact
from reticle.model.work_files import PublishedFile
from reticle.model.work_limits import (
    ARTIFACTS_KEPT_BYTES,
    ARTIFACTS_PER_ATTEMPT,
    ARTIFACTS_READ,
    EXPECTED_PER_JOB,
)
from reticle.model.work_plan import ExpectedArtifact, JobPlan
from reticle.model.work_words import ArtifactKind, WorkEventKind

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading

LOGICAL_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,63}", re.ASCII)

REPORTS: Final = frozenset({
    ArtifactKind.REPORT, ArtifactKind.REVIEW, ArtifactKind.VERIFICATION, ArtifactKind.LOG,
    ArtifactKind.PICTURE,
})  # fmt: skip
"""Kinds that tell of the work and are no part of it: the app does not run them."""

_REPORT_ENDINGS: Final = (".md", ".txt", ".log", ".png", ".jpg", ".jpeg", ".webp", ".pdf")


@attrs.frozen
class Publication:
    """
    What is to be published: under which name, as what, from where, with which content, and the state of all
    files at that moment (empty where it could not be told).
    """

    logical_name: str
    kind: str
    path: str
    file: PublishedFile
    tree: str


def publish(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    publication: Publication,
    job_id: JobId | None = None,
) -> Outcome:
    """
    Publish a file; the same once more is answered ``already_published``.

    Raises:
        Refusal: As ``calling.holding``; ``path_outside_scope``; ``artifact_error`` for a kind that is none,
        for
            another file under a name that is taken, for one that is not what the packet expects under it, and
            when there are too many.
    """
    held = holding(book, caller, session_id, lease_id, moment.now_us, job_id=job_id)
    heard_of(book, held.session, moment.now_us)
    artifact, is_new = publish_within(book, held, moment, publication)
    return {
        "status": "published" if is_new else "already_published",
        **artifact_fields(artifact),
        "next_action": "publish what else the packet expects, then call "
        + ("review.verdict" if held.job.type.value == "review" else "work.complete"),
    }


def publish_within(
    book: WorkBook, held: Holding, moment: Moment, publication: Publication
) -> tuple[Artifact, bool]:
    """
    The artifact, and whether it is new. Raises ``Refusal`` as ``publish``, but for the claim.
    """
    path = refuse_unfit(held.job.plan, publication.logical_name, publication.kind, publication.path)
    known = list(of_claim(book, held))
    same = next((one for one in known if one.logical_name == publication.logical_name), None)
    if same is not None:
        if (same.path, same.sha256, same.kind) == (path, publication.file.sha256, publication.kind):
            return same, False
        raise _error(
            f"{same.logical_name!r} is published in this attempt already, as {same.kind} from {same.path} "
            f"with sha256 {same.sha256[:12]}…; a name never means another file",
            "Publish the new file under another logical_name.",
        )
    if len(known) >= ARTIFACTS_PER_ATTEMPT:
        raise _error(f"{ARTIFACTS_PER_ATTEMPT} artifacts are the most of one attempt", "Publish fewer files.")
    artifact = Artifact(
        artifact_id=ArtifactId(moment.mint("art_")),
        run_id=held.run.run_id,
        job_id=held.job.job_id,
        attempt=held.lease.attempt,
        fencing=held.lease.fencing,
        session_id=held.session.session_id,
        logical_name=publication.logical_name,
        kind=publication.kind,
        path=path,
        sha256=publication.file.sha256,
        size_bytes=len(publication.file.content),
        version=publication.tree,
        content=publication.file.content if _has_room(book, held, publication) else None,
        published_at_us=moment.now_us,
    )
    book.add(
        artifact,
        moment.event(
            held.run,
            WorkEventKind.ARTIFACT_PUBLISHED,
            job_id=held.job.job_id,
            session_id=held.session.session_id,
            lease_id=held.lease.lease_id,
            subject=artifact.artifact_id,
        ),
    )
    return artifact, True


def refuse_unfit(plan: JobPlan, logical_name: str, kind: str, path: str) -> str:
    """
    The path as it is kept, of a file that a job may publish so. Asked before the file is read, too.

    Raises:
        Refusal: ``path_outside_scope``, ``artifact_error``.
    """
    if not LOGICAL_NAME.fullmatch(logical_name):
        raise _error(
            f"{logical_name[:80]!r} is no logical_name", 'Use letters, digits and . _ / -, such as "report".'
        )
    if kind not in {*ArtifactKind}:
        raise _error(f"{kind[:80]!r} is no kind of artifact", f"It is one of {', '.join(ArtifactKind)}.")
    kept = refuse_outside(plan.write_scope, path)
    expected = next((one for one in plan.expected_artifacts if one.logical_name == logical_name), None)
    if expected is None:
        return kept
    wanted = None if expected.path is None else normalised(expected.path)
    if expected.kind != kind or wanted not in {None, kept}:
        where = "" if wanted is None else f" at {wanted}"
        raise _error(
            f"the packet expects {logical_name!r} as {expected.kind}{where}, not as {kind} at {kept}",
            "Publish what the packet's expected_artifacts say, or another file under another name.",
        )
    return kept


def of_claim(book: WorkReading, held: Holding) -> Iterator[Artifact]:
    """
    What was published in this attempt under this claim.
    """
    found = book.artifacts(job_id=held.job.job_id, attempt=held.lease.attempt, limit=ARTIFACTS_READ)
    return (one for one in found if one.fencing == held.lease.fencing)


def refuse_unpublished(plan: JobPlan, published: Iterable[Artifact]) -> None:
    """
    Raises:
        Refusal: ``artifact_error`` while a required artifact is not published in this attempt.
    """
    there = {one.logical_name for one in published}
    lacking = [one for one in plan.expected_artifacts if one.required and one.logical_name not in there]
    if not lacking:
        return
    told = [_expected_fields(one) for one in lacking]
    names = ", ".join(one.logical_name for one in lacking[:8])
    raise _error(
        f"not published in this attempt: {names}",
        "Call artifact.publish for each of expected_artifacts, then this again.",
        {"expected_artifacts": told},
    )


def refuse_changed(
    plan: JobPlan,
    published: Iterable[Artifact],
    changed: Mapping[str, Sequence[str] | None],
    older: Container[str] = (),
) -> None:
    """
    What is published of the work itself is what was made of it in the end.

    Args:
        plan: The job's.
        published: In this attempt, the oldest first.
        changed: For each state of the files, which of them are others now.
        older: The files that were there at the claim.

    Raises:
        Refusal: ``artifact_error`` where a file was edited after it was published last.
    """
    newest = {one.path: one for one in published if not is_report(plan, one, older)}
    for path, one in newest.items():
        if path in (changed.get(one.version) or ()):
            raise _error(
                f"{path} was edited after it was published as {one.logical_name!r}",
                f"Publish it as it is now, under another logical_name such as {one.logical_name[:56]}-2.",
            )


def is_report(plan: JobPlan, artifact: Artifact, older: Container[str] = ()) -> bool:
    """
    Whether a published file only tells of the work, so that writing it after a verdict makes no other app of
    it: of such a kind, and at the place that the plan names for it, or a new one with the ending of a text or
    a picture. One that was there at the claim (``older``) is what the app may be made of.
    """
    if artifact.kind not in REPORTS:
        return False
    planned = any(
        one.logical_name == artifact.logical_name and one.path is not None for one in plan.expected_artifacts
    )
    if planned:
        return True
    return artifact.path not in older and artifact.path.lower().endswith(_REPORT_ENDINGS)


def artifact_fields(artifact: Artifact) -> dict[str, object]:
    """
    An artifact as every answer tells it; who published it is the daemon's word and not the file's.
    """
    return {
        "artifact_id": artifact.artifact_id,
        "logical_name": artifact.logical_name,
        "kind": artifact.kind,
        "path": artifact.path,
        "sha256": artifact.sha256,
        "size_bytes": artifact.size_bytes,
        "version": artifact.version,
        "job_id": artifact.job_id,
        "attempt": artifact.attempt,
        "published_by": artifact.session_id,
    }


def expected_faults(expected: Sequence[ExpectedArtifact], where: str) -> Iterator[str]:
    """
    What is wrong with what a plan expects, in words.
    """
    if len(expected) > EXPECTED_PER_JOB:
        yield f"{where} has more than {EXPECTED_PER_JOB} artifacts"
    names: set[str] = set()
    for one in expected:
        if not LOGICAL_NAME.fullmatch(one.logical_name):
            yield f"{where}: {one.logical_name[:80]!r} is no logical_name"
        if one.logical_name in names:
            yield f"{where} has {one.logical_name!r} twice"
        names.add(one.logical_name)
        if one.kind not in {*ArtifactKind}:
            yield f"{where}: {one.kind[:80]!r} is no kind of artifact; it is one of {', '.join(ArtifactKind)}"


def _has_room(book: WorkBook, held: Holding, publication: Publication) -> bool:
    """
    Whether the run's kept contents may grow by this one.
    """
    return book.artifact_bytes(held.run.run_id) + len(publication.file.content) <= ARTIFACTS_KEPT_BYTES


def _expected_fields(expected: ExpectedArtifact) -> dict[str, object]:
    return {
        "logical_name": expected.logical_name,
        "kind": expected.kind,
        **({} if expected.path is None else {"path": expected.path}),
    }


def _error(message: str, recovery: str, details: dict[str, object] | None = None) -> Refusal:
    return Refusal(RefusalCode.ARTIFACT_ERROR, f"{message}. Nothing was changed.", recovery, details)
