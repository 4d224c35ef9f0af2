"""
A cookie that nothing of the app reads is told, and no other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reticle.probe import unread_cookies as looking
from reticle.probe.python_texts import Source, marked
from reticle.probe.unread_cookies import Ran, unread_cookies

APP = """
from http.cookies import SimpleCookie

SESSION = "tracker_user"


def user(request):
    return SimpleCookie(request.headers["x"]).get(SESSION)


def sign_in(answer, name):
    answer.send_header("Set-Cookie", f"{SESSION}_id={name}; Path=/")
"""
USER, SIGN_IN = (7, 8), (11, 12)
HEADER = "tracker_user_id=vera; Path=/; SameSite=Lax"
Told = list[dict[str, Any]]
Look = Callable[..., Told]


@pytest.fixture
def look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Look:
    """
    Look at an app in a folder of its own, with further files; as after ``user`` and ``sign_in`` ran.
    """

    def of(
        text: str = APP, header: str = HEADER, *, read: tuple[int, int] | None = USER, **files: str
    ) -> Told:
        path = tmp_path / "app.py"
        path.write_text(text)
        for name, written in files.items():
            (tmp_path / name.replace("__", ".")).write_text(written)
        names: dict[str, Any] = {}
        exec(compile(text, str(path), "exec"), names)
        sources = [Source(str(path), marked(text), names)]
        monkeypatch.setattr(looking, "app_sources", lambda: sources)
        ran = [Ran(str(path), *SIGN_IN)]
        before = [] if read is None else [Ran(str(path), *read)]
        return unread_cookies([header], ran, [*before, *ran], str(tmp_path))

    return of


def test_a_name_that_stands_nowhere_else_is_told_with_what_is_read(look: Look, tmp_path: Path) -> None:
    """
    What was signed in is not known with the next request, whatever the page shows.
    """
    told = {"name": "tracker_user_id", "file": str(tmp_path / "app.py"), "line": 12, "reads": "tracker_user"}
    assert look() == [told]


def test_a_name_that_a_framework_is_given_is_told_too(look: Look) -> None:
    """
    In a call about cookies.
    """
    text = APP.replace(
        'send_header("Set-Cookie", f"{SESSION}_id={name}; Path=/")', 'set_cookie("user2", name)'
    )
    assert [one["name"] for one in look(text, "user2=vera; Path=/")] == ["user2"]


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("tracker_user=vera", "it is read"),
        ("tracker_user_id=; Path=/", "it is empty"),
        ("tracker_user_id=x; Max-Age=0", "it is taken back"),
        ("tracker_user_id=x; expires=Thu, 01 Jan 1970 00:00:00 GMT", "it is taken back"),
        ("csrftoken=abc; HttpOnly", "a framework sets it"),
        ("_ga=1.2.3", "nobody of ours sets it"),
    ],
)
def test_other_cookies_are_let_be(look: Look, header: str, why: str) -> None:
    """
    What is read, taken back, or set by others is no business of ours.
    """
    assert look(APP, header) == [], why


@pytest.mark.parametrize(
    "more",
    [
        'LATER = "tracker_user_id"',
        'def later(jar):\n    return jar["tracker_user_id"]',
        'def later(r):\n    return r.cookies.get(SESSION + "_id")',
        "def later(r, kind):\n    return r.cookies.get(SESSION + kind)",
        "def later(r):\n    return dict(r.cookies)",
        "def later(r):\n    return [name for name in r.COOKIES]",
        'def later(r):\n    return r.headers["Cookie"]',
        "def later(r, name):\n    return r.get_cookie(name)",
        "def later(user=Cookie(None)): pass",
    ],
)
def test_where_something_may_read_it_nothing_is_told(look: Look, more: str) -> None:
    """
    By its name, by a name that is made, by taking the whole jar, or by reading the header itself.
    """
    assert look(f"{APP}\n\nCookie = str\n\n\n{more}\n") == []


def test_a_jar_of_an_answer_is_no_reading(look: Look) -> None:
    """
    Cookies are written there.
    """
    more = 'def clear(answer):\n    answer.cookies["theme"] = ""\n    answer.cookies.set("a", "b")'
    assert len(look(f"{APP}\n\n{more}\n")) == 1


def test_where_no_reading_ran_nothing_is_told(look: Look) -> None:
    """
    An app that has read no cookie yet may not read any.
    """
    assert look(read=None) == []


def test_files_of_the_project_may_know_the_name(look: Look) -> None:
    """
    As a proxy's settings, or another service.
    """
    assert look(proxy__conf="if $cookie_x tracker_user_id") == []


def test_a_script_that_does_not_speak_of_cookies_reads_none(look: Look) -> None:
    """
    Nor does a word that only begins as the name does.
    """
    assert len(look(page__js="fetch('/api?tracker_user_identity')")) == 1


def test_a_script_that_speaks_of_cookies_may_read_one_that_is_not_hidden(look: Look) -> None:
    """
    Its name may be made there; what is ``HttpOnly`` no script reads.
    """
    script = "const jar = document.cookie"
    assert look(page__js=script) == []
    assert len(look(header=f"{HEADER}; HttpOnly", page__js=script)) == 1


def test_in_a_large_project_nothing_is_told(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Nobody waits for it to be looked through.
    """
    monkeypatch.setattr(looking, "PROJECT_FILES", 0)
    assert look() == []
