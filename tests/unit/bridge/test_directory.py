"""
The connected pages and who may become one.
"""

from __future__ import annotations

import pytest

from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.codes import CommandName
from reticle.model.ids import BrowserLeaseId, Cursor, PageId
from reticle.model.limits import DEMOTED_SOCKETS, FORMER_PAGES, PAGES, PENDING_HELLOS, PENDING_STRANGERS
from reticle.model.page import EarlierLives
from reticle.ports import Page
from reticle.testing.bridge import DAEMON_URL, NOW, Bridge, result_of


def refusal(bridge: Bridge, page_id: str | None = None) -> Refusal:
    """
    Why a page is not found.
    """
    with pytest.raises(Refusal) as refused:
        bridge.directory.resolve(None if page_id is None else PageId(page_id))
    return refused.value


def test_the_only_page_is_meant(bridge: Bridge) -> None:
    """
    A call without a name reaches the one tab there is.
    """
    bridge.connect("s1")
    assert bridge.directory.resolve(None).identity.page_id == "s1"


def test_nobody_there_says_how_to_begin(bridge: Bridge) -> None:
    """
    Before any page connected the agent is told the line to add.
    """
    refused = refusal(bridge)
    assert (refused.code, refused.message) == (
        "no_session",
        "No page has connected since the daemon started.",
    )
    assert refused.recovery == (
        f'Put <script src="{DAEMON_URL}/sdk.js"></script> first in the head of the app\'s pages '
        "and load them; a page that was opened before the daemon has to be loaded again. "
        'Or open it in reticle\'s own browser: reticle_lease {"action": "acquire", "url": "..."}.'
    )


def test_nobody_back_after_a_restart_says_so(bridge: Bridge) -> None:
    """
    The agent is not sent to add a script that the app has, only to wait for its page (DL-05).
    """
    bridge.earlier = EarlierLives(NOW, {"shop": 2, None: 1})
    refused = refusal(bridge)
    assert refused.code == "no_session"
    assert refused.message == (
        "No page is connected. The daemon was restarted at 2025-06-15T15:06:40Z; pages were connected before "
        "that (shop: 2, without a project: 1), none has come back yet."
    )
    assert "<script" not in refused.recovery
    bridge.connect().lose()
    assert refusal(bridge).message == "No page is connected now; pages were connected before."


def test_each_new_page_is_remembered_for_the_next_life(bridge: Bridge) -> None:
    """
    A page counts once for its project, also when its socket comes back.
    """
    bridge.connect("s1", projectId="shop").lose()
    bridge.connect("s1", projectId="shop")
    bridge.connect("s2", "doc00002")
    assert bridge.projects == ["shop", None]


def test_a_page_that_the_daemon_opened_is_not_waited_for_in_the_next_life(bridge: Bridge) -> None:
    """
    It ended with the daemon: nobody is told that it comes back by itself.
    """
    bridge.dial(attested=OPENED).hello("b1")
    assert bridge.projects == []


def test_nobody_left_says_that_there_was_someone(bridge: Bridge) -> None:
    """
    A closed tab is told apart from an app without the script.
    """
    bridge.connect().lose()
    refused = refusal(bridge)
    assert refused.message == "No page is connected now; pages were connected before."
    assert bridge.directory.seen_before() == 1


def test_a_refused_dial_is_the_likeliest_reason(bridge: Bridge) -> None:
    """
    The agent hears which page is dialling and what mends it (AU-07).
    """
    for _ in range(3):
        end = bridge.dial(origin="http://shop.test", needs_token=True)
        end.hello(token="wrong")
        bridge.clock.advance(1)
    refused = refusal(bridge)
    assert refused.message == (
        "No page is connected. http://shop.test dialled and was refused (3 times, last 1 s ago): "
        "authentication failed: wrong pairing token"
    )
    assert refused.recovery == "Give the page the daemon's pairing token (RETICLE_TOKEN) and reload it."
    [dial] = bridge.directory.refused_dials()
    assert (dial.count, dial.at) == (3, NOW + 2)


