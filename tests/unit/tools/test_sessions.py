"""
What an agent is told about the connected pages.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from reticle.model.codes import EventType
from reticle.model.page import EarlierLives, PageIdentity, RefusedDial
from reticle.model.server_facts import SkippedInsertion
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.toolcalls import answer_of
from reticle.tools.attendance import SKEW, SKEW_ADVICE
from reticle.tools.sessions import TOOLS
from reticle.tools.spec import ToolAnswer

SESSIONS = TOOLS[0]
DIAL = RefusedDial(at=1.0, origin="http://evil.example", reason="foreign origin", next_step="Use localhost.")


class FramedPage(FakePage):
    """
    A page in a frame of a page at http://localhost:8000.
    """

    @property
    def identity(self) -> PageIdentity:
        """
        Who it is.
        """
        return attrs.evolve(super().identity, frame_depth=1, ancestors=("http://localhost:8000",))


def the_one(answer: ToolAnswer) -> Mapping[str, object]:
    """
    The only page of an answer.
    """
    sessions = answer.fields["sessions"]
    assert isinstance(sessions, list)
    [listed] = sessions
    assert isinstance(listed, dict)
    return listed


def test_a_page_is_listed_with_its_health() -> None:
    """
    An agent sees name, address, title and health of the one connected page.
    """
    page = FakePage("tab", url="http://localhost:8000/cart", title="Cart")
    answer = answer_of(SESSIONS, FakeContext(FakePages(page)), {})
    assert answer.fields == {
        "sessions": [
            {
                "sessionId": "tab",
                "url": "http://localhost:8000/cart",
                "title": "Cart",
                "script": "reticle",
                "lastSeenMs": 0,
                "throttled": False,
                "focused": True,
                "attachment": {"connectedMs": 0},
            }
        ]
    }
    assert answer.text == 'tab "Cart" http://localhost:8000/cart [focused]'


def test_a_background_tab_comes_with_advice() -> None:
    """
    A hidden tab is called throttled, and the agent is told what to do about it.
    """
    page = FakePage("tab")
    page.hide()
    answer = answer_of(SESSIONS, FakeContext(FakePages(page)), {})
    listed = answer.fields["sessions"]
    assert isinstance(listed, list)
    assert (listed[0]["throttled"], listed[0]["hidden"]) == (True, True)
    assert "Bring it to the front" in listed[0]["recommendation"]
    assert answer.text is not None
    assert "Bring it to the front" in answer.text


def test_without_any_page_ever_the_script_line_is_given() -> None:
    """
    A newcomer gets the line to add, with the daemon's own address.
    """
    context = FakeContext(FakePages(), daemon_url="http://127.0.0.1:5123")
    answer = answer_of(SESSIONS, context, {})
    assert answer.fields["sessions"] == []
    action = answer.fields["next_action"]
    assert isinstance(action, dict)
    assert action["action"] == "add_script"
    assert action["line"] == '<script src="http://127.0.0.1:5123/sdk.js"></script>'
    assert answer.text is not None
    assert action["line"] in answer.text


def test_after_a_restart_the_page_is_waited_for() -> None:
    """
    A daemon that was restarted says so, instead of that it has never seen a page (DL-05).
    """
    pages = FakePages()
    pages.earlier = EarlierLives(0.0, {"shop": 3})
    answer = answer_of(SESSIONS, FakeContext(pages), {})
    assert answer.fields["why"] == (
        "The daemon was restarted at 1970-01-01T00:00:00Z; pages were connected before that (shop: 3), "
        "none has come back yet."
    )
    assert answer.fields["next_action"] == {
        "action": "open_app",
        "reason": "An open page comes back by itself within half a minute; else load it again.",
    }


def test_after_pages_went_away_the_app_is_to_be_opened() -> None:
    """
    When pages were there before, the advice is to open the app, not to instrument it again.
    """
    page = FakePage()
    page.disconnect()
    answer = answer_of(SESSIONS, FakeContext(FakePages(page)), {})
    action = answer.fields["next_action"]
    assert isinstance(action, dict)
    assert action["action"] == "open_app"


def test_a_refused_dial_is_the_first_explanation() -> None:
    """
    A page that tried and was turned away explains an empty list better than anything else.
    """
    answer = answer_of(SESSIONS, FakeContext(FakePages(refused=[DIAL])), {})
    assert answer.fields["why"] == (
        "A page at http://evil.example tried to connect and was refused: foreign origin"
    )
    assert answer.fields["next_action"] == {"action": "admit_page", "reason": "Use localhost."}


def test_a_probe_that_could_not_put_the_script_in_says_why() -> None:
    """
    The app is up and has a probe, and no page connects: the reason is known.
    """
    pages = FakePages()
    pages.skipped = [SkippedInsertion("p", "flask 3.1", "policy", "script-src", "/")]
    fields = answer_of(SESSIONS, FakeContext(pages), {}).fields
    assert "lets no script of ours run (script-src)" in str(fields["why"])
    assert "admit_script" in str(fields["next_action"])


def test_refused_dials_are_shown_beside_connected_pages() -> None:
    """
    A second tab that was refused is seen although another one is connected; repeats are counted.
    """
    dial = attrs.evolve(DIAL, count=3)
    answer = answer_of(SESSIONS, FakeContext(FakePages(FakePage(), refused=[dial])), {})
    assert answer.fields["refusedDials"] == [
        {
            "origin": "http://evil.example",
            "reason": "foreign origin",
            "next_step": "Use localhost.",
            "times": 3,
        }
    ]
    assert "why" not in answer.fields


def test_a_person_who_waits_is_seen_in_the_list() -> None:
    """
    A pause, messages and flags of a person stand in the list, with the way to read them; nothing is taken.
    """
    page = FakePage("tab")
    page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "wait"})
    page.record(EventType.HUMAN_MARK, {"note": "too small", "label": "button Save"})
    answer = answer_of(SESSIONS, FakeContext(FakePages(page)), {})
    listed = the_one(answer)
    assert (listed["control"], listed["messagesWaiting"], listed["pendingMarks"]) == ("paused", 1, 1)
    assert "review" in str(listed["review_suggestion"])
    assert answer.text is not None
    assert "[focused; control paused; messagesWaiting 1; pendingMarks 1]" in answer.text
    assert page.steering.waiting() == 1


def test_a_page_silent_for_half_an_hour_is_stale() -> None:
    """
    A tab that was forgotten is told from one that is only in the background.
    """
    page = FakePage("tab")
    page.clock.advance(1_801)
    listed = the_one(answer_of(SESSIONS, FakeContext(FakePages(page)), {}))
    assert (listed["stale"], listed["throttled"]) == (True, True)


def test_an_old_page_script_is_listed_every_time() -> None:
    """
    The list shows the skew and its remedy as long as the old script runs, in the text too (SN-11).
    """
    page = FakePage("tab")
    page.run_old_script()
    for _ in range(2):
        answer = answer_of(SESSIONS, FakeContext(FakePages(page)), {})
        assert the_one(answer)["versionSkew"] == SKEW
        assert the_one(answer)["recommendation"] == SKEW_ADVICE
        assert answer.text == f'tab "Fake" http://localhost:8000/ [focused; versionSkew]\n  {SKEW_ADVICE}'


def test_a_frame_is_listed_as_one_of_its_page() -> None:
    """
    An agent sees that an embedded page is a part of the tab beside it, by that tab's name.
    """
    shop = FakePage("shop", url="http://localhost:8000/")
    pay = FramedPage("pay", url="http://127.0.0.1:9000/")
    answer = answer_of(SESSIONS, FakeContext(FakePages(shop, pay)), {})
    sessions = answer.fields["sessions"]
    assert isinstance(sessions, list)
    assert {one["sessionId"]: one.get("frameOf") for one in sessions} == {"shop": None, "pay": "shop"}
    assert answer.text is not None
    assert "frameOf shop" in answer.text


def test_a_frame_of_a_page_that_is_not_here_or_not_one_is_still_called_a_frame() -> None:
    """
    Without the page around it, or with two tabs that may be it, its origin is told in place of a name.
    """
    pay = FramedPage("pay", url="http://127.0.0.1:9000/")
    assert the_one(answer_of(SESSIONS, FakeContext(FakePages(pay)), {}))["frameOf"] == "http://localhost:8000"
    tabs = [FakePage(name, url="http://localhost:8000/") for name in ("one", "two")]
    answer = answer_of(SESSIONS, FakeContext(FakePages(*tabs, pay)), {})
    assert answer.text is not None
    assert "frameOf http://localhost:8000" in answer.text
