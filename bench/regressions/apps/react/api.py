"""
The tracker's API over memory.
"""

from __future__ import annotations

import math
import queue
import re
import threading
from typing import Any
from urllib.parse import parse_qs, urlsplit

import data

PAGE_SIZE = 6
REVIEW_SECONDS = 0.3


class Refused(Exception):
    """
    A request that cannot be met: its status, why, and which fields are to blame.
    """

    def __init__(self, status: int, error: str, **fields: str) -> None:
        super().__init__(error)
        self.status = status
        self.body = {"error": error, "fields": fields}


class Api:
    """
    All there is to know, and what may be done with it.
    """

    def __init__(self) -> None:
        self.tasks = data.tasks()
        self.comments = data.comments()
        self.listeners: list[queue.Queue[tuple[str, Any]]] = []

    def answer(self, method: str, path: str, user: str, body: dict[str, Any]) -> tuple[int, Any]:
        """
        The status and value for a request of a user.

        Raises ``Refused``.
        """
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        name = parts.path.removeprefix("/api/")
        if method != "GET" and name != "session" and data.USERS[user]["role"] == "viewer":
            raise Refused(403, "You are not allowed to change anything")
        match method, name:
            case "GET", "session":
                return 200, data.USERS[user]
            case "GET", "tasks":
                return 200, self.listed(asked)
            case "POST", "tasks":
                return 201, self.create(body)
            case "GET", "report":
                return 200, self.report(asked["month"])
        return self.about_task(method, name, user, body)

    def about_task(self, method: str, name: str, user: str, body: dict[str, Any]) -> tuple[int, Any]:
        """
        What is under ``tasks/<number>``.
        """
        found = re.fullmatch(r"tasks/(\d+)(/\w+)?", name)
        task = self.tasks.get(int(found[1])) if found else None
        if found is None or task is None:
            raise Refused(404, "There is no such task")
        status, value = 200, None
        match method, found[2]:
            case "GET", None:
                value = task
            case "PUT", None:
                value = self.update(task, body)
            case "PATCH", None:
                value = self.set_status(task, body["status"])
            case "DELETE", None:
                status = self.delete(task, user)
            case "GET", "/comments":
                value = self.comments.get(task["id"], [])
            case "POST", "/comments":
                status, value = 201, self.comment(task, user, body["words"])
            case "POST", "/review":
                value = self.ask_review(task)
            case _:
                raise Refused(405, "That cannot be done")
        return status, value

    def listed(self, asked: dict[str, str]) -> dict[str, Any]:
        """
        A page of the tasks that fit, by when they are due.
        """
        words, status = asked.get("q", "").lower(), asked.get("status")
        fitting = [
            task
            for task in sorted(self.tasks.values(), key=lambda task: task["due"])
            if words in task["title"].lower() and status in (None, task["status"])
        ]
        first = (int(asked.get("page", 1)) - 1) * PAGE_SIZE
        return {
            "items": fitting[first : first + PAGE_SIZE],
            "total": len(fitting),
            "pages": max(1, math.ceil(len(fitting) / PAGE_SIZE)),
            "open": sum(task["status"] != "done" for task in self.tasks.values()),
        }

    def checked(self, body: dict[str, Any], number: int) -> dict[str, Any]:
        """
        The fields that were sent for the task of that number.
        """
        others = {task["title"].lower() for task in self.tasks.values() if task["id"] != number}
        if body["title"].lower() in others:
            raise Refused(422, "Not saved", title="There is a task with this title already")
        return {name: body[name] for name in ("title", "minutes", "assignee", "due")}

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """
        A new task.
        """
        number = max(self.tasks) + 1
        fields = self.checked(body, number)
        self.tasks[number] = {"id": number, "status": "open", "reviewer": None, **fields}
        return self.tasks[number]

    def update(self, task: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        """
        The task as it is after a change.
        """
        task.update(self.checked(body, task["id"]))
        return task

    def set_status(self, task: dict[str, Any], status: str) -> dict[str, Any]:
        """
        Move a task on, if nothing is in its way.
        """
        before = data.BLOCKED.get(task["id"])
        if status == "done" and before and self.tasks[before]["status"] != "done":
            raise Refused(409, f"{self.tasks[before]['title']} has to be done first")
        task["status"] = status
        return task

    def delete(self, task: dict[str, Any], user: str) -> int:
        """
        Take a task away; for administrators.
        """
        if data.USERS[user]["role"] != "admin":
            raise Refused(403, "Only administrators can delete tasks")
        del self.tasks[task["id"]]
        return 204

    def comment(self, task: dict[str, Any], user: str, words: str) -> dict[str, Any]:
        """
        One more comment.
        """
        if len(words) > 80:
            raise Refused(422, "A comment has 80 characters at most")
        known = self.comments.setdefault(task["id"], [])
        one = {
            "id": 100 + len(known),
            "by": data.USERS[user]["name"],
            "words": words,
            "at": "2026-03-01T08:00:00Z",
        }
        known.append(one)
        return one

    def ask_review(self, task: dict[str, Any]) -> dict[str, Any]:
        """
        Ben takes the review a moment later, and everybody who listens learns of it.
        """

        def taken() -> None:
            task["reviewer"] = "ben"
            self.publish("task", task)
            self.publish("notice", {"task": task["id"], "words": "Ben took the review"})

        threading.Timer(REVIEW_SECONDS, taken).start()
        return task

    def report(self, month: str) -> dict[str, Any]:
        """
        Hours and costs of a month by person.
        """
        rows = [
            {
                "person": person,
                "name": data.USERS[person]["name"],
                "minutes": minutes,
                "cents": round(minutes * data.RATES[person] / 60),
            }
            for person, minutes in data.REPORTS[month].items()
        ]
        return {"month": month, "rows": rows}

    def publish(self, kind: str, value: object) -> None:
        """
        Tell everybody who listens.
        """
        for listener in self.listeners:
            listener.put((kind, value))