def test_a_page_that_got_in_is_no_longer_refused(bridge: Bridge) -> None:
    """
    Once the token is right the old refusals are not shown any more.
    """
    bridge.dial(origin="http://shop.test", needs_token=True).hello()
    assert [dial.reason for dial in bridge.directory.refused_dials()] == [
        "authentication failed: no pairing token"
    ]
    bridge.dial(origin="http://shop.test", needs_token=True).hello(token="right")
    assert bridge.directory.refused_dials() == []
    assert [page.identity.page_id for page in bridge.directory.all()] == ["s1"]


def test_a_trusted_page_needs_no_token(bridge: Bridge) -> None:
    """
    On this machine a stale token in the page does no harm.
    """
    end = bridge.dial()
    end.hello(token="stale")
    assert end.writer.closed is None


def test_an_unknown_name_lists_the_connected_ones(bridge: Bridge) -> None:
    """
    A typing error is answered with the candidates.
    """
    bridge.connect("s1")
    refused = refusal(bridge, "s9")
    assert (refused.code, refused.message) == (
        "unknown_session",
        "No page is called 's9'. Connected: s1 (http://localhost:8000/).",
    )
    assert refused.details["candidates"] == [
        {
            "sessionId": "s1", "url": "http://localhost:8000/", "title": "Shop", "projectId": None,
            "throttled": False,
        }
    ]  # fmt: skip


def test_a_closed_tab_is_still_found_by_its_name(bridge: Bridge) -> None:
    """
    What it recorded can be read after it is gone.
    """
    bridge.connect("s1").lose()
    assert bridge.page("s1").identity.page_id == "s1"
    assert bridge.directory.all() == []


def test_two_equally_active_tabs_are_not_guessed_between(bridge: Bridge) -> None:
    """
    Acting on the wrong tab is worse than asking.
    """
    bridge.connect("s1", "doc00001")
    bridge.connect("s2", "doc00002")
    refused = refusal(bridge)
    assert refused.code == "multiple_sessions"
    assert refused.recovery == "Pass the sessionId of the one you mean."
    assert [each["sessionId"] for each in refused.details["candidates"]] == ["s1", "s2"]  # type: ignore[attr-defined]  # a list of objects


def test_the_page_used_last_is_the_one_meant_next(bridge: Bridge) -> None:
    """
    An agent that named a tab once need not name it again while the other is quiet.
    """
    bridge.connect("s1", "doc00001")
    other = bridge.connect("s2", "doc00002")
    bridge.clock.advance(2)
    bridge.page("s1")
    other.event("page.health", {"reason": "heartbeat"})
    assert bridge.directory.resolve(None).identity.page_id == "s1"
    assert [page.identity.page_id for page in bridge.directory.all()] == ["s1", "s2"]


def test_a_visible_tab_is_preferred(bridge: Bridge) -> None:
    """
    Of a visible and a hidden tab the visible one is meant.
    """
    hidden = bridge.connect("s1", "doc00001")
    bridge.connect("s2", "doc00002")
    hidden.event("page.health", {"hidden": True})
    hidden.event("signal")
    assert bridge.directory.resolve(None).identity.page_id == "s2"


def test_pages_of_several_projects_are_not_mixed_up(bridge: Bridge) -> None:
    """
    Two apps at once need a name, however active one is.
    """
    bridge.connect("s1", "doc00001", projectId="shop")
    bridge.clock.advance(60)
    bridge.connect("s2", "doc00002", projectId="blog")
    assert refusal(bridge).message.startswith("Pages of several projects are connected: s1 (")


def test_waiting_for_a_page_ends_when_it_comes(bridge: Bridge) -> None:
    """
    Any page, or the named one, or nobody in time.
    """
    some, named, nobody = (
        bridge.directory.await_page(name, 3) for name in (None, PageId("s2"), PageId("s3"))
    )
    bridge.connect("s1", "doc00001")
    assert result_of(some) is True
    bridge.connect("s2", "doc00002")
    assert result_of(named) is True
    bridge.clock.advance(3)
    assert result_of(nobody) is False
    assert result_of(bridge.directory.await_page(PageId("s1"), 3)) is True


