"""
Which file a source map means, as a person writes its path: from the project's root where the map tells it.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final
from urllib.parse import urljoin, urlsplit

import attrs

from reticle.model.source_limits import SOURCE_NAME_CHARS

_BUNDLER: Final = re.compile(r"(?:webpack|rspack|turbopack|parcel|rollup|ng|vite)(?:-internal)?://[^/]*/+")
"""Schemes that bundlers made up, with the name of the build between them and the path."""

_LAYER: Final = re.compile(r"^(?:\./)*(?:\[project\]/|\([^()/]+\)/)")
"""What Next.js and Turbopack put before a path: which of an app's bundles it is in."""

_WEB: Final = re.compile(r"https?://", re.IGNORECASE)
_LIBRARY: Final = re.compile(
    r"(?:^|/)(?:node_modules|\.vite/deps|\.yarn)/|^/?@(?:vite|id|react-refresh)\b|^vite/|^virtual:"
    r"|^webpack/"
)
_PUT_IN: Final = ("\x00", "virtual:")
"""How the names begin of modules that bundlers' plugins make up."""

"""Files that are not the user's: packages, and what bundlers and development servers put in."""

_ENDING: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{0,9}")
_PAGES: Final = frozenset({"html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "do", "action", "cgi", "py"})
"""Endings of what a server may run for each request."""


@attrs.frozen
class FileName:
    """
    A file's path, and whether it is a library's.
    """

    path: str
    library: bool


def name_file(source: str | None, source_root: str, address: str) -> FileName | None:
    """
    The file that a map means by ``source``.

    Args:
        source: As the map has it.
        source_root: The map's ``sourceRoot``, empty without one.
        address: Where the map was found, which relative paths start from: its own, or its script's.

    Returns:
        None for a name that cannot be shown.
    """
    if not source:
        return None
    whole = f"{source_root.rstrip('/')}/{source}" if source_root and not _is_absolute(source) else source
    path = _path(whole, address)
    library = _LIBRARY.search(path) is not None or source.startswith(_PUT_IN)
    shown = path.replace("\x00", "")
    if not shown or len(shown) > SOURCE_NAME_CHARS or not shown.isprintable():
        return None
    return FileName(shown, library)


def is_library_address(address: str) -> bool:
    """
    Whether a script's own address says that it is a library's.
    """
    return _LIBRARY.search(urlsplit(address).path.lstrip("/")) is not None


def is_script_address(address: str) -> bool:
    """
    Whether an address may be a script's: a file with an ending that no page has. An app's pages are never
    asked for, because asking may do something.
    """
    name = urlsplit(address).path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return bool(stem and dot) and _ENDING.fullmatch(ending) is not None and ending.lower() not in _PAGES


def _is_absolute(source: str) -> bool:
    return source.startswith("/") or "://" in source


def _path(source: str, address: str) -> str:
    bundled = _BUNDLER.match(source)
    if bundled:
        return _normal(_LAYER.sub("", _bare(source[bundled.end() :])))
    if source.startswith("file://"):
        return re.sub(r"^/(?=[A-Za-z]:/)", "", _bare(source.removeprefix("file://")))
    if _WEB.match(source):
        return _served(urlsplit(source).path)
    bare = _bare(source)
    if bare.startswith("/") or re.match(r"[A-Za-z]:[\\/]", bare):
        return _served(bare) if bare.startswith("/@") else bare.replace("\\", "/")
    normal = _normal(bare)
    if bare.startswith("..") or not _WEB.match(address):
        return normal  # leads out of where the build was put: what is left starts at the project's root
    return _served(urlsplit(urljoin(address, normal)).path)


def _bare(source: str) -> str:
    """
    Without the query that bundlers tell modules of one file apart by.
    """
    return source.partition("?")[0]


def _served(path: str) -> str:
    """
    A path on a development server: Vite serves files outside its root as ``/@fs/`` and their whole path.
    """
    if path.startswith("/@fs/"):
        rest = path.removeprefix("/@fs/")
        return rest if re.match(r"[A-Za-z]:/", rest) else f"/{rest.lstrip('/')}"
    return path.lstrip("/")


def _normal(path: str) -> str:
    parts = posixpath.normpath(path.replace("\\", "/")).lstrip("/").split("/")
    while parts and parts[0] in {"..", "."}:
        del parts[0]
    return "/".join(parts)
