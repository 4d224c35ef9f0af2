"""
The sentence beside a verdict names what decided it.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain import because
from reticle.domain.requests import Request, requests
from reticle.domain.settle import Settle
from reticle.model.codes import Grade
from reticle.model.verdict import Finding, FindingTier, Held, Outcome
from reticle.testing.windows import WindowBuilder

QUIET = Settle(settled=True, open_requests=(), pollers=(), ignored=(), quiet_for_ms=900)


def call(method: str, url: str, status: int | None = None) -> Request:
    """
    A request as the page saw it; without a status one that is still open.
    """
    builder = WindowBuilder()
    [one] = requests((builder.net(method, url, status) if status else builder.pending(method, url)).build())
    return one


def clash(number: int) -> Finding:
    """
    Two channels that disagree.
    """
    return Finding("kind", FindingTier.OBSERVED, f"claim {number}", f"counter {number}")


@pytest.mark.parametrize(
    ("evidence", "fact"),
    [
        ({"method": "POST", "url": "/a", "status": 201}, "POST /a 201"),
        ({"method": "POST", "url": "/a", "status": None}, "POST /a"),
        ({"route": "/done"}, "the page is at /done"),
        ({"path": "cart.n", "value": "a"}, "cart.n is 'a'"),
        ({"text": "Saved"}, 'text "Saved"'),
        ({"level": "log", "message": "x"}, "console log: x"),
        ({"quietMs": 500}, "quiet for 500 ms"),
        ({"role": "button", "name": "Save"}, 'button "Save"'),
        ({"role": "button"}, 'button ""'),
        ({"name": "saved", "data": None}, "signal 'saved'"),
        ({"path": "cart.items", "value": [{"on": True}]}, 'cart.items is [{"on": true}]'),
        ({"seq": 4, "storage": "local.theme = dark"}, "storage local.theme = dark"),
        ({"ref": "e5"}, '{"ref": "e5"}'),
    ],
)
def test_each_shape_of_evidence_reads_as_a_fact(evidence: dict[str, object], fact: str) -> None:
    """
    A yes names the request, text, place or signal that proved it.
    """
    said = because.proved(Outcome(Held.YES, "x", (evidence,)), Grade.NET, QUIET, partial=False)
    assert said == f"Held at grade net: {fact}."


def test_a_write_that_was_redirected_to_a_page_is_named_as_that() -> None:
    """
    Who reads that an answer with a body "could not be read" is told why.
    """
    [sent_on] = requests(WindowBuilder().net("POST", "/a", 200, redirected=True).build())
    begin = "What the server answered to a write could not be read: POST /a 200"
    assert because.unread([sent_on]) == f"{begin}, which was redirected to a page."
    [cut] = requests(WindowBuilder().net("POST", "/a", 200, bodyBroken=True).build())
    assert because.unread([cut]) == f"{begin}, whose body broke off."
    assert because.unread([call("POST", "/a", 200)]) == f"{begin}."


def test_a_proof_names_its_limits() -> None:
    """
    What could not be watched, and a page still busy, stand beside the yes.
    """
    busy = Settle(
        settled=False, open_requests=(call("GET", "/slow"),), pollers=(), ignored=(), quiet_for_ms=5
    )
    outcome = Outcome(Held.YES, "net.count", (), expected=["exactly 0: a", "exactly 0: b"])
    assert because.proved(outcome, Grade.NET, busy, partial=True) == (
        "Held at grade net: exactly 0: a and exactly 0: b"
        " (parts of the page could not be watched;"
        " judged before the page had settled: still in flight: GET /slow)."
    )


def test_a_proof_names_the_poll_that_it_did_not_wait_for() -> None:
    """
    A poll that may still fail stands beside the yes of a page that counts as settled.
    """
    polling = attrs.evolve(QUIET, unanswered=(call("GET", "/poll"),), pollers=("GET /poll",))
    outcome = Outcome(Held.YES, "text.present", expected="text a")
    assert because.proved(outcome, Grade.STATE, polling, partial=False) == (
        "Held at grade state: text a (not answered yet: GET /poll)."
    )


def test_a_proof_of_what_is_gone_again_says_so() -> None:
    """
    Who reads the yes of an expired message does not look for it on the page in vain.
    """
    outcome = Outcome(Held.YES, "element.present", ({"role": "status", "name": "Saved"},))
    assert because.proved(outcome, Grade.STATE, QUIET, partial=False, expired=True) == (
        'Held at grade state: status "Saved" (it is gone again, by itself as far as was seen).'
    )


def test_a_failure_names_what_contradicts_it_first() -> None:
    """
    Beside what did not hold stands a contradiction, else a failed request, else nothing.
    """
    outcome = Outcome(Held.NO, "net.present", failure="no call")
    begin = "The declared consequence did not hold: no call"
    broken = [call("POST", "/a", 500)]
    assert (
        because.failed(outcome, [clash(1), clash(2)], broken)
        == f"{begin}; also found: claim 1, but counter 1."
    )
    assert because.failed(outcome, [], broken) == f"{begin}; also found: POST /a 500."
    assert because.failed(outcome, [], []) == f"{begin}."
    named = Outcome(Held.NO, "net.present", failure="no POST ok; but POST /a 500")
    assert because.failed(named, [], broken).endswith("not hold: no POST ok; but POST /a 500.")
    assert because.failed(Outcome(Held.NO, "net.present"), [], []).endswith("hold: net.present.")


def test_three_are_named_and_the_rest_counted() -> None:
    """
    Repeats are said once; a long list ends in a number.
    """
    findings = [clash(number) for number in (1, 1, 2, 3, 4, 5)]
    assert because.contradicted(findings) == (
        "Evidence contradicts: claim 1, but counter 1; claim 2, but counter 2;"
        " claim 3, but counter 3 and 2 more."
    )
    assert because.contradicted(findings[:4]).endswith("; claim 3, but counter 3.")
    assert because.doubtful(findings[:1]) == "Evidence is missing: claim 1, but counter 1."


def test_what_cannot_be_told_says_why() -> None:
    """
    The claim is repeated, by its id where it has no words, with what is in the way.
    """
    assert because.cannot_tell(Outcome(Held.UNKNOWN, "text", expected="text a", failure="no answer")) == (
        "It cannot be told whether text a holds: no answer."
    )
    assert because.cannot_tell(Outcome(Held.UNKNOWN, "text.present")) == (
        "It cannot be told whether text.present holds: no evidence."
    )
    waiting = because.not_yet(Outcome(Held.NO, "x", failure="no text"), [call("GET", "/a")])
    assert waiting == "Waiting ended while GET /a was still in flight; until then: no text."


def test_already_true_is_told_apart_from_not_read() -> None:
    """
    An agent that acts on a page already in that state reads which of the two it is.
    """
    assert because.already(known=True) == (
        "It was true before the action already, so the action proves nothing."
    )
    assert because.already(known=False) == (
        "It holds, but whether it was true before the action could not be read."
    )


def test_a_sentence_ends_once_and_within_reason() -> None:
    """
    No double full stop, and no page can fill the answer.
    """
    assert because.unclean("2 events.") == "It holds, but evidence that could contradict was lost: 2 events."
    assert because.unclean("why?").endswith("why?")
    long = because.unclean("x" * 1_000)
    assert (len(long), long[-1]) == (500, "…")
