"""
Which addresses a browser may be sent to: whole ones, of the web, without credentials in them. Pure.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.limits import URL_CHARS

SCHEMES: Final = ("http", "https")
_EXAMPLE: Final = "Pass a whole address, such as http://localhost:3000/."
_SHOWN_CHARS: Final = 120


def check_openable(url: str) -> str:
    """
    The address, when a browser may open it.

    Raises:
        Refusal: ``bad_arguments`` with the one thing that is wrong with it; a retry makes sense once that is
            mended.
    """
    shown = repr(url[:_SHOWN_CHARS])
    if len(url) > URL_CHARS:
        raise _refused(f"The url has {len(url)} characters; {URL_CHARS} are the most")
    if not url or any(letter.isspace() or not letter.isprintable() for letter in url):
        raise _refused(f"The url {shown} is empty or has blanks in it")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as fault:
        raise _refused(f"The url {shown} is none: {fault}") from None
    if "://" not in url:
        whole = f"Pass http://{url[:_SHOWN_CHARS]}."
        raise _refused(f"The url {shown} has no http:// or https:// at its beginning", whole)
    if parts.scheme not in SCHEMES:
        raise _refused(f"Only http and https are opened, and not {parts.scheme[:20] or 'no scheme'}")
    if not parts.hostname or port == 0:
        raise _refused(f"The url {shown} names no host" if port != 0 else f"The url {shown} has the port 0")
    if parts.username is not None or parts.password is not None:
        raise _refused(
            "The url has a user name or password in it, and would be recorded with every verdict",
            "Leave it out and sign in on the page; login keeps what that leaves in the browser.",
        )
    return url


def _refused(what: str, recovery: str = _EXAMPLE) -> Refusal:
    return Refusal(RefusalCode.BAD_ARGUMENTS, f"{what}. Nothing was opened.", recovery)
