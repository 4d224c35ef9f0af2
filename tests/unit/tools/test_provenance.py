"""
A verdict that an agent takes under its token tells from which files and which server it came.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import attrs
from twisted.internet.defer import Deferred

from reticle.model.browser import Attestation
from reticle.model.codes import Capability
from reticle.model.ids import BrowserLeaseId, RepositoryId
from reticle.model.provenance import Provenance, Serving, ServingProcess
from reticle.model.server_facts import ProbedProcess, ServerSight
from reticle.model.tokens import Repository
from reticle.model.tree_limits import PATHS_RECORDED, RECENT_FILES
from reticle.model.trust import LOCAL, Principal, PrincipalKind
from reticle.model.window import Window
from reticle.testing.clock import FakeClock
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePage, FakePages
from reticle.testing.windows import WindowBuilder
from reticle.tools.provenance import beginning, provenance_of
from tests.unit.tools.work.shop import URL, Shop

T = TypeVar("T")
ROOT = "/srv/shop"
TOKEN = Principal(PrincipalKind.TOKEN, "dtok_a")
SERVER = (ServingProcess(7, ROOT),)


def scene(
    principal: Principal = TOKEN,
    capabilities: tuple[Capability, ...] = tuple(Capability),
    opened_after: float = 0.0,
) -> FakeContext:
    """
    An agent before a page of a registered repository.
    """
    clock = FakeClock()
    opened = Attestation(
        BrowserLeaseId("lease-1"),
        "http://localhost:8000/",
        clock.now() + opened_after,
        clock.monotonic() + opened_after,
    )
    page = FakePage("p1", clock=clock.reactor, attested=opened)
    context = FakeContext(FakePages(page), clock=clock, principal=principal, capabilities=capabilities)
    context.repositories.keep(
        Repository(RepositoryId("shop"), ROOT, "Shop", (page.identity.app.origin,), 1.0)
    )
    context.worktrees.write(ROOT, "app.py", "one")
    context.worktrees.servers["http://"] = SERVER
    return context


def page_of(context: FakeContext) -> FakePage:
    """
    The only page.
    """
    page = context.pages.resolve(None)
    assert isinstance(page, FakePage)
    return page


def at_once(waited: Awaitable[T]) -> T:
    """
    What is ready already.
    """

    async def wait() -> T:
        return await waited

    found: list[T] = []
    Deferred.fromCoroutine(wait()).addCallback(found.append)
    return found[0]


def seen(context: FakeContext, window: Window | None = None, *, edit: bool = False) -> Provenance | None:
    """
    What is recorded with a verdict over a window.
    """
    page = page_of(context)
    begun = at_once(beginning(context, page))
    if edit:
        context.worktrees.write(ROOT, "app.py", "two")
    return at_once(provenance_of(context, begun, page, window or WindowBuilder().build()))


def test_nobody_pays_for_it_who_has_no_packet() -> None:
    """A person's agent without a token, or one that may not claim, has its verdicts as fast as before."""
    for context in (scene(LOCAL), scene(capabilities=(Capability.OBSERVE, Capability.DRIVE))):
        assert seen(context) is None
        assert context.worktrees.looks == 0
    context = scene()
    context.repositories.keep(Repository(RepositoryId("shop"), ROOT, "Shop", (), 1.0))
    assert seen(context) is None


def test_tells_files_server_and_time() -> None:
    """The state of the files and who listens are recorded, and since when the page was watched."""
    context = scene()
    context.clock.advance(100)
    window = WindowBuilder().wait(3_000).quiet(0).build()
    found = seen(context, window)
    assert found is not None
    assert found.tree == found.tree_before is not None
    assert found.commit == "c0ffee"
    assert found.serving == Serving(SERVER)
    span = (window.closed_t_ms - window.opened_t_ms) / 1000
    assert found.began_at == context.clock.now() - span


def test_tells_who_serves_the_data() -> None:
    """Of the requests in the window those to another origin of the repository tell of a second server."""
    context = scene()
    origins = ("http://localhost:8000", "http://localhost:9000", "http://localhost:9100")
    context.repositories.keep(Repository(RepositoryId("shop"), ROOT, "Shop", origins, 1.0))
    data = (ServingProcess(9, "/tmp/copy", started_at=context.clock.now() - 1),)
    context.worktrees.servers = {"http://localhost:9": data, "http://": SERVER}
    context.worktrees.times = {"app.py": context.clock.now() - 0.5}
    window = WindowBuilder()
    for url in ("http://localhost:9000/orders", "http://localhost:8000/a", "http://localhost:9200/other"):
        window.net("GET", url)
    found = seen(context, window.build())
    assert found is not None
    assert found.serving == Serving(SERVER)
    assert found.beside == (Serving(data),)
    assert found.newer_than_server == ("app.py",)


def test_an_edit_during_the_call_is_seen() -> None:
    """Who edits while the page is watched is told so later."""
    found = seen(scene(), edit=True)
    assert found is not None
    assert found.tree != found.tree_before
    assert found.edited == ("app.py",)


def test_what_a_document_was_loaded_from_is_seen_before_the_verdict_looks() -> None:
    """
    A look that a document's hello began, and that takes long, may be the only one that saw a file: it is
    waited for.
    """
    context = scene()
    page, waited = page_of(context), Deferred[None]()
    context.worktrees.under_way = waited
    recorded: list[Provenance | None] = []
    begun = at_once(beginning(context, page))
    taken = Deferred.fromCoroutine(provenance_of(context, begun, page, WindowBuilder().build()))
    taken.addCallback(recorded.append)
    assert recorded == []
    context.worktrees.times = {"gone.js": context.clock.now() + 1}
    waited.callback(None)
    [found] = recorded
    assert found is not None
    assert found.newer_than_page == ("gone.js",)


