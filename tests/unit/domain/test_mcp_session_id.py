"""
Signed session ids: what they carry, and everything that must not pass for one.
"""

from __future__ import annotations

from itertools import product

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.mcp_session_id import (
    RANDOM_BYTES,
    Rejection,
    SessionClaims,
    mint_session_id,
    read_session_id,
)
from reticle.model.limits import MCP_SESSION_AGE_SECONDS
from reticle.model.mcp import Agreed, ClientCapabilities
from reticle.model.trust import LOCAL, PAIRING, Principal, PrincipalKind

KEY = b"k" * 32
NOW = 1_750_000_000.0
AGREED = Agreed("2025-11-25", ClientCapabilities(sampling=True))
TOKEN_A, TOKEN_B = (Principal(PrincipalKind.TOKEN, name) for name in "ab")


def mint(principal: Principal = LOCAL, agreed: Agreed = AGREED, random: bytes = bytes(RANDOM_BYTES)) -> str:
    """
    An id.
    """
    return mint_session_id(KEY, issued_at=NOW, random=random, agreed=agreed, principal=principal)


def read(text: str, principal: Principal = LOCAL, later: float = 0.0) -> SessionClaims | Rejection:
    """
    What it says.
    """
    return read_session_id(KEY, text, now=NOW + later, principal=principal)


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_later_life_knows_what_was_agreed(revision: str) -> None:
    """
    Revision and every combination of capabilities come back as they were.
    """
    names = [field.name for field in attrs.fields(ClientCapabilities)]
    for values in product([False, True], repeat=len(names)):
        agreed = Agreed(revision, ClientCapabilities(**dict(zip(names, values, strict=True))))
        assert read(mint(agreed=agreed)) == SessionClaims(int(NOW), agreed)


@given(st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES))
def test_an_id_is_visible_ascii(random: bytes) -> None:
    """
    Every client can send it back in a header.
    """
    text = mint(random=random)
    assert all("\x21" <= char <= "\x7e" for char in text)
    assert isinstance(read(text), SessionClaims)


@pytest.mark.parametrize(
    ("opened_by", "asked_by", "same"),
    [
        (LOCAL, LOCAL, True),
        (LOCAL, PAIRING, True),
        (PAIRING, LOCAL, True),
        (TOKEN_A, TOKEN_A, True),
        (TOKEN_A, TOKEN_B, False),
        (TOKEN_A, LOCAL, False),
        (LOCAL, TOKEN_A, False),
    ],
)
def test_an_id_serves_who_opened_it(opened_by: Principal, asked_by: Principal, same: bool) -> None:  # noqa: FBT001
    """
    Somebody else's id is as unknown as a made-up one; the person at the machine is one, with and without
    the pairing token.
    """
    outcome = read(mint(opened_by), asked_by)
    assert isinstance(outcome, SessionClaims) if same else outcome is Rejection.OTHER_PRINCIPAL


def test_an_id_grows_old() -> None:
    """
    After seven days it brings nothing back.
    """
    assert isinstance(read(mint(), later=MCP_SESSION_AGE_SECONDS), SessionClaims)
    assert read(mint(), later=MCP_SESSION_AGE_SECONDS + 1) is Rejection.TOO_OLD


def test_another_key_signed_it() -> None:
    """
    After the key was replaced no earlier id is ours.
    """
    assert read_session_id(b"x" * 32, mint(), now=NOW, principal=LOCAL) is Rejection.NOT_OURS


@given(place=st.integers(0, 10**6), char=st.characters(max_codepoint=0x2FF))
def test_a_changed_id_is_not_ours(place: int, char: str) -> None:
    """
    No character of an id can be changed, not even one that decodes to the same bytes.
    """
    text = mint()
    place %= len(text)
    changed = text[:place] + char + text[place + 1 :]
    if changed != text:
        assert read(changed) is Rejection.NOT_OURS


@given(st.text())
def test_whatever_is_sent_is_judged(text: str) -> None:
    """
    Any header value is refused without a fault of ours.
    """
    assert read(text) is Rejection.NOT_OURS


@pytest.mark.parametrize("change", [lambda text: text + "A", lambda text: text[:-1], lambda text: text + "=",
                                    lambda text: " " + text, lambda text: text + "\n"])  # fmt: skip
def test_an_id_is_taken_whole(change: object) -> None:
    """
    Nothing may stand around it or be missing.
    """
    assert callable(change)
    assert read(change(mint())) is Rejection.NOT_OURS


def test_an_id_of_an_earlier_version_is_read_as_it_was_meant() -> None:
    """
    After an upgrade clients go on: order and place of what an id carries are fixed by this one.
    """
    issued = "AQpoTuGAAAAAAAAAAAAAAAAAX1xJ4irrt7kyMDI1LTExLTI1XUsL6caFOEw-hastE-jriw"
    client = ClientCapabilities(elicitation_url=True, roots=True)
    assert read(issued) == SessionClaims(int(NOW), Agreed("2025-11-25", client))
