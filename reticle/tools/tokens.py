"""
``daemon.token.*``: make, show, end and renew capability tokens. A secret is answered once, by the call that
made it, and kept nowhere (DESIGN §5).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import attrs
from msgspec import Meta

from reticle.domain.lifetimes import end_unless_said, moment_of
from reticle.domain.tokens import Good, Minted, counts, mint, rotate, standing, without_tokens
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, RepositoryScope, Toolset
from reticle.model.limits import TOKENS_LISTED
from reticle.model.tokens import OPERATORS_KIND, SESSION_KIND, Grant, Token
from reticle.ports import CallContext
from reticle.tools.fields import told
from reticle.tools.listed_parts import part_behind
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer
from reticle.tools.token_arguments import (
    DisplayName,
    LifeArguments,
    Name,
    TokenName,
    WantedGrant,
    WholeToken,
    token_meant,
    wanted_grants,
)

_ONCE = "Keep it now, in a file that only its holder can read: it is shown this once."


class CreateArguments(LifeArguments, frozen=True, kw_only=True):
    """
    What is granted, for how long.
    """

    capability: Annotated[Capability | None, Meta(description="What it may do.")] = None
    capabilities: Annotated[list[Capability] | None, Meta(description="The same, several.")] = None
    capability_grants: Annotated[
        list[WantedGrant] | None,
        Meta(description="The same, each with its own {capability, repository_id, expires_in, expires_at}."),
    ] = None
    repository_id: Annotated[
        Name | None, Meta(description="The repository that it is for. Without it for all.")
    ] = None
    client_kind: Annotated[DisplayName, Meta(description="What it is made for.")] = "cli"


class ListArguments(Arguments, frozen=True, kw_only=True):
    """
    Which tokens.
    """

    ended: Annotated[bool, Meta(description="Show revoked and expired ones too.")] = False
    after: Annotated[Name | None, Meta(description="Only those behind this one, as next says.")] = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=TOKENS_LISTED)], Meta(description="How many at most, the newest first.")
    ] = 50


class RevokeArguments(Arguments, frozen=True, kw_only=True):
    """
    Which token, and why.
    """

    token_id: TokenName = None
    token: WholeToken = None
    reason: Annotated[DisplayName, Meta(description="Why, for people.")] = ""


class RotateArguments(LifeArguments, frozen=True, kw_only=True):
    """
    Which token, and what the new one is like.
    """

    token_id: TokenName = None
    token: WholeToken = None


async def create(context: CallContext, arguments: CreateArguments) -> ToolAnswer:
    """
    Make a token and give it, this once.

    Raises:
        Refusal: ``bad_arguments``, ``repo_not_registered``; ``conflict`` when there are too many,
            ``storage_failed``.
    """
    now = context.clock.now()
    if arguments.client_kind in (OPERATORS_KIND, SESSION_KIND):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{arguments.client_kind} is the kind of tokens that the daemon makes by itself. Nothing ran.",
            "Leave client_kind out, or name what the token is for.",
        )
    wanted = wanted_grants(
        context,
        single=arguments.capability,
        several=arguments.capabilities,
        grants=arguments.capability_grants,
        repository_id=arguments.repository_id,
    )
    ends = [each.end(now) for each in arguments.capability_grants or ()]
    minted = mint(
        wanted,
        display_name=without_tokens(arguments.display_name or ""),
        kind=without_tokens(arguments.client_kind),
        now=now,
        expires_at=end_unless_said(now, arguments.end(now)),
        random=context.random,
    )
    minted = _with_ends(minted, ends)
    await context.mutate(partial(context.tokens.create, minted.sealed))
    return ToolAnswer(_shown_once(minted, now))


async def show(context: CallContext, arguments: ListArguments) -> ToolAnswer:
    """
    The tokens without their secrets, the newest first; ``next`` goes on with older ones.

    Raises:
        Refusal: ``bad_arguments`` for a cursor that names none.
    """
    now = context.clock.now()
    known = context.tokens.all()

    def wanted(token: Token) -> bool:
        return arguments.ended or isinstance(standing(token, now), Good)

    total = sum(map(wanted, known))
    shown, behind = part_behind(
        known, arguments.after, arguments.limit, name=lambda token: token.token_id, wanted=wanted
    )
    following = (
        None if behind is None else {**behind, **told(ended=arguments.ended), "limit": arguments.limit}
    )
    return ToolAnswer(
        {
            "total": total,
            "tokens": [_told(token, now) for token in shown],
            **told(truncated=behind is not None, ended=len(known) - total, next=following),
        }
    )


async def revoke(context: CallContext, arguments: RevokeArguments) -> ToolAnswer:
    """
    End a token and all of its grants; may be called twice.

    Raises:
        Refusal: ``bad_arguments``, ``not_found``, ``storage_failed``.
    """
    token = token_meant(context, token_id=arguments.token_id, token=arguments.token)
    now = context.clock.now()
    already = token.revoked_at is not None
    if not already:
        await context.mutate(
            partial(context.tokens.revoke, token.token_id, now, without_tokens(arguments.reason))
        )
    return ToolAnswer(
        {
            "token_id": token.token_id,
            "revoked": True,
            "already_revoked": already,
            "revoked_at": moment_of(token.revoked_at if already else now),
            "revoked_capabilities": 0 if already else sum(each.revoked_at is None for each in token.grants),
        }
    )


async def renew(context: CallContext, arguments: RotateArguments) -> ToolAnswer:
    """
    Put a new token in the place of one, with the same grants and for no longer; the old one ends at once.

    Raises:
        Refusal: ``bad_arguments``, ``not_found``; ``token_revoked``, ``token_expired``, or
            ``capability_missing`` when nothing of it counts any more; ``conflict``, ``storage_failed``.
    """
    old = token_meant(context, token_id=arguments.token_id, token=arguments.token)
    now = context.clock.now()
    minted = rotate(
        old,
        now=now,
        expires_at=arguments.end(now),
        random=context.random,
        display_name=without_tokens(arguments.display_name or "") or None,
    )
    await context.mutate(partial(context.tokens.replace, old.token_id, minted.sealed, now))
    return ToolAnswer({**_shown_once(minted, now), "rotated_from_token_id": old.token_id})


def _with_ends(minted: Minted, ends: Sequence[float | None]) -> Minted:
    """
    The token with grants that end before it, where that was asked for.
    """
    if not any(ends):
        return minted
    token = minted.sealed.token
    grants = [attrs.evolve(grant, expires_at=end) for grant, end in zip(token.grants, ends, strict=True)]
    sealed = attrs.evolve(minted.sealed, token=attrs.evolve(token, grants=grants))
    return attrs.evolve(minted, sealed=sealed)


def _shown_once(minted: Minted, now: float) -> dict[str, object]:
    return {"token": minted.text.reveal(), **_told(minted.sealed.token, now), "note": _ONCE}


def _told(token: Token, now: float) -> dict[str, object]:
    judged = standing(token, now)
    return {
        "token_id": token.token_id,
        "client_kind": token.kind,
        "display_name": token.display_name,
        "created_at": moment_of(token.created_at),
        "expires_at": moment_of(token.expires_at),
        "capabilities": [_told_grant(grant, now) for grant in token.grants],
        **told(
            revoked_at=moment_of(token.revoked_at),
            last_used_at=moment_of(token.last_used_at),
            ended=None if isinstance(judged, Good) else judged.code.value,
        ),
    }


def _told_grant(grant: Grant, now: float) -> dict[str, object]:
    return {
        "capability": grant.capability.value,
        "repository_id": grant.repository_id,
        **told(expires_at=moment_of(grant.expires_at), ended=not counts(grant, now)),
    }


_FOR_OPERATORS = partial(
    Tool, capability=Capability.ADMIN, scope=RepositoryScope.DAEMON_GLOBAL, toolset=Toolset.WORK
)

TOOLS: tuple[Tool, ...] = (
    _FOR_OPERATORS(
        name="daemon.token.create",
        title="Make a capability token",
        summary="Makes a capability token with the named grants; its secret is shown this once.",
        arguments=CreateArguments,
        annotations=ToolAnnotations(read_only=False),
        run=create,
        example={"capability": "read", "expires_in": "1h"},
        mutates=True,
    ),
    _FOR_OPERATORS(
        name="daemon.token.list",
        title="Show the capability tokens",
        summary="Lists capability tokens without their secrets: grants, ends and last use.",
        arguments=ListArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=show,
    ),
    _FOR_OPERATORS(
        name="daemon.token.revoke",
        title="End a capability token",
        summary="Ends a capability token and all of its grants at once; may be called twice.",
        arguments=RevokeArguments,
        annotations=ToolAnnotations(read_only=False, destructive=True, idempotent=True),
        run=revoke,
        example={"token_id": "dtok_AAAAAAAAAAAAAAAA"},
        mutates=True,
    ),
    _FOR_OPERATORS(
        name="daemon.token.rotate",
        title="Renew a capability token",
        summary="Puts a new token in the place of one, with its grants and for no longer; the old one ends.",
        arguments=RotateArguments,
        annotations=ToolAnnotations(read_only=False, destructive=True),
        run=renew,
        example={"token_id": "dtok_AAAAAAAAAAAAAAAA"},
        mutates=True,
    ),
)
