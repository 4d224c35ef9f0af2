"""
What is read to find places, when, and what is never read.
"""

from __future__ import annotations

import pytest
from twisted.internet.task import Clock

from reticle.bridge.sources import atlas as atlas_module
from reticle.bridge.sources.atlas import Atlas, Fetched, Lost, Mapped, Plain, Script, Sheet, unread_atlas
from reticle.model.source_limits import FETCH_SECONDS, FETCHES_AT_ONCE, FETCHES_WAITING
from tests.unit.bridge.sources.served import ORIGIN, Served, atlas_of
from tests.unit.bridge.sources.written_maps import inline, written_map

MAP = written_map([[(0, (0, 4, 2))]], ["../src/a.ts"])


def script(path: str, size: int | None = None, document: str = "d1") -> Script:
    """
    A script of the app.
    """
    return Script(document, path if "://" in path else ORIGIN + path, size)


def found(served: Served, path: str, size: int | None = None) -> Sheet | None:
    """
    What an atlas knows after it was asked for a script.
    """
    atlas = atlas_of(served)
    atlas.want(script(path, size))
    return atlas.known(script(path))


def test_a_map_is_found_by_comment_by_header_and_in_the_script() -> None:
    """
    In every way in which a build leaves it.
    """
    served = Served()
    served.put("/x/app.js.map", MAP)
    served.put("/x/comment.js", "f()\n//# sourceMappingURL=app.js.map")
    served.put("/x/header.js", "f()", "app.js.map")
    served.put("/x/inline.js", f"f()\n{inline(MAP)}")
    for name in ("comment", "header", "inline"):
        sheet = found(served, f"/x/{name}.js")
        assert isinstance(sheet, Mapped)
        place = sheet.original(1, 1)
        assert place is not None
        assert (place[1].path, place[0].line, place[0].column) == ("src/a.ts", 5, 3)


def test_a_script_without_a_map_is_what_was_written() -> None:
    """
    It was not built.
    """
    served = Served()
    served.put("/app.js", "f()")
    assert found(served, "/app.js") == Plain()


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("f()\n//# sourceMappingURL=gone.map", None),
        ("f()\n//# sourceMappingURL=broken.map", None),
        ("f()\n//# sourceMappingURL=data:application/json;base64,####", None),
        ("f()\n//# sourceMappingURL=http://localhost:9/app.js.map", None),
        ("f()\n//# sourceMappingURL=https://elsewhere.example/app.js.map", None),
        ("<!doctype html><title>Every address has this page</title>", None),
        ("f() // built anew since", 3),
    ],
)
def test_what_cannot_be_read_or_is_another_build_is_lost(body: str, size: int | None) -> None:
    """
    Rather no place than a wrong one. A map is only asked for where its script is.
    """
    served = Served()
    served.put("/broken.map", "{}")
    served.put("/app.js", body)
    assert found(served, "/app.js", size) == Lost()
    assert all(address.startswith(ORIGIN) for address in served.asked)


def test_nothing_but_what_may_be_asked_is_asked() -> None:
    """
    A page cannot make the daemon ask other machines.
    """
    served = Served()
    for address in (
        "https://cdn.example/lib.js", "http://10.0.0.1/x.js", "file:///etc/passwd.js",
        "/logout", "/", "/a.html",
    ):  # fmt: skip
        assert found(served, address) == Lost()
    assert served.asked == []
    served.put("/app.js", "f()\n//# sourceMappingURL=/logout?all=1")
    assert found(served, "/app.js") == Lost()
    assert served.asked == [f"{ORIGIN}/app.js"]


def test_a_script_is_read_once_for_a_document() -> None:
    """
    And anew for the next one, which may have loaded another build.
    """
    served = Served()
    served.put("/app.js", "f()")
    atlas = atlas_of(served)
    for document in ("d1", "d1", "d2", "d1"):
        atlas.want(script("/app.js", document=document))
    assert served.asked == [f"{ORIGIN}/app.js"] * 2


