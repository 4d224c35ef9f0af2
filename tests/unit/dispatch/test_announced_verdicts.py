"""
Verdicts told to whoever subscribed.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from reticle.dispatch.announced_verdicts import AnnouncedVerdicts
from reticle.dispatch.notices import Notices
from reticle.model.mcp import Notice, ResourceUpdated
from reticle.testing.drafts import a_draft
from reticle.testing.stores import MemoryVerdicts
from reticle.testing.verdicts import recorded_verdict


def test_a_verdict_is_told_once_it_can_be_read() -> None:
    """
    A subscriber hears of a verdict that is kept, never of one that could not be written.
    """
    memory, notices, heard = MemoryVerdicts(), Notices(), list[Notice]()
    for name in ("v1", "v2"):
        notices.watch(f"reticle://verdict/{name}", heard.append)
    verdicts = AnnouncedVerdicts(memory, notices)
    memory.failing = True
    failed: list[object] = []
    Deferred.fromCoroutine(verdicts.put(recorded_verdict("v1"), a_draft())).addErrback(failed.append)
    assert (len(failed), heard) == (1, [])
    memory.failing = False
    Deferred.fromCoroutine(verdicts.put(recorded_verdict("v2"), a_draft()))
    assert heard == [ResourceUpdated("reticle://verdict/v2")]
    got: list[object] = []
    Deferred.fromCoroutine(verdicts.get(recorded_verdict("v2").verdict_id)).addCallback(got.append)
    Deferred.fromCoroutine(verdicts.newest(5)).addCallback(got.append)
    assert got == [recorded_verdict("v2"), ["v2"]]
