"""
A verdict read as a resource.
"""

from __future__ import annotations

import json

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.model.browser import Attestation
from reticle.model.ids import BrowserLeaseId
from reticle.resources.spec import Content
from reticle.resources.verdict import read_verdict, verdict_uri
from reticle.testing.context import FakeContext
from reticle.testing.drafts import a_draft
from reticle.testing.pages import FakePages
from reticle.testing.verdicts import recorded_verdict


def read(context: FakeContext, verdict_id: str) -> Content | None:
    """
    The content of an address.
    """
    got: list[Content | None] = []
    Deferred.fromCoroutine(read_verdict(context, {"id": verdict_id})).addCallback(got.append)
    return got[0]


def test_a_verdict_is_read_with_its_evidence() -> None:
    """
    Whoever was handed a verdict's address reads what was claimed, what was seen, and the decision in words.
    """
    context = FakeContext(FakePages())
    verdict = recorded_verdict()
    context.verdicts.put(verdict, a_draft())
    content = read(context, verdict.verdict_id)
    assert content is not None
    assert content.text is not None
    fields = json.loads(content.text)
    assert (fields["verified"], fields["at"]) == ("yes", "1970-01-01T00:00:01.500+00:00")
    assert fields["claim"] == {"net": {"url": "/api/orders"}}
    assert fields["outcome"]["evidence"] == [{"url": "/api/orders"}]
    assert [part["assertion"] for part in fields["outcome"]["parts"]] == ["text"]
    assert fields["contradictions"][0]["kind"] == "toast_lies"
    assert fields["text"].startswith("verified: yes (proved)")


@pytest.mark.parametrize("lease", [None, "l1"])
def test_a_verdict_says_whether_the_daemon_opened_the_page(lease: str | None) -> None:
    """
    A reviewer sees whether a verdict is of a page that the daemon opened, and at which address, or of one
    that dialled in.
    """
    context = FakeContext(FakePages())
    attested = None if lease is None else Attestation(BrowserLeaseId(lease), "http://localhost:8000/shop")
    verdict = attrs.evolve(recorded_verdict(), attested=attested)
    context.verdicts.put(verdict, a_draft())
    content = read(context, verdict.verdict_id)
    assert content is not None
    assert content.text is not None
    wanted = None if lease is None else {"lease": "l1", "url": "http://localhost:8000/shop"}
    assert json.loads(content.text)["attested"] == wanted


def test_a_verdict_that_is_not_kept_is_no_resource() -> None:
    """
    An address of a verdict that never was leads nowhere.
    """
    assert read(FakeContext(FakePages()), "verdict_9") is None
    assert verdict_uri(recorded_verdict("v~1/2").verdict_id) == "reticle://verdict/v~1%2F2"
