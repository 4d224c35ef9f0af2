"""
The relay by posts, for servers without WebSockets.
"""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from reticle.probe.own_paths import Served
from reticle.probe.relay_frames import Closed
from reticle.probe.relay_poll import PollRelay

HEADERS = {"host": "localhost:8000", "origin": "http://localhost:8000", "content-type": "application/json"}


@attrs.define
class FakeLine:
    """
    A line to a daemon that says what the test wants.
    """

    said: list[str] = attrs.field(factory=list)
    waiting: list[str] = attrs.field(factory=list)
    closed: Closed | None = None
    is_abandoned: bool = False
    is_closed: bool = False
    held: list[float] = attrs.field(factory=list)

    def send(self, texts: list[str]) -> None:
        """
        Keep them.
        """
        self.said += texts

    def take(self, hold_seconds: float) -> tuple[list[str], Closed | None]:
        """
        What waits.
        """
        self.held.append(hold_seconds)
        taken, self.waiting = self.waiting, []
        return taken, self.closed

    def close(self) -> None:
        """
        The page is gone.
        """
        self.is_closed = True


@attrs.define
class Bench:
    """
    A relay and its lines.
    """

    lines: list[FakeLine] = attrs.field(factory=list)
    is_away: bool = False
    relay: PollRelay = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.relay = PollRelay(self.dial)

    def dial(self) -> FakeLine:
        """
        A new line, unless the daemon is away.
        """
        if self.is_away:
            raise ConnectionRefusedError
        self.lines.append(FakeLine())
        return self.lines[-1]

    def post(self, value: object, *, can_wait: bool = True, **headers: str) -> Served:
        """
        One post of the page.
        """
        told = {**HEADERS, **{name.replace("_", "-"): text for name, text in headers.items()}}
        return self.relay.answer("POST", told.get, "127.0.0.1", json.dumps(value).encode(), can_wait=can_wait)

    def opened(self) -> str:
        """
        The id of a new page.
        """
        name: str = json.loads(self.post({"open": True}).body)["id"]
        return name


@pytest.fixture
def bench() -> Bench:
    """
    A daemon that answers.
    """
    return Bench()


def told(served: Served) -> Any:
    """
    The JSON of an answer.
    """
    assert served.status == 200
    return json.loads(served.body)


def test_messages_go_both_ways(bench: Bench) -> None:
    """
    What the page says reaches the daemon, and its commands the page.
    """
    name = bench.opened()
    bench.lines[0].waiting = ['{"kind":"command"}']
    answer = told(bench.post({"id": name, "send": ["a", "b"], "hold": True}))
    assert answer == {"messages": ['{"kind":"command"}'], "closed": None}
    assert bench.lines[0].said == ["a", "b"]
    assert bench.lines[0].held == [20.0]


def test_a_server_that_answers_one_at_a_time_is_not_held(bench: Bench) -> None:
    """
    The app is not blocked by the tool; the page asks again in a moment.
    """
    answer = told(bench.post({"id": bench.opened(), "hold": True}, can_wait=False))
    assert (answer["pauseMs"], bench.lines[0].held) == (250, [0])


def test_the_daemons_close_reaches_the_page(bench: Bench) -> None:
    """
    A page that was refused does not come back.
    """
    name = bench.opened()
    bench.lines[0].closed = Closed(1008, "refused")
    assert told(bench.post({"id": name, "send": ["a"]})) == {"messages": [], "closed": None}
    assert told(bench.post({"id": name, "hold": True}))["closed"] == {"code": 1008, "reason": "refused"}
    assert bench.post({"id": name}).status == 410


def test_a_page_that_says_goodbye_is_let_go(bench: Bench) -> None:
    """
    Its place is free for another.
    """
    name = bench.opened()
    bench.post({"id": name, "close": True})
    assert bench.lines[0].is_closed
    assert bench.post({"id": name}).status == 410


def test_only_so_many_pages(bench: Bench) -> None:
    """
    The app's threads stay the app's; pages that are gone make room.
    """
    for _ in range(8):
        bench.opened()
    assert bench.post({"open": True}).status == 429
    bench.lines[0].is_abandoned = True
    assert bench.opened()
    assert bench.lines[0].is_closed


def test_without_a_daemon(bench: Bench) -> None:
    """
    The page tries again later.
    """
    bench.is_away = True
    assert bench.post({"open": True}).status == 503


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://localhost:9000"}, 403),
        ({"origin": "null"}, 403),
        ({"host": "shop.example", "origin": "http://shop.example"}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"content_length": str(64 * 1024 * 1024)}, 413),
    ],
)
def test_other_sites_get_nothing(bench: Bench, headers: dict[str, str], status: int) -> None:
    """
    A page elsewhere cannot speak to the daemon through the app.
    """
    assert bench.post({"open": True}, can_wait=True, **headers).status == status
    assert bench.lines == []


@pytest.mark.parametrize("value", [[], 3, {}, {"id": 3}, {"id": "x"}])
def test_what_is_no_question_is_refused(bench: Bench, value: object) -> None:
    """
    Rubbish is said to be rubbish.
    """
    assert bench.post(value).status in {400, 410}
