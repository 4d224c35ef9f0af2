"""
What the tools answer, field by field, and what is not plain from a schema.

``reticle_tools`` shows it with a tool that is described in full, and ``docs/reference/tools.md`` is made of
it (``make reference``). Fields are Markdown; those that every answer may have are in ``SHARED``.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.tools.unlisted_manual import UNLISTED_NOTES, UNLISTED_RETURNS
from reticle.tools.work_manual import WORK_RETURNS

SHARED: Mapping[str, str] = {
    "session": "when the page is not well: `lastSeenMs`, `throttled`, `focused`, `gone`, "
    "`recommendation`, and once `versionSkew`: the page runs another page script than the daemon serves",
    "warning": "the page is slowed down by the browser, or what the page says against its own act",
    "control": "`state` and `guidance[]`: a person paused or ended, or wrote; each message comes once",
    "verify_next": "several actions were not proved by a verdict",
    "session_switched": "the page of the last call is gone, and this answer is about another: `from`, "
    "`to`, `url`",
    "session_age_warning": "the page was left alone for over 10 minutes",
    "buffer": "the page's event buffer let events go: `held`, `dropped`, `note`",
    "cost": "`bytes` and `tokens` of an answer over 2,000 bytes",
}
"""Keys that answers about a page have when they say something."""

_STRETCH = "`since` and `until` of this look; the `until` is the `since` of the next"
_HINT = "what there is instead, when nothing matched"
_WINDOW: Mapping[str, str] = {
    "observed": "on an empty list: whether it is evidence that there was nothing; `note` says why",
    "hint": _HINT,
    "total": "how many matched; `truncated`, `droppedOldest` and `note` when older ones are not shown",
    "losses": "what of this was lost, in words",
    "since": _STRETCH,
}
_CONFIRMED = "a dangerous act that was asked about: who let it happen"
_VERDICT: Mapping[str, str] = {
    "verified": "`yes`, `no` or `unknown`; only `yes` is a pass",
    "verifiedReason": "why, as a word",
    "because": "why, as a sentence",
    "verdict_id": "the recorded verdict",
    "attested": "when the daemon opened the page itself: `lease` and the `url` as it opened it",
    "assertion": "what was looked for (not of a whole that held); unless it held `parts[]`, `observed`, "
    "`expected`, and `failureReason` where `because` does not have it",
    "evidence": "what was seen; beside a `yes` only where: `seq` of an event, `ref` of an element. `because` "
    "says what, `reticle_verdict` has all",
    "honesty": "`grade`, `settled`, `coverage` (`partial`, `blindSpots`; absent when all was watched), "
    "`integrity` (`clean`, `issues`; absent beside a `yes` when nothing was lost), `pending` (what was still "
    "scheduled; not beside a `yes`)",
    "contradictions": "channels that disagree, each once, four at most: `kind`, `tier`, `claim`, `counter`, "
    "`times`, `detail` (what the words do not have), `source`; `reticle_verdict` has all",
    "source": "the first of `sources`",
    "sources": "where to look, unless it is `yes`: at most three, each with `at` (`file:line`) and `why`",
    "summary": "calls, console errors, route, signals, state changes of the window; beside a `yes` the calls "
    "that are no evidence, and no state",
    "since": "`since`, `until` and `window_ms`: the window",
}
_OPENED = "tabs and windows that the act opened in a driven browser: `sessionId` and `url` of each"
_BROKEN = "declared invariants (`reticle_invariants`) that held before and do not after, each with `failure`"
_EFFECT = (
    "what is unusual about it, such as `dispatched: false`, `occludedBy`, `defaultPrevented`, `value`, "
    "`appeared`"
)

RETURNS: Mapping[str, Mapping[str, str]] = {
    "reticle_sessions": {
        "sessions": "`sessionId`, `url`, `title`, `projectId`, `adapters`, `script` (`reticle` or "
        "`published`), `frameOf` (it is a frame; of which page), "
        "`lastSeenMs`, `throttled`, `focused`, `hidden`, `stale` (silent for half an hour), "
        "`versionSkew` (another page script than the daemon's) with its `recommendation`, `control`, "
        "`messagesWaiting`, `pendingMarks`, `hold` (`by` whom it is held, `secondsLeft`, `purpose`), "
        "`driven` (the daemon opened it: `leaseId`, `by` whom, `secondsLeft`, `shared`, `gone`), "
        "`attachment` (`connectedMs`, `outages`, `lastOutageMs`)",
        "refusedDials": "pages that tried to connect and were turned away",
        "why": "on an empty list: what is known of the reason",
        "next_action": "on an empty list: `admit_page`, `add_script` (with the `line` to add) or `open_app`",
    },
    "reticle_navigate": {
        "confirmed": "whether this page itself reported a new document or the new route, within 5 s",
        "settled": "whether it came to rest within 2 s more",
        "url": "where it is now",
        "since": "the cursor before it left",
        "note": "what is odd: a redirect, no arrival",
    },
    "reticle_snapshot": {
        "tree": "role, name, ref, `=` value, states; small parts and table rows in one line, where "
        "neighbours share their role's word; `#` is a heading, `-` an item of a list, text stands alone in "
        "quotes",
        "status": "`route`, `title`, `visibleDialogs`, `overlayHidingPage`",
        "mode": "with `diff`: `unchanged`, `delta` or `full` with the `reason`",
        "delta": "with `diff`: `added`, `removed`; beside it `changed[]`, `renewedRefs` (dead ref to new "
        "one), "
        "`focusChanged`",
        "unread": "refs of branches that were not read: pass one as `scope`",
        "scopeMissing": "the scope matched nothing",
    },
    "reticle_query": {
        "elements": "each with `ref`, `role`, `name`, `states`, `visible`, `value`, `text`, `testid`, "
        "`source`, `attrs`",
        "count": "exact, also when fewer are described",
        "hint": f"{_HINT}: route, regions, test ids",
        "scopeMissing": "the scope matched nothing",
    },
    "reticle_inspect": {
        "ref": "with `tag`, `role`, `name`, `testid`, `value`, `text`, `states`, `attrs`, `href`, "
        "`formAction`",
        "box": "place and size in the window, whole pixels",
        "occluded": "whether something lies on top (`occludedBy`); null where the element does not show",
        "styles": "`color`, `backgroundColor`, `opacity`, `cursor`, `display`, `visibility`",
        "theme": "the theme's colour tokens that it uses, and whether it is off the theme",
        "scroll": "how far it is scrolled, where it scrolls",
        "htmx": "what htmx does for it: `verb`, `url`, and `target`, `swap`, `trigger` as written",
        "source": "`file:line`, else `sourceUnavailable` says why not; `component` is the stack of "
        "components",
    },
    "reticle_act": {
        "since": "the cursor before the act",
        "actionId": "names what it caused, for the tools that list events",
        "effect": _EFFECT,
        "settled": "whether the page came to rest within 200 ms; `settleReason` when not",
        "inputMode": "`trusted` by real mouse and keys, or `synthetic`: a browser does less after such "
        "events than after a person's",
        "inputModeReason": "why no real input was used, where a mouse would have been",
        "opened": _OPENED,
        "brokenInvariants": _BROKEN,
        "source": "`file:line` of the element, with `ref`, `role`, `name`",
        "confirmed": _CONFIRMED,
    },
    "reticle_act_and_wait": {
        **_VERDICT,
        "acted": "the act in one line, with `effect` (beside a `yes` what is odd about it), `warning`, "
        "`actionId`",
        "opened": _OPENED,
        "confirmed": _CONFIRMED,
    },
    "reticle_act_sequence": {
        "completed": "steps that succeeded; `dispatched` counts those that acted",
        "stalled_at": "the step that did not succeed; those after it did not run",
        "steps": "each with `action`, `ref`, `role`, `name`, `effect`, `settled`; `until` (`pass` and why "
        "not); a "
        "refused one with `error`, `message`, `recovery`, `mayHaveHappened`",
        "brokenInvariants": f"{_BROKEN}; of the whole, and in the step that broke it",
        "since": _STRETCH,
    },
    "reticle_assert": _VERDICT,
    "reticle_wait_for": {
        "pass": "true only when the predicate holds",
        "inconclusive": "it could not be told; `observationLost`: the page went away",
        "assertion": "what was looked for, with `failureReason`, `observed`, `expected`, `evidence[]`, "
        "`parts[]`",
        "since": _STRETCH,
    },
    "reticle_observe": {
        "events": "each with `seq`, `t`, `type`, `ref`, `actionId`, `data`",
        "summary": "a digest of the stretch",
        "server": "requests of a probed server in the stretch, a line each",
        **_WINDOW,
        "cost": "`events`, `bytes`, `tokens`, and from 80 events or 8,000 bytes on a `recommendation`",
    },
    "reticle_network": {
        "calls": "each with `method`, `url`, `status` (a number, `pending`, `failed`, `unreadable`, or "
        "that its "
        "document ended first), `ms`, `contentType`, `responseSize`, `requestBody`, `responseBody`, `error`, "
        "`source`, `startedBefore`, `from` (a service worker gave it) and `cached`",
        "bodiesNotCaptured": "successful writes whose answer could not be read",
        **_WINDOW,
    },
    "reticle_console": {
        "logs": "each with `level`, `text`, `uncaught`, `stack` (4 frames), `source`, `t`, `seq`",
        **_WINDOW,
    },
    "reticle_state": {
        "stores": "without `store`, `path` and `ref`: every store; `storeNames`",
        "discovered": "nobody registered it: it is read, and never watched. "
        "`store` may also be `window.NAME`, a global that a script set",
        "found": "else: whether it is there, with `value`, `store`, `path`",
        "availableKeys": "on a miss, with `totalKeys`; a path in several stores is `ambiguous`",
        "component": "with `ref`: the component's `component`, `hooks[]` or `state`; else a `reason` "
        "and a `note`",
        "truncation": "a value too large for an answer is replaced by its keys",
    },
    "reticle_capabilities": {
        "testids": "declared or present; `truncated` when there are more",
        "signals": "declared or seen",
        "stores": "declared or registered",
        "flows": "declared, each with `name` and `steps`",
        "governance": "what the app says of owners and risks",
        "source": "`live`, or `disk` with `generatedAt`: the contract that `reticle_contract_save` wrote",
    },
    "reticle_session": {
        "applied": "tune: with `idleEndMs`",
        "yielded": "yield: whether the panel shows it, with `mode`",
        "ended": "end: false when a person's pause or end stays",
        "resumed": "resume: whether anything was lifted",
        "messages": "messages: what the person wrote, each once; `delivered`, `droppedOldest`",
        "marks": "review: `id`, `note`, `element`, `anchor`, `route`, `source`, `resolution`; "
        "`pendingCount`, "
        "`droppedOldest` (flags forgotten unanswered), `resolved`, `resolvedNote`",
        "shown": "narrate: whether the panel shows it",
        "held": "hold: true, with `agent` (your name among agents) and `secondsLeft`",
        "released": "release: true",
        "handedTo": "hand_over: who has the page now, for `secondsLeft`",
    },
    "reticle_lease": {
        "leaseId": "the lease, with `sessionId` (its page; `sessions` when it opened windows), `by` (whose), "
        "`projectId`, `login`, `headed`, `shared`, `gone` (its holder is not there any more)",
        "url": "acquire: where the page is now; else as it was opened",
        "ready": "acquire: whether its page script has reported; if not, the lease is there all the same; "
        "`trouble` says why its address could not be loaded",
        "expiresInMs": "how long it lasts without a call",
        "leased": "acquire: how many contexts are open; `queued`: how many calls wait for one",
        "hint": "acquire: what to do next",
        "released": "release: false when it was over already",
        "leases": "list: each as above, with `most`: how many there may be",
    },
    "reticle_screenshot": {
        "width": "of the picture in pixels, with `height` and `bytes`",
        "shown": "whether the picture is in the answer; a larger one than 4 MiB is not",
        "path": "with `name`: the file",
    },
    **UNLISTED_RETURNS,
    "reticle_feedback": {
        "accepted": "it is kept; `sent` is always false",
        "keptIn": "the file",
        "redacted": "secrets that were taken out, by field and kind",
        "droppedOldest": "older notes that made room",
    },
    "reticle_tools": {
        "tools": "names and summaries; with `names` each with `params`, `returns`, `example`",
        "predicateGrammar": "when one of them takes a predicate",
    },
    "reticle_run": {},
    "audit.list": {
        "rows": "as they are kept; [the audit log](../operations/audit-log.md) describes each field",
        "next": "the arguments that go on with older rows; null when there are none",
        "factBatches": "how many rows between them are batches of a server's facts and were left out, if any",
    },
    "audit.verify": {
        "whole": "whether every row is as it was written, and the expected one among them",
        "rows": "how many were looked at; `pruned`: older ones, known by their segment alone",
        "head": "the hash of the last row that holds, with its `seq`; note it elsewhere",
        "fault": "the first thing that is wrong: `kind` (altered, missing, inserted), `seq`, `row`",
        "expectedMet": "whether a row has the expected hash",
        "why": "all of it in words",
    },
    "audit.export": {
        "ndjson": "rows in their order, each a line of JSON, `count` of them",
        "until": "the last row of this export",
        "next": "the arguments of the next page; null after the last",
    },
    "journal.read": {
        "entries": "oldest first, by `kind`: `event` (`cursor`, `t_ms`, `type`, `data`), `command` (`name`, "
        "`args` without what was typed), reply (`name`, `ok`, `code`, `ms`), `lost` (`first`, `last`: "
        "events that are not in it)",
        "next": "the arguments that give the next part",
    },
    **WORK_RETURNS,
}
"""The fields of each tool's answer."""

