"""
How a script says where its map is.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.bridge.sources.references import find_reference, map_address, map_in_reference
from reticle.bridge.sources.vlq import DamagedMapError


@pytest.mark.parametrize(
    ("script", "reference"),
    [
        (b"f();\n//# sourceMappingURL=app.js.map", "app.js.map"),
        (b"f();\n//# sourceMappingURL=app.js.map\n", "app.js.map"),
        (b"f(); //@ sourceMappingURL=app.js.map\r\n\r\n", "app.js.map"),
        (b"f()\n/*# sourceMappingURL=app.js.map */\n", "app.js.map"),
        (b"//# sourceMappingURL=old.map\nf();\n//# sourceMappingURL=new.map\n//# sourceURL=x.js", "new.map"),
        (b"//# sourceMappingURL=data:application/json;base64,e30=", "data:application/json;base64,e30="),
        (b"f();", None),
        (b"", None),
        (b"f('//# sourceMappingURL=inner.map');", None),
        (b"eval('f()\\n//# sourceMappingURL=inner.map\\n');\ng();", None),
        (b"//# sourceMappingURL=early.map\nf();", None),
        (b"sourceMappingURL=app.map", None),
    ],
)
def test_the_comment_at_a_scripts_end_counts(script: bytes, reference: str | None) -> None:
    """
    Not one inside the code, as bundlers put it into what they evaluate piece by piece.
    """
    assert find_reference(script, None) == reference


@pytest.mark.parametrize("after", [b"/" * 10_000, b"/**/" * 10_000, b"/* */" * 10_000, b"// " * 10_000])
def test_a_banner_of_slashes_behind_a_comment_is_read_once(after: bytes) -> None:
    """
    Two files in one script have such a row between them; the daemon is not held up by it.
    """
    assert find_reference(b"//# sourceMappingURL=first.map\n" + after + b"\nsecond();", None) is None
    assert find_reference(b"//# sourceMappingURL=only.map\n" + after + b"\n", None) == "only.map"


def test_the_header_wins_over_the_comment() -> None:
    """
    As in the standard.
    """
    assert find_reference(b"//# sourceMappingURL=a.map", " b.map ") == "b.map"


@pytest.mark.parametrize(
    "reference",
    [
        "data:application/json;base64,eyJ2IjoxfQ==",
        "data:application/json;charset=utf-8;base64,eyJ2IjoxfQ==",
        "data:application/json,%7B%22v%22%3A1%7D",
    ],
)  # fmt: skip
def test_a_map_can_stand_in_the_reference(reference: str) -> None:
    """
    In base64, as most write it, or spelt out.
    """
    assert map_in_reference(reference) == b'{"v":1}'


def test_a_reference_can_name_an_address() -> None:
    """
    Relative to the script's own.
    """
    assert map_in_reference("app.js.map") is None
    assert map_address("http://localhost:1/a/app.js?v=1", "app.js.map") == "http://localhost:1/a/app.js.map"
    assert map_address("http://localhost:1/a/app.js", "/maps/x.map") == "http://localhost:1/maps/x.map"


@pytest.mark.parametrize("reference", ["data:nothing", "data:application/json;base64,###"])
def test_unreadable_data_is_damage(reference: str) -> None:
    """
    It is no map.
    """
    with pytest.raises(DamagedMapError):
        map_in_reference(reference)


@given(st.binary(max_size=300))
def test_any_bytes_have_a_reference_or_none(noise: bytes) -> None:
    """
    Whatever a server sends.
    """
    find_reference(noise, None)
    find_reference(noise + b"\n//# sourceMappingURL=" + noise, None)
