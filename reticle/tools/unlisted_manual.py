"""
What the tools answer that ``tools/list`` leaves out and ``reticle_run`` reaches, in the form of
``tools.manual``.
"""

from __future__ import annotations

from collections.abc import Mapping

UNLISTED_RETURNS: Mapping[str, Mapping[str, str]] = {
    "reticle_storage": {
        "local": "without `key`: the values of each area by their keys, `session` and `cookies` beside it; a "
        "value of over 200 characters is cut",
        "found": "with `key`: whether it is there, with the first `area` that has it, `key`, `value`, "
        "`alsoIn[]`; `truncated` and `length` of a value over 1,024 characters",
        "availableKeys": "on a miss, by area; `totalKeys` where there are more",
        "truncated": "without `key`: how many keys an area has of which not all are shown",
        "unavailable": "areas that the browser forbids the page: what is there is not known",
        "databases": "names of the IndexedDB databases; with area `indexeddb` each with `name`, `version`, "
        "`stores[]` (`name`, `keyPath`, `indexes`, `count`); `totalDatabases` when there are over 10",
        "records": "with `database` and `store`: the first, 50 at most, each with `key` and `value`; `count` "
        "of all, `truncated`; with `key` too that record's `found`, `value`",
    },
    "reticle_scroll_to": {
        "found": "whether exactly one element that shows was found, and is in view now",
        "element": "`ref`, `role`, `name`, `text`, `testid`",
        "scrolls": "how often a list moved",
        "exhausted": "when nothing was found: whether every list that scrolls here (or the one named) was "
        "looked through from its beginning to its end; else `note` says why not",
        "note": "why it stopped early, or that the text is only a part of what was found",
    },
    "reticle_animations": {
        "animations": "each with `kind` (animation, transition, script), `name`, `state` (running, paused, "
        "finished while its last frame is held), `target` (`ref`, `role`, `name`), `pseudo`, `currentMs`, "
        "`durationMs` of one round, `delayMs`, `iterations`, `playbackRate`, and `endsInMs` or `endless`; "
        "`driver` where scrolling moves it and not time",
        "count": "of all; `truncated` when not all are listed",
        "note": "the browser asks for reduced motion",
    },
    "reticle_explore": {
        "interactive": "each with `ref`, `desc` (role, name, value, states), and `dangerous` where an act "
        "would be asked about",
        "count": "of all; `truncated` when not all are listed",
        "consoleErrors": "the newest five of this document; `consoleErrorsTotal` when there were more, "
        "`losses` when some were lost",
        "hint": "what to do next; on an empty list what may be the reason",
        "scopeMissing": "the scope matched nothing",
    },
    "reticle_baseline": {
        "baseline": "its name; `lineCount` and the `path` of the file when it was saved",
        "baselines": "list: the names for the app of this page",
        "same": "diff: no line is different, and all of the page was read both times",
        "added": "diff: lines that are new, and `removed` those that are gone, 100 each at most "
        "(`addedTotal`, `removedTotal`)",
        "consoleErrors": "diff: errors of this document that the baseline does not have",
        "routeChanged": "diff: whether the page is elsewhere, with the `route` `from` and `to`",
        "note": "not all of the page was read, then or now",
    },
    "reticle_contract_save": {
        "path": "of the file, with `testidCount`, `signalCount`, `storeCount`, `flowCount`, `generatedAt`",
        "unchanged": "the file said the same and keeps its time",
        "note": "the page has more test ids than are told",
    },
    "reticle_contract_check": {
        "same": "nothing is missing, new or changed, and the page told all",
        "missing": "by kind: what the contract names and the app does not have now; `added` what is new, 100 "
        "each at most (`totals`)",
        "changedFlows": "flows with other steps; `governanceChanged`",
        "generatedAt": "of the contract",
        "note": "why what is missing may be there all the same",
    },
    "reticle_invariants": {
        "invariants": "each `name` with its `predicate` and `source`: project (.reticle/invariants.json), "
        "settings (reticle.toml), app; a `fault` in place of the predicate where it cannot be judged",
        "path": "of the file that was written",
    },
    "reticle_server": {
        "requests": "each `method`, `path`, `status`, `view` (file:line), `route`, `rid`, and `tied`: by id, "
        "inferred (by time and address), ambient; `unfinished` while the server is at it",
        "exceptions": "`type`, `message`, `handled` (unhandled, logged), `frames[]`, `source`, `request`",
        "sql": "statements (`statement` with placeholders, `verb`, `tables`, `rows`, `ms`, `failed`, "
        "`source`) and how transactions ended (`transaction`)",
        "logs": "records from warning on: `level`, `logger`, `message`, `source`; warnings",
        "mails": "`to`, `subject`",
        "tasks": "handed to a queue: `name`, `queue`, `source`",
        "outgoing": "HTTP requests to elsewhere: `method`, `url` without values, `status`, `ms`, `source`",
        "templates": "rendered: `name`, `source`",
        "probes": "processes with a probe: whether one `serves` this page, is `unattested`, was `restarted`",
        "totals": "of kinds of which not all are listed; `losses` of facts that were let go",
    },
    "reticle_verdict": {
        "verified": "as it was given, with `verifiedReason`; action get adds `because`, `claim`, `outcome`, "
        "`contradictions[]`, `honesty`, `versions`, `at`, `url`, `attested`, `provenance`",
        "steps": "explain: each `step` with its `lines`",
        "same": "reevaluate: whether this version judges the stored window bit for bit as it was; compare: "
        "whether the two were decided alike",
        "reevaluated": "what it is judged now",
        "differences": "each with `path`, `then`, `now`; `moreDifferences` when not all are listed",
        "sameClaim": "compare: whether both claimed the same",
    },
}
"""The fields of each tool's answer."""

