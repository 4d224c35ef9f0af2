"""
``Mcp-Param-*`` headers against the arguments that they repeat.
"""

from __future__ import annotations

import json

import pytest

from reticle.errors import PeerFault
from reticle.mcp.modern.param_values import check_params
from reticle.mcp.param_headers import param_headers
from reticle.model.codes import FaultCode

ANNOTATED = param_headers(
    {
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {"properties": {"count": {"type": "integer", "x-mcp-header": "Count"}}},
            "flag": {"type": "boolean", "x-mcp-header": "Flag"},
        }
    }
)


def agrees(arguments: object, **headers: str | tuple[str, ...]) -> bool:
    """
    Whether such headers repeat such arguments.
    """
    values = {name: (given,) if isinstance(given, str) else given for name, given in headers.items()}
    try:
        check_params(ANNOTATED, values, json.dumps(arguments).encode())
    except PeerFault as fault:
        return fault.code != FaultCode.HEADER_MISMATCH
    return True


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({}, {}),
        ({"region": None}, {}),
        ({"region": "eu"}, {"region": "eu"}),
        ({"region": "größe"}, {"region": "=?base64?Z3LDtsOfZQ==?="}),
        ({"region": ""}, {"region": ""}),
        ({"deep": {"count": 42}}, {"count": "42"}),
        ({"deep": {"count": 42}}, {"count": "42.0"}),
        ({"deep": {"count": 42.0}}, {"count": "42"}),
        ({"deep": {"count": -1}}, {"count": "-1"}),
        ({"deep": {"count": 2**60 + 1}}, {"count": str(2**60 + 1)}),
        ({"flag": True}, {"flag": "true"}),
        ({"flag": False}, {"flag": "false"}),
        ({"other": "x"}, {"unknown": "y"}),
        ([], {}),
    ],
)
def test_headers_that_repeat_are_taken(arguments: object, headers: dict[str, str]) -> None:
    """
    A client that repeats its arguments in headers is served.
    """
    assert agrees(arguments, **headers)


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, {}),
        ({}, {"region": "eu"}),
        ({"region": None}, {"region": "null"}),
        ({"region": "eu"}, {"region": "EU"}),
        ({"region": "eu"}, {"region": ("eu", "eu")}),
        ({"region": "x"}, {"region": "=?base64?eA?="}),
        ({"region": "ö"}, {"region": "ö"}),
        ({"deep": {"count": 42}}, {"count": "43"}),
        ({"deep": {"count": 42}}, {"count": "4e1"}),
        ({"deep": {"count": 2**60 + 1}}, {"count": str(2**60)}),
        ({"deep": {"count": 1}}, {"count": "true"}),
        ({"deep": [42]}, {"count": "42"}),
        ({"flag": True}, {"flag": "True"}),
        ({"flag": True}, {"flag": "1"}),
    ],
)
def test_headers_that_contradict_are_refused(
    arguments: object, headers: dict[str, str | tuple[str, ...]]
) -> None:
    """
    Whoever routes by a header is never led elsewhere than the argument says.
    """
    assert not agrees(arguments, **headers)


def test_arguments_that_no_float_can_hold_harm_nothing() -> None:
    """
    A number out of range is the gate's to refuse, and breaks no request.
    """
    check_params(ANNOTATED, {}, b'{"region": 1e999}')
