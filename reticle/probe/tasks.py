"""
Tasks handed to a queue: Celery, RQ, huey, Dramatiq, Django Q and Django's own (from version 6).
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

Describe = Callable[..., "tuple[str, str | None] | None"]
"""Name and queue of what was handed over; None where that is told elsewhere."""


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

    def celery_app(module: ModuleType) -> None:
        patches.replace(module.Celery, "send_task", _telling(_of_celery_name))

    def huey(module: ModuleType) -> None:
        patches.replace(module.Huey, "enqueue", _telling(_of_huey))

    def dramatiq(module: ModuleType) -> None:
        patches.replace(module.Actor, "send_with_options", _telling(_of_dramatiq))

    def django_q(module: ModuleType) -> None:
        patches.replace(module, "async_task", _telling(_of_django_q))

    watch.when_imported("celery.app.base", celery_app)
    watch.when_imported("huey.api", huey)
    watch.when_imported("dramatiq.actor", dramatiq)
    watch.when_imported("django_q.tasks", django_q)
    watch.when_imported("celery.app.task", celery)
    watch.when_imported("rq.queue", rq)
    watch.when_imported("django.tasks.base", django)


def _telling(describe: Describe) -> Any:
    def make(original: Any) -> Any:
        def enqueue(*arguments: Any, **named: Any) -> Any:  # a function's first may come by its name
            found = original(*arguments, **named)
            if emission.sink is not None and not is_own_work():
                safely(_tell, describe, arguments, named)
            return found

        return enqueue

    return make


def _tell(describe: Describe, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    described = describe(*arguments, **named)
    if described is None:
        return
    name, queue = described
    file, line = caller()
    emission.emit(FactKind.TASK, name=cut(name, NAME_CHARS), queue=queue, file=file, line=line)


def _of_celery(task: Any, *_: Any, **named: Any) -> tuple[str, str | None]:
    queue = named.get("queue") or getattr(task, "queue", None)
    return str(task.name), None if queue is None else str(getattr(queue, "name", queue))


def _of_rq(queue: Any, job: Any, *_: Any, **__: Any) -> tuple[str, str | None]:
    return str(job.func_name), str(queue.name)


def _of_django(task: Any, *_: Any, **__: Any) -> tuple[str, str | None]:
    return str(task.module_path), str(task.queue_name)


def _of_celery_name(_app: Any, name: Any, *_: Any, **named: Any) -> tuple[str, str | None] | None:
    if named.get("task_type") is not None:
        return None  # a task's own ``apply_async`` calls it
    queue = named.get("queue")
    return str(name), None if queue is None else str(getattr(queue, "name", queue))


def _of_huey(huey: Any, task: Any, *_: Any, **__: Any) -> tuple[str, str | None] | None:
    # a group is handed over task by task
    return None if hasattr(task, "tasks") else (str(task.name), str(huey.name))


def _of_dramatiq(actor: Any, *_: Any, **__: Any) -> tuple[str, str | None]:
    return str(actor.actor_name), str(actor.queue_name)


def _of_django_q(func: Any, *_: Any, **named: Any) -> tuple[str, str | None]:
    named_so = getattr(func, "__qualname__", None)
    cluster = named.get("cluster")
    name = func if named_so is None else f"{func.__module__}.{named_so}"
    return str(name), None if cluster is None else str(cluster)
