"""
Words of ours in the headers of an app's requests and answers: made, found, and taken out before the app
reads them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from reticle.probe.insertion.candidates import Header
from reticle.probe.limits import NAVIGATION_SECONDS
from reticle.probe.words import LANGUAGE_HEADER, LANGUAGE_MARK, NAVIGATION_COOKIE

_RID: Final = re.compile(r"[0-9a-f]{32}")

NAVIGATION_OVER: Final = ("Set-Cookie", f"{NAVIGATION_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax")
"""Takes the navigation cookie back."""


def navigation(rid: str) -> Header:
    """
    Ties the request that a redirect leads to to the one that was redirected.
    """
    return "Set-Cookie", f"{NAVIGATION_COOKIE}={rid}; Path=/; Max-Age={NAVIGATION_SECONDS}; SameSite=Lax"


def is_navigation(value: str) -> bool:
    """
    Whether a ``Set-Cookie`` is one of these two.
    """
    return value.startswith(f"{NAVIGATION_COOKIE}=")


def action_in(language: str) -> str | None:
    """
    The action that the page script names in a ``Content-Language``.
    """
    for part in language.split(","):
        if part.strip().startswith(LANGUAGE_MARK):
            return part.strip()[len(LANGUAGE_MARK) :]
    return None


def navigation_of(cookies: str | None) -> str | None:
    """
    The request before this one, from the navigation cookie.
    """
    if not cookies or NAVIGATION_COOKIE not in cookies:
        return None
    for part in cookies.split(";"):
        name, _, value = part.strip().partition("=")
        if name == NAVIGATION_COOKIE and _RID.fullmatch(value):
            return value
    return None


def without_ours(cookies: str | None, language: str | None) -> Sequence[Header]:
    """
    Those of a request's two headers that hold a word of ours, by lower-case name, with what is left of each
    for the app.
    """
    left: list[Header] = []
    if cookies and NAVIGATION_COOKIE in cookies:
        kept = (part.strip() for part in cookies.split(";"))
        left.append(
            ("cookie", "; ".join(part for part in kept if part.partition("=")[0] != NAVIGATION_COOKIE))
        )
    if language and LANGUAGE_MARK in language:
        kept = (part.strip() for part in language.split(","))
        left.append((LANGUAGE_HEADER, ", ".join(part for part in kept if not part.startswith(LANGUAGE_MARK))))
    return left
