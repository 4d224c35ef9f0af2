"""
What agents read of one another's browser leases.
"""

from __future__ import annotations

from reticle.domain.browser_lease import Asker, begin
from reticle.model.browser import BrowserLease, BrowserWish
from reticle.model.codes import Capability
from reticle.testing.bridge import result_of
from reticle.testing.context import FakeContext
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.browser_leases import asker_of, driven_fields, lease_fields
from reticle.tools.session import TOOLS as SESSION
from reticle.tools.sessions import TOOLS as SESSIONS

URL = "http://localhost:8000/"


def opened(scene: Scene, holder: str = "agent:me", *, shared: bool = False) -> BrowserLease:
    """
    A context of an agent's.
    """
    wish = BrowserWish(URL, project_id="shop", login="ann", shared=shared)
    lease = begin(Asker(holder, scene.clock.now()), holder.partition(":")[2], 300)
    return result_of(scene.context.browser.acquire(wish, lease))


def another(scene: Scene, *capabilities: Capability) -> FakeContext:
    """
    Another agent, at the same browser.
    """
    other = FakeContext(scene.context.pages, clock=scene.clock, capabilities=capabilities)
    other.browser, other.holds, other.agent = scene.context.browser, scene.context.holds, "agent:other"
    other.agents = {"agent:other": "other", "agent:me": "me"}
    return other


def test_a_lease_is_told_with_its_time_and_its_holder(scene: Scene) -> None:
    """
    One's own says "you"; of another agent's the name of what is kept under a login is not told.
    """
    lease = opened(scene)
    scene.clock.advance(100)
    mine = lease_fields(scene.context, lease)
    assert mine == {
        "leaseId": lease.lease_id, "sessionId": lease.page_id, "url": URL, "by": "you",
        "expiresInMs": 200_000, "projectId": "shop", "login": "ann",
    }  # fmt: skip
    theirs = lease_fields(another(scene), lease)
    assert (theirs["by"], "login" in theirs) == ("me", False)
    assert lease_fields(another(scene, Capability.ADMIN), lease)["login"] == "ann"
    scene.context.browser.open_window(lease.lease_id, f"{URL}terms")
    [with_window] = scene.context.browser.leases()
    assert lease_fields(scene.context, with_window)["sessions"] == [lease.page_id, "bl1-2"]


def test_the_list_of_pages_says_which_are_driven(scene: Scene) -> None:
    """
    An agent sees before it acts that a page is another's, and that a tab is nobody's.
    """
    lease = opened(scene, "agent:gone", shared=True)
    sessions = answer_of(SESSIONS[0], scene.context, {}).fields["sessions"]
    assert isinstance(sessions, list)
    [tab, page] = sessions
    assert "driven" not in tab
    assert page["driven"] == {
        "leaseId": lease.lease_id, "by": "gone", "secondsLeft": 300, "shared": True, "gone": True,
    }  # fmt: skip
    text = answer_of(SESSIONS[0], scene.context, {}).text or ""
    assert f"driven by gone ({lease.lease_id}) for 300 s" in text
    scene.clock.reactor.rightNow += 300
    driven = driven_fields(scene.context, scene.context.pages.all()[1])["driven"]
    assert isinstance(driven, dict)
    assert driven["secondsLeft"] == 0


def test_who_is_gone_is_asked_when_it_matters(scene: Scene) -> None:
    """
    A holder is gone when nobody of that name can call any more.
    """
    gone = asker_of(scene.context).gone
    assert ("agent:me" in gone, "agent:who" in gone) == (False, True)


def test_a_driven_page_is_handed_over_with_its_lease(scene: Scene) -> None:
    """
    The agent that was refused gets the page for the time that is left, and its holder may not act any more.
    """
    lease = opened(scene)
    other = another(scene)
    scene.context.agents["agent:other"] = "other"
    scene.clock.advance(60)
    asked = {"action": "hand_over", "to": "agent:other", "sessionId": lease.page_id}
    assert refusal_of(SESSION[0], other, asked).code == "page_held"
    done = answer_of(SESSION[0], scene.context, asked).fields
    assert (done["handedTo"], done["secondsLeft"]) == ("other", 240)
    [there] = scene.context.browser.leases()
    assert (there.lease.holder, there.lease.until) == ("agent:other", lease.lease.until)


def test_a_driven_page_is_not_released_as_a_hold(scene: Scene) -> None:
    """
    Whoever mistakes one for the other is told which call closes the page.
    """
    lease = opened(scene)
    refused = refusal_of(SESSION[0], scene.context, {"action": "release", "sessionId": lease.page_id})
    assert refused.code == "conflict"
    assert f'reticle_lease {{"action": "release", "leaseId": "{lease.lease_id}"}}' in refused.recovery
