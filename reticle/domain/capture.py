"""
What of a window was not seen: losses by channel, and places that cannot be watched.

A channel is the family of an event type, the part before its first dot, except ``error.uncaught``,
which is a channel of its own and also a console entry.
"""

from __future__ import annotations

from collections.abc import Iterable

from reticle.domain.channels import channel_of
from reticle.model.page import Loss
from reticle.model.window import Window

EVERY = "*"
"""The channel of a loss, and the kind of a blind spot, of which nobody knows what it was."""

HIDES_FINDINGS = frozenset({"net", "error", "signal"})
"""
Channels whose loss may hide a contradiction, whatever was claimed.

A loss of ``dom``, ``visible``, ``state`` or ``route`` events is not among them: such a loss itself shows
that the page moved, and is counted so (``domain.changes``).
"""

DOM_BLIND_SPOTS = frozenset({"cross-origin-iframe", "closed-shadow-root", "virtualized-unmounted"})
"""Places whose content a page cannot read: something may be there although a reading found nothing."""

NET_BLIND_SPOTS = frozenset({"wrapped-network", "uninstrumented-frame"})
"""Places from which requests leave unseen."""


def lost(window: Window, channels: Iterable[str]) -> tuple[Loss, ...]:
    """
    The losses that may have held events of ``channels``.

    What the page reported as lost (``truncated``, ``transport.overflow``) is among ``Window.losses``
    already: the bridge keeps that account.
    """
    wanted = set(channels)
    return tuple(
        loss for loss in window.losses if loss.channel == EVERY or channel_of(loss.channel) in wanted
    )


def blind(window: Window, kinds: Iterable[str]) -> dict[str, int]:
    """
    The window's blind spots of the given kinds, and of unknown kind, that are there at all.
    """
    wanted = sorted({*kinds, EVERY})
    return {kind: window.blind_spots[kind] for kind in wanted if window.blind_spots.get(kind, 0) > 0}


def describe(losses_: Iterable[Loss]) -> str:
    """
    The losses in words, such as "12 dom events lost (page)".
    """
    totals: dict[tuple[str, str], int] = {}
    for loss in losses_:
        key = (loss.channel, loss.where)
        totals[key] = totals.get(key, 0) + loss.dropped
    return ", ".join(
        f"{count} {'' if channel == EVERY else channel + ' '}events lost ({where})"
        for (channel, where), count in totals.items()
    )
