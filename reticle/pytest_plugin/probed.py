"""
The probe in the test's own process, where live servers and apps given to ``reticle.open`` run.

The plugin stands beside the app as its settings do, so it may switch on what the app has installed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_FILE: Final = "RETICLE_PROBE_FILE"


@contextlib.contextmanager
def probe_of(runtime_dir: Path) -> Iterator[None]:
    """
    Facts of this process go to the daemon with this runtime directory, as those of its children do.
    """
    from reticle.probe import start, stop  # noqa: PLC0415 - tests that open no page do without

    before = os.environ.get(_FILE)
    os.environ[_FILE] = str(runtime_dir / "probe.json")
    start(on=True)
    try:
        yield
    finally:
        stop()
        if before is None:
            del os.environ[_FILE]
        else:
            os.environ[_FILE] = before


@contextlib.contextmanager
def around_django() -> Iterator[None]:
    """
    A live server of Django's that begins inside is behind the probe; test clients made later are not.
    """
    conf, registry = sys.modules.get("django.conf"), sys.modules.get("django.apps")
    if conf is None or registry is None or not (conf.settings.configured and registry.apps.ready):
        yield
        return
    from reticle.probe.django.apps import install  # noqa: PLC0415 - needs Django

    before = conf.settings.MIDDLEWARE
    install()
    try:
        yield
    finally:
        conf.settings.MIDDLEWARE = before


def around_flask(app: object) -> None:
    """
    An app of Flask's is behind the probe, whoever serves it.
    """
    flask = sys.modules.get("flask")
    if flask is not None and isinstance(app, flask.Flask):
        from reticle.probe.flask import Reticle  # noqa: PLC0415 - needs Flask

        Reticle(app)


def wsgi(app: Any) -> Any:
    """
    A WSGI app that tells what it does.
    """
    from reticle.probe.wsgi import WSGIMiddleware  # noqa: PLC0415 - see above

    return WSGIMiddleware(app)


def asgi(app: Any) -> Any:
    """
    An ASGI app that tells what it does.
    """
    from reticle.probe.asgi import ASGIMiddleware  # noqa: PLC0415 - see above

    return ASGIMiddleware(app)
