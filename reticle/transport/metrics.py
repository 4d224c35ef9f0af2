"""
``/metrics``: counts for Prometheus.

Counting is a dictionary; ``prometheus_client`` is imported at the first scrape, so a daemon that nobody
scrapes does not pay for it. The registry is our own: an embedding application keeps its default one.
Label values come from closed sets, and where they do not, the ``METRIC_LABELS`` first ones count and the
rest is ``other``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from twisted.web.iweb import IRequest

from reticle.model.journal import JournalFigures
from reticle.model.limits import METRIC_LABELS
from reticle.transport.resource import Leaf
from reticle.transport.trace import RequestRecord

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

OTHER = "other"
"""What label values beyond the bound count as."""

_CLASSES = {first: f"{first}xx" for first in range(1, 6)}


class Tally:
    """
    One counter with labels.
    """

    def __init__(self, name: str, help_text: str, labels: tuple[str, ...]) -> None:
        self.name = name
        self.help_text = help_text
        self.labels = labels
        self.counts: Counter[tuple[str, ...]] = Counter()

    def add(self, *values: str, amount: float = 1) -> None:
        """
        Count; ``values`` are the label values in their order.
        """
        counts = self.counts
        if values in counts:
            counts[values] += amount  # type: ignore[assignment]  # a Counter adds floats as well
            return
        if len(counts) >= METRIC_LABELS:
            values = (OTHER,) * len(self.labels)
        counts[values] += amount  # type: ignore[assignment]  # as above


class Metrics:
    """
    Everything this daemon counts.

    Args:
        mcp_sessions: How many there are now.
        pages: How many there are now.
        journal: What the journal of pages kept and lost; None where it is off.
    """

    def __init__(
        self,
        *,
        mcp_sessions: Callable[[], int],
        pages: Callable[[], int],
        journal: Callable[[], JournalFigures | None] = lambda: None,
    ) -> None:
        self._journal = journal
        self._gauges = {
            "reticle_mcp_sessions": ("Open MCP sessions.", mcp_sessions),
            "reticle_pages": ("Connected pages.", pages),
        }
        self._requests = Tally("reticle_http_requests", "Ended HTTP requests.", ("route", "status_class"))
        self._refusals = Tally("reticle_refused_requests", "Requests that trust refused.", ("code",))
        self._calls = Tally("reticle_tool_calls", "Ended tool calls.", ("tool", "outcome"))
        self._drops = Tally("reticle_dropped_events", "Page events that were not kept.", ("where",))
        self._secrets = Tally(
            "reticle_redacted_secrets", "Credentials that pages sent and that were not kept.", ()
        )
        self._registry: CollectorRegistry | None = None

    def request_ended(self, record: RequestRecord) -> None:
        """
        Count one HTTP request; a ``RequestObserver``.
        """
        self._requests.add(record.route, _CLASSES.get(record.status // 100, OTHER))

    def request_refused(self, code: str) -> None:
        """
        Count one refusal by trust.
        """
        self._refusals.add(code)

    def call_ended(self, tool: str, outcome: str, _seconds: float = 0.0) -> None:
        """
        Count one tool call; ``outcome`` is the value of a ``Fate``.
        """
        self._calls.add(tool, outcome)

    @property
    def calls_total(self) -> int:
        """
        Ended tool calls since the start.
        """
        return sum(self._calls.counts.values())

    def events_dropped(self, where: str, count: int) -> None:
        """
        Count events that were produced and not kept; ``where`` as in ``model.page.Loss``.
        """
        self._drops.add(where, amount=count)

    def secrets_redacted(self, count: int) -> None:
        """
        Count credentials that a page had left in what it sent.
        """
        self._secrets.add(amount=count)

    @property
    def secrets_total(self) -> int:
        """
        Credentials taken out since the start.
        """
        return self._secrets.counts[()]

    def exposition(self) -> bytes:
        """
        All of it in the Prometheus text format.
        """
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415 - see the module

        if self._registry is None:
            self._registry = CollectorRegistry(auto_describe=False)
            self._registry.register(self)
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """
        What ``prometheus_client`` asks a collector for.
        """
        from prometheus_client.metrics_core import (  # noqa: PLC0415 - see the module
            CounterMetricFamily,
            GaugeMetricFamily,
        )

        for name, (help_text, read) in self._gauges.items():
            yield GaugeMetricFamily(name, help_text, value=read())
        for tally in (self._requests, self._refusals, self._calls, self._drops, self._secrets):
            family = CounterMetricFamily(tally.name, tally.help_text, labels=tally.labels)
            for values, count in sorted(tally.counts.items()):
                family.add_metric(values, count)
            yield family
        figures = self._journal()
        if figures is not None:
            counts = {"kept": figures.events, "lost": figures.lost_events}
            family = CounterMetricFamily(
                "reticle_journal_events", "Page events that the journal kept, or left out.", labels=("fate",)
            )
            for fate, count in counts.items():
                family.add_metric((fate,), count)
            yield family


class MetricsLeaf(Leaf):
    """
    Answers a scrape.
    """

    def __init__(self, metrics: Metrics) -> None:
        super().__init__("metrics", {b"GET": self._answer, b"HEAD": self._answer})
        self._metrics = metrics

    def _answer(self, request: IRequest) -> bytes:
        request.setHeader(b"Content-Type", b"text/plain; version=0.0.4; charset=utf-8")
        request.setHeader(b"X-Content-Type-Options", b"nosniff")
        return self._metrics.exposition()
