"""
What of a window was not seen: losses by channel, and places that cannot be watched.

A channel is the family of an event type, the part before its first dot, except ``error.uncaught``,
which is a channel of its own and also a console entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reticle.domain.channels import channel_of
from reticle.model.page import Loss
from reticle.model.window import Window

EVERY = "*"
"""The channel of a loss, and the kind of a blind spot, of which nobody knows what it was."""

HIDES_FINDINGS = frozenset({"net", "error", "signal", "route", "edit"})
"""
Channels whose loss may hide a contradiction, whatever was claimed.

A loss of ``dom``, ``visible`` or ``state`` events is not among them: such a loss itself shows that the page
moved, and is counted so (``domain.changes``).
"""

BLIND_SPOTS: Mapping[str, frozenset[str]] = {
    "cross-origin-iframe": frozenset({"dom"}),
    "closed-shadow-root": frozenset({"dom"}),
    "virtualized-unmounted": frozenset({"dom"}),
    "canvas": frozenset({"picture"}),
    "uninstrumented-frame": frozenset({"net"}),
    "wrapped-network": frozenset({"net"}),
    "unobserved-ipc": frozenset({"net"}),
    "worker": frozenset({"net"}),
    "service-worker": frozenset({"net"}),
    "verdictless-send": frozenset({"outcome"}),
    "unwatched-state": frozenset({"state"}),
    "rate-limited": frozenset({EVERY}),
}
"""
Each kind of blind spot (reticle-tools §3.3), and what it hides: elements and text, text in a picture (where
no element can be), requests, how a request ended, changes of state, or anything at all. All of them make the
coverage partial.
"""

CHURN = frozenset({"dom.text", "anim.start", "anim.end", "render.commit", "page.health", "scroll.position"})
"""Event types that repeat by nature: the buffer lets them go first, and their loss alone dirties nothing."""


def hiding(what: str) -> frozenset[str]:
    """
    The kinds of blind spots that hide ``what``.
    """
    return frozenset(kind for kind, hides in BLIND_SPOTS.items() if what in hides)


DOM_BLIND_SPOTS = hiding("dom")
"""Places whose content a page cannot read: something may be there although a reading found nothing."""

TEXT_BLIND_SPOTS = DOM_BLIND_SPOTS | hiding("picture")
"""Places where a text may be although a reading did not find it."""

NET_BLIND_SPOTS = hiding("net")
"""Places from which requests leave unseen."""


def is_scarce(loss: Loss) -> bool:
    """
    Whether a loss dirties the capture: not what the buffer let go of churn (reticle-tools §4.3).
    """
    return loss.where != "ring" or loss.channel not in CHURN


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
