"""
Addresses made from values and read back.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.resources.uri_template import expand, match, variables

TEMPLATE = "reticle://session/{id}/snapshot"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_every_value_survives_the_address(value: str) -> None:
    """
    A page of any name, with slashes and umlauts, is found by the address that was listed for it.
    """
    uri = expand(TEMPLATE, {"id": value})
    assert uri.isascii()
    assert match(TEMPLATE, uri) == {"id": value}


@pytest.mark.parametrize(
    "uri",
    [
        "reticle://session//snapshot",
        "reticle://session/a/b/snapshot",
        "reticle://session/a/snapshot/",
        "reticle://session/a/snapshot\n",
        "reticle://session/a%2/snapshot",
        "reticle://session/%ff/snapshot",
        "reticle://session/ä/snapshot",
        "RETICLE://session/a/snapshot",
        "",
    ],
)
def test_what_no_template_makes_is_no_address(uri: str) -> None:
    """
    A mangled address leads nowhere, not to another page.
    """
    assert match(TEMPLATE, uri) is None


def test_a_dot_in_a_template_is_a_dot() -> None:
    """
    Characters of the template mean themselves.
    """
    assert match("t://a.b/{x}/{y}", "t://a.b/1/2") == {"x": "1", "y": "2"}
    assert match("t://a.b/{x}/{y}", "t://aXb/1/2") is None
    assert variables("t://a.b/{x}/{y}") == ("x", "y")
    assert match("t://fixed", "t://fixed") == {}
