"""
Tasks handed to a queue: Celery, RQ and Django's own (from version 6).
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from reticle.probe import emission
from reticle.probe.frames import caller
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import NAME_CHARS
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import cut
from reticle.probe.words import FactKind

Describe = Callable[..., "tuple[str, str | None]"]


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch the libraries that the app has imported.
    """

    def celery(module: ModuleType) -> None:
        patches.replace(module.Task, "apply_async", _telling(_of_celery))

    def rq(module: ModuleType) -> None:
        patches.replace(module.Queue, "enqueue_job", _telling(_of_rq))

    def django(module: ModuleType) -> None:
        patches.replace(module.Task, "enqueue", _telling(_of_django))

    watch.when_imported("celery.app.task", celery)
    watch.when_imported("rq.queue", rq)
    watch.when_imported("django.tasks.base", django)


def _telling(describe: Describe) -> Any:
    def make(original: Any) -> Any:
        def enqueue(self: Any, *arguments: Any, **named: Any) -> Any:
            found = original(self, *arguments, **named)
            if emission.sink is not None and not is_own_work():
                safely(lambda: _tell(*describe(self, *arguments, **named)))
            return found

        return enqueue

    return make


def _tell(name: str, queue: str | None) -> None:
    file, line = caller()
    emission.emit(FactKind.TASK, name=cut(name, NAME_CHARS), queue=queue, file=file, line=line)


def _of_celery(task: Any, *_: Any, **named: Any) -> tuple[str, str | None]:
    queue = named.get("queue") or getattr(task, "queue", None)
    return str(task.name), None if queue is None else str(getattr(queue, "name", queue))


def _of_rq(queue: Any, job: Any, *_: Any, **__: Any) -> tuple[str, str | None]:
    return str(job.func_name), str(queue.name)


def _of_django(task: Any, *_: Any, **__: Any) -> tuple[str, str | None]:
    return str(task.module_path), str(task.queue_name)
