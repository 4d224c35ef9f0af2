"""
Capability tokens and the repositories that their grants are for, as they are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from reticle.model.codes import Capability
from reticle.model.ids import GrantId, RepositoryId, TokenId

# Times are seconds since the epoch; None means never.


OPERATORS_KIND: Final = "bootstrap"
"""What the tokens are made for that the daemon mints for its operator; nobody else's are of that kind."""

SESSION_KIND: Final = "session"
"""What the tokens are made for that are a work session's own; nobody else's are of that kind."""


@attrs.frozen
class Grant:
    """
    One capability of one token, for one repository or (None) for all.
    """

    grant_id: GrantId
    capability: Capability
    repository_id: RepositoryId | None
    granted_at: float
    expires_at: float | None = None
    revoked_at: float | None = None


@attrs.frozen
class Token:
    """
    A token without its secret. ``kind`` says what it was made for, such as ``cli`` or ``bootstrap``.
    """

    token_id: TokenId
    display_name: str
    kind: str
    created_at: float
    expires_at: float | None
    grants: Sequence[Grant]
    revoked_at: float | None = None
    last_used_at: float | None = None


@attrs.frozen
class SealedToken:
    """
    A token as it is stored: what its secret is compared with, never the secret.

    ``digest`` is the HMAC-SHA256 of the secret under ``salt``, both hexadecimal.
    """

    token: Token
    salt: str
    digest: str = attrs.field(repr=False)


@attrs.frozen
class Repository:
    """
    A registered repository. ``origins`` are the addresses of its app, by which pages without a project id are
    known to be its own.
    """

    repository_id: RepositoryId
    root: str
    display_name: str
    origins: Sequence[str]
    registered_at: float
    removed_at: float | None = None
