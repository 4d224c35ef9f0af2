"""
Bodies as values, and the ids and objects in them.
"""

from __future__ import annotations

import pytest

from reticle.domain.echoes import KEYS, body_of, identity_of, ids_in, ids_of, objects, scalars
from reticle.domain.requests import requests
from reticle.testing.windows import WindowBuilder


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("a=1&b=x+y", {"a": "1", "b": "x y"}),
        ("<p>no</p>", None),
        ("", None),
        (None, None),
    ],
)
def test_a_body_is_json_or_a_form_or_nothing(body: object, value: object) -> None:
    """
    What is neither is not compared with anything.
    """
    assert body_of({"requestBody": body}, "requestBody") == value


def test_objects_and_scalars_come_from_the_outside_in_and_are_bounded() -> None:
    """
    Nesting and size of what a page sends cost a bounded time.
    """
    value = {"id": 1, "lines": [{"sku": "a"}, {"sku": "b", "deep": {"x": None}}]}
    assert list(scalars(value)) == [("id", 1), ("sku", "a"), ("sku", "b")]
    assert len(list(objects([{"a": 1}] * 1_000))) == KEYS
    assert len(list(scalars({str(n): n for n in range(1_000)}))) == KEYS
    nested: object = {"leaf": 1}
    for _ in range(7):
        nested = {"inner": nested}
    assert list(scalars(nested)) == []


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("/api/orders/7/refund", {"7"}),
        ("/pay/ch_1Nabc2", {"ch_1Nabc2"}),
        ("/x/3fa85f64-5717-4562-b3fc-2c963f66afa6?id=9", {"3fa85f64-5717-4562-b3fc-2c963f66afa6"}),
        ("/api/v2/line-items", set()),
    ],
)
def test_ids_in_a_path_are_numbers_uuids_and_prefixed_ids(url: str, ids: set[str]) -> None:
    """
    Names of collections and versions are no ids.
    """
    assert ids_in(url) == ids


def test_a_request_speaks_of_the_ids_in_its_path_and_body() -> None:
    """
    A refund names its order in either place.
    """
    sent = '{"orderId": 7, "amount": 5, "paid": true, "name": "x"}'
    [one] = requests(WindowBuilder().net("POST", "/refunds/3", requestBody=sent).build())
    assert ids_of(one) == {"3", "7"}
    assert (identity_of({"name": "x", "uuid": "u"}), identity_of({"id": True}), identity_of(3)) == (
        "u",
        None,
        None,
    )
