"""
Opening pages in the daemon's own browser: what an agent asks for, is told, and may not do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import msgspec
import pytest
from twisted.internet.defer import Deferred

from reticle.errors import Refusal
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.codes import Capability, DialogRule, DownloadRule, RefusalCode
from reticle.model.ids import PageId, RepositoryId
from reticle.model.leases import Lease
from reticle.model.limits import (
    BROWSER_CONTEXTS,
    BROWSER_LOAD_SECONDS,
    BROWSER_QUEUE_SECONDS,
    BROWSER_START_SECONDS,
)
from reticle.testing.browser import FakeBrowser
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.toolcalls import answer_of, refusal_in, refusal_of, start_call
from reticle.tools.lease import NOT_LOADED, NOT_THERE, TOOLS, YOURS
from reticle.tools.spec import ToolAnswer

LEASE = TOOLS[0]
URL = "http://localhost:8000/shop"


@pytest.fixture(name="context")
def context_fixture() -> FakeContext:
    """
    An agent and nothing open.
    """
    return FakeContext(FakePages(), clock=FakeClock(), capabilities=[Capability.DRIVE])


def acquire(context: FakeContext, url: str = URL, **more: object) -> Mapping[str, Any]:
    """
    The answer to a page that is opened at once.
    """
    return answer_of(LEASE, context, {"action": "acquire", "url": url, **more}).fields


def do(context: FakeContext, action: str, **more: object) -> Mapping[str, Any]:
    """
    The answer of another action.
    """
    return answer_of(LEASE, context, {"action": action, **more}).fields


def refused(context: FakeContext, action: str, **more: object) -> Refusal:
    """
    Why a call is refused.
    """
    return refusal_of(LEASE, context, {"action": action, **more})


def another(context: FakeContext, *capabilities: Capability) -> FakeContext:
    """
    Another agent at the same browser.
    """
    other = FakeContext(context.pages, clock=context.clock, capabilities=capabilities)
    other.browser, other.agent = context.browser, "agent:other"
    context.agents |= {"agent:other": "other"}
    other.agents = context.agents
    return other


def test_a_page_is_opened_and_the_agent_s_own(context: FakeContext) -> None:
    """
    The answer names page and lease, how long it lasts without a call, and how to go on.
    """
    answer = answer_of(LEASE, context, {"action": "acquire", "url": URL, "projectId": "shop"})
    assert answer.fields == {
        "action": "acquire", "leaseId": "l1", "sessionId": "bl1-1", "url": URL, "by": "you",
        "expiresInMs": 300_000, "projectId": "shop", "ready": True, "leased": 1, "queued": 0, "hint": YOURS,
    }  # fmt: skip
    assert answer.text == f"l1 page bl1-1 {URL} by you, 300 s left\n{YOURS}"
    [lease] = context.browser.leases()
    assert lease.wish == BrowserWish(URL, project_id="shop")
    assert (lease.lease.holder, lease.lease.shown) == ("agent:me", "me")


def test_every_wish_reaches_the_browser(context: FakeContext) -> None:
    """
    Window, time, login, dialogs, downloads and who may act are as the agent asked.
    """
    asked: dict[str, Any] = {
        "login": "ann.k", "headed": True, "seconds": 20, "dialogs": "accept", "downloads": "keep",
        "width": 390, "height": 844, "shared": True,
    }  # fmt: skip
    told = acquire(context, **asked)
    assert (told["expiresInMs"], told["login"], told["headed"], told["shared"]) == (
        20_000,
        "ann.k",
        True,
        True,
    )
    [lease] = context.browser.leases()
    assert lease.wish == BrowserWish(
        URL, None, "ann.k", headed=True, dialogs=DialogRule.ACCEPT, downloads=DownloadRule.KEEP,
        width=390, height=844, seconds=20, shared=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({}, "needs url"),
        ({"url": "localhost:8000"}, "http://"),
        ({"url": "file:///etc/passwd"}, "not file"),
        ({"url": "http://ann:pw@localhost/"}, "password"),
        ({"url": URL, "leaseId": "l1"}, "does not take `leaseId`"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_its_fault(
    context: FakeContext, asked: Mapping[str, object], fault: str
) -> None:
    """
    An address that is none, or of another scheme, opens nothing.
    """
    refusal = refused(context, "acquire", **asked)
    assert refusal.code == "bad_arguments"
    assert fault in refusal.message
    assert context.browser.leases() == []


@pytest.mark.parametrize(
    "wrong",
    [{"login": "a/b"}, {"login": "a@b"}, {"login": "a\n"}, {"login": ""}, {"width": 1}, {"seconds": 0}],
)
def test_a_name_or_number_that_nobody_may_ask_for(context: FakeContext, wrong: Mapping[str, Any]) -> None:
    """
    A login is a name and no path; a window is one that a person could have.
    """
    with pytest.raises(msgspec.ValidationError):
        acquire(context, **wrong)
    assert context.browser.leases() == []


def test_secrets_in_an_address_are_not_told_to_others(context: FakeContext) -> None:
    """
    A token in the address that was opened stands in no list.
    """
    acquire(context, f"{URL}?access_token=s3cr3tvalue")
    listed = do(another(context), "list")
    assert "s3cr3tvalue" not in str(listed)
    assert listed["leases"][0]["url"] == f"{URL}?access_token=[REDACTED]"


def test_a_page_that_does_not_report_is_told_as_not_ready(context: FakeContext) -> None:
    """
    A lease whose app does not run is there, can be released, and is not called ready.
    """
    context.pages = FakePages()
    answer = answer_of(LEASE, context, {"action": "acquire", "url": URL})
    assert (answer.fields["ready"], answer.fields["hint"]) == (False, NOT_THERE)
    assert "[not ready: nothing was heard of it]" in (answer.text or "")
    assert do(context, "release", leaseId="l1")["released"] is True


def test_an_address_that_does_not_answer_is_told_as_such(context: FakeContext) -> None:
    """
    The browser's own error page is never taken for the app: the agent reads why nothing was loaded.
    """
    trouble = "net::ERR_CONNECTION_REFUSED"

    class Refusing(FakeBrowser):
        def acquire(self, wish: BrowserWish, lease: Lease) -> Deferred[BrowserLease]:
            return super().acquire(wish, lease).addCallback(lambda got: attrs.evolve(got, trouble=trouble))

    assert isinstance(context.pages, FakePages)
    context.browser = Refusing(context.pages, clock=context.clock)
    answer = answer_of(LEASE, context, {"action": "acquire", "url": URL})
    assert (answer.fields["ready"], answer.fields["trouble"]) == (False, trouble)
    assert answer.fields["hint"] == NOT_LOADED
    assert f"[not ready: {trouble}]" in (answer.text or "")


def test_a_short_lease_begins_when_its_page_is_there(context: FakeContext) -> None:
    """
    A page that was long in coming is not closed before its agent had it, and then lasts as long as was asked.
    """
    for _ in range(BROWSER_CONTEXTS):
        acquire(context, seconds=3_600)
    waiting = start_call(LEASE, context, {"action": "acquire", "url": URL, "seconds": 10})
    context.clock.advance(BROWSER_QUEUE_SECONDS - 1)
    do(context, "release", leaseId="l1")
    assert isinstance(waiting.result, ToolAnswer)
    assert waiting.result.fields["expiresInMs"] == 10_000
    assert waiting.result.fields["ready"] is True


def test_no_lease_ends_while_its_page_is_opened(
    context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    One second is enough to ask for: starting the browser and loading the page do not count.
    """
    opening: list[Lease] = []
    real = context.browser.acquire

    def acquires(wish: BrowserWish, lease: Lease) -> Deferred[BrowserLease]:
        opening.append(lease)
        return real(wish, lease)

    monkeypatch.setattr(context.browser, "acquire", acquires)
    assert acquire(context, seconds=1)["expiresInMs"] == 1_000
    assert opening[0].until - opening[0].since > BROWSER_START_SECONDS + BROWSER_LOAD_SECONDS


