"""
Savepoints that are rolled back by design, and those that lose what was said to be done: real Django and
SQLAlchemy, what the probe tells of them, and what a verdict makes of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from reticle.domain.findings import find_all
from reticle.model.server_facts import FactKind
from reticle.model.verdict import FindingTier
from reticle.probe.context import begin
from reticle.testing.collecting import collecting
from reticle.testing.windows import WindowBuilder
from reticle.transport.ingest_lines import fields_of

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]
Facts = list[tuple[str, dict[str, Any]]]

NONE, DOUBT, NO = None, FindingTier.ABSENCE, FindingTier.OBSERVED


def tiers(facts: Facts, path: str) -> list[FindingTier]:
    """
    How each loss of writes weighs in a window with one request that succeeded.
    """
    rid = next(str(fields["rid"]) for kind, fields in facts if kind == "request.started")
    window = WindowBuilder().probe().click()
    for kind, fields in facts:
        read: dict[str, Any] = fields_of(FactKind(kind), fields)
        window.fact(kind, fields.get("rid"), **read)
    window.net("POST", path, 200, rid=rid)
    return [one.tier for one in find_all(window.build(), None) if one.kind == "transaction-rolled-back"]


def found(facts: Facts, path: str) -> FindingTier | None:
    """
    The one that there is, if any.
    """
    told = tiers(facts, path)
    assert len(told) < 2
    return told[0] if told else None


DJANGO = """
import json, sys
sys.path.insert(0, ROOT)
import reticle.testing.collecting as c
from reticle.probe.context import begin
with c.collecting("sql_django", "sql_sqlite") as kept:
    import django
    from django.conf import settings
    settings.configure(
        USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db"}},
    )
    django.setup()
    from django.db import IntegrityError, connection, models, transaction
    class Order(models.Model):
        total = models.IntegerField()
        class Meta:
            app_label = "shop"
    class Payment(models.Model):
        key = models.CharField(max_length=20, unique=True)
        order = models.ForeignKey(Order, models.CASCADE)
        class Meta:
            app_label = "shop"
    class Line(models.Model):
        place = models.IntegerField(unique=True)
        count = models.IntegerField()
        class Meta:
            app_label = "shop"
    with connection.schema_editor() as editor:
        for model in (Order, Payment, Line):
            editor.create_model(model)
    first = Order.objects.create(total=1)
    Payment.objects.create(key="paid", order=first)
    Line.objects.create(place=1, count=1)

    def get_or_create_that_another_won():
        kind, asked = type(Payment.objects.all()), []
        get = kind.get
        def late(self, *args, **named):
            if not asked:
                asked.append(1)
                raise Payment.DoesNotExist
            return get(self, *args, **named)
        kind.get = late
        try:
            Payment.objects.get_or_create(key="paid", defaults={"order": first})
        finally:
            kind.get = get

    def update_or_create():
        Line.objects.update_or_create(place=1, defaults={"count": 3})

    def bulk_create_that_ignores():
        Line.objects.bulk_create([Line(place=1, count=2), Line(place=7, count=2)], ignore_conflicts=True)

    def pay(key):
        with transaction.atomic():
            order = Order.objects.create(total=2)
            return Payment.objects.create(key=key, order=order)

    def paid_already():
        try:
            pay("paid")
        except IntegrityError:
            Payment.objects.select_related("order").get(key="paid")

    def paid_already_and_the_order_not_read():
        try:
            pay("paid")
        except IntegrityError:
            Payment.objects.get(key="paid")

    def paid_already_and_nobody_cares():
        try:
            pay("paid")
        except IntegrityError:
            pass

    def in_bulk_and_then_one_by_one():
        try:
            with transaction.atomic():
                Line.objects.filter(place=1).update(count=9)
                Line.objects.bulk_create([Line(place=8, count=1), Line(place=1, count=1)])
        except IntegrityError:
            Line.objects.create(place=8, count=1)

    def swallowed_fault_of_the_app():
        try:
            with transaction.atomic():
                Order.objects.create(total=2)
                raise KeyError
        except KeyError:
            pass
        list(Order.objects.all())

    def swallowed_refusal():
        try:
            with transaction.atomic():
                Order.objects.create(total=2)
                Line.objects.create(place=30, count=None)
        except IntegrityError:
            pass
        list(Order.objects.all()), list(Line.objects.all())

    def given_up_and_written_otherwise():
        point = transaction.savepoint()
        Order.objects.filter(pk=first.pk).update(total=5)
        transaction.savepoint_rollback(point)
        Order.objects.create(total=6)

    def fallback_that_is_lost_too():
        try:
            with transaction.atomic():
                try:
                    pay("paid")
                except IntegrityError:
                    Order.objects.create(total=7)
                raise KeyError
        except KeyError:
            pass

    told = {}
    for name in NAMES:
        kept.facts.clear()
        request = begin("POST", f"/{name}")
        with transaction.atomic():  # as ATOMIC_REQUESTS has it
            globals()[name]()
        request.end(200)
        told[name] = list(kept.facts)
    print(json.dumps(told, default=str))
