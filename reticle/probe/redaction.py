"""
What must not leave the process: values by the name of their key, and credentials by their shape.

The rules are those of the page script (``page/secrets.js``), so that both sides of an action read alike.
Look-alikes (colorToken, tokenCount, className, secretary) stay readable.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote_plus

from reticle.probe.limits import PATH_CHARS, TEXT_CHARS

REDACTED: Final = "[REDACTED]"

_STEMS: Final = re.compile(
    r"passw(?:or)?d|passcode|passphrase|apikey|accesskey|privatekey|secretkey|clientsecret|creditcard|cardnumber"
    r"|sessionid|sessid|csrfmiddlewaretoken|(?:access|refresh|auth|bearer|session|csrf|xsrf)token"
)
_WORDS: Final = frozenset({"secret", "secrets", "pwd", "jwt", "cvv", "cvc", "ssn", "sid"})
_LAST: Final = frozenset(
    {"authorization", "cookie", "cookies", "signature", "sig", "credential", "credentials", "token", "tokens"}
)
_PLAIN_TOKENS: Final = frozenset({
    "color", "colour", "background", "design", "theme", "css", "style", "font", "spacing", "shadow",
    "syntax", "lexer", "parse", "page", "next", "previous", "cursor", "continuation", "max", "min", "total",
    "num", "used", "input", "output", "prompt", "completion", "cached", "cancel", "cancellation",
})  # fmt: skip
_SHAPES: Final = re.compile(
    r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"  # JSON Web Token
    r"|\b[srp]k_(?:live|test)_\w{8,}"  # payment keys
    r"|\bsk-[\w-]{20,}"  # keys of model providers
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeoprs]-[\w-]{8,}"
    r"|\bya29\.[\w.-]{8,}"
    r"|\bdtok_[\w-]+\.[\w-]+"  # our own capability tokens
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"
)
_SCHEMES: Final = re.compile(r"\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{12,}")
_USERINFO: Final = re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^\s/?#@]+@", re.IGNORECASE)
_QUOTED_PAIR: Final = re.compile(
    r"""(["'])([\w.-]{2,64})\1(\s*:\s*)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|-?\d[\d.]*)"""
)
_BARE_PAIR: Final = re.compile(r"""([\w.-]{2,64})=("[^"]*"|'[^']*'|[^\s&;,"'<>)]+)""")
_SPACED_PAIR: Final = re.compile(r"""\b([\w-]{2,64})(\s*:\s+)((?=\S*\d)[^\s"'<>,;]{6,}|[^\s"'<>,;]{20,})""")
_HEADER_LINE: Final = re.compile(
    r"\b(set-cookie|cookie|authorization|proxy-authorization|x-api-key|x-auth-token)(\s*:\s*)[^\n\r]+",
    re.IGNORECASE,
)
_PARAMETER: Final = re.compile(r"([^&=?#]+)=([^&]*)")
_TOKEN_PATH: Final = re.compile(
    r"(/(?:reset|reset-password|password-reset|verify|verification|confirm|confirmation|invite|invitation|magic"
    r"|magic-link|activate|unsubscribe|token)/(?:[\w=]{1,12}/)?)(?=[^/?#]*\d)([\w.=~-]{20,})",
    re.IGNORECASE,
)
_PARAMETERS: Final = re.compile(
    r"(\[parameters: |Failing row contains )[\s\S]*?(?:[\])]\.?(?=\n|\Z)|\Z)"  # SQLAlchemy; PostgreSQL
    r"|(Key \([^)\n]*\)=)\([^\n]*?\)(?= |\n|\Z)"  # PostgreSQL
    r"|(Duplicate entry )'[^\n]*?'(?= for key)"  # MySQL
)
"""Values of a statement in a database's own words, which are not told of the statement either."""

_QUOTED_SQL: Final = re.compile(r"\[SQL: [\s\S]*?(?:\](?=\n|\Z)|\Z)")
_MARKS: Final = re.compile(r"[^a-z0-9]+")
_HUMP: Final = re.compile(r"([a-z0-9])([A-Z])")
_ACRONYM: Final = re.compile(r"([A-Z]+)([A-Z][a-z])")


@lru_cache(maxsize=512)
def is_secret_key(key: str) -> bool:
    """
    Whether a key names a credential, in any manner of writing words together.
    """
    parted = _ACRONYM.sub(r"\1_\2", _HUMP.sub(r"\1_\2", key)).lower()
    words = [word for word in (part.rstrip("0123456789") for part in _MARKS.split(parted)) if word]
    if not words:
        return False
    if not _WORDS.isdisjoint(words):
        return True
    if words[-1].startswith("token") and len(words) > 1 and words[-2] in _PLAIN_TOKENS:
        return False
    return words[-1] in _LAST or _STEMS.search("".join(words)) is not None


def text(value: object, chars: int = TEXT_CHARS) -> str:
    """
    Any text that people wrote for people: cut, credentials replaced.
    """
    # Cut generously before the search and exactly after it: a credential over the edge must not stay in half.
    written = str(value)[: 2 * chars]
    if len(written) >= 8:
        written = _SHAPES.sub(REDACTED, written)
        written = _SCHEMES.sub(rf"\1 {REDACTED}", written)
        if "://" in written:
            written = _USERINFO.sub(rf"\1{REDACTED}@", written)
        if "[SQL: " in written:
            written = _QUOTED_SQL.sub(lambda told: re.sub(r"'.*'|\".*\"", "'?'", told[0]), written)
        if "[parameters: " in written or "contains (" in written or "Key (" in written or "Dupl" in written:
            written = _PARAMETERS.sub(lambda told: f"{told[1] or told[2] or told[3]}{REDACTED}", written)
        if ":" in written:
            written = _HEADER_LINE.sub(rf"\1\2{REDACTED}", written)
            written = _QUOTED_PAIR.sub(_quoted, written)
            written = _SPACED_PAIR.sub(
                lambda pair: f"{pair[1]}{pair[2]}{REDACTED}" if is_secret_key(pair[1]) else pair[0], written
            )
        if "=" in written:
            written = _BARE_PAIR.sub(
                lambda pair: f"{pair[1]}={REDACTED}" if is_secret_key(pair[1]) else pair[0], written
            )
    return cut(written, chars)


def query(value: str) -> str:
    """
    A query string: credentials replaced, everything else as written.
    """
    kept = _PARAMETER.sub(
        lambda pair: f"{pair[1]}={REDACTED}" if is_secret_key(unquote_plus(pair[1])) else pair[0],
        value[:PATH_CHARS],
    )
    return _SHAPES.sub(REDACTED, kept)


def path(value: str) -> str:
    """
    A path: one-time tokens of links in mails replaced.
    """
    return short_path(value[: PATH_CHARS + 1])


@lru_cache(maxsize=256)
def short_path(value: str) -> str:
    """
    As ``path``, of one of not much more than ``PATH_CHARS``: kept, because every request asks and most ask
    for few paths.
    """
    return cut(_TOKEN_PATH.sub(rf"\1{REDACTED}", _SHAPES.sub(REDACTED, value)), PATH_CHARS)


def outgoing_url(value: str) -> str:
    """
    A URL that the app asks for: no user, no fragment, and of the query only the names.
    """
    bare = _USERINFO.sub(r"\1", value.partition("#")[0])
    place, mark, values = bare.partition("?")
    names = "&".join(f"{pair.partition('=')[0]}=" for pair in values.split("&") if pair)
    return cut(f"{path(place)}{mark}{names}", PATH_CHARS)


def cut(value: str, chars: int) -> str:
    """
    At most so many characters; the last says that there were more.
    """
    return value if len(value) <= chars else value[: chars - 1] + "…"


def _quoted(pair: re.Match[str]) -> str:
    return f'{pair[1]}{pair[2]}{pair[1]}{pair[3]}"{REDACTED}"' if is_secret_key(pair[2]) else pair[0]