NOTES: Mapping[str, str] = {
    "reticle_navigate": "A page that was at that address already, or another tab that is there, confirms "
    "nothing.",
    "reticle_act": "An act is made once. `session_gone` and `command_timeout` mean that it may have "
    "happened; "
    "nothing repeats it. What each action takes in `args` is refused when misspelt. With `trusted` the "
    "browser's own mouse and keyboard act, on pages of a browser lease only (`not_driven`): for what needs a "
    "person's click, for text that is edited in place, for real drag and drop. What would reach anything but "
    "the element that was meant is stopped (`wrong_target`); submit, focus, blur, scrollIntoView, upload and "
    "fields with a picker of the browser's own are done without it.",
    "reticle_act_and_wait": "The claim is looked at before the act (what was true already proves nothing), "
    "then "
    "until it holds or cannot hold any more or the budget is spent. A claim that holds is watched until the "
    "requests of the window have ended, the app has run what the act scheduled (timers and animations due "
    "within 2.5 s and the budget) and the page has been quiet for 500 ms, or knows that nothing is left to "
    "come. A form post that replaces the document is followed. A page that went away makes `unknown`, never "
    "`no`. An act that the page refuses gives the refusal and no verdict. Without `until` "
    "the page is only waited for, and the answer is never `yes`.",
    "reticle_act_sequence": "It proves nothing and gives no verdict, also not when its last step has "
    "`until`: prove "
    "the end with `reticle_assert`, or make the last act with `reticle_act_and_wait`. All steps are "
    "checked before "
    "the first one runs; 25 at most, 50 s for all of them.",
    "reticle_wait_for": "There is no `verified`: waiting proves nothing.",
    "reticle_session": "While a person has paused or ended a page, tools that act refuse it with `paused`; "
    "looking "
    "goes on. `resume` is for when the person said so. What goes with which action: tune `idleEndMs`; "
    "yield `mode`, "
    "`note`; end `summary`; review `resolve`, `note`, `all`; narrate `text`, `level`; hold `seconds` "
    "(300 unless said, 3,600 at most), `note`; hand_over `to`. While one agent holds a page, every act of "
    "another and what else it would do with this tool is refused with `page_held`; looking goes on. A token "
    "is one agent; without one each MCP session is. Who takes a page again holds it longer; it is free when "
    "its time is over, and when the session or the token that holds it ends.",
    "reticle_lease": "What goes with which action: acquire `url`, `projectId`, `login`, `headed`, "
    "`seconds`, `dialogs`, `downloads`, `width`, `height`, `shared`; renew `seconds`. renew and release take "
    "`leaseId` or `sessionId`, or mean your only lease. Each context begins without cookies and storage, or "
    "with those that were kept under `login` when its last lease ended. Under a token for one repository "
    "only addresses of that repository's origins are opened, and `login` is that repository's own. While it "
    "lasts, other agents may look and not act (`page_held`) unless it is `shared`; each call of its holder "
    "on its pages renews it; `reticle_session` `hand_over` gives it away.",
    "reticle_screenshot": "The picture comes as an image beside the text. With `name` it is written over the "
    "one of that name: into `.reticle/visual/` of the registered repository whose app the page shows, else "
    "into the state directory. An element is scrolled into view where the agent may act on the page. A page "
    "that dialled in by itself is refused with `not_driven`.",
    "reticle_feedback": "The note lies in the state directory of this machine. Nothing sends it anywhere.",
    "reticle_run": "The answer is that tool's. The call is checked, refused and recorded as a call of that "
    "tool.",
    "audit.verify": "A log that is not whole is an answer and no refusal. Who can write the database can "
    "make the whole chain anew: only a head that was noted elsewhere tells that, with `expect`.",
    **UNLISTED_NOTES,
}
"""What a reader of the manual must know beside the fields."""