def test_a_file_that_was_seen_as_the_document_came_is_younger_than_it() -> None:
    """
    Since when a document is there is known to a millisecond; the look at its files begins within that.
    """
    context = scene()
    context.clock.advance(100)
    page = page_of(context)
    page.document_born = page.clock.seconds() - 50.0004
    context.worktrees.times = {"gone.js": context.clock.now() - 50.0003}
    found = seen(context)
    assert found is not None
    assert found.newer_than_page == ("gone.js",)


def test_a_browser_that_is_older_than_an_edit_stays_so() -> None:
    """
    Whoever sets the clock back after a page was opened, or forward, makes no edit older than its browser.
    """
    for seconds in (3_600, -3_600):
        context = scene()
        context.clock.advance(100)
        context.worktrees.times = {"before.js": context.clock.now()}
        context.clock.advance(1)
        context.clock.set_back(seconds)
        context.worktrees.times["after.js"] = context.clock.now()
        context.clock.advance(1)
        found = seen(context)
        assert found is not None
        assert found.newer_than_browser == ("after.js", "before.js")


def test_tells_the_claim_that_was_held() -> None:
    """
    That of the session of the caller's token, as it was when the call began; none is told as none.
    """

    def held() -> str:
        begun = at_once(beginning(agent.context, FakePage("p1", clock=shop.clock.reactor, url=URL)))
        assert begun is not None
        return begun.work_lease_id

    shop = Shop({"id": "fix"})
    agent, other = shop.agent(), shop.agent()
    assert held() == ""
    packet = agent.claim()
    assert held() == packet["lease_id"]
    agent.call("work.release", reason="try again")
    other.claim()
    assert held() == ""
    found = seen(scene())
    assert found is not None
    assert found.work_lease_id == ""


def test_what_page_and_server_do_not_have_is_named() -> None:
    """An edit after the page was loaded, or Python code that changed after the server started, is told."""
    context = scene(opened_after=40.5)
    page = page_of(context)
    context.clock.advance(100)
    page.document_born = page.clock.seconds() - 50
    loaded_at = context.clock.now() - 50
    context.worktrees.servers["http://"] = (
        ServingProcess(7, ROOT, started_at=loaded_at - 10),
        ServingProcess(8, ROOT, started_at=loaded_at - 20),
    )
    context.worktrees.times = {
        "static/new.js": loaded_at + 1,
        "static/old.js": loaded_at - 1,
        "app.py": loaded_at - 9,
        "older.py": loaded_at - 11,
        "tests/test_app.py": loaded_at + 2,
    }
    found = seen(context)
    assert found is not None
    assert found.newer_than_page == ("static/new.js", "tests/test_app.py")
    assert found.newer_than_browser == ("app.py", "static/new.js", "static/old.js", "tests/test_app.py")
    assert found.newer_than_server == ("app.py",)


def test_more_changes_than_can_be_told_are_not_known() -> None:
    """Who touches a thousand files hides no edit behind them, neither of the server nor of the page."""
    context = scene()
    now = context.clock.now()
    context.worktrees.servers["http://"] = (ServingProcess(7, ROOT, started_at=now - 10),)
    context.worktrees.times = {f"static/{number}.txt": now - 5 for number in range(RECENT_FILES)}
    found = seen(context)
    assert found is not None
    assert (found.newer_than_server, found.newer_than_page) == (None, ())
    context.worktrees.times = {f"{number}.py": now - 5 for number in range(PATHS_RECORDED + 1)}
    found = seen(context)
    assert found is not None
    assert found.newer_than_server is None


def test_more_edits_during_the_call_than_can_be_told_are_not_known() -> None:
    """Of two hundred files of others and one of its own, none can be said to be others'."""
    context = scene()
    begun = at_once(beginning(context, page_of(context)))
    for number in range(PATHS_RECORDED + 1):
        context.worktrees.write(ROOT, f"{number}.js", "new")
    found = at_once(provenance_of(context, begun, page_of(context), WindowBuilder().build()))
    assert found is not None
    assert found.edited is None


def test_what_cannot_be_read_is_told() -> None:
    """Where the files cannot be listed, the verdict stands and says why they are not known."""
    context = scene()
    context.worktrees.trouble = "git failed"
    context.worktrees.servers.clear()
    found = seen(context)
    assert found is not None
    assert (found.tree, found.tree_trouble) == (None, "git failed")
    assert found.serving.trouble


def test_tells_probes_with_and_without_the_token() -> None:
    """What a probe says of its folder counts with the token alone."""
    probe = ProbedProcess("p1", 42, "flask", ROOT, attested=True, serves=True, silent_ms=0)
    forged = attrs.evolve(probe, process="p2", attested=False, project="/tmp/copy")
    elsewhere = attrs.evolve(probe, process="p3", serves=False, project="/srv/blog")
    for probes, forgeable, projects in (
        ([probe, elsewhere], False, (ROOT,)),
        ([probe, forged], True, (ROOT,)),
        ([], False, ()),
    ):
        window = attrs.evolve(WindowBuilder().build(), server=ServerSight(probes))
        found = seen(scene(), window)
        assert found is not None
        assert (found.forgeable, found.projects) == (forgeable, projects)
        assert found.probes == sum(each.serves for each in probes)