def test_too_many_silent_sockets_are_told_to_come_later(bridge: Bridge) -> None:
    """
    The 129th socket without a hello gets 1013; a hello makes room.
    """
    ends = [bridge.dial() for _ in range(PENDING_HELLOS)]
    late = bridge.dial()
    assert (late.link, late.writer.closed) == (None, (1013, "too many pending handshakes"))
    ends[0].hello()
    assert bridge.dial().link is not None


def test_silent_strangers_lock_nobody_out(bridge: Bridge) -> None:
    """
    The 17th silent socket from elsewhere gets 1013, and the pages of this machine get in all the same.
    """
    for _ in range(PENDING_STRANGERS):
        assert bridge.dial(needs_token=True).link is not None
    late = bridge.dial(needs_token=True)
    assert (late.link, late.writer.closed) == (None, (1013, "too many pending handshakes"))
    assert bridge.dial().link is not None


def test_too_many_pages_are_told_to_come_later(bridge: Bridge) -> None:
    """
    The 129th tab gets 1013, also when it was known before; the others are not affected.
    """
    former = bridge.connect("former", "doc-form")
    former.lose()
    for number in range(PAGES):
        bridge.connect(f"s{number}", f"doc{number:05}")
    assert bridge.connect("late", "doc-late").writer.closed == (
        1013,
        "session limit reached: 128 pages are connected",
    )
    assert bridge.connect("former", "doc-form").writer.closed is not None
    assert len(bridge.directory.all()) == PAGES


def test_only_the_last_former_pages_are_kept(bridge: Bridge) -> None:
    """
    A day of reloads under new names does not fill the memory.
    """
    first = bridge.connect("s-first", "doc-first")
    first.event("signal")
    page = bridge.page("s-first")
    first.lose()
    for number in range(FORMER_PAGES + 3):
        bridge.clock.advance(1)
        bridge.connect(f"s{number}", f"doc{number:05}").lose()
    assert (page.buffer().held, page.window(Cursor(0)).losses[0].where) == (0, "ring")
    assert refusal(bridge, "s2").code == "unknown_session"
    assert bridge.page("s3").identity.page_id == "s3"


def test_parked_sockets_are_capped(bridge: Bridge) -> None:
    """
    Navigating twenty times with the back/forward cache leaves eight parked sockets.
    """
    ends = [bridge.connect("s1", f"doc{number:05}") for number in range(20)]
    closed = [end.writer.closed for end in ends]
    assert closed == [(1001, "replaced")] * (19 - DEMOTED_SOCKETS) + [None] * (DEMOTED_SOCKETS + 1)


def test_a_page_without_a_name_gets_one(bridge: Bridge) -> None:
    """
    An empty session id is no reason to refuse a page.
    """
    bridge.connect("", "doc00001")
    bridge.connect("", "doc00002")
    assert sorted(page.identity.page_id for page in bridge.directory.all()) == ["s7-1", "s7-2"]


def test_a_stop_says_goodbye_to_everyone(bridge: Bridge) -> None:
    """
    Live, waiting and parked sockets get 1001, new ones too, and calls in flight end.
    """
    parked, live, waiting = bridge.connect(), bridge.connect(document_id="doc00002"), bridge.dial()
    acted = bridge.page().ask(CommandName.ACT, {})
    bridge.directory.close_all()
    bridge.directory.close_all()
    for end in (parked, live, waiting, bridge.dial()):
        assert end.writer.closed == (1001, "the daemon is stopping")
    assert acted.called
    acted.addErrback(lambda failure: failure.trap(Refusal))
    for end in (parked, live, waiting):
        end.lose()
    assert bridge.clock.getDelayedCalls() == []


