"""
Settings made by hand obey the same rules.
"""

from __future__ import annotations

import pytest

from reticle.settings import ConfigurationFault, SecretText, Settings


def test_settings_made_by_hand_are_checked_too() -> None:
    """
    No way of making settings serves other machines without a token.
    """
    with pytest.raises(ConfigurationFault):
        Settings(host="0.0.0.0")
    assert Settings(host="0.0.0.0", token=SecretText("x")).host == "0.0.0.0"


@pytest.mark.parametrize("port", [-1, 65_536, True, "http", None, 1.5])
def test_a_bad_port_is_refused(port: object) -> None:
    """
    A port that is none is refused with what would be right.
    """
    with pytest.raises(ConfigurationFault) as caught:
        Settings(port=port)  # type: ignore[arg-type]  # the point of the test
    assert caught.value.message == f"port {port!r} is not a number from 0 to 65535"
    assert caught.value.recovery == "use --port 4400, or --port 0 for a free one"


@pytest.mark.parametrize("host", ["", " ", "[]", "http://x", "a b"])
def test_a_bad_host_is_refused(host: str) -> None:
    """
    An empty host would listen on every interface; it is refused like other nonsense.
    """
    with pytest.raises(ConfigurationFault):
        Settings(host=host)
