"""
What the token tools take: which grants, how long, which token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.domain.lifetimes import end_of_life
from reticle.domain.tokens import Bad, Wanted, judge
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId, TokenId
from reticle.model.limits import DISPLAY_NAME_CHARS, GRANTS_ASKED, PEER_NAME_CHARS
from reticle.model.tokens import Token
from reticle.ports import CallContext
from reticle.tools.spec import Arguments

TokenName = Annotated[
    Annotated[str, Meta(max_length=PEER_NAME_CHARS)] | None,
    Meta(description="Its public half, dtok_ and 16 characters."),
]
WholeToken = Annotated[
    Annotated[str, Meta(max_length=PEER_NAME_CHARS)] | None,
    Meta(description="The whole token, in place of token_id."),
]
Name = Annotated[str, Meta(max_length=PEER_NAME_CHARS)]
DisplayName = Annotated[str, Meta(max_length=DISPLAY_NAME_CHARS)]


class WantedGrant(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """
    One capability, in one repository or in all, for as long as its token or for less.
    """

    capability: Capability
    repository_id: Name | None = None
    expires_in: str | int | None = None
    expires_at: Name | None = None

    def end(self, now: float) -> float | None:
        """
        When it ends, if before its token. Raises ``Refusal`` ``bad_arguments``.
        """
        return end_of_life(now, expires_at=self.expires_at, expires_in=self.expires_in)


class LifeArguments(Arguments, frozen=True, kw_only=True):
    """
    How long a token is to count, and what it is called.
    """

    expires_in: Annotated[
        str | int | None, Meta(description='How long it counts: seconds, or such as "1h", "30d".')
    ] = None
    expires_in_seconds: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="The same in seconds.")
    ] = None
    expires_at: Annotated[Name | None, Meta(description='When it ends, such as "2030-01-31T12:00:00Z".')] = (
        None
    )
    display_name: Annotated[DisplayName | None, Meta(description="What people call it.")] = None

    def end(self, now: float) -> float | None:
        """
        When it is to end; None when nothing was said.

        Raises:
            Refusal: ``bad_arguments``.
        """
        if self.expires_in is not None and self.expires_in_seconds is not None:
            raise Refusal(
                RefusalCode.BAD_ARGUMENTS,
                "expires_in and expires_in_seconds are one argument. Nothing ran.",
                "Give one of the two.",
            )
        given = self.expires_in_seconds if self.expires_in is None else self.expires_in
        return end_of_life(now, expires_at=self.expires_at, expires_in=given)


def token_meant(context: CallContext, *, token_id: str | None, token: str | None) -> Token:
    """
    The token that is meant, by its public half or by itself; whether it counts or not.

    Raises:
        Refusal: ``bad_arguments`` for both or neither, ``not_found`` for what is none of ours.
    """
    if (token_id is None) is (token is None):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "one of token_id and token says which token, not both. Nothing ran.",
            "daemon.token.list shows the ids.",
        )
    proved = _proved(context, token or "") if token_id is None else TokenId(token_id)
    sealed = None if proved is None else context.tokens.find(proved)
    if sealed is None:
        raise Refusal(
            RefusalCode.NOT_FOUND, "there is no such token. Nothing ran.", "daemon.token.list shows them."
        )
    return sealed.token


def _proved(context: CallContext, token: str) -> TokenId | None:
    judged = judge(token, context.tokens.find, context.clock.now())
    return judged.token_id if isinstance(judged, Bad) else judged.token.token_id


def wanted_grants(
    context: CallContext,
    *,
    single: Capability | None,
    several: Sequence[Capability] | None,
    grants: Sequence[WantedGrant] | None,
    repository_id: str | None,
) -> Sequence[Wanted]:
    """
    What was asked for in one of three ways; ``repository_id`` is for the first two.

    Raises:
        Refusal: ``bad_arguments``; ``repo_not_registered`` for a repository that is not there.
    """
    if sum(each is not None for each in (single, several, grants)) != 1:
        raise _bad("one of capability, capabilities and capability_grants says what is granted")
    if grants is not None and repository_id is not None:
        raise _bad("with capability_grants each grant names its own repository_id")
    place = None if repository_id is None else RepositoryId(repository_id)
    if grants is not None:
        wanted = [(each.capability, _place(each.repository_id)) for each in grants]
    else:
        wanted = [(each, place) for each in ([single] if single is not None else several or ())]
    if len(wanted) > GRANTS_ASKED:
        raise _bad(f"{len(wanted)} grants were asked for, {GRANTS_ASKED} are the most")
    for _, repository in wanted:
        if repository is not None and context.repositories.find(repository) is None:
            raise Refusal(
                RefusalCode.REPO_NOT_REGISTERED,
                f"no repository {repository} is registered. Nothing ran.",
                "repo.list shows the repositories; register it with repo.add.",
            )
    return wanted


def _place(repository_id: str | None) -> RepositoryId | None:
    return None if repository_id is None else RepositoryId(repository_id)


def _bad(message: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS, f"{message}. Nothing ran.", 'For example {"capability": "read"}.'
    )
