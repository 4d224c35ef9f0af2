"""
Switches the probe on when Django starts.
"""

from __future__ import annotations

from typing import Any, Final

import django
from django.apps import AppConfig
from django.conf import settings
from django.core.signals import got_request_exception

from reticle.probe import probing, script
from reticle.probe.django import closing
from reticle.probe.django.middleware import on_exception
from reticle.probe.patching import Patches

_patches: Final = Patches()
MIDDLEWARE = "reticle.probe.django.middleware.reticle"


class ReticleConfig(AppConfig):  # type: ignore[misc]  # Django ships no types
    """
    The app ``reticle.probe.django``.
    """

    name = "reticle.probe.django"
    label = "reticle_probe"
    verbose_name = "reticle"

    def ready(self) -> None:
        """
        Called once, before the first request; handlers read ``MIDDLEWARE`` after it.
        """
        project = getattr(settings, "BASE_DIR", None)
        probe = probing.start(
            f"django {django.get_version()}", str(project) if project else None, debug=bool(settings.DEBUG)
        )
        if probe.is_on:
            install()


def install() -> None:
    """
    Stand around what handlers serve from now on, where the probe is on.
    """
    script.copy.watch()
    got_request_exception.connect(on_exception, dispatch_uid="reticle")
    closing.install(_patches)
    listed: Any = settings.MIDDLEWARE
    if MIDDLEWARE not in listed:
        settings.MIDDLEWARE = [MIDDLEWARE, *listed]
