"""
What a cache of requests notes about its requests: pending, failed, how often (TanStack Query, RTK Query).

The page marks such changes of state (page-wire, ``state.change``). They come by themselves with each request,
so they are neither the app's answer to it nor a sign that the app took notice of its failure: an app that
shows nobody the error has it in its cache all the same.
"""

from __future__ import annotations

from reticle.model.page import PageEvent


def is_bookkeeping(event: PageEvent) -> bool:
    """
    Whether an event is a note of that kind.
    """
    return event.data.get("bookkeeping") is True
