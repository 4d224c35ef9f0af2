"""
Tasks handed to a queue, as facts.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from reticle.testing.collecting import collecting


def module_of(name: str, **contents: Any) -> ModuleType:
    """
    A library that looks like the real one.
    """
    module = ModuleType(name)
    vars(module).update(contents)
    return module


class Task:
    """
    A task of Celery's or Django's.
    """

    name = "shop.mail_receipt"
    module_path = "shop.tasks.mail_receipt"
    queue_name = "default"
    queue = None

    def apply_async(self, *_: Any, **__: Any) -> str:
        """
        Hand it over.
        """
        return "id"

    enqueue = apply_async


class App:
    """
    An app of Celery's.
    """

    def send_task(self, name: str, **_: Any) -> str:
        """
        Hand one over by its name.
        """
        return name


class Huey:
    """
    A queue of huey's.
    """

    name = "shop"

    def enqueue(self, task: Any) -> Any:
        """
        Hand one over, or each of a group.
        """
        for each in getattr(task, "tasks", ()):
            self.enqueue(each)
        return task


class Actor:
    """
    An actor of Dramatiq's.
    """

    actor_name = "receipt"
    queue_name = "mail"

    def send_with_options(self, **_: Any) -> str:
        """
        Hand it over.
        """
        return "id"


class Queue:
    """
    A queue of RQ's.
    """

    name = "low"

    def enqueue_job(self, job: Any) -> Any:
        """
        Hand it over.
        """
        return job


@pytest.mark.parametrize(
    ("library", "contents", "call", "told"),
    [
        (
            "celery.app.task",
            {"Task": Task},
            lambda: Task().apply_async(queue="mail"),
            ("shop.mail_receipt", "mail"),
        ),
        ("celery.app.task", {"Task": Task}, lambda: Task().apply_async(), ("shop.mail_receipt", None)),
        (
            "django.tasks.base",
            {"Task": Task},
            lambda: Task().enqueue(1),
            ("shop.tasks.mail_receipt", "default"),
        ),
        (
            "rq.queue",
            {"Queue": Queue},
            lambda: Queue().enqueue_job(SimpleNamespace(func_name="f")),
            ("f", "low"),
        ),
        ("celery.app.base", {"Celery": App}, lambda: App().send_task("f", queue="q"), ("f", "q")),
        (
            "huey.api",
            {"Huey": Huey},
            lambda: Huey().enqueue(SimpleNamespace(tasks=[SimpleNamespace(name="f")])),
            ("f", "shop"),
        ),
        ("dramatiq.actor", {"Actor": Actor}, lambda: Actor().send_with_options(), ("receipt", "mail")),
        (
            "django_q.tasks",
            {"async_task": lambda func, **_: func},
            lambda: sys.modules["django_q.tasks"].async_task("shop.f", cluster="slow"),
            ("shop.f", "slow"),
        ),
        (
            "django_q.tasks",
            {"async_task": lambda func, **_: func},
            lambda: sys.modules["django_q.tasks"].async_task(func="shop.f"),
            ("shop.f", None),
        ),
    ],
)
def test_a_task_is_told_with_its_queue_and_line(
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    contents: dict[str, Any],
    call: Any,
    told: tuple[str, str | None],
) -> None:
    """
    The agent reads which task the app handed over, to which queue, and where.
    """
    monkeypatch.setitem(sys.modules, library, module_of(library, **contents))
    with collecting("tasks") as kept:
        assert call() is not None
    (fields,) = kept.of("task")
    assert (fields["name"], fields["queue"], fields["file"]) == (*told, __file__)


def test_celery_itself_is_understood() -> None:
    """
    The real library, with a broker in memory.
    """
    celery = pytest.importorskip("celery")
    app = celery.Celery("shop", broker="memory://")

    def receipt() -> None:
        return

    task = app.task(name="shop.receipt")(receipt)
    with collecting("tasks") as kept:
        task.delay()
    assert [fields["name"] for fields in kept.of("task")] == ["shop.receipt"]


def test_a_task_of_celerys_that_goes_by_its_apps_sender_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    ``apply_async`` calls ``send_task`` with the task itself.
    """
    monkeypatch.setitem(sys.modules, "celery.app.base", module_of("celery.app.base", Celery=App))
    with collecting("tasks") as kept:
        App().send_task("f", task_type=Task())
    assert kept.of("task") == []
