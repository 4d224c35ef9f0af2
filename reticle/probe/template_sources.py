"""
Stamps the templates of Django and Jinja while they are compiled: an element leads to its template's line.

Only the app's own HTML templates, and only in memory: an environment with a bytecode cache is left alone,
since its files would outlive the probe. Texts that translations are looked up by, that are escaped as a whole
or that are kept in a cache stay as they are. ``RETICLE_PROBE_STAMPS=0`` switches it off.
"""

from __future__ import annotations

import os
import re
import threading
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.frames import is_app_file
from reticle.probe.import_watch import ImportWatch
from reticle.probe.patching import Patches
from reticle.probe.stamping import Stamper, is_stampable

SWITCH: Final = "RETICLE_PROBE_STAMPS"

_UNTOUCHED_BY_DJANGO: Final = frozenset({"comment", "blocktrans", "blocktranslate", "filter", "cache"})
_UNTOUCHED_BY_JINJA: Final = frozenset({"trans", "filter", "cache"})
"""Blocks whose text is not stamped, up to their ``end…``; ``trans`` has an end in Jinja only."""

_WORD: Final = re.compile(r"[-+\s]*(\w+)")


class _Compiling(threading.local):
    path: str | None = None


_compiling: Final = _Compiling()


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Stamp what is compiled from now on.
    """

    def django(module: ModuleType) -> None:
        patches.replace(module.Template, "compile_nodelist", _compiling_django)
        for kind in (module.Lexer, module.DebugLexer):
            if "tokenize" in vars(kind):
                patches.replace(kind, "tokenize", _tokenizing(module.TokenType))

    def jinja(module: ModuleType) -> None:
        patches.replace(module.Environment, "preprocess", _preprocessing)

    if os.environ.get(SWITCH, "").strip() == "0":
        return
    watch.when_imported("django.template.base", django)
    watch.when_imported("jinja2.environment", jinja)


def stamped_path(name: object, file: object) -> str | None:
    """
    How stamps name a template: relative to the project; None where it gets none.
    """
    if emission.sink is None or not isinstance(file, str) or not isinstance(name, str):
        return None
    path = os.path.abspath(file)  # noqa: PTH100 - as the frames
    if not is_stampable(name) or not is_app_file(path) or file.startswith("<"):
        return None
    project = getattr(emission.sink, "project", "")
    inside = f"{project.rstrip(os.sep)}{os.sep}" if project else ""
    shown = path[len(inside) :] if inside and path.startswith(inside) else path
    return None if "{" in shown or "}" in shown else shown


def _compiling_django(original: Any) -> Any:
    def compile_nodelist(self: Any) -> Any:
        before = _compiling.path
        _compiling.path = stamped_path(self.name, getattr(self.origin, "name", None))
        try:
            return original(self)
        finally:
            _compiling.path = before

    return compile_nodelist


def _tokenizing(kinds: Any) -> Any:
    def make(original: Any) -> Any:
        def tokenize(self: Any) -> Any:
            tokens = original(self)
            path, _compiling.path = _compiling.path, None
            if path is not None:
                try:
                    _stamp_tokens(tokens, path, kinds)
                except Exception:  # noqa: BLE001 - a template without stamps is as good as before
                    return original(self)
            return tokens

        return tokenize

    return make


def _stamp_tokens(tokens: list[Any], path: str, kinds: Any) -> None:
    """
    Only texts are changed: the numbers and positions that Django's debug page shows stay true.
    """
    stamper, untouched = Stamper(path), ""
    for at, token in enumerate(tokens):
        if token.token_type != kinds.TEXT:
            block = token.contents if token.token_type == kinds.BLOCK else ""
            untouched = _untouched_after(untouched, block, _UNTOUCHED_BY_DJANGO)
            stamper.opaque()
        elif not untouched:
            token.contents = stamper.text(token.contents, token.lineno, is_followed=at + 1 < len(tokens))


def _untouched_after(untouched: str, block: str, blocks: frozenset[str]) -> str:
    """
    Which block whose text stays as it is we are in, behind this one.
    """
    found = _WORD.match(block)
    word = found[1] if found else ""
    if untouched:
        return "" if word == f"end{untouched}" else untouched
    return word if word in blocks else ""


def _preprocessing(original: Any) -> Any:
    def preprocess(self: Any, source: str, name: Any = None, filename: Any = None) -> Any:
        text = original(self, source, name, filename)
        try:
            path = stamped_path(name, filename)
            return text if path is None or _is_left_alone(self) else _stamp_source(text, path, self)
        except Exception:  # noqa: BLE001 - as above
            return text

    return preprocess


def _is_left_alone(environment: Any) -> bool:
    return (
        environment.bytecode_cache is not None
        or environment.line_statement_prefix is not None
        or environment.line_comment_prefix is not None
    )


def _stamp_source(source: str, path: str, environment: Any) -> str:
    stamper, untouched, at, out = Stamper(path), "", 0, []
    for found in _constructs(environment).finditer(source):
        out.append(_piece(stamper, source, at, found.start(), untouched=bool(untouched), is_followed=True))
        out.append(found[0])
        stamper.opaque()
        block = found[0][len(environment.block_start_string) :] if found["block"] else ""
        untouched = _untouched_after(untouched, block, _UNTOUCHED_BY_JINJA)
        at = found.end()
    out.append(_piece(stamper, source, at, len(source), untouched=bool(untouched), is_followed=False))
    return "".join(out)


def _piece(stamper: Stamper, source: str, start: int, end: int, *, untouched: bool, is_followed: bool) -> str:
    text = source[start:end]
    if untouched or not text:
        return text
    return stamper.text(text, source.count("\n", 0, start) + 1, is_followed=is_followed)


def _constructs(environment: Any) -> re.Pattern[str]:
    """
    What Jinja reads itself, by the marks of this environment; strings may hold the end's mark.
    """
    strings = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'"""

    def between(start: str, end: str, inner: str) -> str:
        return f"{re.escape(start)}(?:{inner}(?!{re.escape(end)}).)*+{re.escape(end)}"

    inner = f"{strings}|"
    comment = between(environment.comment_start_string, environment.comment_end_string, "")
    variable = between(environment.variable_start_string, environment.variable_end_string, inner)
    block = between(environment.block_start_string, environment.block_end_string, inner)
    return re.compile(f"(?P<comment>{comment})|(?P<variable>{variable})|(?P<block>{block})", re.DOTALL)
