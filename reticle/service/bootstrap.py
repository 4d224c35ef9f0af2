"""
The operator's token: minted at the first start into a file of its owner alone, and again when that file is
gone or does not count, as after a reboot that emptied the runtime directory (DESIGN §5).
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from reticle.domain.tokens import Good, Random, judge, mint, standing
from reticle.model.audit import own_act
from reticle.model.codes import Capability
from reticle.model.tokens import OPERATORS_KIND
from reticle.ports import TokenStore
from reticle.storage.private_files import read_private, remove_if_holds, write_private

OPERATOR: Final = "operator"
_NO_ARGUMENTS: Final = hashlib.sha256(b"{}").hexdigest()


def operators_name(daemon_id: str) -> str:
    """
    The name of the operator's token of a daemon; on a database of its own it needs no other.
    """
    return f"{OPERATOR} of {daemon_id}" if daemon_id else OPERATOR


async def ensure_client_token(
    path: Path,
    tokens: TokenStore,
    *,
    now: Callable[[], float],
    random: Random,
    replaces: bool = True,
    name: str = OPERATOR,
) -> bool:
    """
    See to it that the file holds a token of this daemon that counts; True when one had to be made. With
    ``replaces`` earlier ones end then: whoever removes the file and starts the daemon again has replaced the
    token.

    Args:
        path: The file.
        tokens: The tokens, open.
        now: Seconds since the epoch.
        random: Where secrets come from.
        name: The token's name; another daemon on the same database has another, which does not end here.
        replaces: False where an earlier one may be in somebody's hands, such as after it was rotated.

    Raises:
        Refusal: ``storage_failed``; the file is gone then.
        OSError: The file cannot be written; no token was made then.
    """
    kept = _kept(path)
    if kept is not None and isinstance(judge(kept, tokens.find, now()), Good):
        return False
    minted = mint(
        [(capability, None) for capability in Capability],
        display_name=name,
        kind=OPERATORS_KIND,
        now=now(),
        expires_at=None,
        random=random,
    )
    text = minted.text.reveal() + "\n"
    # Before the commit: a token that nobody has would be worse than a file that does not count.
    write_private(path, text)
    try:
        await tokens.create(minted.sealed, own_act("daemon.token.create", _NO_ARGUMENTS))
    except BaseException:
        remove_if_holds(path, text)
        raise
    for earlier in tokens.all() if replaces else ():
        is_other = earlier.token_id != minted.sealed.token.token_id
        is_ours = earlier.kind == OPERATORS_KIND and earlier.display_name == name
        if is_other and is_ours and isinstance(standing(earlier, now()), Good):
            await tokens.revoke(
                earlier.token_id, now(), "replaced", own_act("daemon.token.revoke", _NO_ARGUMENTS)
            )
    return True


def _kept(path: Path) -> str | None:
    """
    What the file says, unless others could read it.
    """
    text = read_private(path)
    try:
        loose = stat.S_IMODE(path.lstat().st_mode) & 0o077
    except OSError:
        return None
    return None if text is None or loose else text.strip()
