"""
Limits of the work, each with its reason.
"""

from __future__ import annotations

from typing import Final

LEASE_SECONDS_MIN: Final = 1
"""Shorter claims end while their packet is on its way."""

LEASE_SECONDS_MAX: Final = 86_400
"""A day: who died over night is noticed in the morning."""

LEASE_SECONDS: Final = 900
"""A claim's time when none is named: an agent that dies is missed after a quarter of an hour."""

HEARTBEAT_SHARE: Final = 3
"""A packet asks for a heartbeat after this part of its lease, so that two may fail."""

AWAIT_SECONDS: Final = 50.0
"""How long ``work.await_packet`` waits: clients give up on a call after 60 s."""

AWAIT_PROGRESS_SECONDS: Final = 10.0
"""How often a waiting client hears that it is still waited for."""

SWEEP_SECONDS: Final = 60.0
"""How often lapsed leases are looked for; whoever waits for work looks at once when the first one lapses."""

SWEEP_RUNS: Final = 500
"""Runs of one sweep, the longest lapsed first; the next sweep goes on."""

RESTART_GRACE_SECONDS: Final = 60
"""What a lease has left at least when the daemon comes back, so that its own absence costs no one a claim."""

SESSION_LIVE_SECONDS: Final = 120
"""A session that called something so lately is live, and displaced only on purpose: two waits, and some."""

SESSION_TOKEN_SECONDS: Final = 86_400
"""Life of a session's own token, as of a lease at most."""

FAREWELL_SECONDS: Final = 600
"""How long the token of a session that ended is still told so, instead of that it does not count."""

JOBS_PER_RUN: Final = 10_000
"""Jobs of one run; a plan is one transaction of as many rows."""

DEPENDENCIES_PER_JOB: Final = 64
"""Jobs that one waits for; more are one job between."""

RUNS_KEPT: Final = 2_000
"""Runs of all repositories; the oldest that ended make room."""

SESSIONS_PER_RUN: Final = 2_000
"""Sessions ever registered in a run, ended ones included."""

SLOTS_PER_ROLE: Final = 1_000
"""Agents of one role at a time."""

SLOTS: Final = 8
"""The same, where a plan names no number."""

MAX_ATTEMPTS: Final = 5
"""Attempts of a job where its plan names no number."""

MAX_ATTEMPTS_MOST: Final = 100
"""What a plan may name."""

CLAIMS_PER_ATTEMPT: Final = 20
"""
Claims of one attempt. More than one are claims that nobody acknowledged, such as those of peers that were
gone; so many are a fault that repeating does not mend.
"""

NAME_CHARS: Final = 64
"""Ids of a plan, roles, labels."""

TITLE_CHARS: Final = 200
"""Titles; a line."""

PROMPT_CHARS: Final = 65_536
"""A task; what is longer is a file in the repository."""

REASON_CHARS: Final = 2_000
"""Reasons, summaries, descriptions."""

LINE_CHARS: Final = 280
"""Of a longer text in an overview, which agents read whole; ``why`` and ``escalation.list`` have the rest."""

REPORT_CHARS: Final = 280
"""A report's message; it is a line for a person (second seed's product)."""

PATHS_PER_SCOPE: Final = 256
"""Patterns of a write scope."""

EXPECTED_PER_JOB: Final = 64
"""Artifacts that a job must or may publish."""

CLAIMS_PER_JOB: Final = 16
"""Claims that verdicts must show."""

VERDICTS_PER_COMPLETION: Final = 64
"""Verdict ids of one completion."""

ARTIFACTS_PER_ATTEMPT: Final = 256
"""Artifacts of one attempt."""

ARTIFACTS_READ: Final = ARTIFACTS_PER_ATTEMPT * CLAIMS_PER_ATTEMPT
"""Artifacts of one attempt under all of its claims, to find those of the last one among them."""

ARTIFACT_BYTES: Final = 8_388_608
"""An artifact's file; reports and screenshots, not builds."""

PLAN_BYTES: Final = 8_388_608
"""A plan's file."""

LISTED: Final = 200
"""Entries of one answer of a list."""

EVENTS_SHOWN: Final = 100
"""Events of one ``why``."""

CANDIDATES: Final = 32
"""Messages that a claim reads at first; more only where these are reviews of the session's own work."""

ARTIFACTS_KEPT_BYTES: Final = 268_435_456
"""Contents of one run's artifacts that are kept; of more there are hash and path."""

ARTIFACT_PAGE_BYTES: Final = 65_536
"""What one answer holds of an artifact at most; an agent reads all of it."""

RAW_CHARS: Final = 262_144
"""Packets of one answer, word for word: some with the longest prompts; the rest is asked for singly."""
