"""
Log records of the app as facts.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from reticle.probe.context import begin
from reticle.probe.limits import REPEATED_LOGS
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts

log = logging.getLogger("shop.views")


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    with collecting("logs") as sink:
        yield sink


def test_a_warning_names_its_line(kept: KeptFacts) -> None:
    """
    The agent reads what the app logged, and where.
    """
    log.warning("no stock of %s", "shoes")
    log.info("nothing")
    (fields,) = kept.of("log")
    line = fields.pop("line")
    assert fields == {
        "rid": None, "action": None, "level": "WARNING", "logger": "shop.views",
        "message": "no stock of shoes", "file": __file__,
    }  # fmt: skip
    assert line == 33


def test_a_logged_exception_was_swallowed(kept: KeptFacts) -> None:
    """
    Behind a healthy screen the agent sees the exception that the app only logged.
    """
    try:
        _ = dict[str, int]()["price"]
    except KeyError:
        log.exception("could not pay")
    exception, told = kept.facts
    assert (exception[0], exception[1]["handled"], exception[1]["type"]) == (
        "exception",
        "logged",
        "KeyError",
    )
    assert exception[1]["frames"][0]["file"] == __file__
    assert told[1]["exception"]["type"] == "KeyError"


def test_a_record_of_a_library_leads_to_the_app(kept: KeptFacts) -> None:
    """
    What a framework logs about a view's exception has the view's line.
    """
    record = logging.LogRecord(
        "django.request",
        logging.ERROR,
        "/x/site-packages/django/log.py",
        9,
        "Internal Server Error",
        (),
        None,
    )
    log.callHandlers(record)
    (fields,) = kept.of("log")
    assert fields["file"] == __file__


def test_a_loop_that_warns_is_cut_within_a_request(kept: KeptFacts) -> None:
    """
    A thousand equal warnings do not push out everything else of a request.
    """
    request = begin("GET", "/")
    for number in range(REPEATED_LOGS + 50):
        log.warning("again %s", number)
    request.end(200)
    assert len(kept.of("log")) == REPEATED_LOGS


def test_the_app_configures_its_logging_as_before() -> None:
    """
    An app's basicConfig still installs a handler, so the probe must not have one.
    """
    before = list(logging.getLogger().handlers)
    with collecting("logs"):
        assert logging.getLogger().handlers == before


def test_a_message_that_cannot_be_made_is_the_apps_own_trouble(kept: KeptFacts) -> None:
    """
    Python reports a bad format as it always does.
    """
    before, logging.raiseExceptions = logging.raiseExceptions, False
    try:
        log.warning("%d", "no number")
    finally:
        logging.raiseExceptions = before
    assert kept.of("log") == []
