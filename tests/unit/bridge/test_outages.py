"""
How steadily a page is connected.
"""

from __future__ import annotations

from reticle.bridge.outages import Outages
from reticle.model.page import Attachment


def test_a_reload_is_no_outage() -> None:
    """
    A page that comes back at once was connected all the time.
    """
    outages = Outages()
    outages.back(10.0)
    outages.lost(20.0)
    outages.back(21.5)
    outages.back(22.0)
    assert outages.attachment(40.0) == Attachment(30_000)


def test_an_outage_is_counted_and_dated() -> None:
    """
    Who wonders about missing evidence sees how long ago the page was away, and for how long.
    """
    outages = Outages()
    outages.back(0.0)
    outages.lost(10.0)
    assert outages.attachment(12.0) == Attachment(0)
    outages.back(15.0)
    assert outages.attachment(20.0) == Attachment(5_000, 1, 5_000, 10_000)
