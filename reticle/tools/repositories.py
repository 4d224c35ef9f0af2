"""
``repo.*``: which repositories the daemon knows. Grants are for one of them or for all, and a page belongs to
one by its project id or its origin (DESIGN §5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Annotated

from msgspec import Meta

from reticle.domain.tokens import without_tokens
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, RepositoryScope, Toolset
from reticle.model.ids import RepositoryId
from reticle.model.limits import DISPLAY_NAME_CHARS, PATH_CHARS, REPOSITORY_ORIGINS, TOKENS_LISTED
from reticle.model.tokens import Repository
from reticle.ports import CallContext
from reticle.tools.fields import told
from reticle.tools.listed_parts import part_behind
from reticle.tools.repository_changes import (
    Identifier,
    UpdateArguments,
    checked_origins,
    refuse_tokens,
    repository_fields,
    update,
)
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

FolderPath = Annotated[str, Meta(min_length=1, max_length=PATH_CHARS)]
DisplayName = Annotated[str, Meta(max_length=DISPLAY_NAME_CHARS)]


class AddArguments(Arguments, frozen=True, kw_only=True):
    """
    Where it is, and by what its pages are known.
    """

    path: Annotated[FolderPath, Meta(description="Absolute path of its folder on the daemon's machine.")]
    display_name: Annotated[DisplayName | None, Meta(description="What people call it.")] = None
    origins: Annotated[
        Annotated[list[FolderPath], Meta(max_length=REPOSITORY_ORIGINS)] | None,
        Meta(description="Where its app is served, such as http://localhost:3000."),
    ] = None
    repository_id: Annotated[
        Identifier | None,
        Meta(description="Its id, such as the project id that its pages name. Made up when left out."),
    ] = None


class ListArguments(Arguments, frozen=True, kw_only=True):
    """
    Which part of the list.
    """

    after: Annotated[Identifier | None, Meta(description="Only those behind this one, as next says.")] = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=TOKENS_LISTED)], Meta(description="How many at most, by root.")
    ] = TOKENS_LISTED


class ResolveArguments(Arguments, frozen=True, kw_only=True):
    """
    A folder.
    """

    path: Annotated[FolderPath | None, Meta(description="Absolute path of a folder in it.")] = None
    repo_root: Annotated[FolderPath | None, Meta(description="The same, of its root.")] = None


class RemoveArguments(Arguments, frozen=True, kw_only=True):
    """
    Which one.
    """

    repository_id: Annotated[Identifier, Meta(description="The repository; repo.list shows them.")]


async def add(context: CallContext, arguments: AddArguments) -> ToolAnswer:
    """
    Register a repository; once more with the same answers is the same repository.

    Raises:
        Refusal: ``not_found`` without the folder, ``bad_arguments`` for an origin that is none, ``conflict``
            when its root, an origin or the id is another's; ``storage_failed``.
    """
    refuse_tokens(arguments.repository_id or "")
    root = await context.folders.real(arguments.path)
    origins = checked_origins(arguments.origins or ())
    known = context.repositories.by_root(root)
    if known is not None and _says_the_same(known, arguments, origins):
        return ToolAnswer({**repository_fields(known), "already_registered": True})
    repository = Repository(
        RepositoryId(arguments.repository_id or f"repo_{context.random(8).hex()}"),
        root,
        without_tokens(arguments.display_name or PurePosixPath(root).name),
        origins,
        context.clock.now(),
    )
    await context.mutate(partial(context.repositories.add, repository))
    return ToolAnswer({**repository_fields(repository), "already_registered": False})


async def show(context: CallContext, arguments: ListArguments) -> ToolAnswer:
    """
    The repositories by their roots; ``next`` goes on.

    Raises:
        Refusal: ``bad_arguments`` for a cursor that names none.
    """
    known = context.repositories.all()
    shown, behind = part_behind(known, arguments.after, arguments.limit, name=lambda each: each.repository_id)
    return ToolAnswer(
        {
            "total": len(known),
            "repositories": [repository_fields(each) for each in shown],
            **told(
                truncated=behind is not None,
                next=None if behind is None else {**behind, "limit": arguments.limit},
            ),
        }
    )


async def resolve(context: CallContext, arguments: ResolveArguments) -> ToolAnswer:
    """
    The repository that a folder is in.

    Raises:
        Refusal: ``bad_arguments``; ``repo_not_registered`` when it is in none.
    """
    path = arguments.path or arguments.repo_root
    if path is None or (arguments.path is not None and arguments.repo_root is not None):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "one of path and repo_root says which folder, not both. Nothing ran.",
            'For example {"path": "/srv/shop"}.',
        )
    try:
        folder = await context.folders.real(path)
    except Refusal as refusal:
        if refusal.code != RefusalCode.NOT_FOUND:
            raise
        folder = path
    found = next(filter(None, map(context.repositories.by_root, _upward(folder))), None)
    if found is None:
        raise Refusal(
            RefusalCode.REPO_NOT_REGISTERED,
            f"{path[:200]!r} is in no registered repository",
            "repo.list shows the repositories; the operator registers one with repo.add.",
        )
    return ToolAnswer(repository_fields(found))


async def remove(context: CallContext, arguments: RemoveArguments) -> ToolAnswer:
    """
    Take a repository out and revoke every grant for it; its folder is left alone.

    Raises:
        Refusal: ``repo_not_registered``, ``storage_failed``.
    """
    repository_id, now = RepositoryId(arguments.repository_id), context.clock.now()
    revoked = sum(
        grant.repository_id == repository_id and grant.revoked_at is None
        for token in context.tokens.all()
        for grant in token.grants
    )
    await context.mutate(partial(context.repositories.remove, repository_id, now))
    return ToolAnswer({"repository_id": repository_id, "state": "removed", "revoked_capabilities": revoked})


def _says_the_same(known: Repository, arguments: AddArguments, origins: Sequence[str]) -> bool:
    return (
        arguments.repository_id in {None, known.repository_id}
        and arguments.display_name in {None, known.display_name}
        and set(origins) <= set(known.origins)
    )


def _upward(folder: str) -> Iterator[str]:
    yield folder
    yield from map(str, PurePosixPath(folder).parents)


_OF_ALL = partial(Tool, scope=RepositoryScope.DAEMON_GLOBAL, toolset=Toolset.WORK)

TOOLS: tuple[Tool, ...] = (
    _OF_ALL(
        name="repo.add",
        title="Register a repository",
        summary="Registers a repository by its folder, with the origins that its app is served at.",
        arguments=AddArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=add,
        example={"path": "/srv/shop", "origins": ["http://localhost:3000"]},
        mutates=True,
    ),
    _OF_ALL(
        name="repo.update",
        title="Change a repository",
        summary="Adds and removes origins of a repository, or renames it; open pages follow at once.",
        arguments=UpdateArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=update,
        example={"repository_id": "repo_0123456789abcdef", "add_origins": ["http://localhost:3001"]},
        mutates=True,
    ),
    _OF_ALL(
        name="repo.list",
        title="Show the repositories",
        summary="Lists the registered repositories with their ids, roots and origins.",
        arguments=ListArguments,
        capability=Capability.READ,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=show,
    ),
    _OF_ALL(
        name="repo.resolve",
        title="Find a folder's repository",
        summary="Tells which registered repository a folder is in.",
        arguments=ResolveArguments,
        capability=Capability.READ,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=resolve,
        example={"path": "/srv/shop/src"},
    ),
    _OF_ALL(
        name="repo.remove",
        title="Take a repository out",
        summary="Takes a repository out and revokes every grant for it; its folder is left alone.",
        arguments=RemoveArguments,
        capability=Capability.ADMIN,
        annotations=ToolAnnotations(read_only=False, destructive=True),
        run=remove,
        example={"repository_id": "repo_0123456789abcdef"},
        mutates=True,
    ),
)
