"""
Words that travel stand once in the code; the pages people read and the page script follow.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from reticle.model.codes import (
    NOT_OBSERVED,
    ActionName,
    CommandName,
    EventType,
    FaultCode,
    RefusalCode,
    Verified,
    VerifiedReason,
)

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WORDS = (ROOT / "reticle" / "page" / "words.js").read_text()


def script_words(name: str) -> set[str]:
    """
    The values of one frozen object of the page script's vocabulary.
    """
    found = re.search(rf"const {name} = Object\.freeze\(\{{(.*?)\}}\);", WORDS, re.DOTALL)
    assert found is not None, f"words.js has no {name}"
    return set(re.findall(r': "([^"]+)"', found[1]))


def test_every_refusal_code_is_explained() -> None:
    """
    Whoever meets a refusal finds its code in the troubleshooting page.
    """
    page = (DOCS / "howto" / "troubleshooting.md").read_text()
    assert [code.value for code in RefusalCode if f"`{code.value}`" not in page] == []


def test_every_fault_code_is_explained() -> None:
    """
    Whoever writes a client finds what it did wrong in the table of JSON-RPC errors.
    """
    page = (DOCS / "howto" / "troubleshooting.md").read_text()
    table = page.partition("### JSON-RPC errors")[2].partition("\n## ")[0]
    assert [code.value for code in FaultCode if f"| `{code.value}` |" not in table] == []


def test_every_reason_of_unknown_is_explained() -> None:
    """
    Whoever gets ``unknown`` finds what to do about its reason.
    """
    page = (DOCS / "howto" / "troubleshooting.md").read_text()
    decided = {
        VerifiedReason.ASSERTION_FAILED,
        VerifiedReason.CONTRADICTED,
        VerifiedReason.PROVED,
    }
    assert [
        reason.value for reason in VerifiedReason if reason not in decided and f"`{reason.value}`" not in page
    ] == []


def test_there_are_exactly_three_values() -> None:
    """
    A verdict is yes, no or unknown, and nothing between.
    """
    assert [value.value for value in Verified] == ["yes", "no", "unknown"]


@pytest.mark.parametrize(
    ("name", "vocabulary"),
    [("EVENT", EventType), ("COMMAND", CommandName), ("ACTION", ActionName)],
)
def test_page_script_speaks_the_same_words(name: str, vocabulary: type[StrEnum]) -> None:
    """
    What the page script sends is what the daemon knows.
    """
    assert script_words(name) == {word.value for word in vocabulary}


def test_page_script_refuses_with_known_codes() -> None:
    """
    A refusal that the page gives is one the troubleshooting page explains.
    """
    assert script_words("REFUSAL") <= {code.value for code in RefusalCode}


def test_placeholders_for_unsent_values_are_the_same() -> None:
    """
    A value the page left out can never be mistaken for evidence.
    """
    constants = r'^const (?:REDACTED|TRUNCATED|CIRCULAR|UNSERIALIZABLE) = "([^"]+)"'
    sent = set(re.findall(constants, WORDS, re.MULTILINE))
    assert sent == NOT_OBSERVED


@pytest.mark.parametrize("vocabulary", [EventType, CommandName, ActionName])
def test_the_wire_is_described(vocabulary: type[StrEnum]) -> None:
    """
    Whoever writes another page script finds each event, command and action on the page about the wire.
    """
    page = (DOCS / "protocol" / "page-wire.md").read_text()
    missing = [
        word.value
        for word in vocabulary
        # The console's five are listed as `console.log` `.info` and so on.
        if f"`{word.value}`" not in page and f"`.{word.value.rpartition('.')[2]}`" not in page
    ]
    assert missing == []
