"""
Credentials that a page left in the raw JSON of a message.
"""

from __future__ import annotations

import json

import pytest

from reticle.domain.raw_secrets import RawSecrets
from reticle.domain.secrets import without_secrets
from reticle.model.trust import Secret

PAIRING = "pair/ing+token=of-the-daemon"
KEPT = RawSecrets.of(Secret(PAIRING))
WORD = "Zq7f00dcafe1234567890AbCdEf"
SHAPES = {
    "capability": f"dtok_{'a' * 16}.{'b' * 43}",
    "payment": f"sk_live_{WORD}",
    "test payment": f"rk_test_{WORD}",
    "provider": f"sk-{WORD}",
    "cloud": "AKIAABCDEFGHIJ234567",
    "cloud session": "ASIAABCDEFGHIJ234567",
    "forge": f"ghp_{WORD}",
    "fine forge": f"github_pat_{WORD}",
    "other forge": f"glpat-{WORD}",
    "chat": f"xoxb-{WORD}",
    "google": f"ya29.{WORD}",
    "jwt": f"eyJ{WORD}.{WORD}.{WORD}",
    "key": f"-----BEGIN RSA PRIVATE KEY-----\n{WORD}\n-----END RSA PRIVATE KEY-----",
    "bearer": f"Bearer {WORD}",
    "basic": f"Basic {WORD}==",
}


def message(text: str) -> bytes:
    """
    A page's message about a text.
    """
    return json.dumps({"kind": "event", "event": {"type": "console.log", "data": {"message": text}}}).encode()


@pytest.mark.parametrize("around", ["{}", "a\n{}", '"{}"', "x={}&y", "é {} é"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_found_and_leaves_a_message_that_can_be_read(shape: str, around: str) -> None:
    """
    Whatever stands around a credential, it is not in what is kept, and all the rest is.
    """
    said = message(around.format(SHAPES[shape]))
    assert KEPT.holds(said)
    clean, number = KEPT.replaced(said, 10)
    text = json.loads(clean)["event"]["data"]["message"]
    assert number == 1
    assert WORD not in text
    assert SHAPES[shape] not in text
    assert "[REDACTED]" in text
    assert text.startswith(around.partition("{")[0])
    assert text.endswith(around.partition("}")[2])
    assert without_secrets(SHAPES[shape]).found, "texts and messages know the same shapes"


def test_the_pairing_token_is_found_as_json_has_it() -> None:
    """
    The daemon's own token, whatever it looks like, is kept nowhere.
    """
    said = message(f"ws?token={PAIRING}")
    assert KEPT.holds(said)
    assert not RawSecrets.of(None).holds(said)
    assert json.loads(KEPT.replaced(said, 10)[0])["event"]["data"]["message"] == "ws?token=[REDACTED]"


@pytest.mark.parametrize(
    "text",
    [
        "Basic configuration",
        "Bearer of good news",
        "task-list-with-a-rather-long-class-name",
        "risk-assessment-overview-of-the-year",
        "the eyJ prefix",
        "ASIA and AKIA",
        "dtok_",
        "2b9c3a1e-5d3c-4f7e-9b1a-0d2e4c6f8a90",
        "item_count_of_the_cart",
        "Digest of the day's news",
        "-----BEGIN CERTIFICATE-----",
    ],
)
def test_what_only_looks_similar_is_left_alone(text: str) -> None:
    """
    Names of classes, prose and identifiers stay evidence.
    """
    said = message(text)
    assert KEPT.replaced(said, 10) == (said, 0)


def test_a_message_full_of_them_is_known_for_it() -> None:
    """
    Replacing costs no more than the limit; whoever asked learns that it was not enough.
    """
    said = message(f"{SHAPES['capability']} " * 50)
    assert KEPT.replaced(said, 10)[1] > 10
    assert KEPT.replaced(said, 50)[1] == 50


def test_a_long_list_of_similar_names_is_no_loss() -> None:
    """
    Ids of tasks and disks by the thousand arrive whole.
    """
    said = message(" ".join(f"task-2b9c3a1e-5d3c-4f7e-9b1a-{number:012}" for number in range(2_000)))
    assert not KEPT.holds(said)
    assert KEPT.replaced(said, 1_000) == (said, 0)


def test_a_message_made_to_cost_time_is_given_up() -> None:
    """
    A page that writes beginnings without end is not followed through all of them; it is a loss, declared.
    """
    assert KEPT.replaced(message("-----BEGIN A" * 50), 10)[1] > 10
    assert KEPT.replaced(message("eyJ" * 10_000), 10)[1] == 0
