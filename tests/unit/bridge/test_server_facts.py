"""
What servers told, kept for the windows of pages.
"""

from __future__ import annotations

from typing import Any

import attrs

from reticle.bridge.server_facts import ServerFacts
from reticle.model.ids import PageId
from reticle.model.server_facts import FactBatch, FactKind, ProcessHello, ReportedFact, ServerSight
from reticle.model.server_limits import (
    LOSSES_REMEMBERED,
    PROBED_PROCESSES,
    PROCESS_BYTES,
    PROCESS_FACTS,
    SERVERS_BYTES,
    WINDOW_FACTS,
)
from reticle.testing.probe import PROJECT, FakeProbe, rid
from reticle.testing.windows import WindowBuilder
from reticle.transport.ingest_lines import read_batch

PAGE = PageId("s1")


class Daemon:
    """
    The facts of a daemon whose clock stands at 100 s when the page's stands at 0.
    """

    def __init__(self) -> None:
        self.now = 101.5
        self.facts = ServerFacts(lambda: self.now)

    def hear(self, probe: FakeProbe, *, mono: float = 0.0, attested: bool = True) -> None:
        """
        A batch that arrives now.
        """
        self.facts.take(read_batch(probe.body(mono=mono), attested=attested))

    def sight(self, window: WindowBuilder) -> tuple[ServerSight, int]:
        """
        What a window of the page sees; it reaches from 1.0 s to about 2 s of the page's time.
        """
        return self.facts.sight(PAGE, window.build(), round((self.now - 100) * 1000))


def saw(number: int) -> WindowBuilder:
    """
    A window in which the page got an answer with the id of a request.
    """
    return WindowBuilder().click().net("POST", "/orders", 200, rid=rid(number))


def test_facts_are_in_the_pages_time_and_named_from_the_project() -> None:
    """
    A process whose clock began elsewhere tells when it happened, and its files are the project's.
    """
    daemon = Daemon()
    daemon.hear(FakeProbe().served(1, mono=7.25), mono=7.5)
    sight, dropped = daemon.sight(saw(1))
    assert dropped == 0
    assert [fact.t_ms for fact in sight.facts] == [1_250, 1_250]
    assert sight.facts[1].data["view"] == "shop/views.py:12"
    assert [(probe.serves, probe.attested) for probe in sight.probes] == [(True, True)]


def test_files_of_exceptions_are_named_from_the_project_too() -> None:
    """
    Those of libraries stay where they are.
    """
    daemon = Daemon()
    frames = [{"file": f"{PROJECT}/a.py", "line": 1}, {"file": "/usr/lib/b.py", "line": 2}]
    thrown = {"type": "E", "frames": frames}
    probe = FakeProbe().fact(
        "log", of=1, level="ERROR", message="m", file=f"{PROJECT}/c.py", exception=thrown
    )
    daemon.hear(probe)
    [fact] = daemon.sight(saw(1))[0].facts
    assert fact.data["file"] == "c.py"
    told: Any = fact.data["exception"]
    assert [frame["file"] for frame in told["frames"]] == ["a.py", "/usr/lib/b.py"]


def test_the_callers_of_a_statement_are_named_from_the_project() -> None:
    """
    A verdict names them, and they are looked up there.
    """
    daemon = Daemon()
    via = [{"file": f"{PROJECT}/a.py", "line": 1}]
    daemon.hear(FakeProbe().fact("sql", of=1, verb="SELECT", file=f"{PROJECT}/c.py", line=2, via=via))
    [fact] = daemon.sight(saw(1))[0].facts
    told: Any = fact.data["via"]
    assert [frame["file"] for frame in told] == ["a.py"]


def test_the_quickest_batch_sets_the_clock() -> None:
    """
    A batch that lay about for a second does not move what happened.
    """
    daemon = Daemon()
    daemon.hear(FakeProbe(), mono=7.5)
    daemon.now += 1
    daemon.hear(FakeProbe().served(1, mono=7.4), mono=7.5)
    assert daemon.sight(saw(1))[0].facts[0].t_ms == 1_400


def test_what_the_page_was_told_counts_whenever_it_came() -> None:
    """
    The id decides, not the clock.
    """
    daemon = Daemon()
    daemon.now = 500.0
    daemon.hear(FakeProbe().served(1, mono=7.5).served(2, mono=7.5), mono=7.5)
    assert {fact.rid for fact in daemon.sight(saw(1))[0].facts} == {rid(1)}


