"""
The ``instructions`` that a client puts before its model, in every carrier and revision the same.

ASCII and at most ``INSTRUCTIONS_CHARS``: clients cut longer ones (DESIGN §4).
"""

from __future__ import annotations

from typing import Final

INSTRUCTIONS: Final = """\
reticle tells you whether your change to a running web app really works. It drives the page and reads \
what the page, its network, console, stores and the server behind it did.

The loop, after every change:
1. Look: reticle_sessions lists connected pages; reticle_snapshot shows one as an outline with refs (e12).
2. Act and prove: reticle_act_and_wait. BEFORE you act, name the consequence that must happen and only \
happens if the change works: the request and its status, the text, the state, the signal. \
Put it in `until`. A click that "went through" proves nothing.
3. Verify what is already there: reticle_assert.
4. Read the verdict. Only `verified: yes` is a pass. `no` is a failure: read `because` and the source \
line, fix the code, run the same check again. `unknown` is not a pass: do what its reason says and ask again.
Never weaken a check to make it pass, and never report success without a `yes`.

Only reticle_act_and_wait and reticle_assert give verdicts. reticle_act, reticle_wait_for, \
reticle_inspect, reticle_observe, reticle_network, reticle_console and reticle_state help to find out why.

No page connected? The refusal says how to connect one: add the script tag that it shows to the app's \
HTML head, (re)load the page, then call reticle_sessions. Or open any URL with reticle_lease.

Shared arguments: `sessionId` names the page, needed only when several are connected. An element is a \
`ref` (e12, good while it lives) or a `target`: {role, name}, {testid}, {text}, {label}; role, name and \
testid exact, the rest a part; `scope` is a ref or CSS selector. `since` is a cursor of an earlier \
result, `actionId` one action, `limit` caps a list, `timeout_ms` 0 looks once, `min_grade` is the weakest \
evidence that may pass, `trusted` acts by real mouse and keys in a browser that reticle drives.
A refusal says what to do next in `recovery`; `paused`: a person stopped you, do what `control` says. \
More: reticle_tools.
"""
