"""
Every setting has its spellings, and what only this machine can reach is known.
"""

from __future__ import annotations

import pytest

from reticle.settings import OPTIONS, is_loopback


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True), ("127.0.0.1", True), ("127.8.9.10", True), ("::1", True),
        ("0:0:0:0:0:0:0:1", True), ("0.0.0.0", False), ("::", False), ("10.0.0.7", False),
        ("localhost.example.org", False), ("", False),
    ],
)  # fmt: skip
def test_loopback_addresses_are_told_from_others(host: str, *, local: bool) -> None:
    """
    Only addresses that no other machine can reach go without a token.
    """
    assert is_loopback(host) is local


def test_each_setting_has_a_flag_and_a_variable_with_the_same_word() -> None:
    """
    Knowing one spelling of a setting is knowing all of them; a token has no flag, `ps` would show it.
    """
    spellings = {option.name: (option.flag, option.variable) for option in OPTIONS}
    assert spellings["log_format"] == ("--log-format", "RETICLE_LOG_FORMAT")
    assert spellings["token"] == (None, "RETICLE_TOKEN")
    assert [name for name, (flag, _) in spellings.items() if flag is None] == ["token"]