def test_pages_that_are_not_meant_are_not_named(bridge: Bridge) -> None:
    """
    Whoever may use some pages only chooses among these, and a refusal lists no others.
    """
    for name in ("s1", "s2"):
        bridge.connect(name)

    def among(page: Page) -> bool:
        return page.identity.page_id == "s1"

    assert bridge.directory.resolve(None, among).identity.page_id == "s1"
    with pytest.raises(Refusal) as refused:
        bridge.directory.resolve(PageId("s2"), among)
    assert (refused.value.code, str(refused.value.details).count("sessionId")) == ("unknown_session", 1)


OPENED = Attestation(BrowserLeaseId("l1"), "http://localhost:8000/")


def test_each_document_is_told_of_at_its_hello(bridge: Bridge) -> None:
    """
    Whoever looks at what a document was loaded from is told when it comes, however it came; one that is
    turned away is not told of.
    """
    bridge.dial(attested=OPENED).hello("b1")
    bridge.dial(attested=OPENED).hello("b1", "doc00002", url="http://127.0.0.1:9/elsewhere")
    bridge.dial(needs_token=True).hello("s1")
    told = [(each.page_id, each.document_id, each.attested) for each in bridge.documents]
    assert told == [("b1", "doc00001", OPENED), ("b1", "doc00002", OPENED)]
    assert bridge.documents[1].url == "http://127.0.0.1:9/elsewhere"


def test_a_page_that_the_daemon_opened_is_attested_over_all_its_documents(bridge: Bridge) -> None:
    """
    What the page says of itself neither gives nor takes that mark.
    """
    bridge.dial(attested=OPENED).hello("b1")
    bridge.dial(attested=OPENED).hello("b1", "doc00002", url="http://127.0.0.1:9/elsewhere", title="Other")
    [page] = bridge.directory.all()
    assert (page.identity.page_id, page.identity.document_id) == ("b1", "doc00002")
    assert page.identity.attested == OPENED


@pytest.mark.parametrize("document_id", ["doc00001", "doc00002"])
def test_nobody_dials_in_as_a_page_that_the_daemon_opened(bridge: Bridge, document_id: str) -> None:
    """
    A tab that claims its name, even its document's, is another page under another name and not attested.
    """
    opened = bridge.dial(attested=OPENED)
    opened.hello("b1")
    bridge.connect("b1", document_id)
    for claimed in ("b1.0", "b1~2", "b1.0~2"):
        bridge.connect(claimed)
    found = {page.identity.page_id: page.identity.attested for page in bridge.directory.all()}
    assert found.pop(PageId("b1")) == OPENED
    assert set(found.values()) == {None}
    # by a name that begins like the tab's its input and pictures would be the tab's
    assert [name for name in found if name.startswith("b1")] == []
    assert len(found) == 4
    bridge.page("b1").ask(CommandName.SNAPSHOT, {})
    assert [command["name"] for command in opened.commands()] == ["snapshot"]


def test_a_page_of_another_lease_is_another_page(bridge: Bridge) -> None:
    """
    Nor does a page that the daemon opened take over one that dialled in, or one of another lease.
    """
    bridge.connect("s1")
    bridge.dial(attested=OPENED).hello("s1")
    other = Attestation(BrowserLeaseId("l2"), "http://localhost:8000/")
    bridge.dial(attested=other).hello("s1")
    found = {page.identity.page_id: page.identity.attested for page in bridge.directory.all()}
    assert found == {"s1": None, "s1~2": OPENED, "s1~3": other}


def test_a_page_that_the_daemon_opened_comes_back_under_its_name(bridge: Bridge) -> None:
    """
    Between two documents of its tab it is gone for a moment, as after a reload.
    """
    first = bridge.dial(attested=OPENED)
    first.hello("b1")
    first.lose()
    bridge.connect("b1")
    bridge.dial(attested=OPENED).hello("b1", "doc00002")
    assert bridge.page("b1").identity.document_id == "doc00002"
    assert len(bridge.directory.all()) == 2
