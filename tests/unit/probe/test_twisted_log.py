"""
Events of Twisted's logger as facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from twisted.logger import Logger, LogLevel
from twisted.python.failure import Failure

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    with collecting("twisted_log") as sink:
        yield sink


def failed() -> Failure:
    """
    A failure of the app's.
    """
    return Failure(ValueError("lost"))


def test_a_warning_is_told_with_its_text_and_line(kept: KeptFacts) -> None:
    """
    The agent reads what a Twisted app logged.
    """
    log = Logger(namespace="shop.orders")
    log.info("fine")
    log.emit(LogLevel.warn, "no stock of {what}", what="shoes")
    (fields,) = kept.of("log")
    assert (fields["level"], fields["logger"], fields["message"], fields["file"]) == (
        "WARNING", "shop.orders", "no stock of shoes", __file__,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("namespace", "handled"), [("twisted.web.server", "unhandled"), ("shop.orders", "logged")]
)
def test_a_failure_is_an_exception(
    kept: KeptFacts, logged_failures: Any, namespace: str, handled: str
) -> None:
    """
    What Twisted logs because nobody caught it is told apart from what the app logs itself.
    """
    Logger(namespace=namespace).failure("Oh no", failure=failed())
    assert len(logged_failures.take()) == 1
    exception, log = kept.facts
    assert (exception[0], exception[1]["type"], exception[1]["handled"]) == (
        "exception",
        "ValueError",
        handled,
    )
    assert (log[1]["level"], log[1]["exception"]["handled"]) == ("CRITICAL", handled)


def test_removed_it_hears_nothing() -> None:
    """
    With the probe off, the publisher has its observers only.
    """
    with collecting("twisted_log") as kept:
        pass
    Logger(namespace="shop").emit(LogLevel.warn, "after")
    assert kept.facts == []
