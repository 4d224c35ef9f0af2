"""
Statements and transactions of Django's ORM, in a process of its own: Django is configured once per process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

APP = """
import json, sys
sys.path.insert(0, ROOT)
import reticle.testing.collecting as c
with c.collecting("sql_django", "sql_sqlite", "templates", "mail"MOD) as kept:
    import django
    from django.conf import settings
    settings.configure(
        DEBUG=True, USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db"}},
        EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend",
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": ["templates"]}],
    )
    django.setup()
    from django.db import connection, models, transaction
    class Order(models.Model):
        total = models.IntegerField()
        class Meta:
            app_label = "shop"
    with connection.schema_editor() as editor:
        editor.create_model(Order)
    kept.facts.clear()
    steps = {}
    def step(name):
        steps[name] = list(kept.facts)
        kept.facts.clear()
    Order.objects.create(total=1); step("autocommit")
    with transaction.atomic():
        Order.objects.create(total=2)
    step("atomic")
    try:
        with transaction.atomic():
            Order.objects.create(total=3)
            raise KeyError
    except KeyError:
        pass
    step("failed")
    with transaction.atomic():
        Order.objects.create(total=4)
        try:
            with transaction.atomic():
                Order.objects.update(total=5)
                raise KeyError
        except KeyError:
            pass
    step("nested")
    list(Order.objects.filter(total=42)); step("read")
    try:
        connection.cursor().execute("SELECT * FROM nowhere")
    except Exception:
        pass
    step("wrong")
    MORE
    print(json.dumps(steps, default=str))
"""


def run_django(folder: Path, more: str = "", *collectors: str) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """
    Run the app; the facts of each of its steps.
    """
    names = "".join(f", {name!r}" for name in collectors)
    script = folder / "shop.py"
    script.write_text(APP.replace("ROOT", repr(str(ROOT))).replace("MORE", more).replace("MOD", names))
    found = subprocess.run(
        [sys.executable, script.name], cwd=folder, env=dict(os.environ), capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    told: dict[str, list[tuple[str, dict[str, Any]]]] = json.loads(found.stdout)
    return told


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """
    The facts of one run.
    """
    pytest.importorskip("django")
    return run_django(tmp_path_factory.mktemp("shop"))


Steps = dict[str, list[tuple[str, dict[str, Any]]]]


def short(facts: list[tuple[str, dict[str, Any]]]) -> list[tuple[object, ...]]:
    """
    Facts without what a test does not compare.
    """
    return [
        ("sql", fields["verb"], fields["rows"]) if kind == "sql" else (kind, fields.get("outcome"))
        for kind, fields in facts
    ]


def test_a_write_outside_of_a_transaction_is_committed(steps: Steps) -> None:
    """
    Django's usual mode is told as what it is.
    """
    assert short(steps["autocommit"]) == [("sql", "INSERT", 1), ("transaction", "committed")]
    fields = steps["autocommit"][0][1]
    assert fields["tables"] == ["shop_order"]
    assert fields["file"].endswith("shop.py")
    assert "1" not in fields["statement"]


def test_an_atomic_block_ends_as_django_ends_it(steps: Steps) -> None:
    """
    A block is committed, and one that raised is rolled back.
    """
    assert short(steps["atomic"]) == [("sql", "INSERT", 1), ("transaction", "committed")]
    assert short(steps["failed"]) == [("sql", "INSERT", 1), ("transaction", "rolled_back")]


def test_an_inner_block_is_rolled_back_alone(steps: Steps) -> None:
    """
    A swallowed exception in an inner block loses that block's write only.
    """
    tx = {fields["verb"]: fields["tx"] for kind, fields in steps["nested"] if kind == "sql"}
    ends = {fields["tx"]: fields["outcome"] for kind, fields in steps["nested"] if kind == "transaction"}
    assert ends == {tx["UPDATE"]: "rolled_back", tx["INSERT"]: "committed"}


def test_reading_has_no_transaction_and_an_error_its_name(steps: Steps) -> None:
    """
    A query is told with its line, a wrong one with its error.
    """
    ((_, read),) = steps["read"]
    assert (read["verb"], read["tx"], read["rows"]) == ("SELECT", None, None)
    ((_, wrong),) = steps["wrong"]
    assert (wrong["failed"], wrong["tables"]) == ("OperationalError", ["nowhere"])


def test_a_transaction_that_the_app_begins_by_a_statement(tmp_path: Path) -> None:
    """
    Django knows nothing of it, and what it wrote is gone all the same.
    """
    more = """
    cursor = connection.cursor()
    cursor.execute("BEGIN")
    Order.objects.create(total=6)
    cursor.execute("ROLLBACK")
    Order.objects.create(total=7)
    step("by hand")
"""
    told = run_django(tmp_path, more.strip())["by hand"]
    assert [fact[1].get("outcome") for fact in told if fact[0] == "transaction"] == [
        "rolled_back",
        "committed",
    ]


def test_the_asynchronous_half_of_the_orm_names_the_apps_line(tmp_path: Path) -> None:
    """
    Django runs it in a thread of its own, and the line that awaited it stands in no stack of that one.
    """
    more = """
    import asyncio
    from reticle.probe.context import begin
    async def place():
        await Order.objects.acreate(total=6)
    async def view():
        begin("POST", "/orders")
        await place()
    asyncio.run(view())
    step("awaited")
"""
    told = run_django(tmp_path, more.strip())["awaited"]
    [insert] = [fields for kind, fields in told if kind == "sql"]
    lines = (tmp_path / "shop.py").read_text().splitlines()
    places = [insert, *insert["via"]]
    assert [(Path(each["file"]).name, lines[each["line"] - 1].strip()) for each in places[:2]] == [
        ("shop.py", "await Order.objects.acreate(total=6)"),
        ("shop.py", "await place()"),
    ]


def test_a_commit_that_postgresql_refuses_has_rolled_back(tmp_path: Path) -> None:
    """
    What a deferred constraint takes back does not wait for the next commit's fate.
    """
    more = """
    from django.db import IntegrityError
    connection.set_autocommit(False)
    Order.objects.create(total=6)
    def refuse():
        raise IntegrityError
    connection._commit, connection.vendor = refuse, "postgresql"
    try:
        connection.commit()
    except IntegrityError:
        step("refused")
    connection.vendor = "sqlite"
"""
    assert short(run_django(tmp_path, more.strip())["refused"]) == [
        ("sql", "INSERT", 1),
        ("transaction", "rolled_back"),
    ]


CLOSED = """
    from django.db.backends.utils import CursorWrapper
    class Closed:
        def execute(self, sql, params=None):
            return "done"
        @property
        def rowcount(self):
            raise RuntimeError("closed")
    assert CursorWrapper(Closed(), connection).execute("DELETE FROM shop_order") == "done"
    step("closed")
"""


def test_a_driver_that_raises_when_it_is_asked_for_rows(tmp_path: Path) -> None:
    """
    A statement that worked does not fail for the probe's sake, and is told without a number.
    """
    assert short(run_django(tmp_path, CLOSED.strip())["closed"])[0] == ("sql", "DELETE", None)
