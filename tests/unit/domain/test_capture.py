"""
Losses and blind spots, by the channel they concern.
"""

from __future__ import annotations

import pytest

from reticle.bridge import ring
from reticle.domain.capture import BLIND_SPOTS, CHURN, blind, describe, hiding, is_scarce, lost
from reticle.domain.channels import channel_of
from reticle.domain.ladder import decide
from reticle.testing.windows import WindowBuilder


@pytest.mark.parametrize(
    ("channel", "asked", "concerned"),
    [
        ("*", {"net"}, True),
        ("net", {"net"}, True),
        ("net.request", {"net"}, True),
        ("dom", {"net"}, False),
        ("error.uncaught", {"console", "error"}, True),
        ("network", {"net"}, False),
    ],
)
def test_a_loss_concerns_its_own_channel(channel: str, asked: set[str], concerned: bool) -> None:  # noqa: FBT001 -- a table column
    """
    What was lost of one channel does not taint another, unless nobody knows what it was.
    """
    assert bool(lost(WindowBuilder().loss(channel).build(), asked)) is concerned


def test_losses_are_summed_up_in_words() -> None:
    """
    People read one figure per channel and place.
    """
    window = WindowBuilder().loss("dom", 2, "page").loss("dom", 3, "page").loss("*", 1, "ring").build()
    assert describe(window.losses) == "5 dom events lost (page), 1 events lost (ring)"


def test_blind_spots_that_were_withdrawn_are_none() -> None:
    """
    A frame that is gone hides nothing.
    """
    window = WindowBuilder().blind_spot("cross-origin-iframe", 0).blind_spot("wrapped-network").build()
    assert blind(window, {"cross-origin-iframe", "wrapped-network"}) == {"wrapped-network": 1}


def test_a_blind_spot_of_unknown_kind_concerns_everything() -> None:
    """
    What the bridge could not keep apart may hide whatever is asked for.
    """
    window = WindowBuilder().blind_spot("*", 2).build()
    assert blind(window, {"wrapped-network"}) == {"*": 2}
    assert channel_of("dom") == "dom"


def test_the_kinds_of_blind_spots_are_known() -> None:
    """
    Each kind says what it hides, and each makes the coverage partial.
    """
    assert hiding("dom") == {"cross-origin-iframe", "closed-shadow-root", "virtualized-unmounted"}
    assert hiding("net") == {
        "uninstrumented-frame", "wrapped-network", "unobserved-ipc", "worker", "service-worker",
    }  # fmt: skip
    assert hiding("outcome") == {"verdictless-send"}
    assert hiding("state") == {"unwatched-state"}
    assert hiding("picture") == {"canvas"}
    assert len(BLIND_SPOTS) == 12
    for kind in BLIND_SPOTS:
        assert decide(None, WindowBuilder().blind_spot(kind).build()).honesty.partial, kind


def test_the_buffers_churn_is_no_loss_that_dirties() -> None:
    """
    Heartbeats that made room are told, and impeach nothing; what the page itself dropped is a loss.
    """
    assert [
        is_scarce(loss) for loss in WindowBuilder().loss("page.health").loss("dom.text").build().losses
    ] == [
        False,
        False,
    ]
    assert is_scarce(WindowBuilder().loss("net.request").build().losses[0])
    assert is_scarce(WindowBuilder().loss("dom.text", where="page").build().losses[0])
    assert is_scarce(WindowBuilder().loss("*").build().losses[0])


def test_what_the_buffer_calls_churn_is_what_the_verdict_does() -> None:
    """
    The two lists cannot drift: an eviction that is harmless here is the one that goes first there.
    """
    assert CHURN == ring.CHURN
