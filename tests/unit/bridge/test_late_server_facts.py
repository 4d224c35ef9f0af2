"""
What servers told, before the first of them did.
"""

from __future__ import annotations

from reticle.bridge.late_server_facts import LateServerFacts
from reticle.model.ids import PageId
from reticle.model.server_facts import ServerSight
from reticle.testing.probe import FakeProbe
from reticle.testing.windows import WindowBuilder
from reticle.transport.ingest_lines import read_batch


def test_nothing_is_known_until_somebody_tells() -> None:
    """
    Before the first batch there is no probe; from then on it is as if the facts had always been kept.
    """
    facts, window = LateServerFacts(lambda: 7.0), WindowBuilder().build()
    assert (facts.probes(), facts.skipped()) == ((), ())
    assert facts.sight(PageId("s1"), window, 1_000) == (ServerSight(), 0)
    probe = FakeProbe().fact("injection", outcome="skipped", reason="policy")
    facts.take(read_batch(probe.served(1).body(), attested=True))
    assert ([one.framework for one in facts.probes()], len(facts.skipped())) == (["django 5.2"], 1)
    assert len(facts.sight(PageId("s1"), window, 1_500)[0].probes) == 1
