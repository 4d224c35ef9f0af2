"""
Whether recorded verdicts show what a job has to show before it can end (DESIGN §9).

For each required claim one verdict must pass every check: recorded by a daemon of this database, ``yes``, by
the session's own principal, over a window that began after its claim, of that claim or a stronger one
(``predicate.implies``), at the address that the job names, on a page that the daemon opened, with the
repository's files as they are now, and served from them. What is not known counts as not shown. Pure; what a
process of the same user can still do says ``docs/explanation/work-gates.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.predicate import Predicate, leaves, parse
from reticle.domain.predicate.implies import implies
from reticle.domain.predicate.kinds import Log, Mail, Server, Sql
from reticle.domain.work.addresses import shows_address
from reticle.domain.work.served_from import is_known, places_elsewhere
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode, Verified
from reticle.model.gates import Lack, LackKind
from reticle.model.ids import RepositoryId, VerdictId
from reticle.model.provenance import Provenance, Serving
from reticle.model.verdict import Verdict
from reticle.model.work_plan import RequiredVerdict

PATHS_TOLD: Final = 8
"""Changed files that one lack names; the first ones lead to the rest."""

_REOPEN: Final = 'Open another page (reticle_lease {"action": "acquire", …})'

TICK_SECONDS: Final = 0.05
"""How exactly it is told when a process started."""


@attrs.frozen
class Standing:
    """
    What is so now, for a job under a claim.

    ``principal`` is whose verdicts count, ``claimed_at`` seconds since the epoch, ``root`` the repository's
    folder with links followed. ``changed`` has, for the tree of each verdict, which of the files that count
    have other contents now; None where that cannot be told any more. ``hidden`` are files that cannot be seen
    now. ``work_lease_id`` is the claim, empty where the session has no token of its own by which a verdict
    would tell it.
    """

    principal: str
    repository_id: RepositoryId
    root: str
    claimed_at: float
    tree: str | None
    changed: Mapping[str, Sequence[str] | None] = attrs.field(factory=dict)
    tree_trouble: str = ""
    hidden: Sequence[str] = ()
    work_lease_id: str = ""


def missing(
    required: Sequence[RequiredVerdict], verdicts: Mapping[VerdictId, Verdict | None], standing: Standing
) -> tuple[Lack, ...]:
    """
    What is not shown, and what to do about it; empty where everything is.

    Args:
        required: What the job's plan asks for.
        verdicts: The verdicts that the caller names, None for an id that is not kept or another's.
        standing: What is so now.
    """
    lacks: list[Lack] = []
    for number, one in enumerate(required):
        tried = [tuple(_lacks(number, one, name, verdict, standing)) for name, verdict in verdicts.items()]
        if not tried:
            lacks.append(_none_named(number, one))
        elif all(tried):
            lacks.extend(min(tried, key=_distance))
    if required and standing.hidden:
        lacks.append(_hidden(standing.hidden))
    return tuple(lacks)


def refusal_of(lacks: Sequence[Lack]) -> Refusal:
    """
    The answer to a call that did not show enough.
    """
    told = [attrs.asdict(lack) for lack in lacks]
    first = lacks[0]
    more = f" And {len(lacks) - 1} more." if len(lacks) > 1 else ""
    return Refusal(
        RefusalCode.VERDICT_MISSING,
        f"Not shown yet: {first.message}{more}",
        first.next_step,
        {"lacks": told},
    )


def claim_of(verdict: Verdict) -> Predicate | None:
    """
    What a verdict was about; None for a record that this program does not understand.
    """
    try:
        return parse(verdict.claim)
    except Refusal:
        return None


def _lacks(
    number: int, required: RequiredVerdict, name: VerdictId, verdict: Verdict | None, standing: Standing
) -> Iterator[Lack]:
    say = _Speaker(number, name)
    if verdict is None:
        yield say(
            LackKind.UNKNOWN_VERDICT,
            f"{name} is no verdict that a daemon of this database recorded for this principal",
            "Name the verdict_id of an answer to your own call, made with this session's token.",
        )
        return
    yield from _about(say, required, verdict, standing)
    if verdict.provenance is None:
        yield say(
            LackKind.NO_PROVENANCE,
            f"nothing was recorded with {name} of the files behind the page: it was not taken with a "
            "session's token, or the page belongs to no registered repository",
            "Verify again with this session's token on a page of the repository (repo.update add_origins).",
        )
        return
    yield from _of_time_and_place(say, required, verdict, verdict.provenance, standing)
    yield from _of_files(say, verdict.provenance, standing)
    yield from _of_age(say, required, verdict.provenance)
    yield from _of_browser(say, verdict, verdict.provenance)
    yield from _of_server(say, required, verdict.provenance, standing)


def _about(say: _Speaker, required: RequiredVerdict, verdict: Verdict, standing: Standing) -> Iterator[Lack]:
    name = verdict.verdict_id
    if verdict.principal != standing.principal:
        yield say(
            LackKind.OTHER_PRINCIPAL,
            f"{name} is {verdict.principal}'s verdict, not this session's",
            "Verify it yourself, with this session's token.",
        )
    if verdict.decision.verified is not Verified.YES:
        yield say(
            LackKind.NOT_YES,
            f"{name} is {verdict.decision.verified.value}: {verdict.decision.because}",
            f'Mend that, then verify again; reticle_verdict {{"verdict_id": "{name}", "action": "explain"}} '
            "tells why.",
        )
    claimed = claim_of(verdict)
    if claimed is None or not implies(claimed, parse(required.claim)):
        yield say(
            LackKind.OTHER_CLAIM,
            f"{name} is of another claim, or of a weaker one, than the job asks for",
            f"Verify exactly this, or allOf with it as a part: {_brief(required)}",
        )


def _of_time_and_place(
    say: _Speaker, required: RequiredVerdict, verdict: Verdict, provenance: Provenance, standing: Standing
) -> Iterator[Lack]:
    name = verdict.verdict_id
    if provenance.began_at <= standing.claimed_at or _under_another(verdict, provenance, standing):
        yield say(
            LackKind.BEFORE_CLAIM,
            f"{name} rests on what happened before this claim of the job",
            "Verify again: each attempt and each claim needs its own verdict.",
        )
    if provenance.repository_id != standing.repository_id:
        yield say(
            LackKind.OTHER_REPOSITORY,
            f"{name} is about a page of repository {provenance.repository_id}",
            f"Verify on a page of {standing.repository_id}.",
        )
    opened = verdict.attested
    if opened is None and not required.accept_unattested:
        yield say(
            LackKind.UNATTESTED,
            f"the page of {name} dialled in by itself, so any program may have been it",
            f'Open it with reticle_lease {{"action": "acquire", "url": "{required.url}"}} and verify there.',
        )
    if not shows_address(required.url, verdict.url, None if opened is None else opened.opened_url):
        yield say(
            LackKind.OTHER_ADDRESS,
            f"{name} is about {verdict.url}, and the job names {required.url}",
            f"Verify on a page at {required.url}, or below it, on the same origin.",
        )


def _under_another(verdict: Verdict, provenance: Provenance, standing: Standing) -> bool:
    """
    Whether this session took it under another claim, or none, whatever a clock says that may have been set
    back.
    """
    known = standing.work_lease_id and verdict.principal == standing.principal
    return bool(known) and provenance.work_lease_id not in {None, standing.work_lease_id}


def _of_files(say: _Speaker, provenance: Provenance, standing: Standing) -> Iterator[Lack]:
    name = say.verdict_id
    if provenance.tree is None or provenance.tree_before is None:
        yield say(
            LackKind.TREE_UNKNOWN,
            f"which files {name} was about is not known: {provenance.tree_trouble or 'not readable'}",
            "Mend that, then verify again.",
        )
    elif provenance.edited is None or provenance.edited:
        paths = _newer(provenance.edited)
        yield say(
            LackKind.EDITED_MEANWHILE,
            f"files of the repository changed while {name} was taken: {paths}",
            "Finish editing, then verify again; what the app writes itself belongs into .gitignore.",
        )
    elif standing.tree is None:
        yield say(
            LackKind.TREE_UNKNOWN,
            f"whether files changed since {name} is not known: {standing.tree_trouble}",
            "Mend that, then call again.",
        )
    elif provenance.tree != standing.tree:
        changed = standing.changed.get(provenance.tree)
        if changed is None:
            yield say(
                LackKind.TREE_UNKNOWN,
                f"which files changed since {name} cannot be told any more",
                "Verify again.",
            )
        elif changed:
            yield say(
                LackKind.EDITED_SINCE,
                f"edited since {name}: {_paths(changed)}",
                "Verify again, and edit nothing between the verdict and the completion.",
            )


def _of_age(say: _Speaker, required: RequiredVerdict, provenance: Provenance) -> Iterator[Lack]:
    name = say.verdict_id
    if provenance.newer_than_page != ():
        yield say(
            LackKind.STALE_PAGE,
            f"the page of {name} was loaded before these files changed: {_newer(provenance.newer_than_page)}",
            f"{_REOPEN}, then verify again.",
        )
    elif provenance.newer_than_browser != ():
        yield say(
            LackKind.STALE_BROWSER,
            f"the browser lease of {name} is older than these changes, and may show what it has kept: "
            f"{_newer(provenance.newer_than_browser)}",
            f"{_REOPEN}, then verify again: a new one begins with nothing kept.",
        )
    if provenance.newer_than_server != () and not required.server_reloads:
        yield say(
            LackKind.STALE_SERVER,
            f"the app's server was started before its code changed: {_newer(provenance.newer_than_server)}",
            "Start the app's server again, load the page again, then verify again; for a server that reads "
            "its code anew by itself a plan may set server_reloads.",
        )


def _of_browser(say: _Speaker, verdict: Verdict, provenance: Provenance) -> Iterator[Lack]:
    """
    The oldest process that has the socket has kept the address since it was started. What another program
    left behind before (a service worker, a cache) is in contexts that are older than the server alone: each
    lease begins with an empty one.
    """
    since = None if verdict.attested is None else verdict.attested.since
    if since is not None and any(
        since < started + TICK_SECONDS for started in _oldest(provenance.serving, *provenance.beside)
    ):
        yield say(
            LackKind.STALE_BROWSER,
            f"the browser lease of {say.verdict_id} is older than the server that serves the page: another "
            "program may have answered there before, and be in its caches",
            f"{_REOPEN}, and verify on its page.",
        )


def _oldest(*served: Serving) -> Iterator[float]:
    """
    When the oldest process of each address was started, where that is known.
    """
    for serving in served:
        started = [process.started_at for process in serving.processes if process.started_at is not None]
        if started:
            yield min(started)


def _of_server(
    say: _Speaker, required: RequiredVerdict, provenance: Provenance, standing: Standing
) -> Iterator[Lack]:
    name = say.verdict_id
    about_server = any(isinstance(leaf, Server | Sql | Log | Mail) for leaf in leaves(parse(required.claim)))
    if about_server and (provenance.forgeable or not provenance.probes):
        yield say(
            LackKind.FORGEABLE_FACTS,
            f"what {name} knows of the server came from a probe without the ingest token, or from none",
            "Start the app with `reticle run -- COMMAND` under the daemon's own user, then verify again.",
        )
    elsewhere = places_elsewhere(provenance, standing.root)
    if elsewhere:
        yield say(
            LackKind.SERVED_ELSEWHERE,
            f"the app of {name} is not this repository's ({standing.root}): {'; '.join(elsewhere[:3])}",
            f"Start the app from {standing.root}, then verify again.",
        )
    elif not is_known(provenance) and not required.accept_unknown_server:
        why = provenance.serving.trouble or "no process and no probe tells"
        yield say(
            LackKind.SERVER_UNKNOWN,
            f"from which folder the app of {name} is served is not known: {why}",
            "Start the app with `reticle run -- COMMAND`; where that cannot be, a plan may set "
            "accept_unknown_server.",
        )


@attrs.frozen
class _Speaker:
    """
    Says what one verdict lacks for one required claim.
    """

    required: int
    verdict_id: VerdictId

    def __call__(self, kind: LackKind, message: str, next_step: str) -> Lack:
        return Lack(kind, self.required, message, next_step, self.verdict_id)


_FIRST: Final = (LackKind.UNKNOWN_VERDICT, LackKind.OTHER_CLAIM, LackKind.OTHER_PRINCIPAL)
"""What speaks most against a verdict being the one that was meant."""


def _distance(lacks: Iterable[Lack]) -> tuple[int, int]:
    kinds = [lack.kind for lack in lacks]
    return sum(kind in _FIRST for kind in kinds), len(kinds)


def _none_named(number: int, required: RequiredVerdict) -> Lack:
    return Lack(
        LackKind.NO_VERDICT,
        number,
        f"no verdict is named for {_brief(required)} at {required.url}",
        "After your last edit open the page with reticle_lease, verify with reticle_act_and_wait, and give "
        "the verdict_id of a yes.",
    )


def _hidden(paths: Sequence[str]) -> Lack:
    return Lack(
        LackKind.HIDDEN_FILES,
        0,
        f"files that changed since the claim cannot be seen: {_paths(paths)}; whether a verdict is about "
        "them as they are now cannot be told",
        "Take them out of .gitignore or .git/info/exclude, use no link to a folder outside, verify again.",
    )


def _brief(required: RequiredVerdict) -> str:
    text = json.dumps(required.claim, ensure_ascii=False)
    return text if len(text) <= 300 else text[:299] + "…"


def _newer(paths: Sequence[str] | None) -> str:
    return "more than can be told" if paths is None else _paths(paths)


def _paths(paths: Sequence[str]) -> str:
    more = len(paths) - PATHS_TOLD
    return ", ".join(paths[:PATHS_TOLD]) + (f" and {more} more" if more > 0 else "")
