"""
``repo.update``: another name for a repository, more origins or fewer. Its open pages belong to it, or no
longer, from the next call on, with all that they reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Final

import attrs
from msgspec import Meta

from reticle.domain.lifetimes import moment_of
from reticle.domain.tokens import without_tokens
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import RepositoryId
from reticle.model.limits import DISPLAY_NAME_CHARS, PATH_CHARS, REPOSITORY_ORIGINS
from reticle.model.origins import origin_of
from reticle.model.tokens import Repository
from reticle.ports import CallContext
from reticle.tools.spec import Arguments, ToolAnswer

NO_ORIGIN: Final = "null"

Identifier = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@/-]{0,99}$(?!\n)")]
Origins = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=PATH_CHARS)]], Meta(max_length=REPOSITORY_ORIGINS)
]


class UpdateArguments(Arguments, frozen=True, kw_only=True):
    """
    Which one, and what is changed.
    """

    repository_id: Annotated[Identifier, Meta(description="The repository; repo.list shows them.")]
    add_origins: Annotated[
        Origins | None, Meta(description="Where its app is served too, such as http://localhost:3001.")
    ] = None
    remove_origins: Annotated[Origins | None, Meta(description="Where it is served no more.")] = None
    display_name: Annotated[
        Annotated[str, Meta(max_length=DISPLAY_NAME_CHARS)] | None, Meta(description="What people call it.")
    ] = None


async def update(context: CallContext, arguments: UpdateArguments) -> ToolAnswer:
    """
    Change a repository; once more with the same answers changes nothing.

    Raises:
        Refusal: ``bad_arguments``, ``repo_not_registered``; ``conflict`` when an origin is another
            repository's, which is named; ``storage_failed``.
    """
    added = checked_origins(arguments.add_origins or ())
    removed = checked_origins(arguments.remove_origins or ())
    if not added and not removed and arguments.display_name is None:
        raise _senseless("nothing is to be changed")
    both = sorted({*added} & {*removed})
    if both:
        raise _senseless(f"{both[0]} is to be added and removed")

    def changed(known: Repository) -> Repository:
        kept = [origin for origin in known.origins if origin not in removed]
        origins = tuple(dict.fromkeys([*kept, *added]))
        if len(origins) > REPOSITORY_ORIGINS:
            raise _senseless(f"{len(origins)} origins are more than {REPOSITORY_ORIGINS}")
        name = known.display_name if arguments.display_name is None else arguments.display_name
        return attrs.evolve(known, display_name=without_tokens(name), origins=origins)

    repository_id = RepositoryId(arguments.repository_id)
    before = context.repositories.find(repository_id)
    if before is None or changed(before) != before:
        await context.mutate(partial(context.repositories.update, repository_id, changed))
    after = context.repositories.find(repository_id) or before
    assert after is not None
    return ToolAnswer(repository_fields(after))


def repository_fields(repository: Repository) -> dict[str, object]:
    """
    A repository as every answer about one tells it.
    """
    return {
        "repository_id": repository.repository_id,
        "repo_root": repository.root,
        "display_name": repository.display_name,
        "origins": list(repository.origins),
        "registered_at": moment_of(repository.registered_at),
    }


def checked_origins(given: Sequence[str]) -> Sequence[str]:
    """
    Addresses as the origins that browsers write, each once. Raises ``Refusal`` ``bad_arguments``.
    """
    refuse_tokens(*given)
    origins = {each: origin_of(each.strip().lower()) for each in given}
    wrong = [each for each, origin in origins.items() if origin == NO_ORIGIN]
    if wrong:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{wrong[0][:100]!r} is no origin of a page. Nothing ran.",
            'Give such as "http://localhost:3000".',
        )
    return tuple(dict.fromkeys(origins.values()))


def refuse_tokens(*names: str) -> None:
    """
    Refuse ``bad_arguments`` where a token stands for a name: it would be in every list from then on.
    """
    if any(without_tokens(name) != name for name in names):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "a capability token stands where a name belongs. Nothing ran.",
            "Revoke it if others may have seen it, and give the name.",
        )


def _senseless(what: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{what}. Nothing ran.",
        'For example {"repository_id": "shop", "add_origins": ["http://localhost:3001"]}.',
    )
