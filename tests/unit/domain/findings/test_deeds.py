"""
The words by which an answer names what was done.
"""

from __future__ import annotations

import re

from reticle.domain.findings.deeds import (
    AROUND,
    BY_METHOD,
    COMES_LATER,
    DEEDS,
    EXPLAINS,
    NEVER_CERTAIN,
    NOT_OF_DELETION,
    NOT_OF_REPLACING,
    OF_RECORDS,
    REFUSALS,
    STATES,
    TAKES_AWAY,
    UNDER_WAY,
)

KNOWN = frozenset(DEEDS) | frozenset(OF_RECORDS)


def test_every_rule_is_about_a_known_word() -> None:
    """
    A word that is misspelt in one list would be read as data, and a write that was not done would pass.
    """
    assert not frozenset(DEEDS) & frozenset(OF_RECORDS)
    for words in (NEVER_CERTAIN, NOT_OF_DELETION, NOT_OF_REPLACING, COMES_LATER, STATES, TAKES_AWAY):
        assert words <= KNOWN
    assert frozenset().union(*BY_METHOD.values()) <= KNOWN
    assert not (STATES & TAKES_AWAY)


def test_a_word_says_one_thing() -> None:
    """
    What stands beside a participle is none, and what is under way does not explain why nothing was done.
    """
    assert not KNOWN & (AROUND | EXPLAINS | UNDER_WAY)
    assert not UNDER_WAY & EXPLAINS


def test_every_verb_is_an_expression_that_names_something() -> None:
    """
    An address is searched for the verb: an empty one would match every address.
    """
    for verb in (*DEEDS.values(), *OF_RECORDS.values(), *REFUSALS.values()):
        assert re.search(rf"(?i)(?<![a-z])(?:{verb})", "/orders/7") is None or verb.startswith("place")
