"""
What the dotted methods answer, field by field, as ``manual`` does it for the tools about pages.
"""

from __future__ import annotations

from collections.abc import Mapping

_TOKEN: Mapping[str, str] = {
    "token_id": "its public half",
    "client_kind": "what it was made for, with `display_name`",
    "created_at": "when, in RFC 3339; `expires_at` when it ends, null for never",
    "capabilities": "the grants: `capability`, `repository_id` (null: all), and `expires_at`, `ended` "
    "where a grant ends before its token",
}
_ONCE: Mapping[str, str] = {
    "token": "the token itself, this once",
    **_TOKEN,
    "note": "what to do with it",
}
_REPOSITORY: Mapping[str, str] = {
    "repository_id": "its id",
    "repo_root": "its folder",
    "display_name": "what people call it",
    "origins": "where its app is served",
    "registered_at": "when, in RFC 3339",
}

_RUN: Mapping[str, str] = {
    "run_id": "its id",
    "state": "ready, running, needs_operator, completed, failed or canceled",
    "title": "what people call it",
    "reason": "why it ended, or waits",
    "source": "the file of its plan",
    "prepared_at": "when, in RFC 3339; also `started_at`, `ended_at`",
}
_HELD: Mapping[str, str] = {
    "job_id": "the job",
    "next_action": "what to call next",
}
_NOW: Mapping[str, str] = {
    "type": "`work_packet`, `none`, or `session_terminal` when there will be no more",
    "status": "`claimed` or `no_work`",
    "packet": "the packet: `run`, `session`, `lease`, `job`, `task_prompt`, `write_scope`, "
    "`expected_artifacts`, `requires_verdict`, `inputs`, `previous_attempt`, `revision`, `reviews`",
    "packet_id": "the packet, with `packet_sha256`, `job_id`, `message_id` and `lease_id`",
    "held_already": "the session held it before; nothing was claimed",
    "next_steps": "what to do with it, in order",
    "reason": "without a packet: why, as a word",
    "idle_behavior": "without a packet: keep waiting, or exit the session, as one word",
    "next_action": "what to do next",
}

_ARTIFACT: Mapping[str, str] = {
    "artifact_id": "its id",
    "logical_name": "its name in this attempt, with `kind`, `path`, `job_id` and `attempt`",
    "sha256": "of its content; `size_bytes` how much that is",
    "version": "the state of all files that it was published with; empty where that is not known",
    "published_by": "the session, by the daemon's word",
}
_DECIDED: Mapping[str, str] = {
    "status": "`completed`, `waiting_human` when nothing is left to try, `failed` when the run has, "
    "or `already_completed`",
    "verdict": "`accept`, `accept_with_findings`, `needs_revision` or `reject`",
    "review_id": "the decision, with `reviewed_job_id`",
    "reviewed_job_state": "of work that was sent back, with `reviewed_attempt`, `job_state`, `blocker_id`",
    "queued_jobs": "of accepted work: what can begin now",
    "run_state": "of rejected work",
    **_HELD,
}

