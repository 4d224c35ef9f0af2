"""
Twenty agents at once, all counting their requests from 1 (field report TR-04).
"""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

from examples.journeys.children import Daemon
from reticle.client import connect

CLIENTS = 20
RECONNECTS = 10


def own_answer(url: str, who: str) -> str:
    """
    What a fresh client is told on its request 1: a refusal that names the tool it asked for.
    """
    with connect(url) as client:
        result = client.call(f"nobody_{who}")
        assert len(client.list_tools()) > 5
    return result.message


def session_with_reconnects(url: str, number: int) -> list[str]:
    """
    One agent's life: a call, then ten new connections, some of them left with a call in flight.
    """
    chance = random.Random(number)
    answers = [own_answer(url, f"{number}_first")]
    for attempt in range(RECONNECTS):
        if chance.random() < 0.3:
            with connect(url) as leaving:
                leaving.send("tools/call", {"name": "reticle_sessions", "arguments": {}})
        answers.append(own_answer(url, f"{number}_{attempt}"))
    return answers


def test_each_client_gets_its_own_answers(daemon: Daemon) -> None:
    """
    With the same JSON-RPC id everywhere, every reply lands on the stream that asked, over reconnects too.
    """
    with ThreadPoolExecutor(CLIENTS) as crowd:
        jobs = [crowd.submit(session_with_reconnects, daemon.mcp_url, number) for number in range(CLIENTS)]
        lives = [job.result(60) for job in jobs]
    for number, answers in enumerate(lives):
        names = [f"nobody_{number}_first", *(f"nobody_{number}_{attempt}" for attempt in range(RECONNECTS))]
        assert [name for name, answer in zip(names, answers, strict=True) if name not in answer] == []
    assert daemon.child.process.poll() is None


def test_replies_come_in_any_order(daemon: Daemon) -> None:
    """
    One agent with many calls on their way gets every answer under its own id.
    """
    with connect(daemon.mcp_url) as client:
        client.initialize()
        sent = [client.send("tools/call", {"name": f"nobody_{n}", "arguments": {}}) for n in range(30)]
        random.Random(1).shuffle(sent)
        first = min(sent)
        for identity in sent:
            assert f"nobody_{identity - first}" in str(client.wait(identity))