def test_who_waits_goes_on_when_it_is_read_or_the_time_is_over() -> None:
    """
    A server that does not answer holds an answer up for a moment only.
    """
    clock, served = Clock(), Served()
    served.waits = True
    served.put("/app.js", "f()")
    atlas = atlas_of(served, clock)
    atlas.want(script("/app.js"))
    late, early = atlas.settled([script("/app.js")], 0.25), atlas.settled([script("/app.js")], 1)
    clock.advance(0.25)
    assert (late.called, early.called) == (True, False)
    served.open[0].callback(None)
    assert early.called
    assert atlas.known(script("/app.js")) == Plain()
    assert atlas.settled([script("/app.js")], 1).called
    assert clock.getDelayedCalls() == []


def test_a_server_that_never_answers_is_given_up() -> None:
    """
    And nobody waits for it again.
    """
    clock, served = Clock(), Served()
    served.waits = True
    atlas = atlas_of(served, clock)
    atlas.want(script("/app.js"))
    clock.advance(FETCH_SECONDS)
    assert atlas.known(script("/app.js")) == Lost()
    assert clock.getDelayedCalls() == []


def test_few_are_read_at_a_time_and_not_all_may_wait() -> None:
    """
    A page that names thousands of scripts costs no more than its share.
    """
    clock, served = Clock(), Served()
    served.waits = True
    atlas = atlas_of(served, clock)
    for number in range(500):
        atlas.want(script(f"/{number}.js"))
    assert len(served.asked) == FETCHES_AT_ONCE
    for _ in range(600):
        if served.open:
            served.open.pop(0).callback(None)
    assert len(served.asked) == FETCHES_AT_ONCE + FETCHES_WAITING
    assert clock.getDelayedCalls() == []


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The scripts that nobody asked about for longest go first.
    """
    monkeypatch.setattr(atlas_module, "MAPS_KEPT", 2)
    served = Served()
    atlas = atlas_of(served)
    for path in ("/a.js", "/b.js", "/c.js"):
        served.put(path, "f()")
        atlas.want(script(path))
        atlas.known(script("/a.js"))
    assert [atlas.known(script(path)) for path in ("/a.js", "/b.js", "/c.js")] == [Plain(), None, Plain()]
    monkeypatch.setattr(atlas_module, "MAPS_KEPT_CHARS", 1)
    served.put("/m.js", inline(MAP))
    atlas.want(script("/m.js"))
    assert atlas.known(script("/c.js")) is None
    assert isinstance(atlas.known(script("/m.js")), Mapped)


def test_a_daemon_that_stops_reads_no_more_and_lets_go_who_waits() -> None:
    """
    Whatever was under way.
    """
    clock, served = Clock(), Served()
    served.waits = True
    atlas = atlas_of(served, clock)
    for number in range(5):
        atlas.want(script(f"/{number}.js"))
    waiting = atlas.settled([script("/0.js"), script("/4.js")], 10)
    atlas.close()
    atlas.close()
    atlas.want(script("/late.js"))
    assert waiting.called
    assert len(served.asked) == FETCHES_AT_ONCE
    assert clock.getDelayedCalls() == []


def test_a_large_map_is_read_in_a_thread() -> None:
    """
    So that the daemon answers others meanwhile.
    """
    served, ran = Served(), []

    async def in_thread(read: object) -> object:
        assert callable(read)
        ran.append(read)
        return read()

    large = written_map([[(0, (0, 0, 0))]], ["a.ts"], sourcesContent=["x" * 100_000])
    served.put("/app.js", inline(large))
    atlas = Atlas(served, lambda _: True, in_thread, Clock())  # type: ignore[arg-type]  # any reading
    atlas.want(script("/app.js"))
    assert isinstance(atlas.known(script("/app.js")), Mapped)
    assert len(ran) == 1


def test_an_atlas_that_reads_nothing_loses_everything() -> None:
    """
    What a bridge has that was given none.
    """
    atlas = unread_atlas(Clock())
    atlas.want(script("/app.js"))
    assert atlas.known(script("/app.js")) == Lost()
    assert Fetched(b"").map_reference is None
