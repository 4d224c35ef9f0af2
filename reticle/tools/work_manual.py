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
}
