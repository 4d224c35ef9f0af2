"""
Exceptions of the app as facts.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from reticle.probe import exceptions, quiet
from reticle.probe.context import RequestContext
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.testing.kept_facts import KeptFacts, keeping_facts


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The probe is on, and facts stay here.
    """
    with keeping_facts() as sink:
        yield sink


def raised(fault: BaseException) -> BaseException:
    """
    It, as it comes out of a call.
    """
    with pytest.raises(type(fault)) as caught:
        raise fault
    return caught.value


def test_an_exception_names_its_line(kept: KeptFacts) -> None:
    """
    The agent reads type, message and the line of the app.
    """
    request = RequestContext("GET", "/", "p.1", "header")
    exceptions.tell(raised(ValueError("password=hunter2")), within=request)
    (fields,) = kept.of("exception")
    assert (fields["type"], fields["message"], fields["handled"]) == (
        "ValueError",
        "password=[REDACTED]",
        "unhandled",
    )
    assert fields["rid"] == request.rid
    assert fields["frames"][0]["file"] == __file__
    assert fields["frames"][0]["function"] == "raised"


def test_one_exception_is_told_once(kept: KeptFacts) -> None:
    """
    A signal, a middleware and a log meet the same exception, and the agent sees one.
    """
    fault = raised(KeyError("a"))
    exceptions.tell(fault)
    exceptions.tell(fault, "logged")
    assert kept.kinds == ["exception"]
    assert exceptions.described(fault, "logged")["handled"] == "unhandled"


def test_one_that_was_logged_and_raised_again_is_told_as_unhandled(kept: KeptFacts) -> None:
    """
    A log line before the ``raise`` does not turn a failure into one that somebody dealt with.
    """
    fault = raised(KeyError("a"))
    exceptions.tell(fault, "logged")
    exceptions.tell(fault)
    exceptions.tell(fault)
    assert [fields["handled"] for fields in kept.of("exception")] == ["logged", "unhandled"]


def test_one_object_that_is_raised_in_two_requests_is_told_in_both(kept: KeptFacts) -> None:
    """
    An exception that the app made once, and raises each time, is no old news.
    """
    fault = raised(KeyError("a"))
    requests = [RequestContext("POST", "/", None, "none") for _ in range(2)]
    for request in requests:
        exceptions.tell(fault, "logged", within=request)
        exceptions.tell(fault, within=request)
    assert [fields["rid"] for fields in kept.of("exception")] == [
        request.rid for request in requests for _ in range(2)
    ]


def test_a_line_of_a_template_comes_first(kept: KeptFacts) -> None:
    """
    An exception in a Django template leads to the template.
    """
    fault = raised(ValueError("x"))
    fault.template_debug = {"name": "/srv/shop/templates/cart.html", "line": 7}  # type: ignore[attr-defined]  # Django's
    exceptions.tell(fault)
    assert kept.of("exception")[0]["frames"][0] == {
        "file": "/srv/shop/templates/cart.html", "line": 7, "function": "template", "app": True,
    }  # fmt: skip


def test_an_exception_that_cannot_be_read_harms_nobody(kept: KeptFacts) -> None:
    """
    An app's exception whose text raises is raised to the app as before.
    """

    class OddError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    exceptions.tell(raised(OddError()))
    assert kept.kinds == []
    with quiet.own_work():
        exceptions.tell(raised(ValueError()))
    assert kept.kinds == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_exception_that_ends_a_thread_is_told(kept: KeptFacts, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Work that the app does in the background fails visibly, and Python says so as before.
    """
    said: list[object] = []
    monkeypatch.setattr(threading, "excepthook", said.append)
    patches = Patches()
    exceptions.install(ImportWatch(), patches)
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    patches.remove()
    assert len(said) == 1
    (fields,) = kept.of("exception")
    assert (fields["type"], fields["rid"]) == ("ZeroDivisionError", None)
