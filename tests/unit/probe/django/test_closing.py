"""
Responses of Django's that are closed behind their request.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished
from django.http import HttpResponse

from reticle.probe import context
from reticle.probe.django import closing
from reticle.probe.exchange import Exchange
from reticle.probe.patching import Patches
from reticle.testing.kept_facts import KeptFacts


def exchange() -> Exchange:
    """
    Of a request that was answered.
    """
    made = Exchange("POST", "/orders", "", lambda _: None, "127.0.0.1", scheme="http", relay="poll")
    made.finished()
    return made


@pytest.fixture
def _watched() -> Iterator[None]:
    patches = Patches()
    closing.install(patches)
    yield
    patches.remove()


@pytest.fixture
def response() -> HttpResponse:
    """
    One that its server closes.
    """
    return HttpResponse("{}", content_type="application/json", charset="utf-8")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """
    The requests that a receiver of the app's ran for, which fails.
    """
    monkeypatch.setattr(request_finished, "receivers", [])  # Django's own want settings
    running: list[Any] = []

    def receive(**_: Any) -> None:
        running.append(context.current())
        raise LookupError("no such queue")

    request_finished.connect(receive, weak=False, dispatch_uid="test")
    yield running
    request_finished.disconnect(dispatch_uid="test")


@pytest.mark.usefixtures("_watched")
def test_a_receiver_that_raises_behind_the_answer_is_told(
    facts: KeptFacts, response: HttpResponse, seen: list[Any]
) -> None:
    """
    What an app does when a request is finished, and fails in, has its line; the server hears of it as before.
    """
    asked = exchange()
    closing.mark(response, asked)
    with pytest.raises(LookupError):
        response.close()
    (told,) = facts.of("exception")
    assert (told["type"], told["rid"], told["handled"]) == ("LookupError", asked.context.rid, "unhandled")
    assert (told["frames"][0]["file"], told["frames"][0]["function"]) == (__file__, "receive")
    assert (seen, context.current()) == ([asked.context], None)


@pytest.mark.usefixtures("_watched")
def test_a_response_of_nobody_is_closed_as_before(
    facts: KeptFacts, response: HttpResponse, seen: list[Any]
) -> None:
    """
    One that the app makes and closes by itself belongs to no request.
    """
    with pytest.raises(LookupError):
        response.close()
    assert (facts.of("exception"), seen, response.closed) == ([], [None], True)