def test_missing_numbers_and_declared_gaps_are_losses() -> None:
    """
    What a process numbered and never sent, and what it says it let go, is told to the verdict.
    """
    daemon = Daemon()
    probe = FakeProbe().served(1).lose(3).fact("warning", message="m")
    probe.fact("gap", dropped=5, bytes=1, kinds={"sql": 5}, from_seq=7, to_seq=11)
    probe.seq = 11
    daemon.hear(probe.fact("warning", message="m"))
    assert daemon.sight(saw(1))[1] == 8


def test_losses_of_a_process_that_serves_another_app_are_not_the_pages() -> None:
    """
    Somebody else's flood makes no verdict here unknown.
    """
    daemon = Daemon()
    daemon.hear(FakeProbe().served(1))
    daemon.hear(FakeProbe("ab" * 16, project="/srv/other").served(2).lose(9).served(3))
    sight, dropped = daemon.sight(saw(1))
    assert dropped == 0
    assert {probe.project: probe.serves for probe in sight.probes} == {PROJECT: True, "/srv/other": False}


def test_a_full_ring_lets_the_oldest_go_and_counts_them() -> None:
    """
    By number and by weight.
    """
    daemon = Daemon()
    probe = FakeProbe()
    for number in range(PROCESS_FACTS + 10):
        probe.fact("warning", message=str(number))
        if number % 1_000 == 999:
            daemon.hear(probe)
    daemon.hear(probe.served(1))
    assert daemon.sight(saw(1))[1] >= 12
    heavy = Daemon()
    weighty = FakeProbe("cd" * 16)
    for number in range(PROCESS_BYTES // 2_000 + 50):
        weighty.fact("sql", statement="s" * 2_000)
        if number % 400 == 399:
            heavy.hear(weighty)
    heavy.hear(weighty.served(1))
    assert heavy.sight(saw(1))[1] > 0


def test_a_loss_is_not_forgotten_for_all_that_an_old_ring_lets_go() -> None:
    """
    Facts of long ago that make room do not take the place of what was lost in the window.
    """
    daemon = Daemon()
    probe = FakeProbe()
    for number in range(PROCESS_FACTS):
        probe.fact("warning", message=str(number), mono=0.5)
        if number % 1_000 == 999:
            daemon.hear(probe, mono=1_000.5)
    daemon.now += 0.1
    daemon.hear(probe.lose(3).served(1, mono=1_000.6), mono=1_000.6)
    for number in range(LOSSES_REMEMBERED + 10):
        probe.fact("warning", message=str(number), mono=1_000.6)
    daemon.hear(probe, mono=1_000.6)
    assert daemon.sight(saw(1))[1] >= 3


def test_all_processes_together_have_a_bound() -> None:
    """
    A reloader that leaves a full process behind with each change does not fill the memory.
    """
    daemon = Daemon()
    for number in range(SERVERS_BYTES // PROCESS_BYTES + 2):
        probe = FakeProbe(f"{number:032x}")
        for line in range(PROCESS_BYTES // 2_000 + 50):
            probe.fact("sql", statement="s" * 2_000)
            if line % 400 == 399:
                daemon.hear(probe)
        daemon.hear(probe.served(1_000 + number))
    newest = number + 1_000
    assert {fact.rid for fact in daemon.sight(saw(newest))[0].facts} >= {rid(newest)}
    assert daemon.sight(saw(1_000))[1] > 0


def test_a_window_keeps_the_pages_own_facts_first() -> None:
    """
    A busy server does not push out what the action did.
    """
    daemon = Daemon()
    probe = FakeProbe()
    for number in range(WINDOW_FACTS + 50):
        probe.fact("warning", message=str(number))
    daemon.hear(probe.served(1))
    sight, dropped = daemon.sight(saw(1))
    assert (len(sight.facts), dropped) == (WINDOW_FACTS, 52)
    assert sum(fact.rid == rid(1) for fact in sight.facts) == 2


def test_a_worker_that_takes_over_serves_the_page_too() -> None:
    """
    A reloader's new process is known by project and framework, and named as a restart.
    """
    daemon = Daemon()
    daemon.now = 50.0
    daemon.hear(FakeProbe().served(1))
    daemon.sight(saw(1))
    daemon.now = 101.5
    daemon.hear(FakeProbe("ab" * 16).fact("warning", message="m"))
    probes = {probe.process: probe for probe in daemon.sight(WindowBuilder().click())[0].probes}
    assert probes["ab" * 16].serves
    assert probes["ab" * 16].restarted


def test_a_worker_beside_another_is_no_restart() -> None:
    """
    A fork's child, and the second of two workers, run the same code as the first, which goes on.
    """
    daemon = Daemon()
    daemon.now = 50.0
    first = FakeProbe().served(1)
    daemon.hear(first)
    daemon.sight(saw(1))
    daemon.now = 101.5
    daemon.hear(FakeProbe("ab" * 16).fact("warning", message="m"))
    daemon.now = 101.6
    daemon.hear(first.fact("warning", message="m"), mono=0.1)
    probes = {probe.process: probe for probe in daemon.sight(WindowBuilder().click())[0].probes}
    assert not probes["ab" * 16].restarted


def test_so_many_processes_are_remembered() -> None:
    """
    A reloader that starts a process with each change fills nothing.
    """
    daemon = Daemon()
    for number in range(PROBED_PROCESSES + 5):
        daemon.hear(FakeProbe(f"{number:032x}"))
    assert len(daemon.facts.probes()) == PROBED_PROCESSES


def test_why_a_document_got_no_script() -> None:
    """
    The newest reasons, each once with how often.
    """
    daemon = Daemon()
    probe = FakeProbe().fact("injection", outcome="skipped", reason="policy", directive="script-src")
    probe.fact("injection", outcome="inserted").fact(
        "injection", outcome="skipped", reason="policy", directive="script-src"
    )
    daemon.hear(probe)
    [skip] = daemon.facts.skipped()
    assert (skip.reason, skip.directive, skip.count) == ("policy", "script-src", 2)
    assert skip.framework == "django 5.2"


def test_without_any_probe_a_window_has_none() -> None:
    """
    What nobody told is nothing.
    """
    assert Daemon().sight(saw(1)) == (ServerSight(), 0)


def test_a_reason_of_a_process_that_was_replaced_is_over() -> None:
    """
    The app was mended and started again: that its documents got no script is said no more, once it told
    of a document; of two workers that both speak neither is silenced.
    """
    daemon = Daemon()
    old = FakeProbe("ab" * 16).fact("injection", outcome="skipped", reason="policy", directive="script-src")
    daemon.hear(old)
    other = FakeProbe("ef" * 16, framework="flask 3.1")
    daemon.hear(other.fact("injection", outcome="skipped", reason="charset"))
    daemon.now += 1
    new = FakeProbe("cd" * 16)
    daemon.hear(new)
    assert [skip.reason for skip in daemon.facts.skipped()] == ["charset", "policy"]
    daemon.hear(old.fact("injection", outcome="skipped", reason="policy", directive="script-src"))
    daemon.hear(new.fact("injection", outcome="inserted"))
    assert [skip.reason for skip in daemon.facts.skipped()] == ["policy", "charset"]
    daemon.now += 1
    daemon.hear(FakeProbe("12" * 16).fact("injection", outcome="inserted"))
    assert [skip.reason for skip in daemon.facts.skipped()] == ["charset"]


def test_what_a_process_does_not_tell_is_known() -> None:
    """
    A driver that its probe does not see, and all that an exporter of OpenTelemetry has not told.
    """
    daemon = Daemon()
    batch = read_batch(FakeProbe().served(1).body(), attested=True)

    def untold(hello: ProcessHello, *facts: ReportedFact) -> tuple[object, object]:
        daemon.facts.take(FactBatch(hello, (*batch.facts, *facts)))
        [probe] = [one for one in daemon.facts.probes() if one.process == hello.process]
        return probe.unseen, probe.untold

    assert untold(attrs.evolve(batch.hello, unseen=("asyncpg",))) == (("asyncpg",), ())
    exporter = attrs.evolve(batch.hello, process="e" * 32, numbered=False)
    assert untold(exporter) == ((), ("log", "mail", "sql"))
    statement = ReportedFact(FactKind.SQL, 9, 0.0, rid(1), None, {"verb": "INSERT"})
    assert untold(exporter, statement) == ((), ("log", "mail"))
