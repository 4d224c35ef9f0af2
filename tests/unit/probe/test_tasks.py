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
