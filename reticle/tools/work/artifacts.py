"""
``artifact.publish``, ``artifact.get_content`` and ``list.artifacts``: files as results of work.

A file is read in bounded pieces and outside of every transaction; what is published is what was read.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from reticle.domain.work.artifact import artifact_fields, publish
from reticle.domain.work.calling import WorkCaller, not_found
from reticle.domain.work.packet import time_of
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import ArtifactId, JobId, RunId
from reticle.model.work import Artifact
from reticle.model.work_limits import ARTIFACT_BYTES, ARTIFACT_PAGE_BYTES, LISTED
from reticle.model.work_words import ArtifactKind
from reticle.ports import CallContext, WorkBook, WorkReading
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.calls import (
    ID,
    OF_WORK,
    READING,
    LeaseArguments,
    Name,
    WorkArguments,
    caller_of,
    changed,
    job_id_of,
    lease_id_of,
    moment_of_call,
    root_of,
    session_id_of,
)
from reticle.tools.work.list_pages import After, behind, part_of
from reticle.tools.work.publication import Path, artifact_error, publication_of


class PublishArguments(LeaseArguments, frozen=True, kw_only=True):
    """
    Which file, as what.
    """

    job_id: Annotated[Name | None, Meta(description="The packet's job.job_id.")] = None
    logical_name: Annotated[
        Name, Meta(description="Its name in this attempt, such as one of expected_artifacts; never reused.")
    ]
    kind: Annotated[Name, Meta(description=f"One of {', '.join(ArtifactKind)}.")]
    path: Annotated[Path, Meta(description="The file, from the repository's root; inside write_scope.")]


class ContentArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Which part of which artifact.
    """

    artifact_id: Annotated[Name, Meta(description="The artifact; list.artifacts shows them.")]
    offset: Annotated[
        Annotated[int, Meta(ge=0)], Meta(description="From which byte; next_offset of the last answer.")
    ] = 0
    max_bytes: Annotated[
        Annotated[int, Meta(ge=4, le=ARTIFACT_PAGE_BYTES)], Meta(description="How much at most.")
    ] = 16_384
    encoding: Annotated[
        Literal["auto", "text", "base64"],
        Meta(description="auto: text where it is UTF-8, else base64."),
    ] = "auto"


class ListArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Which artifacts.
    """

    run_id: Annotated[Name | None, Meta(description="Those of a run.")] = None
    job_id: Annotated[Name | None, Meta(description="Those of a job.")] = None
    kind: Annotated[ArtifactKind | None, Meta(description="Only such.")] = None
    after: After = None
    limit: Annotated[Annotated[int, Meta(ge=1, le=LISTED)], Meta(description="How many at most.")] = 50


async def publish_artifact(context: CallContext, arguments: PublishArguments) -> ToolAnswer:
    """
    Publish a file of the repository; the same once more is answered ``already_published``.

    Raises:
        Refusal: ``lease_error`` and the other refusals of a claim; ``path_outside_scope``,
        ``artifact_error``.
    """
    publication = await publication_of(
        context, arguments, logical_name=arguments.logical_name, kind=arguments.kind, path=arguments.path
    )
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, Any]:
        return publish(
            book,
            caller,
            session_id_of(arguments),
            lease_id_of(arguments),
            moment,
            publication=publication,
            job_id=job_id_of(arguments.job_id),
        )

    return ToolAnswer(await changed(context, rule))


async def content_of(context: CallContext, arguments: ContentArguments) -> ToolAnswer:
    """
    A part of what was published, as it was then, whatever became of the file.

    Raises:
        Refusal: ``not_found``; ``artifact_error`` where the content is not kept and the file is another one
        now,
            or where it is no text and text was asked for.
    """
    caller = caller_of(context, arguments)
    artifact = await context.work.read(lambda book: _own(book, caller, ArtifactId(arguments.artifact_id)))
    content = artifact.content
    if content is None:
        content = await _from_disk(context, arguments, artifact)
    begin, most = arguments.offset, arguments.max_bytes
    piece = content[begin : begin + most]
    is_last = begin + len(piece) >= len(content)
    encoding, shown = _encoded(piece, arguments.encoding, is_last=is_last)
    end = begin + (len(shown.encode()) if encoding == "text" else len(piece))
    return ToolAnswer(
        {
            **artifact_fields(artifact),
            "encoding": encoding,
            "text" if encoding == "text" else "body_base64": shown,
            "offset": begin,
            **({"next_offset": end} if end < len(content) else {}),
        }
    )


async def show_artifacts(context: CallContext, arguments: ListArguments) -> ToolAnswer:
    """
    The artifacts of a run or a job, the oldest first, without their contents.

    Raises:
        Refusal: ``bad_arguments`` without either; ``not_found``.
    """
    if arguments.run_id is None and arguments.job_id is None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "nothing says whose artifacts. Nothing ran.",
            "Name a run_id or a job_id; list.runs and list.jobs show them.",
        )
    caller = caller_of(context, arguments)

    def rule(book: WorkReading) -> Sequence[Artifact]:
        job_id = job_id_of(arguments.job_id)
        run_id = _run_meant(book, arguments.run_id, job_id)
        run = None if run_id is None else book.run(run_id)
        if run is None or run.repository_id != caller.repository_id:
            raise not_found("run or job", "list.runs shows them.")
        last = behind(book, caller, arguments.after, lambda text: book.artifact(ArtifactId(text)))
        return book.artifacts(
            run_id=run_id,
            job_id=job_id,
            kind=arguments.kind,
            after=None if last is None else last.seq,
            limit=arguments.limit + 1,
        )

    found = await context.work.read(rule)
    shown, going_on = part_of(found, arguments.limit, lambda artifact: artifact.artifact_id)
    return ToolAnswer({"artifacts": [_listed(one) for one in shown], **going_on})


def _run_meant(book: WorkReading, run_id: str | None, job_id: JobId | None) -> RunId | None:
    if run_id is not None:
        return RunId(run_id)
    job = None if job_id is None else book.job(job_id)
    return None if job is None else job.run_id


def _listed(artifact: Artifact) -> dict[str, object]:
    return {**artifact_fields(artifact), "published_at": time_of(artifact.published_at_us)}


def _own(book: WorkReading, caller: WorkCaller, artifact_id: ArtifactId) -> Artifact:
    artifact = book.artifact(artifact_id)
    run = None if artifact is None else book.run(artifact.run_id)
    if artifact is None or run is None or run.repository_id != caller.repository_id:
        raise not_found("artifact", "list.artifacts with a run_id shows them.")
    return artifact


async def _from_disk(context: CallContext, arguments: WorkArguments, artifact: Artifact) -> bytes:
    file = await context.worktrees.read(root_of(context, arguments), artifact.path, ARTIFACT_BYTES)
    if file.sha256 != artifact.sha256:
        raise artifact_error(
            f"the content of {artifact.artifact_id} is not kept, and {artifact.path} is another file now",
            "Publish it again under another logical_name.",
        )
    return file.content


def _encoded(piece: bytes, encoding: str, *, is_last: bool) -> tuple[str, str]:
    """
    How a piece is told; of a text that is cut inside a character as much as is whole.
    """
    if encoding != "base64":
        text = _text(piece, is_last=is_last)
        if text is not None:
            return "text", text
        if encoding == "text":
            raise artifact_error("this is no UTF-8 text", 'Ask for it with encoding "base64".')
    return "base64", base64.b64encode(piece).decode()


def _text(piece: bytes, *, is_last: bool) -> str | None:
    for cut in range(1 if is_last else 4):
        try:
            return piece[: len(piece) - cut].decode()
        except UnicodeDecodeError:
            continue
    return None


_REPOSITORY = {"repository_id": "repo_0123456789abcdef"}

TOOLS = (
    OF_WORK(
        name="artifact.publish",
        title="Publish an artifact",
        summary="Publishes a file of the repository as a result of the packet; may be called twice.",
        arguments=PublishArguments,
        capability=Capability.WRITE,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=publish_artifact,
        example={
            **_REPOSITORY,
            "session_id": f"sess_{ID}",
            "lease_id": f"lease_{ID}",
            "logical_name": "report",
            "kind": "report",
            "path": "docs/report.md",
        },
        mutates=True,
    ),
    READING(
        name="artifact.get_content",
        title="Read an artifact",
        summary="Gives what was published, as it was then, a page at a time, as text or base64.",
        arguments=ContentArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=content_of,
        example={**_REPOSITORY, "artifact_id": f"art_{ID}"},
    ),
    READING(
        name="list.artifacts",
        title="List artifacts",
        summary="Lists the artifacts of a run or a job with kind, path, hash and who published them.",
        arguments=ListArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=show_artifacts,
        example={**_REPOSITORY, "run_id": f"run_{ID}"},
    ),
)
