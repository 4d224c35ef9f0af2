"""
Calls back when the app imports a module, so that nothing is imported for our sake.

A finder stands first in ``sys.meta_path``; for the few modules that are waited for it lets the others find
the module, and calls back when its code has run. The module, its spec and its loader stay what they were.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from reticle.probe.quiet import safely


class ImportWatch(MetaPathFinder):
    """
    Callbacks by the name of a module.
    """

    def __init__(self) -> None:
        self._wanted: Final[dict[str, list[Callable[[ModuleType], None]]]] = {}
        self._finding: Final[set[tuple[int, str]]] = set()

    def when_imported(self, name: str, call: Callable[[ModuleType], None]) -> None:
        """
        Call with the module once its code has run: at once where it has, never where nobody imports it.
        """
        module = sys.modules.get(name)
        if module is not None and not _is_loading(module):
            safely(call, module)
            return
        self._wanted.setdefault(name, []).append(call)
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """
        Wait for nothing any more.
        """
        self._wanted.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """
        Let the others find a module that is waited for, and come along with its loader.
        """
        if fullname not in self._wanted:
            return None
        asked = threading.get_ident(), fullname
        if asked in self._finding:
            return None  # asked again: by another finder that looks for the true one, as we do
        self._finding.add(asked)
        try:
            return self._found(fullname, path, target)
        finally:
            self._finding.discard(asked)

    def _found(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(fullname, path, target)
            if spec is not None:
                if isinstance(spec, ModuleSpec) and hasattr(spec.loader, "exec_module"):
                    spec.loader = _Accompanied(spec.loader, self)
                return spec  # type: ignore[no-any-return]  # whatever the finder found
        return None

    def loaded(self, module: ModuleType) -> None:
        """
        A module's code has run.
        """
        for call in self._wanted.pop(module.__name__, []):
            safely(call, module)


class _Accompanied(Loader):
    """
    A loader that says when it has run a module's code, and then gets out of the way.
    """

    def __init__(self, loader: Any, watch: ImportWatch) -> None:
        self._loader = loader
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """
        As the true loader does it.
        """
        return self._loader.create_module(spec)  # type: ignore[no-any-return]  # any loader

    def exec_module(self, module: ModuleType) -> None:
        """
        Run its code by the true loader, whose name the module bears from then on.
        """
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._watch.loaded(module)


def _is_loading(module: ModuleType) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