"""

BY_DJANGO: dict[str, FindingTier | None] = {
    "get_or_create_that_another_won": NONE,
    "update_or_create": NONE,
    "bulk_create_that_ignores": NONE,
    "paid_already": NONE,
    "in_bulk_and_then_one_by_one": NONE,
    "paid_already_and_the_order_not_read": DOUBT,
    "paid_already_and_nobody_cares": DOUBT,
    "given_up_and_written_otherwise": DOUBT,
    "swallowed_fault_of_the_app": NO,
    "swallowed_refusal": NO,
}


@pytest.fixture(scope="module")
def django_facts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Facts]:
    """
    What the probe told of each way, by a process of its own: Django is configured once per process.
    """
    pytest.importorskip("django")
    folder = tmp_path_factory.mktemp("shop")
    names = [*BY_DJANGO, "fallback_that_is_lost_too"]
    (folder / "shop.py").write_text(DJANGO.replace("ROOT", repr(str(ROOT))).replace("NAMES", repr(names)))
    ran = subprocess.run(
        [sys.executable, "shop.py"], cwd=folder, env=dict(os.environ), capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Facts] = json.loads(ran.stdout)
    return told


@pytest.mark.parametrize("name", BY_DJANGO)
def test_a_part_that_django_rolls_back(name: str, django_facts: dict[str, Facts]) -> None:
    """
    What people write as a fallback is none of a verdict's business, and what is lost still is.
    """
    assert found(django_facts[name], f"/{name}") is BY_DJANGO[name]


def test_a_fallback_that_is_rolled_back_is_none(django_facts: dict[str, Facts]) -> None:
    """
    The second try went down with the whole, so nothing of either is there.
    """
    assert NO in tiers(django_facts["fallback_that_is_lost_too"], "/fallback_that_is_lost_too")


@pytest.fixture
def session() -> Iterator[tuple[Session, Facts]]:
    """
    A session on a database with an order that is paid, and the facts to come.
    """
    with collecting("sql_sqlalchemy", "sql_sqlite") as kept:
        engine = create_engine("sqlite://", poolclass=StaticPool)
        _with_savepoints(engine)
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE orders (id INTEGER PRIMARY KEY, total NOT NULL)"))
            connection.execute(text("CREATE TABLE payments (key UNIQUE)"))
            connection.execute(text("INSERT INTO payments VALUES ('paid')"))
        kept.facts.clear()
        with Session(engine) as session:
            yield session, kept.facts
        engine.dispose()


def _with_savepoints(engine: Engine) -> None:
    """
    As SQLAlchemy's manual has it for SQLite's driver, which begins transactions by itself.
    """
    event.listen(engine, "connect", lambda connection, _: setattr(connection, "isolation_level", None))
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))


def _pay(session: Session) -> None:
    with session.begin_nested():
        session.execute(text("INSERT INTO orders (total) VALUES (2)"))
        session.execute(text("INSERT INTO payments VALUES ('paid')"))


def _paid_already(session: Session) -> None:
    try:
        _pay(session)
    except IntegrityError:
        session.execute(text("SELECT * FROM payments, orders")).all()


def _second_try(session: Session) -> None:
    try:
        with session.begin_nested():
            session.execute(text("INSERT INTO orders (total) VALUES (2)"))
            session.execute(text("INSERT INTO orders (total) VALUES (NULL)"))
    except IntegrityError:
        session.execute(text("INSERT INTO orders (id, total) VALUES (77, 2)"))


def _nobody_cares(session: Session) -> None:
    with suppress(IntegrityError):
        _pay(session)


def _a_fault_of_the_app(session: Session) -> None:
    with suppress(KeyError), session.begin_nested():
        session.execute(text("INSERT INTO orders (total) VALUES (2)"))
        raise KeyError
    session.execute(text("SELECT * FROM orders")).all()


def _a_price_that_was_tried(session: Session) -> None:
    nested = session.begin_nested()
    session.execute(text("UPDATE orders SET total = 1"))
    nested.rollback()
    session.execute(text("INSERT INTO orders (total) VALUES (9)"))


@pytest.mark.parametrize(
    ("way", "tier"),
    [
        (_paid_already, NONE),
        (_second_try, NONE),
        (_nobody_cares, DOUBT),
        (_a_price_that_was_tried, DOUBT),
        (_a_fault_of_the_app, NO),
    ],
)
def test_a_part_that_sqlalchemy_rolls_back(
    way: Callable[[Session], None], tier: FindingTier | None, session: tuple[Session, Facts]
) -> None:
    """
    ``begin_nested`` with a fallback is a way to write, and without one a loss.
    """
    request = begin("POST", "/orders")
    way(session[0])
    session[0].commit()
    request.end(200)
    assert found(session[1], "/orders") is tier
