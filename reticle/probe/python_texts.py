"""
The texts in a Python file of the app, as far as they are known without running it: literals, and what is put
together of literals and of constants of modules.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Final

from reticle.probe.frames import is_app_file
from reticle.probe.limits import SOURCES_READ

Known = tuple[str, bool]
"""A text as far as it is known from its beginning, and whether that is all of it."""

_UNKNOWN: Final[Known] = ("", False)
_trees: Final[dict[str, tuple[int, ast.Module]]] = {}


class Source:
    """
    A file of the app that was loaded: its ``tree``, each node of which knows its parent, and the ``names`` of
    its module.
    """

    __slots__ = ("file", "names", "tree")

    def __init__(self, file: str, tree: ast.Module, names: Mapping[str, Any]) -> None:
        self.file = file
        self.tree = tree
        self.names = names

    def known(self, node: ast.expr) -> Known:  # noqa: PLR0911 - one for each kind of expression
        """
        What an expression says.
        """
        match node:
            case ast.Constant(value=str() as text):
                return text, True
            case ast.Constant(value=bytes() as raw):
                return raw.decode("latin-1"), True
            case ast.JoinedStr(values=values):
                return self._joined(values)
            case ast.FormattedValue(value=value, format_spec=None, conversion=-1):
                return self.known(value)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([left, right])
            case ast.Name(id=name):
                return _text(self.names.get(name))
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                held = self.names.get(name)
                return _text(held.__dict__.get(attr)) if type(held) is ModuleType else _UNKNOWN
        return _UNKNOWN

    def _joined(self, parts: list[ast.expr]) -> Known:
        text = ""
        for part in parts:
            more, whole = self.known(part)
            text += more
            if not whole:
                return text, False
        return text, True


def app_sources() -> list[Source] | None:
    """
    All of the app's own that are loaded; None where they are too many, or one cannot be read.
    """
    modules = [module for module in list(sys.modules.values()) if type(module) is ModuleType]
    files = {file: module for module in modules if (file := module.__dict__.get("__file__")) is not None}
    own = {file: module for file, module in files.items() if isinstance(file, str) and is_app_file(file)}
    if len(own) > SOURCES_READ:
        return None
    sources = [_source(file, module.__dict__) for file, module in own.items() if file.endswith(".py")]
    return None if None in sources else [one for one in sources if one is not None]


def parents(node: ast.AST) -> Iterator[ast.AST]:
    """
    What a node stands in, from the inside out.
    """
    while (above := getattr(node, "reticle_parent", None)) is not None:
        yield above
        node = above


def marked(text: str) -> ast.Module:
    """
    The tree of a file, for ``parents``; raises what ``ast.parse`` does.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.reticle_parent = node  # type: ignore[attr-defined]  # our own mark
    return tree


def _source(file: str, names: Mapping[str, Any]) -> Source | None:
    text = "".join(linecache.getlines(file))
    known = _trees.get(file)
    if known is None or known[0] != hash(text):
        try:
            tree = marked(text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        _trees[file] = known = (hash(text), tree)
    return Source(file, known[1], names)


def _text(value: object) -> Known:
    return (str(value), True) if type(value) is str else _UNKNOWN
