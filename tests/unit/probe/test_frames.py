"""
Which line of the app did it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from reticle.probe import frames


def run_as(file: str, source: str, **names: Any) -> dict[str, Any]:
    """
    Run code as if it stood in a file.
    """
    space = dict(names)
    exec(compile(source, file, "exec"), space)
    return space


@pytest.mark.parametrize(
    ("file", "app"),
    [
        ("/srv/shop/views.py", True),
        ("/srv/shop/.venv/lib/python3.11/site-packages/django/x.py", False),
        ("/usr/lib/python3/dist-packages/flask.py", False),
        (json.__file__, False),
        (frames.__file__, False),
        (f"{sys.prefix}/bin/gunicorn", False),
        ("<string>", False),
        ("", False),
    ],
)
def test_libraries_are_not_the_app(file: str, *, app: bool) -> None:
    """
    A place to mend is in the user's own code.
    """
    assert frames.is_app_file(file) == app


def test_the_caller_is_the_innermost_line_of_the_app() -> None:
    """
    Behind a library that the app calls stands the app's own line.
    """
    library = run_as("/x/site-packages/orm.py", "def run():\n    return caller()", caller=frames.caller)
    app = run_as("/srv/shop/views.py", "\n\ndef view():\n    return run()", run=library["run"])
    assert app["view"]() == ("/srv/shop/views.py", 4)


def test_frames_begin_with_the_app() -> None:
    """
    The first frame of an exception is where the app went wrong, then the rest from the inside out.
    """
    library = run_as("/x/site-packages/orm.py", "def run():\n    return {}['a']")
    app = run_as("/srv/shop/views.py", "def view():\n    return run()", run=library["run"])
    try:
        app["view"]()
    except KeyError as fault:
        told = frames.frames_of(fault.__traceback__)
    assert [(frame["file"], frame["line"], frame["function"], frame["app"]) for frame in told[:2]] == [
        ("/srv/shop/views.py", 2, "view", True),
        ("/x/site-packages/orm.py", 2, "run", False),
    ]


def test_a_deep_recursion_is_cut() -> None:
    """
    An endless recursion costs twenty frames, not a thousand.
    """

    def dive(depth: int) -> None:
        if depth == 0:
            raise ValueError("deep")
        dive(depth - 1)

    with pytest.raises(ValueError, match="deep") as caught:
        dive(600)
    assert len(frames.frames_of(caught.value.__traceback__)) == 20


@pytest.mark.parametrize(
    "entry",
    ["wsgi_call.py", "asgi.py", "twisted.py", "klein.py", "sql_adbapi.py", "django/middleware.py"],
)
def test_what_stands_around_a_request_is_the_server(entry: str) -> None:
    """
    The line that starts the server led to no statement of a request, whatever the framework.
    """
    ours = frames.__file__.replace("frames.py", entry)
    view = run_as(
        "/srv/shop/views.py", "def shared():\n    return callers(4)\ndef view():\n    return shared()",
        callers=frames.callers,
    )  # fmt: skip
    inside = run_as(ours, "def enter():\n    return view()", view=view["view"])
    server = run_as("/srv/shop/serve.py", "def serve():\n    return enter()", enter=inside["enter"])
    assert server["serve"]() == (("/srv/shop/views.py", 2), ("/srv/shop/views.py", 4))


def test_more_ways_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An app that makes its functions anew all the time is told by the right lines, and memory stays bounded.
    """
    monkeypatch.setattr(frames, "_MAX_JUDGED", 3)
    for number in range(1, 20):
        blank = "\n" * number
        app = run_as("/srv/shop/made.py", f"{blank}def view():\n    return caller()", caller=frames.caller)
        assert app["view"]() == ("/srv/shop/made.py", number + 2)
    assert len(frames._chains) <= 3