WORK_RETURNS: Mapping[str, Mapping[str, str]] = {
    "daemon.token.create": _ONCE,
    "daemon.token.list": {
        "tokens": "as of `daemon.token.create` without `token`, and `last_used_at`, `revoked_at`, "
        "`ended` (why it no longer counts)",
        "total": "how many there are of these; `truncated` when there are more than are shown",
        "next": "the arguments that give the next part",
        "ended": "how many ended ones are left out",
    },
    "daemon.token.revoke": {
        "token_id": "which token",
        "revoked": "true",
        "already_revoked": "it was revoked before, and this call changed nothing",
        "revoked_at": "when, in RFC 3339",
        "revoked_capabilities": "how many grants ended with it",
    },
    "daemon.token.rotate": {**_ONCE, "rotated_from_token_id": "the token that ended"},
    "repo.add": {**_REPOSITORY, "already_registered": "it was registered before, and nothing changed"},
    "repo.update": _REPOSITORY,
    "repo.list": {
        "repositories": "each as of `repo.resolve`",
        "total": "how many there are; `truncated` when there are more than are shown",
        "next": "the arguments that give the next part",
    },
    "repo.resolve": _REPOSITORY,
    "repo.remove": {
        "repository_id": "which one",
        "state": "`removed`",
        "revoked_capabilities": "how many grants ended with it",
    },
    "daemon.hello": {
        "daemon_version": "the daemon's version",
        "envelope": "the version of its envelope",
        "framing": "how messages are framed: `json`, one a line",
        "methods_etag": "changes with any method",
    },
    "daemon.describe": {
        "methods_etag": "as of `daemon.hello`",
        "methods": "each method as in `contracts/daemon_methods.json`",
    },
    "workflow.validate": {},
    "workflow.init": {},
    "run.prepare": {
        "run_id": "the run",
        "state": "`ready`",
        "jobs": "how many",
        "roles": "by name: `slots` and `reviewer`",
        "next_action": "what to call next",
    },
    "run.start": {
        **_RUN,
        "already_started": "it had been started, and nothing changed",
        "jobs": "how many are in which state",
        "next_action": "what to call next",
    },
    "run.cancel": {
        **_RUN,
        "already_canceled": "it had been canceled, and nothing changed",
        "next_action": "what to call next",
    },
    "run.detail": {
        **_RUN,
        "jobs_by_state": "how many jobs are in which state",
        "jobs": "each as of `list.jobs`",
        "sessions": "the live ones, each as of `list.sessions`; `truncated` when there are more of any",
        "escalations": "the open ones, each as of `escalation.list`",
    },
    "list.runs": {
        "runs": "each as of `run.start`, with `jobs_by_state`",
        "truncated": "there are more",
    },
    "list.jobs": {
        "jobs": "`job_id`, `id`, `type`, `role`, `state`, `attempt`, `max_attempts`, `fencing`, `title`, "
        "`waits_for`, `reason`, `revision`, `changed_at`",
        "jobs_by_state": "how many jobs are in which state",
        "next": "the arguments that give the next part",
    },
    "session.register": {
        "session_id": "the session, with `run_id`, `role` and `slot`",
        "displaced_session_id": "the one whose slot it took",
        "session_capability_token": "`token` (this once), `token_id`, `capabilities`, `expires_at`",
        "note": "what to do with the token",
        "next_action": "what the agent calls first",
    },
    "session.close": {
        "session_id": "the session, as of `list.sessions`",
        "already_closed": "it had ended, and nothing changed",
        "next_action": "what to do next",
    },
    "session.report": {
        "status": "`reported`",
        "session_id": "which one; also `run_id`, `report_kind`, `phase`",
        "blocker_id": "with a question or an escalation: what a person sees in `escalation.list`",
        "unacked_packet": "a claimed packet waits for `work.ack`; a report is none",
        "next_action": "what to call next",
    },
    "list.sessions": {
        "sessions": "`session_id`, `role`, `slot`, `state`, `label`, `lease_id`, `job_id`, `report`, "
        "`stalled` (what it is late with), `last_call_seconds_ago`",
        "truncated": "there are more",
    },
    "work.await_packet": _NOW,
    "work.claim_next": _NOW,
    "work.packet_show": {
        "packets": "`packet_id`, `run_id`, `job_id`, `message_id`, `lease_id`, `session_id`, "
        "`packet_sha256`, `created_at`, and with `raw` the `packet`",
        "truncated": "there are more",
    },
    "work.ack": {
        "status": "`acked`, also the second time",
        "job_id": "the job, with `lease_id`",
        "expires_at": "when the claim ends without a heartbeat",
        "next_action": "what to do next",
    },
    "work.heartbeat": {
        "status": "`heartbeat`",
        "expires_at": "when the claim ends now",
        "unacked_packet": "it was not acknowledged",
        "next_action": "what to do next",
    },
    "work.release": {
        **_HELD,
        "status": "`released` or `already_released`",
        "job_state": "what became of the job",
        "attempt": "which one is next; `attempt_preserved` when this one had not begun",
    },
    "work.block": {
        **_HELD,
        "status": "`blocked` or `already_blocked`",
        "blocker_id": "what a person sees in `escalation.list`",
        "job_state": "`waiting_human`",
    },
    "work.complete": {
        **_HELD,
        "status": "`completed` or `already_completed`",
        "attempt": "which one was completed",
        "queued_jobs": "jobs that waited for it and can be claimed now",
        "warnings": "what of the files could not be looked at",
    },
    "artifact.publish": {
        "status": "`published` or `already_published`",
        **_ARTIFACT,
        "next_action": "what to do next",
    },
    "artifact.get_content": {
        **_ARTIFACT,
        "encoding": "`text` or `base64`",
        "text": "this part as text; else `body_base64`",
        "offset": "where this part begins, in bytes",
        "next_offset": "where the next one does; not there after the last",
    },
    "list.artifacts": {
        "artifacts": "each as of `artifact.publish`, with `published_at`",
        "truncated": "there are more than are shown",
    },
    "review.verdict": _DECIDED,
    "review.submit": {**_DECIDED, "artifact": "the findings as published"},
    "recovery.requeue_stale": {
        "requeued": "how many",
        "jobs": "each as of `list.jobs`",
        "next_action": "what to look at next",
    },
    "escalation.list": {
        "escalations": "`escalation_id`, `run_id`, `job_id`, `session_id`, `kind`, `severity`, `state`, "
        "`description`, `opened_at`, `open_seconds`, `resolution`",
        "truncated": "there are more",
    },
    "escalation.resolve": {
        "escalation_id": "which one, as of `escalation.list`",
        "already_resolved": "it was decided before, and nothing changed",
        "job_state": "what became of the job",
        "next_action": "what to look at next",
    },
    "status": {
        "runs": "those that go on: each as of `run.start` with `jobs_by_state`, `working`, `late`, "
        "`claimable_jobs`, `waiting_for_people`, and `truncated` when there are more of any",
        "escalations": "the open ones, each as of `escalation.list`; `truncated`: more of them, or runs",
        "next_actions": "what an operator does next",
    },
    "why": {
        "target_id": "what was asked about",
        "run": "its run",
        "events": "what happened to it, in order: `seq`, `at`, `kind`, `by`, `detail`",
        "job": "how it is now; or `session`, `lease`, `packet`, `escalation`",
        "held_by": "who has it; `waits_for_jobs` what it waits for",
    },
    "supervise.status": {
        "session_id": "the session, as of `list.sessions`, with `run_id`",
        "protocol_liveness": "when it last called, awaited, claimed, acknowledged, beat, reported",
        "stalled": "what it is late with",
    },
}
