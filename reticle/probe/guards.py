"""
Whether the probe may be on in this process.

It needs a yes, by name or by the framework's debug switch, and no sign of production; a no by name wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SWITCH: Final = "RETICLE_PROBE"
"""``1`` asks for the probe, ``0`` refuses it whatever else says."""

_STAGES: Final = (
    "ENV", "APP_ENV", "ENVIRONMENT", "DJANGO_ENV", "DJANGO_ENVIRONMENT", "FLASK_ENV", "FASTAPI_ENV",
    "PYTHON_ENV", "DEPLOYMENT_ENVIRONMENT",
)  # fmt: skip
_PRODUCTION: Final = frozenset({"production", "prod", "live"})
_YES: Final = frozenset({"1", "true", "on", "yes"})
_NO: Final = frozenset({"0", "false", "off", "no"})


def refusal(environ: Mapping[str, str], *, asked: bool | None, debug: bool | None) -> str | None:
    """
    Why it stays off; None where it may be on.

    Args:
        environ: Of the process.
        asked: By an argument: True, False, or None where nobody said.
        debug: The framework's debug switch, or None where it has none.
    """
    for variable in _STAGES:
        if environ.get(variable, "").strip().lower() in _PRODUCTION:
            return f"{variable}={environ[variable]} names a production process"
    said = environ.get(SWITCH, "").strip().lower()
    if said in _NO or asked is False:
        return "switched off"
    if said in _YES or asked or debug:
        return None
    return f"not asked for: neither {SWITCH}=1 nor the framework's debug switch"


def is_reloader_parent(environ: Mapping[str, str], arguments: list[str]) -> bool:
    """
    Whether this process only watches files and starts another that serves.

    Django's sets ``RUN_MAIN`` in its child, Werkzeug's ``WERKZEUG_RUN_MAIN``; parents run the same command
    line. Other reloaders' parents never import the app, and have nothing to tell.

    Args:
        environ: Of the process.
        arguments: Its command line from the script, or from ``-m``, on.
    """
    if arguments[:1] == ["-m"]:
        arguments = arguments[1:]
    name = arguments[0].rpartition("/")[2] if arguments else ""
    words = arguments[1:]
    if name in {"manage.py", "django-admin", "django"} or name.endswith(".py"):
        return words[:1] == ["runserver"] and "--noreload" not in words and environ.get("RUN_MAIN") != "true"
    if name == "flask" and "run" in words:
        reloads = not {"--debug", "--reload"}.isdisjoint(words) or environ.get("FLASK_DEBUG") in _YES
        return reloads and "--no-reload" not in words and environ.get("WERKZEUG_RUN_MAIN") != "true"
    return False


def is_reticle(arguments: list[str]) -> bool:
    """
    Whether this process is reticle itself, which would tell itself what it does with what it was told.

    Args:
        arguments: As for ``is_reloader_parent``.
    """
    if arguments[:2] == ["-m", "reticle"]:
        return True
    name = arguments[0].rpartition("/")[2] if arguments else ""
    return name == "reticle" or (name == "twistd" and "reticle" in arguments[1:])
