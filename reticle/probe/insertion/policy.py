"""
What the app's Content-Security-Policy says of the script tag.

The policy is never changed. A nonce is used where the app made one; where a policy would block the script, or
block it from talking to anybody, there is no tag, and the directive is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from reticle.probe.insertion.candidates import Header

Directives = Mapping[str, tuple[str, ...]]

_NONCE: Final = re.compile(r"'nonce-([A-Za-z0-9+/_=-]{1,128})'", re.IGNORECASE)
_ENFORCED: Final = "content-security-policy"
_REPORTED: Final = "content-security-policy-report-only"
_INTEGRITY: Final = "integrity-policy"
NAMES: Final = frozenset({_ENFORCED, _REPORTED, _INTEGRITY})
"""Headers without which there is nothing to be asked."""

_SCRIPTS: Final = ("script-src-elem", "script-src", "default-src")
_TALKS: Final = ("connect-src", "default-src")
_COVERED: Final = {
    "http": ("http", "https", "ws", "wss"), "https": ("https", "wss"), "ws": ("ws", "wss", "http", "https"),
    "wss": ("wss", "https"),
}  # fmt: skip
_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}


class Permitted(NamedTuple):
    """
    The script may run, with ``nonce`` unless that is None. ``is_direct``: it may dial the daemon.
    """

    nonce: str | None
    is_direct: bool


UNRULED: Final = Permitted(None, is_direct=True)
"""Where no policy says anything."""


class Blocked(NamedTuple):
    """
    It may not, because of ``directive``.
    """

    directive: str


def ask(headers: Sequence[Header], origin: str, bridge: str) -> Permitted | Blocked:
    """
    Ask all policies of an answer.

    Args:
        headers: The answer's.
        origin: Scheme, host and port under which the page is reached, where the script comes from.
        bridge: The WebSocket URL of the daemon.
    """
    enforced, reported = _policies(headers, _ENFORCED), _policies(headers, _REPORTED)
    for policy in enforced:
        if "sandbox" in policy and "allow-scripts" not in policy["sandbox"]:
            return Blocked("sandbox")
    if any(name.lower() == _INTEGRITY and "script" in value for name, value in headers):
        return Blocked(_INTEGRITY)
    nonces: list[str | None] = [None, *_nonces(enforced), *_nonces(reported)]
    possible = [nonce for nonce in nonces if all(_runs(policy, nonce, origin) for policy in enforced)]
    if not possible:
        return Blocked(_culprit(enforced, origin))
    nonce = max(possible, key=lambda one: sum(_runs(policy, one, origin) for policy in reported))
    is_direct = all(_talks(policy, bridge, origin) for policy in enforced)
    if not is_direct and not all(_talks(policy, origin, origin) for policy in enforced):
        return Blocked("connect-src")
    return Permitted(nonce, is_direct and all(_talks(policy, bridge, origin) for policy in reported))


def _policies(headers: Sequence[Header], name: str) -> list[Directives]:
    """
    A header may come several times and hold several policies; of a directive named twice the first counts.
    """
    found: list[Directives] = []
    for said, value in headers:
        if said.lower() != name:
            continue
        for text in value.split(","):
            policy: dict[str, tuple[str, ...]] = {}
            for directive in text.split(";"):
                words = directive.split()
                if words:
                    policy.setdefault(words[0].lower(), tuple(words[1:]))
            if policy:
                found.append(policy)
    return found


def _nonces(policies: Sequence[Directives]) -> list[str]:
    return [
        nonce
        for policy in policies
        for source in _sources(policy, _SCRIPTS) or ()
        for nonce in _NONCE.findall(source)
    ]


def _sources(policy: Directives, names: Sequence[str]) -> tuple[str, ...] | None:
    """
    The list that rules; None where nothing does.
    """
    return next((policy[name] for name in names if name in policy), None)


def _runs(policy: Directives, nonce: str | None, origin: str) -> bool:
    """
    Whether the policy lets our script run, loaded from the page's own origin.
    """
    sources = _sources(policy, _SCRIPTS)
    if sources is None:
        return True
    if nonce is not None and f"'nonce-{nonce}'" in sources:
        return True
    if "'strict-dynamic'" in [source.lower() for source in sources]:
        return False
    return any(_covers(source, origin, origin) for source in sources)


def _talks(policy: Directives, target: str, origin: str) -> bool:
    sources = _sources(policy, _TALKS)
    return sources is None or any(_covers(source, target, origin) for source in sources)


def _covers(source: str, target: str, origin: str) -> bool:
    """
    Whether one source expression covers a URL (CSP level 3, "match a URL to a source expression"), on the
    safe side: a source with a path covers nothing here.
    """
    lowered = source.lower()
    if lowered.startswith("'"):
        return lowered == "'self'" and target == origin
    wanted = urlsplit(target)
    if lowered == "*":
        return True
    if re.fullmatch(r"[a-z][a-z0-9+.-]*:", lowered):
        return _schemes_match(lowered[:-1], wanted.scheme)
    scheme, separator, rest = lowered.rpartition("://")
    place, _, path = rest.partition("/")
    host, _, port = place.rpartition(":") if re.search(r":(\d+|\*)$", place) else (place, "", "")
    default = _DEFAULT_PORTS.get(wanted.scheme)
    return (
        not path
        and bool(place)
        and _schemes_match(scheme if separator else urlsplit(origin).scheme, wanted.scheme)
        and _hosts_match(host.strip("[]"), (wanted.hostname or "").lower())
        and (port == "*" or (int(port) if port else default) == (wanted.port or default))
    )


def _schemes_match(said: str, wanted: str) -> bool:
    """
    A scheme covers itself and its secure sister; http covers WebSockets too.
    """
    return wanted in _COVERED.get(said, ())


def _hosts_match(said: str, wanted: str) -> bool:
    return said in {"*", wanted} or (said.startswith("*.") and wanted.endswith(said[1:]))


def _culprit(policies: Sequence[Directives], origin: str) -> str:
    """
    The directive that blocks the script where no nonce helps.
    """
    blocking = [policy for policy in policies if not _runs(policy, None, origin)]
    return next(name for name in _SCRIPTS if name in blocking[0])
