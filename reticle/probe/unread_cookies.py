"""
Cookies that an answer sets under a name that nothing of the app reads: what was written will not be known
again.

It is told only where all is plain: the name is made in a function of the app's that ran, it stands nowhere
else in the project, every place of the app that reads cookies names the one that it reads, one that ran reads
another, and no script can read it. Whatever is not plain is left alone: a framework's cookies, names made of
what is not known, jars that are handed on.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from reticle.probe.limits import PROJECT_BYTES, PROJECT_FILE_BYTES, PROJECT_FILES
from reticle.probe.python_texts import Source, app_sources, parents

_NAME: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+")
_TAKEN_BACK: Final = re.compile(r";\s*(?:max-age\s*=\s*(?:0|-\d+)\b|expires\s*=[^;]*\b1970\b)", re.IGNORECASE)
_JARS: Final = frozenset({"cookies", "COOKIES"})
_GETTERS: Final = frozenset(
    {"get_cookie", "getCookie", "get_signed_cookie", "get_secure_cookie", "signed_cookie"}
)
_OF_ANSWERS: Final = frozenset({"set", "set_cookie", "delete", "delete_cookie", "setdefault"})
_RAW: Final = frozenset({"cookie", "http_cookie"})
_SCRIPTS: Final = (".js", ".mjs", ".jsx", ".ts", ".tsx", ".vue", ".svelte", ".html", ".htm")
_OF_COOKIES: Final = (b"cookie", b"Cookie", b"COOKIE")
_LEFT_OUT: Final = frozenset({"node_modules", "__pycache__", "venv", "env", "site-packages"})


class Ran(NamedTuple):
    """
    A function that ran: its file and lines.
    """

    file: str
    first: int
    last: int

    def has(self, file: str, node: ast.AST) -> bool:
        """
        Whether a piece of code stands in it.
        """
        return file == self.file and self.first <= getattr(node, "lineno", 0) <= self.last


class _Read(NamedTuple):
    name: str | None
    file: str
    node: ast.AST


def unread_cookies(
    headers: Iterable[str], ran: Sequence[Ran], ran_before: Sequence[Ran], project: str
) -> list[dict[str, Any]]:
    """
    The cookies of an answer that nobody will read, each as ``name``, ``file`` and ``line`` of where it is
    set, and the name that the app ``reads``.

    Args:
        headers: The values of its ``Set-Cookie``.
        ran: The app's functions that ran for it.
        ran_before: Those that ran for it or for another.
        project: The project's folder.
    """
    written = [header for header in headers if _is_kept(header)]
    sources = app_sources() if written and ran else None
    found = [] if sources is None else [_unread(each, sources, ran, ran_before, project) for each in written]
    return [one for one in found if one is not None]


def _is_kept(header: str) -> bool:
    value = header.partition("=")[2].partition(";")[0].strip().strip('"')
    return bool(value) and _TAKEN_BACK.search(header) is None


def _unread(
    header: str, sources: Sequence[Source], ran: Sequence[Ran], ran_before: Sequence[Ran], project: str
) -> dict[str, Any] | None:
    name = header.partition("=")[0].strip()
    made = [(source.file, node, one) for source in sources for one, node in _made(name, source, ran)]
    if len({one for *_, one in made}) != 1 or _NAME.fullmatch(name) is None:
        return None
    file, node, setter = made[0]
    reads = [read for source in sources for read in _reads(source)]
    names = {read.name for read in reads}
    others = [
        read.name
        for read in reads
        if read.name not in {None, name} and any(one.has(read.file, read.node) for one in ran_before)
    ]
    if None in names or name in names or not others:
        return None
    is_hidden = re.search(r";\s*httponly\b", header, re.IGNORECASE) is not None
    if any(_speaks(name, source, setter) for source in sources) or _is_known(
        project, name, setter, is_hidden
    ):
        return None
    return {"name": name, "file": file, "line": getattr(node, "lineno", setter.first), "reads": others[0]}


def _made(name: str, source: Source, ran: Sequence[Ran]) -> Iterator[tuple[Ran, ast.expr]]:
    """
    Where the name of a cookie is made in what ran: alone in a call about cookies, or before an equals sign.
    """
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "reticle_parent", None), ast.JoinedStr):
            continue
        inside = next((one for one in ran if one.has(source.file, node)), None)
        if inside is None:
            continue
        text, whole = source.known(node)
        if text.startswith(f"{name}=") or (whole and text == name and _is_set(node)):
            yield inside, node


def _is_set(node: ast.expr) -> bool:
    above = getattr(node, "reticle_parent", None)
    call = getattr(above, "reticle_parent", None) if isinstance(above, ast.keyword) else above
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name):
        named = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
        return "cookie" in named.lower() and named not in _GETTERS
    return False


def _speaks(name: str, source: Source, setter: Ran) -> bool:
    """
    Whether the app has the name anywhere but in the function that sets it.
    """
    whole = _whole(name)
    return any(
        whole.search(source.known(node)[0]) is not None
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and not setter.has(source.file, node)
    )


def _reads(source: Source) -> Iterator[_Read]:
    """
    Every place that reads cookies, with the name that it reads; None for one that may read any.
    """
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=attr), args=args) if attr in _GETTERS:
                yield _Read(_first(source, args), source.file, node)
            case ast.Call(func=ast.Name(id="Cookie")):
                yield _Read(None, source.file, node)
            case ast.Call(func=ast.Name(id="SimpleCookie") | ast.Attribute(attr="SimpleCookie"), args=args):
                if args:  # without it is one of an answer
                    yield _Read(_of_jar(source, node), source.file, node)
            case ast.Attribute(attr=attr) if attr in _JARS:
                if not _is_of_answer(node):
                    yield _Read(_of_jar(source, node), source.file, node)
            case ast.Constant(value=str() | bytes()):
                said = source.known(node)[0].lower()
                if said in _RAW and not any(_is_jar(above) for above in parents(node)):
                    yield _Read(None, source.file, node)


def _is_jar(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="SimpleCookie") | ast.Attribute(attr="SimpleCookie")):
            return True
    return False


def _is_of_answer(jar: ast.Attribute) -> bool:
    above = getattr(jar, "reticle_parent", None)
    written = isinstance(above, ast.Subscript) and not isinstance(above.ctx, ast.Load)
    return written or (isinstance(above, ast.Attribute) and above.attr in _OF_ANSWERS)


def _of_jar(source: Source, jar: ast.expr) -> str | None:
    above = getattr(jar, "reticle_parent", None)
    match above:
        case ast.Attribute(attr="get" | "pop"):
            call = getattr(above, "reticle_parent", None)
            return _first(source, call.args) if isinstance(call, ast.Call) else None
        case ast.Subscript(value=value, slice=key) if value is jar:
            return _whole_text(source, key)
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]) if left is not jar:
            return _whole_text(source, left)
    return None


def _first(source: Source, args: list[ast.expr]) -> str | None:
    return _whole_text(source, args[0]) if args else None


def _whole_text(source: Source, node: ast.expr) -> str | None:
    text, whole = source.known(node)
    return text if whole else None


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _is_known(project: str, name: str, setter: Ran, is_hidden: bool) -> bool:  # noqa: FBT001 - a fact of the cookie
    """
    Whether any file of the project has the name but on the lines of the function that sets it, or one of a
    page speaks of cookies and may read it; also where there are too many to tell.
    """
    whole, left = _whole(name), PROJECT_BYTES
    for count, path in enumerate(_files(project)):
        try:
            size = os.stat(path).st_size  # noqa: PTH116 - as everywhere in the probe
            left -= size
            if count >= PROJECT_FILES or left < 0:
                return True
            if size > PROJECT_FILE_BYTES:
                if path.endswith(_SCRIPTS):
                    return True
                continue
            with open(path, "rb") as file:  # noqa: PTH123 - as above
                raw = file.read()
        except OSError:
            return True
        if not is_hidden and path.endswith(_SCRIPTS) and any(word in raw for word in _OF_COOKIES):
            return True
        if name.encode() not in raw:
            continue
        text = raw.decode("utf-8", "replace")
        if os.path.abspath(path) == setter.file:  # noqa: PTH100 - as above
            lines = text.splitlines()
            text = "\n".join((*lines[: setter.first - 1], *lines[setter.last :]))
        if whole.search(text) is not None:
            return True
    return False


def _files(project: str) -> Iterator[str]:
    for folder, folders, names in os.walk(project):
        folders[:] = [one for one in folders if one not in _LEFT_OUT and not one.startswith(".")]
        yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118 - as above
