"""
Capability tokens among params.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.mcp.stray_token import has_stray_token

TOKEN = "dtok_" + "a" * 16 + "." + "b" * 43


@pytest.mark.parametrize(
    "params",
    [
        {"capability_token": TOKEN},
        {"name": "x", "arguments": {}, "token": TOKEN},
        {"_meta": {"authorization": TOKEN}},
        {"token": "dtok_short"},
    ],
)
def test_a_token_beside_the_arguments_is_seen(params: dict[str, object]) -> None:
    """
    Whoever sends a token as a parameter is told that it belongs elsewhere.
    """
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert has_stray_token(json.dumps(body).encode())
    assert has_stray_token(json.dumps([{"method": "ping"}, body], indent=1).encode())


@pytest.mark.parametrize(
    "params",
    [
        {"name": "daemon.token.revoke", "arguments": {"token": TOKEN}},
        {"_meta": {"arguments": TOKEN}},
        {"note": f"mine is {TOKEN}"},
        [TOKEN],
        TOKEN,
    ],
)
def test_a_token_in_the_arguments_is_data(params: object) -> None:
    """
    A token can be revoked by naming it.
    """
    assert not has_stray_token(json.dumps({"method": "x", "params": params}).encode())


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: ('{"params":' + text).encode()))
def test_nothing_makes_it_fail(noise: bytes) -> None:
    """
    What is no JSON at all is for others to refuse.
    """
    assert has_stray_token(noise + b"dtok_") in (True, False)
