"""
The table of prompts.
"""

from __future__ import annotations

import pytest

from reticle.dispatch.prompting import Prompts, prompt_entry
from reticle.errors import LocalMisuse, PeerFault
from reticle.model.codes import Capability
from reticle.prompts.debug import DEBUG
from reticle.prompts.verify import VERIFY
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages

PROMPTS = Prompts([VERIFY, DEBUG])


def test_a_list_has_what_may_be_made() -> None:
    """
    A caller sees the prompts that it could get.
    """
    assert [prompt.name for prompt in PROMPTS.listed({Capability.OBSERVE})] == ["verify", "debug"]
    assert PROMPTS.listed({Capability.DRIVE}) == []
    assert not Prompts([])
    with pytest.raises(LocalMisuse):
        Prompts([VERIFY, VERIFY])


def test_an_entry_tells_its_arguments() -> None:
    """
    A client can make a form of it.
    """
    entry = prompt_entry(VERIFY)
    assert entry["name"] == "verify"
    assert entry["arguments"][0] == {  # type: ignore[index]  # a list
        "name": "change",
        "description": "What was changed and what must come of it.",
        "required": True,
    }


@pytest.mark.parametrize(
    ("name", "arguments", "code", "words"),
    [
        ("verifyy", b"{}", "prompt_unknown", "verifyy"),
        ("verify", b"{}", "bad_params", "needs change"),
        ("verify", b'{"change":""}', "bad_params", "needs change"),
        ("verify", b'{"change":"x","chagne":"y"}', "bad_params", "does not take chagne"),
        ("verify", b'{"change":7}', "bad_params", "Expected `str`"),
        ("verify", b"[]", "bad_params", "Expected `object`"),
    ],
)
def test_a_prompt_asked_for_wrongly_is_a_fault(name: str, arguments: bytes, code: str, words: str) -> None:
    """
    The person is told which argument is missing or misspelt.
    """
    with pytest.raises(PeerFault) as caught:
        PROMPTS.errand(name, arguments).begin(FakeContext(FakePages()))
    assert (caught.value.code, caught.value.jsonrpc_code) == (code, -32602)
    assert words in caught.value.message
