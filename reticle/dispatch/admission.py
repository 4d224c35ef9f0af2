"""
Whether a call may go on to its arguments: the checks of the gate in their one order, each with its code.

Hidden, then which repository is meant, then who calls and what was granted, then whether that repository is
there, so that nobody learns of repositories who may not use them (second seed, "Tool Calls"; DESIGN §5).
"""

from __future__ import annotations

from typing import Final

from reticle.dispatch.errand import Errand
from reticle.dispatch.grants import Rights
from reticle.errors import Refusal
from reticle.mcp.strict_json import shorten
from reticle.model.codes import Capability, Carrier, Exposure, RefusalCode, RepositoryScope
from reticle.model.ids import RepositoryId
from reticle.model.limits import PEER_NAME_CHARS
from reticle.ports import RepositoryStore

_TOKEN_FAULTS: Final = {
    RefusalCode.TOKEN_MISSING: ("this call brought no capability token", "Send one."),
    RefusalCode.TOKEN_MALFORMED: ("the presented token is not one", "Send dtok_<id>.<secret>, whole."),
    RefusalCode.TOKEN_INVALID: (
        "the presented token is not one of this daemon's",
        "Check that it is whole and from this daemon, or ask the operator for a new one.",
    ),
    RefusalCode.TOKEN_REVOKED: ("the token was revoked", "Ask the operator for a new one."),
    RefusalCode.TOKEN_EXPIRED: ("the life of the token is over", "Ask the operator for a new one."),
}


def admit(errand: Errand, carrier: Carrier, rights: Rights, repositories: RepositoryStore) -> None:
    """
    Let a call go on.

    Raises:
        Refusal: ``tool_hidden``, ``repo_not_registered``, a code of the token, or of its grants. The same
            call makes sense again once somebody granted something.
    """
    if errand.exposure is Exposure.HIDDEN or (
        errand.exposure is Exposure.HANDSHAKE and carrier is not Carrier.SOCKET
    ):
        raise Refusal(
            RefusalCode.TOOL_HIDDEN,
            f"{errand.name} is not for agents; nothing was done",
            "Leave it to the operator, who has it in the shell. reticle_tools describes what you can call.",
        )
    single, named = errand.scope is RepositoryScope.SINGLE_REPO, errand.repository_id
    if single and named is None:
        raise Refusal(
            RefusalCode.REPO_NOT_REGISTERED,
            f"{errand.name} concerns one repository, and none was named",
            "Pass repository_id as a text; repo.list shows the repositories.",
        )
    if errand.capability is None:
        return
    denied = (
        rights.denial_anywhere(errand.capability)
        if errand.scope is RepositoryScope.PAGE
        else rights.denial(errand.capability, named if single else None)
    )
    if denied is not None:
        raise refusal_of(denied, errand.name, errand.capability, named if single else None)
    if single and named is not None and repositories.find(named) is None:
        raise Refusal(
            RefusalCode.REPO_NOT_REGISTERED,
            f"no repository {shorten(named, PEER_NAME_CHARS)} is registered",
            "repo.list shows the repositories; the operator registers one with repo.add.",
        )


def refusal_of(
    code: RefusalCode, what: str, capability: Capability, repository_id: RepositoryId | None
) -> Refusal:
    """
    A denial in words: what was denied, why, and what helps.
    """
    if code in _TOKEN_FAULTS:
        message, recovery = _TOKEN_FAULTS[code]
        return Refusal(code, f"{message}; nothing was done", recovery)
    word = capability.value
    where = "all repositories" if repository_id is None else shorten(repository_id, PEER_NAME_CHARS)
    details: dict[str, object] = {"required_capability": word}
    if code is RefusalCode.CAPABILITY_SCOPE_MISMATCH:
        return Refusal(
            code,
            f"{what} needs the capability {word} for {where}, and it was granted for another repository",
            f"Name the repository that the token is for, or use a token that was granted {word} for {where}.",
            details,
        )
    if code is RefusalCode.CAPABILITY_EXPIRED:
        return Refusal(
            code,
            f"{what} needs the capability {word}, and the time it was granted for is over",
            f"Ask the operator for a token that was granted {word} anew; if your work session ended, end.",
            details,
        )
    return Refusal(
        code, f"{what} needs the capability {word}", f"Use a token that was granted {word}.", details
    )
