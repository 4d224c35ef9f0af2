"""
Whether a token's grants allow a capability, somewhere or in one repository, now.

No capability implies another. A grant that no longer counts is passed over and never hides one that does;
which denial is told follows the second seed's codes: another repository's grant is a mismatch of scope, an
expired one is told as expired, everything else is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticle.domain.tokens import counts
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId
from reticle.model.tokens import Grant


def allows(grant: Grant, capability: Capability, repository_id: RepositoryId | None, now: float) -> bool:
    """
    Whether this one grant does. A grant for one repository does not allow what concerns all (None).
    """
    return (
        grant.capability is capability and counts(grant, now) and grant.repository_id in (None, repository_id)
    )


def denial(
    grants: Sequence[Grant], capability: Capability, repository_id: RepositoryId | None, now: float
) -> RefusalCode | None:
    """
    None when the grants allow it, else the code that says best why not.
    """
    if any(allows(grant, capability, repository_id, now) for grant in grants):
        return None
    same = [grant for grant in grants if grant.capability is capability and grant.revoked_at is None]
    here = [grant for grant in same if grant.repository_id in (None, repository_id)]
    if here:
        return RefusalCode.CAPABILITY_EXPIRED
    if any(counts(grant, now) for grant in same):
        return RefusalCode.CAPABILITY_SCOPE_MISMATCH
    return RefusalCode.CAPABILITY_MISSING


def allowed_somewhere(grants: Sequence[Grant], capability: Capability, now: float) -> bool:
    """
    Whether the capability is granted for at least one repository, or for all.
    """
    return any(grant.capability is capability and counts(grant, now) for grant in grants)
