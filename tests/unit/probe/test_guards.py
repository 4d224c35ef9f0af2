"""
When the probe may be on.
"""

from __future__ import annotations

import pytest

from reticle.probe.guards import is_reloader_parent, is_reticle, refusal


@pytest.mark.parametrize(
    ("environ", "asked", "debug", "may"),
    [
        ({}, None, None, False),
        ({}, None, False, False),
        ({}, None, True, True),
        ({}, True, None, True),
        ({}, False, True, False),
        ({"RETICLE_PROBE": "1"}, None, None, True),
        ({"RETICLE_PROBE": "1"}, None, False, True),
        ({"RETICLE_PROBE": "0"}, True, True, False),
        ({"RETICLE_PROBE": "1", "DJANGO_ENV": "Production"}, True, True, False),
        ({"ENV": "prod"}, True, True, False),
        ({"FLASK_ENV": "development"}, True, None, True),
    ],
)
def test_it_needs_a_yes_and_no_sign_of_production(
    environ: dict[str, str], *, asked: bool | None, debug: bool | None, may: bool
) -> None:
    """
    Nobody finds the probe on in production, and nobody finds it on without having asked for it.
    """
    assert (refusal(environ, asked=asked, debug=debug) is None) == may


@pytest.mark.parametrize(
    ("environ", "line", "is_parent"),
    [
        ({}, ["manage.py", "runserver"], True),
        ({"RUN_MAIN": "true"}, ["manage.py", "runserver"], False),
        ({}, ["manage.py", "runserver", "--noreload"], False),
        ({}, ["manage.py", "migrate"], False),
        ({}, ["-m", "django", "runserver"], True),
        ({}, ["/srv/.venv/bin/flask", "--app", "shop", "run", "--debug"], True),
        ({"WERKZEUG_RUN_MAIN": "true"}, ["/bin/flask", "run", "--debug"], False),
        ({}, ["/bin/flask", "run"], False),
        ({"FLASK_DEBUG": "1"}, ["-m", "flask", "run"], True),
        ({}, ["/bin/uvicorn", "--reload", "app:app"], False),
        ({}, [], False),
    ],
)
def test_a_process_that_only_reloads_stays_silent(
    environ: dict[str, str], line: list[str], *, is_parent: bool
) -> None:
    """
    A development server does not show up twice.
    """
    assert is_reloader_parent(environ, line) == is_parent


@pytest.mark.parametrize(
    ("line", "itself"),
    [
        (["/srv/.venv/bin/reticle", "serve"], True),
        (["-m", "reticle", "serve"], True),
        (["/bin/twistd", "-n", "reticle", "--port", "4400"], True),
        (["/bin/twistd", "web", "--class=shop.Root"], False),
        (["manage.py", "reticle"], False),
        (["-m", "reticle_shop"], False),
        ([], False),
    ],
)
def test_reticle_does_not_watch_itself(line: list[str], *, itself: bool) -> None:
    """
    A daemon that is started under ``reticle run`` is not told what it does with what it was told.
    """
    assert is_reticle(line) == itself
