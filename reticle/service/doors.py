"""
Who is let in at which door: the checkers of the first listener, of the second, and of pages (DESIGN §2, §5).
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from reticle.domain.daemon_life import DaemonLife, LifeState
from reticle.domain.failed_tokens import FailedTokens
from reticle.domain.tokens import Bad, Standing, judge
from reticle.domain.trust import TrustPolicy
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.trust import Secret
from reticle.ports import Clock, TokenStore
from reticle.settings import Settings, is_loopback
from reticle.transport.checker import Checker


@attrs.frozen
class Doors:
    """
    ``front`` is for everything on the first listener but the page socket, which is ``pages``: a browser can
    send no capability token, so ``--require-token`` does not concern it. ``strict`` is the second listener.
    """

    policy: TrustPolicy
    front: Checker
    pages: Checker
    strict: Checker
    judge: Callable[[str], Standing | None]


def build_doors(
    settings: Settings,
    tokens: TokenStore,
    life: DaemonLife,
    clock: Clock,
    fault: Callable[[], Refusal | None],
) -> Doors:
    """
    The doors of one daemon. They count wrong tokens together.

    Args:
        settings: What the daemon was told.
        tokens: The capability tokens.
        life: Whether they are known yet.
        clock: Time.
        fault: Why the store cannot be used at present, if so.
    """

    def worth(text: str) -> Standing | None:
        if life.state is LifeState.STARTING:
            return None
        found = judge(text, tokens.find, clock.now())
        unknown = isinstance(found, Bad) and found.code is RefusalCode.TOKEN_INVALID
        # Of a store that could not be read nobody can say which tokens there are.
        return None if unknown and fault() is not None else found

    failed = FailedTokens()

    def checker(of: TrustPolicy) -> Checker:
        return Checker(
            of,
            seconds=clock.monotonic,
            judge=worth,
            on_used=lambda token_id: tokens.used(token_id, clock.now()),
            failed=failed,
        )

    token = None if settings.token is None else Secret(settings.token.reveal())
    policy = TrustPolicy(pairing_token=token, bind_is_loopback=is_loopback(settings.host))
    return Doors(
        policy=policy,
        front=checker(attrs.evolve(policy, strict=settings.require_token)),
        pages=checker(policy),
        strict=checker(TrustPolicy(strict=True)),
        judge=worth,
    )