def test_what_the_browser_refuses_is_told(context: FakeContext) -> None:
    """
    Without a Chromium the agent reads what to install, and nothing is leased.
    """
    context.browser.trouble = Refusal(RefusalCode.NO_BROWSER, "There is none.", "Install Chromium.")
    refusal = refused(context, "acquire", url=URL)
    assert (refusal.code, refusal.recovery) == ("no_browser", "Install Chromium.")


def test_a_lease_is_renewed_and_released_by_either_name(context: FakeContext) -> None:
    """
    The lease's id, any of its pages, or nothing where the agent has only one: all mean it.
    """
    first = acquire(context)
    context.clock.advance(100)
    assert do(context, "renew", leaseId=first["leaseId"])["expiresInMs"] == 300_000
    assert do(context, "renew", sessionId=first["sessionId"], seconds=600)["expiresInMs"] == 600_000
    assert do(context, "renew")["leaseId"] == "l1"
    second = acquire(context)
    refusal = refused(context, "release")
    assert refusal.code == "bad_arguments"
    assert "you have 2 browser leases" in refusal.message
    assert do(context, "release", sessionId=second["sessionId"]) == {
        "action": "release", "released": True, "leaseId": "l2",
    }  # fmt: skip
    assert do(context, "release")["leaseId"] == "l1"
    assert refused(context, "release", leaseId="l1").code == "not_found"
    assert refused(context, "renew", sessionId="tab").code == "not_found"
    assert refused(context, "release", leaseId="l1", url=URL).code == "bad_arguments"