UNLISTED_NOTES: Mapping[str, str] = {
    "reticle_server": "Of a probe in the app's process, or of OpenTelemetry; without either there is none. "
    "Without `since` it looks from the last action on. Only what is tied by id can decide a verdict; "
    "`ambient: true` lists what belongs to nobody, too.",
    "reticle_storage": "It reads and changes nothing. Cookies are those that scripts may read: an HttpOnly "
    "one is not seen. `[REDACTED]` stands for credentials: by their key, by their shape, as a part of JSON, "
    "and in cookies also for long values that nobody wrote to be read. A page of the published packages "
    "does not know it (`unsupported_surface`).",
    "reticle_scroll_to": "It looks where the page is, then through each list that scrolls up and down, "
    "those with rows that are not in the page first, `maxScrolls` times (20) and 50 s at most. With "
    "`targetIndex` and `totalCount` it begins where that row should be. Several matches are refused with "
    "`ambiguous_target`. It moves the page and lets the app load rows, so it needs `drive`, and a page that "
    "is paused or held refuses it; lists without the element are put back. It proves nothing: not found is "
    "no proof of absence, found none of what a person sees.",
    "reticle_animations": "CSS animations, transitions and `element.animate`, in open shadow roots and "
    "frames of the page's origin too. Motion that an app paints by itself frame by frame, video, GIF and "
    "SVG's own animations are not among them: an empty list is no proof that nothing moves. A page of the "
    "published packages refuses with `unsupported_surface`.",
    "reticle_explore": "Controls, and what else takes clicks as far as it shows: by a click attribute or "
    "property, by React's props, by `tabindex`, by the pointing hand. What only listens "
    "(`addEventListener`) shows nothing of it and is not listed. A page of the published packages refuses "
    "with `unsupported_surface`; `reticle_snapshot` with mode interactive reads it.",
    "reticle_baseline": "What goes with which action: save `name`, `scope`; diff `name`. Lines are those of "
    "a snapshot without ref and focus; how deep they stand is not compared. The file lies in "
    "`.reticle/baselines/` of the registered repository whose app the page shows, else in the state "
    "directory; it outlives the daemon, and a name is written over. It is no verdict: a page may differ as "
    "it should.",
    "reticle_contract_save": "The file is `.reticle/contract.json` of the registered repository whose app "
    "the page shows: `{version, generatedAt, capabilities}`, sorted, to be committed and reviewed. A page of "
    "no repository (`repo_not_registered`) and one that names a project other than that of its address "
    "(`conflict`) write nothing. `merge` keeps what other routes brought.",
    "reticle_invariants": "What goes with which action: add `name`, `predicate`; remove `name`. An "
    "invariant is about what is so at any time (element, text, state, same, route), or that something does "
    "not happen (`absent`, `count` 0, `not`, `never`). Each `reticle_act_and_wait` on a page of the project "
    "is judged by all of them: one that held before the action and does not after it is the finding "
    "`invariant-broken`, which makes `no`; one that was broken before, or cannot be told, stands in the "
    "notes. They lie in `.reticle/invariants.json` of the registered repository, and as `[[invariant]]` "
    "(`name`, `predicate`) in its `reticle.toml`, which only people edit.",
    "reticle_contract_check": "It changes nothing, and is no verdict: only declared names, and test ids and "
    "signals seen in this document, are there.",
}
"""What a reader must know beside the fields."""
