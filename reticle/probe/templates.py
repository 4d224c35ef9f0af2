"""
Templates rendered: Django's, Jinja's and elements of ``twisted.web.template``.
"""

from __future__ import annotations

import sys
import time
from types import ModuleType
from typing import Any

from reticle.probe import emission
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import NAME_CHARS
from reticle.probe.patching import Patches
from reticle.probe.quiet import kept_in, working
from reticle.probe.redaction import cut
from reticle.probe.small_facts import TEMPLATE


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Hear each whole template that is rendered; parts that it includes or extends are its own matter.
    """

    def django(module: ModuleType) -> None:
        patches.replace(module.Template, "render", _telling(_of_django))

    def jinja(module: ModuleType) -> None:
        for name in ("render", "generate", "render_async", "generate_async"):
            patches.replace(module.Template, name, _telling(_of_jinja))

    def twisted(module: ModuleType) -> None:
        patches.replace(module.Element, "render", _telling(_of_twisted))

    watch.when_imported("django.template.base", django)
    watch.when_imported("jinja2.environment", jinja)
    watch.when_imported("twisted.web._element", twisted)


def _telling(describe: Any) -> Any:
    def make(original: Any) -> Any:
        def render(self: Any, *arguments: Any, **named: Any) -> Any:
            if emission.sink is not None and not working.get():
                kept_in(_tell, describe, self)
            return original(self, *arguments, **named)

        return render

    return make


def _tell(describe: Any, template: Any) -> None:
    name, file, line = describe(template)
    if name is not None:
        sink = emission.sink
        if sink is not None:
            fact = (TEMPLATE, time.monotonic(), cut(name, NAME_CHARS), file, line, emission.running.get())
            sink.note(fact)


def _of_django(template: Any) -> tuple[str | None, str | None, int | None]:
    name = template.name
    file = getattr(template.origin, "name", None)
    return name, file if isinstance(file, str) and not file.startswith("<") else None, 1


def _of_jinja(template: Any) -> tuple[str | None, str | None, int | None]:
    return template.name, template.filename if template.name is not None else None, 1


def _of_twisted(element: Any) -> tuple[str | None, str | None, int | None]:
    kind = type(element)
    path = getattr(getattr(element, "loader", None), "_path", None)
    file = getattr(path, "path", None)
    if isinstance(file, bytes):
        file = file.decode("utf-8", "replace")
    if not isinstance(file, str):
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__qualname__, file, None
