"""
The first words that an agent reads: who it is, where its work is, and how to go about it.

One line: in a program's text box a line end may be a key of its own, and a program that reads lines must get
it whole. The token's file is named, the token never.
"""

from __future__ import annotations

import re
from typing import Final

from reticle.agent.environment import Whereabouts

LEASE_SECONDS: Final = 1_800
"""That the agent is told to ask for: half an hour, renewed by its heartbeats."""

_WAY_TO_WORK: Final = (
    "Call tools/list, then session.report with kind ready, then work.await_packet with your repository_id, "
    f"session_id and lease_seconds {LEASE_SECONDS}. "
    "Handle each packet here and wholly, one after the other: work.ack it, stay inside its write_scope, "
    "send work.heartbeat while it takes long, check the running app with the reticle tools, publish what it "
    "expects with artifact.publish, and end it with work.complete (review.submit for a review), or with "
    "work.release or work.block when you cannot. "
    "A job that requires a verdict is complete only with the id of one that says yes. "
    "Then call work.await_packet again; when it answers no_work with idle_behavior exit_session, leave. "
    "When something stops you, or you have a question, call session.report with kind question or escalate: "
    "nobody reads this terminal. "
    "Do not probe the server in the background, and write no client of your own into the repository. "
)

PROMPT_BYTES: Final = 16_384
"""Of a prompt: more is no beginning of a conversation, and would fill a terminal's input by far."""

_PASTE_BEGIN, _PASTE_END = b"\x1b[200~", b"\x1b[201~"
_NOT_TYPED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def bootstrap_prompt(told: Whereabouts, role: str, extra: str = "") -> str:
    """
    The prompt, as one line.

    Args:
        told: The ids, and where the daemon and the token are.
        role: What the session is for; empty when it is not known here.
        extra: A person's own words, which come last.
    """
    ids = [
        f"{name} {value}"
        for name, value in (
            ("repository_id", told.repository_id),
            ("run_id", told.run_id),
            ("session_id", told.session_id),
        )
        if value
    ]
    token = (
        f"the bearer token is in the file {told.token_file} (RETICLE_MCP_TOKEN_FILE); never print or copy it"
        if told.token is None
        else "the bearer token is in the environment variable RETICLE_MCP_TOKEN; never print or copy it"
    )
    named = f" with the role {role}" if role else ""
    who = f"You are a work session of reticle{named}: {', '.join(ids)}. "
    where = f"Your tools are those of the MCP server at {told.url} (RETICLE_MCP_URL); {token}. "
    return one_line(who + where + _WAY_TO_WORK + extra)


def one_line(text: str) -> str:
    """
    Text without anything that a terminal would take for a key, cut to ``PROMPT_BYTES``.
    """
    plain = _NOT_TYPED.sub(" ", text).strip().encode("utf-8", "ignore")
    return plain[:PROMPT_BYTES].decode("utf-8", "ignore")


def keystrokes(prompt: str, *, bracketed_paste: bool) -> bytes:
    """
    A prompt as it is typed, or pasted where the program has asked to be told of pastes; without a submit key.
    """
    typed = one_line(prompt).encode()
    return _PASTE_BEGIN + typed + _PASTE_END if bracketed_paste else typed


def submit_key(named: str) -> bytes:
    r"""
    The bytes of a submit key, written with backslashes: ``\r``, ``\n``, ``\e``, ``\t`` or ``\xNN``.

    Raises:
        ValueError: It is empty, or has something else after a backslash.
    """
    found = bytearray()
    at = 0
    escapes = {"r": b"\r", "n": b"\n", "e": b"\x1b", "t": b"\t", "\\": b"\\"}
    while at < len(named):
        if named[at] != "\\":
            found += named[at].encode()
            at += 1
            continue
        letter = named[at + 1 : at + 2]
        if letter == "x":
            found.append(int(named[at + 2 : at + 4], 16))
            at += 4
        elif letter in escapes:
            found += escapes[letter]
            at += 2
        else:
            raise ValueError(f"\\{letter} is no key")
    if not found:
        raise ValueError("it is empty")
    return bytes(found)
