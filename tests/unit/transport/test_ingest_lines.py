"""
What is read of a probe's lines, and what no line can do.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.secrets import without_secrets
from reticle.errors import Refusal
from reticle.model import server_facts
from reticle.model.server_facts import FactKind
from reticle.model.server_limits import FACT_LIST, FACT_TEXT_CHARS, INGEST_LINES
from reticle.probe import words
from reticle.testing.probe import FakeProbe, rid
from reticle.transport.ingest_lines import read_batch


def test_the_words_of_both_sides_are_the_same() -> None:
    """
    A probe and a daemon of one version understand each other, though they share no module.
    """
    assert {kind.value for kind in words.FactKind} == {kind.value for kind in FactKind}
    for theirs, ours in (
        (words.Link, server_facts.RequestLink),
        (words.Fate, server_facts.ExceptionEnd),
        (words.Outcome, server_facts.TransactionOutcome),
        (words.Injection, server_facts.InjectionOutcome),
    ):
        assert [word.value for word in theirs] == [word.value for word in ours]


def test_lines_that_cannot_be_read_are_counted() -> None:
    """
    One bad line costs itself alone.
    """
    body = FakeProbe().served(1).body() + b'{"kind":"sql","seq":"x"}\n{"kind":"unheard","seq":9}\n{\n'
    batch = read_batch(body, attested=True)
    assert (len(batch.facts), batch.refused) == (2, 3)


def test_drivers_whose_statements_are_not_told_are_read() -> None:
    """
    An absence of statements is not believed then; an older probe names none.
    """
    body = FakeProbe().body()
    assert read_batch(body, attested=True).hello.unseen == ()
    named = body.replace(b"{", b'{"unseen":["asyncpg"],', 1)
    assert read_batch(named, attested=True).hello.unseen == ("asyncpg",)


def test_what_a_fact_says_is_cut_and_cleaned() -> None:
    """
    Long texts, long lists, secrets and unknown fields do not get in.
    """
    probe = FakeProbe().fact(
        "sql", of=1, statement="s" * 9_000, tables=["t"] * 99, rows=True, ms=1e400, extra={"a": 1},
        verb="SELECT", file="password=hunter22 x", via=[{"file": "v.py", "line": 3, "b": 1}, "x"] * 99,
    )  # fmt: skip
    [fact] = read_batch(probe.body().replace(b"Infinity", b"1"), attested=True).facts
    assert len(str(fact.data["statement"])) == FACT_TEXT_CHARS
    assert fact.data["tables"] == ["t"] * FACT_LIST
    assert set(fact.data) == {"statement", "verb", "file", "tables", "ms", "via"}
    via = fact.data["via"]
    assert isinstance(via, list)
    assert via[0] == {"file": "v.py", "line": 3, "function": "", "app": False}
    assert len(via) <= FACT_LIST
    assert "hunter22" not in str(fact.data)


def test_places_of_what_ran_are_read_each_with_what_it_may_say() -> None:
    """
    A line that a request stands on or that chose a status is a place and nothing more.
    """
    place = {"file": "shop/cart.py", "line": 79}
    probe = FakeProbe().fact(
        "calls", of=1, functions=[], constants=[], at=[{**place, "x": 1}], answered=["x", place],
        cookies=[{**place, "name": "user2", "reads": "user", "value": "vera"}],
        unrun=[{**place, "last": 82, "function": "taken", "words": ["ben", 5], "before": 3}],
    )  # fmt: skip
    [fact] = read_batch(probe.body(), attested=True).facts
    assert fact.data["at"] == fact.data["answered"] == [place]
    assert fact.data["cookies"] == [{**place, "name": "user2", "reads": "user"}]
    assert fact.data["unrun"] == [{**place, "last": 82, "function": "taken", "words": ["ben"]}]


@pytest.mark.parametrize(
    "secret",
    [
        "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abc", "sk_live_0123456789ab", "sk-0123456789abcdefghijkl",
        "AKIAABCDEFGHIJKLMNOP", "ghp_0123456789abcdefghijkl", "glpat-0123456789abcdefgh", "xoxb-01234567890",
        "ya29.0123456789", "dtok_abc.def", "-----BEGIN PRIVATE KEY-----abc", "Bearer abcdefghijklmnop",
        "https://user:pw@host/", "Cookie: a=b", "x-api-key: abc", "password=hunter22", "passphrase: hunter22",
        "secret=hunter22", "apiKey=hunter22", "access_token=hunter22", "pwd=hunter22", "jwt=hunter22",
        "csrf-token=hunter22", "Basic abcdefghijklmnop", "PASSWORD=hunter22",
    ],
)  # fmt: skip
def test_every_kind_of_secret_is_looked_for(secret: str) -> None:
    """
    The quick look that most texts end with lets none through.
    """
    assert without_secrets(f"in {secret} it").found
    [fact] = read_batch(FakeProbe().fact("warning", message=f"in {secret} it").body(), attested=True).facts
    assert fact.data["message"] == without_secrets(f"in {secret} it").text


def test_a_batch_has_so_many_lines() -> None:
    """
    What is beyond them counts as lost.
    """
    probe = FakeProbe()
    for _ in range(INGEST_LINES + 7):
        probe.fact("warning", message="m")
    batch = read_batch(probe.body(), attested=True)
    assert (len(batch.facts), batch.refused) == (INGEST_LINES, 7)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = [
    "kind", "seq", "mono", "rid", "action", "method", "path", "status", "ms", "frames", "exception", "kinds",
    "tables", "to", "level", "message", "type", "handled", "file", "line", "dropped", "to_seq", "view",
]  # fmt: skip


@given(
    st.lists(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8), max_size=6), st.sampled_from(FactKind)
)
def test_no_line_harms_whatever_it_holds(lines: list[dict[str, Any]], kind: FactKind) -> None:
    """
    Any JSON in any field is read or counted, and what is kept is plain and bounded.
    """
    bodies = [json.dumps({"kind": kind.value, **line}).encode() for line in lines]
    batch = read_batch(b"\n".join([FakeProbe().body().strip(), *bodies]), attested=False)
    assert len(batch.facts) + batch.refused == len(lines)
    for fact in batch.facts:
        json.dumps(fact.data, allow_nan=False).encode()


@given(st.binary(max_size=400))
def test_no_bytes_harm(raw: bytes) -> None:
    """
    Whatever comes behind a hello, or instead of one, ends in facts, a count or a refusal.
    """
    read_batch(FakeProbe().body() + raw, attested=False)
    try:
        read_batch(raw, attested=False)
    except Refusal:
        return


def test_the_id_of_a_request_is_its_own_form() -> None:
    """
    Something else in its place ties nothing.
    """
    probe = FakeProbe().served(1)
    body = probe.body().replace(rid(1).encode(), b"../../etc")
    assert {fact.rid for fact in read_batch(body, attested=True).facts} == {None}
