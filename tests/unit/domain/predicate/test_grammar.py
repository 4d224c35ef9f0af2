"""
The grammar in the documentation is the grammar of the program.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reticle.domain.predicate import GRAMMAR, kind_name, parse
from reticle.domain.predicate.grammar import (
    ELEMENT_STATES,
    KINDS,
    LOCATORS,
    OPERATORS,
    QUERY_FIELDS,
    SHAPE_NAMES,
)
from reticle.model.codes import NOT_OBSERVED
from reticle.model.limits import (
    COUNT_HOLD_MS,
    PATTERN_CHARS,
    PATTERN_SUBJECT_CHARS,
    PREDICATE_DEPTH,
    PREDICATE_LEAVES,
)

PAGE = (Path(__file__).resolve().parents[4] / "docs/reference/predicates.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))
ROW = re.compile(r"^\| `(\w+)`(?: \(also ([^)]*)\))? \| (.*?) \| (.*?) \|$", re.MULTILINE)


def test_the_page_describes_exactly_the_kinds_that_exist() -> None:
    """
    No kind is missing and none is invented, in the order of the grammar.
    """
    assert list(SECTIONS) == list(KINDS)


@pytest.mark.parametrize("kind", list(KINDS))
def test_each_kinds_fields_types_aliases_and_example_are_those_of_the_program(kind: str) -> None:
    """
    What a reader copies from the page is accepted.
    """
    rule = KINDS[kind]
    rows = {name: (aliases, shape) for name, aliases, shape, _ in ROW.findall(SECTIONS[kind])}
    assert list(rows) == list(rule.fields)
    for name, field in rule.fields.items():
        aliases, shape = rows[name]
        words = " ".join(f"`{word}`" for word in field.words)
        assert shape == (words or SHAPE_NAMES[field.shape]) + (", required" if field.required else "")
        assert re.findall(r"`(\w+)`", aliases) == [a for a, of in rule.aliases.items() if of == name]
    example = re.search(r"```json\n(.*?)\n```", SECTIONS[kind], re.DOTALL)
    assert example is not None
    assert json.loads(example[1]) == rule.example


def test_words_operators_and_limits_are_those_of_the_program() -> None:
    """
    Every operator, query field, placeholder and figure on the page is real, and none is missing.
    """
    table = PAGE.split("## Patterns and operators")[1].split("`$matches` knows")[0]
    named = re.findall(r"`\"?(\$\w+|\*)\"?`", "\n".join(re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE)))
    assert sorted(named) == sorted(OPERATORS)
    assert " ".join(f"`{name}`" for name in QUERY_FIELDS) in PAGE
    assert " ".join(f"`{name}`" for name in LOCATORS) in PAGE
    assert " ".join(f"`{name}`" for name in ELEMENT_STATES) in PAGE
    assert set(re.findall(r"\[[A-Z]+\]", PAGE)) == NOT_OBSERVED
    assert f"{PREDICATE_DEPTH} levels of nesting, {PREDICATE_LEAVES} leaves" in PAGE
    assert f"hold for {COUNT_HOLD_MS} ms" in PAGE
    assert f"up to {PATTERN_CHARS} characters, over texts of up to {PATTERN_SUBJECT_CHARS:,}" in PAGE


def test_the_grammar_is_json() -> None:
    """
    An agent gets the grammar as plain JSON, with every kind and operator.
    """
    sent = json.loads(json.dumps(GRAMMAR))
    assert list(sent["kinds"]) == list(KINDS)
    assert sent["operators"] == dict(OPERATORS)
    assert sent["kinds"]["net"]["aliases"] == {"url": "urlContains"}
    assert sent["kinds"]["text"]["fields"]["contains"]["required"] is True


def test_every_kind_has_a_meaning_and_an_example_that_parses() -> None:
    """
    What ``reticle_tools`` shows of a kind can be sent as it stands.
    """
    for name, rule in KINDS.items():
        assert kind_name(parse(rule.example)) == name
        assert rule.meaning.strip() == rule.meaning != ""
