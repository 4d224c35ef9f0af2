"""
Which scripts are a library's, by their address: packages, what a development server puts in, and well-known
files that an app carries along under its own address. Our own page script is nobody's to mend either.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from reticle.domain.tooling import is_own_script

_FOLDER: Final = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendors|third[-_]party|\.vite/deps|\.yarn|@vite|@id"
    r"|@react-refresh|webpack|site-packages|dist-packages)(?:/|$)"
)
_BUILD: Final = (
    r"[-.@_](?:v?\d[\w.]*|min|slim|core|global|prod(?:uction)?|development|umd|cjs|esm|es|iife|bundle|runtime"
    r"|browser|module|full|ui|cdn|[0-9a-f]{8,})"
)
"""How the name of a file that was published goes on."""

_FILE: Final = re.compile(
    # names that nobody gives to a file of an app
    r"(?:(?:jquery|htmx|alpinejs|bootstrap|lodash|react|react-dom|preact|angular|backbone|axios|_?hyperscript"
    r"|idiomorph|zone|polyfills?|socket\.io|knockout|mootools|handlebars|mustache|select2|datatables|vendors?)"
    rf"(?:{_BUILD})*"
    # names that somebody may, and that are a library's with a version or a kind of build behind them
    r"|(?:jquery|htmx|alpine|chart|moment|three|d3|vue|ember|underscore|prototype|marked|highlight|stimulus|turbo"
    rf"|popper|framework)(?:[-.]\w+)?(?:{_BUILD})+)\.[cm]?js",
    re.IGNORECASE,
)


def is_library_name(address: str) -> bool:
    """
    Whether a script's address says that it is a library's, or ours.
    """
    path = urlsplit(address).path
    if is_own_script(address) or _FOLDER.search(path) is not None:
        return True
    return _FILE.fullmatch(path.rpartition("/")[2]) is not None
