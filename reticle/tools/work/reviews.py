"""
``review.verdict`` and ``review.submit``: a reviewer decides about what another job made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from reticle.domain.tokens import without_tokens
from reticle.domain.work.artifact import Publication
from reticle.domain.work.review import decide, submit
from reticle.domain.work.review_words import Decision, outcome_of
from reticle.model.codes import Capability
from reticle.model.ids import ArtifactId, VerdictId
from reticle.model.work_limits import VERDICTS_PER_COMPLETION
from reticle.model.work_words import ArtifactKind, LeaseState, ReviewOutcome
from reticle.ports import CallContext, WorkBook
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.calls import (
    ID,
    OF_WORK,
    LeaseArguments,
    Name,
    Text,
    caller_of,
    changed,
    job_id_of,
    lease_id_of,
    moment_of_call,
    session_id_of,
)
from reticle.tools.work.evidence import gathered
from reticle.tools.work.publication import Path, publication_of


class DecisionArguments(LeaseArguments, frozen=True, kw_only=True):
    """
    What is decided, and why.
    """

    job_id: Annotated[Name | None, Meta(description="The packet's job.job_id.")] = None
    verdict: Annotated[
        Name, Meta(description=f"One of {', '.join(ReviewOutcome)}; usual words for them too.")
    ]
    rationale: Annotated[Text, Meta(description="Why; whoever revises the work reads it.")] = ""
    verdict_ids: Annotated[
        Annotated[list[Name], Meta(max_length=VERDICTS_PER_COMPLETION)] | None,
        Meta(description="Your own verdicts that show what the packet's requires_verdict demands."),
    ] = None


class VerdictArguments(DecisionArguments, frozen=True, kw_only=True):
    """
    And with which published findings.
    """

    findings_artifact_id: Annotated[
        Name | None, Meta(description="A review that you published in this attempt.")
    ] = None


class SubmitArguments(DecisionArguments, frozen=True, kw_only=True):
    """
    And which file has the findings.
    """

    path: Annotated[Path, Meta(description="The file with the findings, from the repository's root.")]
    logical_name: Annotated[Name, Meta(description="Its name in this attempt.")] = "review"
    kind: Annotated[Name, Meta(description="Its kind.")] = ArtifactKind.REVIEW.value


async def decide_review(context: CallContext, arguments: VerdictArguments) -> ToolAnswer:
    """
    Decide about the reviewed job; may be called twice.

    Raises:
        Refusal: ``lease_error`` and the other refusals of a claim; ``invalid_transition``, ``bad_arguments``,
            ``artifact_error``, ``fresh_review_byte_identical``; what the gate finds missing where it accepts.
    """
    findings = arguments.findings_artifact_id
    decision = _decision(arguments, None if findings is None else ArtifactId(findings))
    evidence = await gathered(context, arguments, decision.verdict_ids)
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, Any]:
        return decide(
            book,
            caller,
            session_id_of(arguments),
            lease_id_of(arguments),
            moment,
            decision=decision,
            gate=evidence.gate,
            job_id=job_id_of(arguments.job_id),
        )

    return ToolAnswer(evidence.told(await changed(context, rule)))


async def submit_review(context: CallContext, arguments: SubmitArguments) -> ToolAnswer:
    """
    Acknowledge, publish the findings and decide, all or nothing; may be called twice.

    Raises:
        Refusal: As ``decide_review`` and ``artifact.publish``.
    """
    decision = _decision(arguments, None)
    publication = await _publication(context, arguments)
    evidence = await gathered(context, arguments, decision.verdict_ids)
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, Any]:
        return submit(
            book,
            caller,
            session_id_of(arguments),
            lease_id_of(arguments),
            moment,
            publication=publication,
            decision=decision,
            gate=evidence.gate,
            job_id=job_id_of(arguments.job_id),
        )

    return ToolAnswer(evidence.told(await changed(context, rule)))


async def _publication(context: CallContext, arguments: SubmitArguments) -> Publication | None:
    """
    The findings; None where the review is decided already, so that a second call is answered as the first
    was.
    """
    lease_id = lease_id_of(arguments)
    lease = await context.work.read(lambda book: book.lease(lease_id))
    if lease is not None and lease.state is LeaseState.COMPLETED:
        return None
    return await publication_of(
        context, arguments, logical_name=arguments.logical_name, kind=arguments.kind, path=arguments.path
    )


def _decision(arguments: DecisionArguments, findings: ArtifactId | None) -> Decision:
    return Decision(
        outcome_of(arguments.verdict),
        without_tokens(arguments.rationale),
        findings,
        [VerdictId(name) for name in arguments.verdict_ids or ()],
    )


_PACKET = {
    "repository_id": "repo_0123456789abcdef",
    "session_id": f"sess_{ID}",
    "lease_id": f"lease_{ID}",
}

TOOLS = (
    OF_WORK(
        name="review.verdict",
        title="Decide a review",
        summary="Accepts the work, sends it back for another attempt, or rejects it and ends the run.",
        arguments=VerdictArguments,
        capability=Capability.REVIEW,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=decide_review,
        example={**_PACKET, "verdict": "needs_revision", "rationale": "The total of two items is wrong."},
        mutates=True,
    ),
    OF_WORK(
        name="review.submit",
        title="Publish and decide a review",
        summary="Acknowledges the packet, publishes the findings and decides, all in one or not at all.",
        arguments=SubmitArguments,
        capability=Capability.REVIEW,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=submit_review,
        example={**_PACKET, "verdict": "accept", "path": "reviews/cart.md"},
        mutates=True,
    ),
)