def test_another_agent_s_lease_is_seen_and_not_ended(context: FakeContext) -> None:
    """
    It is told who has it and for how long; an operator ends it, and so does anybody once its holder is gone.
    """
    acquire(context)
    other = another(context, Capability.DRIVE)
    [listed] = do(other, "list")["leases"]
    assert (listed["by"], listed["leaseId"]) == ("me", "l1")
    for action in ("renew", "release"):
        refusal = refused(other, action, leaseId="l1")
        assert (refusal.code, refusal.details["heldBy"]) == ("page_held", "me")
    assert refused(other, "release").code == "bad_arguments"
    assert (
        do(another(context, Capability.DRIVE, Capability.ADMIN), "release", leaseId="l1")["released"] is True
    )
    acquire(context)
    del context.agents["agent:me"]
    [listed] = do(other, "list")["leases"]
    assert listed["gone"] is True
    assert do(other, "renew", leaseId="l2")["by"] == "you"
    assert do(other, "release")["released"] is True


def test_the_contexts_of_agents_that_are_gone_make_room(context: FakeContext) -> None:
    """
    With all contexts in use, an agent gets one that nobody is there to use; else it waits its turn and is
    told when that takes too long.
    """
    for _ in range(BROWSER_CONTEXTS):
        acquire(context, seconds=3_600)
    other = another(context, Capability.DRIVE)
    waiting = start_call(LEASE, other, {"action": "acquire", "url": URL})
    assert do(context, "list")["queued"] == 1
    context.clock.advance(BROWSER_QUEUE_SECONDS)
    assert refusal_in(waiting).code == "browser_full"
    del context.agents["agent:me"]
    assert acquire(other)["leased"] == BROWSER_CONTEXTS
    assert "l1" not in {each.lease_id for each in context.browser.leases()}


def test_a_page_for_everybody_makes_no_room(context: FakeContext) -> None:
    """
    What a person opened for all agents stays, whoever asks for a place and whoever is gone.
    """
    acquire(context, seconds=3_600, shared=True)
    for _ in range(BROWSER_CONTEXTS - 1):
        acquire(context, seconds=3_600)
    other = another(context, Capability.DRIVE)
    del context.agents["agent:me"]
    acquire(other)
    left = {each.lease_id for each in context.browser.leases()}
    assert ("l1" in left, "l2" in left) == (True, False)


def test_a_token_of_one_repository_opens_its_app_alone(context: FakeContext) -> None:
    """
    Its page belongs to that repository, what is kept under a login is that repository's own, and leases of
    other addresses are not there for it.
    """
    acquire(another(context), "http://localhost:9000/")
    context.places = {"http://localhost:8000": RepositoryId("shop")}
    told = acquire(context, login="ann")
    assert (told["projectId"], told["login"]) == ("shop", "ann@shop")
    assert refused(context, "acquire", url="http://localhost:9000/").code == "capability_scope_mismatch"
    assert refused(context, "acquire", url=URL, projectId="blog").code == "capability_scope_mismatch"
    assert [each["leaseId"] for each in do(context, "list")["leases"]] == ["l2"]
    assert refused(context, "release", leaseId="l1").code == "not_found"
    assert len(context.browser.leases()) == 2


def test_a_page_that_went_where_the_agent_may_not_is_closed() -> None:
    """
    An address that leads to another app leaves no context behind that its agent cannot use.
    """

    class Elsewhere(FakePages):
        def resolve(self, page_id: PageId | None, among: object = None) -> FakePage:
            del page_id, among
            raise Refusal(RefusalCode.CAPABILITY_SCOPE_MISMATCH, "That page is of another repository.")

    pages = Elsewhere()
    context = FakeContext(pages, clock=FakeClock())
    context.browser = FakeBrowser(pages, clock=context.clock)
    assert refused(context, "acquire", url=URL).code == "capability_scope_mismatch"
    assert context.browser.leases() == []


def test_an_empty_list_says_so(context: FakeContext) -> None:
    """
    Nothing is open.
    """
    answer = answer_of(LEASE, context, {"action": "list"})
    assert answer.fields == {"action": "list", "leases": [], "most": BROWSER_CONTEXTS, "queued": 0}
    assert answer.text == "there are no browser leases"
