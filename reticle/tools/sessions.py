"""
``reticle_sessions``: which pages are connected, and what to do when none is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reticle.domain.skips import skip_words
from reticle.model.codes import Capability, ControlState
from reticle.model.framing import hosts
from reticle.model.limits import FIRST_LOOK_SECONDS, STALE_PAGE_SECONDS
from reticle.model.page import PageIdentity, RefusedDial, script_tag
from reticle.ports import CallContext, Page
from reticle.tools.attendance import health_fields, skew_fields
from reticle.tools.browser_leases import driven_fields
from reticle.tools.fields import cut, one_line, quoted, told
from reticle.tools.page_holds import hold_fields
from reticle.tools.spec import Arguments, Tool, ToolAnnotations, ToolAnswer

REFUSED_SHOWN = 5
"""Refused dials in one answer; the newest say enough."""

URL_SHOWN_CHARS = 300
"""Characters of a page's address; a longer one carries state that nobody reads here."""


OPEN_ONE = 'Or open it in reticle\'s own browser: reticle_lease {"action": "acquire", "url": "..."}.'
"""The way to a page that needs nothing in the app."""

REVIEW_SUGGESTION = 'A person has flagged elements: read them with reticle_session {"action": "review"}.'
"""What to do about flags that nobody has answered."""


class SessionsArguments(Arguments, frozen=True, kw_only=True):
    """
    Nothing: the answer lists every page.
    """


async def list_sessions(context: CallContext, arguments: SessionsArguments) -> ToolAnswer:
    """
    Every connected page; when there is none, why that is and the one next step.
    """
    del arguments
    if not context.pages.all():
        await context.pages.await_page(None, FIRST_LOOK_SECONDS)
    pages = context.pages.all()
    refused = context.pages.refused_dials()
    fields: dict[str, object] = {
        "sessions": [
            {**_session(page, pages), **hold_fields(context, page), **driven_fields(context, page)}
            for page in pages
        ]
    }
    fields.update(told(refusedDials=[_dial(dial) for dial in refused[:REFUSED_SHOWN]]))
    if not pages:
        fields.update(_next_step(context, refused))
    return ToolAnswer(fields, text="\n".join(_outline(fields)))


def _session(page: Page, pages: Sequence[Page]) -> dict[str, object]:
    identity = page.identity
    health = page.health()
    state = page.steering.state
    pending = sum(mark.pending for mark in page.steering.marks())
    wellness = health_fields(health)
    return {
        "sessionId": identity.page_id,
        "url": cut(identity.url, URL_SHOWN_CHARS),
        **told(
            title=identity.title,
            projectId=identity.project_id,
            adapters=list(identity.adapters),
            hasCapabilities=identity.has_capabilities,
            script="reticle" if identity.own_script else "published",
            frameOf=_frame_of(identity, [each.identity for each in pages]),
        ),
        **wellness,
        **(skew_fields(wellness) if identity.version_skew else {}),
        **told(
            hidden=health.hidden,
            stale=health.silent_seconds > STALE_PAGE_SECONDS,
            control=None if state is ControlState.ACTIVE else state.value,
            messagesWaiting=page.steering.waiting() or None,
            pendingMarks=pending or None,
            review_suggestion=REVIEW_SUGGESTION if pending else None,
        ),
        "attachment": _attachment(page),
    }


def _frame_of(frame: PageIdentity, pages: Sequence[PageIdentity]) -> str | None:
    """
    The page around a frame by its name, where only one can be it, else by its origin; None for no frame.
    """
    if frame.frame_depth == 0:
        return None
    around = hosts(frame, pages)
    nearest = [page for page in around if page.frame_depth == max(each.frame_depth for each in around)]
    if len(nearest) == 1:
        return nearest[0].page_id
    return next(filter(None, frame.ancestors), "a page without the page script")


def _attachment(page: Page) -> dict[str, object]:
    attachment = page.attachment()
    return {
        "connectedMs": attachment.connected_ms,
        **told(
            outages=attachment.outages or None,
            lastOutageMs=attachment.last_outage_ms,
            lastOutageAgoMs=attachment.last_outage_ago_ms,
        ),
    }


def _dial(dial: RefusedDial) -> dict[str, object]:
    return {
        "origin": dial.origin,
        "reason": dial.reason,
        "next_step": dial.next_step,
        **told(times=dial.count if dial.count > 1 else None),
    }


def _next_step(context: CallContext, refused: Sequence[RefusedDial]) -> dict[str, object]:
    if refused:
        newest = refused[0]
        return {
            "why": f"A page at {newest.origin or 'an unnamed origin'} tried to connect and was refused: "
            f"{newest.reason}",
            "next_action": {"action": "admit_page", "reason": newest.next_step},
        }
    skipped = context.pages.skipped_insertions()
    if skipped:
        why, step = skip_words(skipped[0])
        action = {"action": "admit_script", "reason": f"{step[0].upper()}{step[1:]}."}
        return {"why": f"{why}.", "next_action": action}
    earlier = context.pages.earlier_lives()
    if context.pages.seen_before() == 0 and earlier is not None and earlier.pages:
        return {
            "why": earlier.told,
            "next_action": {
                "action": "open_app",
                "reason": "An open page comes back by itself within half a minute; else load it again.",
            },
        }
    if context.pages.seen_before() == 0:
        return {
            "why": "No page has connected since this daemon started: no open page carries the page script.",
            "next_action": {
                "action": "add_script",
                "line": script_tag(context.daemon_url),
                "reason": "Put the line first in the head of the app's pages and load them; "
                f"a page that was opened before the daemon has to be loaded again. {OPEN_ONE}",
            },
        }
    return {
        "why": "Pages were connected before, but none is now: the tab was closed or the app has stopped.",
        "next_action": {
            "action": "open_app",
            "reason": f"Open or reload the app in a browser, then call this again. {OPEN_ONE}",
        },
    }


def _outline(fields: Mapping[str, object]) -> list[str]:
    sessions = fields["sessions"]
    assert isinstance(sessions, list)
    lines = [_session_line(session) for session in sessions] or ["no page is connected"]
    if "why" in fields:
        action = fields["next_action"]
        assert isinstance(action, dict)
        lines.append(f"why: {fields['why']}")
        lines.append(f"next: {action['reason']}")
        lines.extend(f"line: {action['line']}" for _ in range("line" in action))
    dials = fields.get("refusedDials", [])
    assert isinstance(dials, list)
    lines.extend(
        one_line(f"refused: {dial['origin'] or '(no origin)'}: {dial['reason']} {dial['next_step']}")
        for dial in dials
    )
    return lines


def _session_line(session: Mapping[str, object]) -> str:
    notes = [name for name in ("focused", "hidden", "throttled", "stale", "versionSkew") if session.get(name)]
    wanted = ("frameOf", "control", "messagesWaiting", "pendingMarks")
    notes += [f"{name} {session[name]}" for name in wanted if name in session]
    if "adapters" in session:
        notes.append("adapters " + ",".join(map(str, session["adapters"])))  # type: ignore[call-overload]  # a list of ours
    if "hold" in session:
        hold = session["hold"]
        assert isinstance(hold, Mapping)
        notes.append(f"held by {hold['by']} for {hold['secondsLeft']} s")
    if "driven" in session:
        driven = session["driven"]
        assert isinstance(driven, Mapping)
        notes.append(f"driven by {driven['by']} ({driven['leaseId']}) for {driven['secondsLeft']} s")
    title = f" {quoted(session['title'])}" if "title" in session else ""
    line = f"{session['sessionId']}{title} {session['url']}" + (f" [{'; '.join(notes)}]" if notes else "")
    return f"{line}\n  {session['recommendation']}" if "recommendation" in session else line


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_sessions",
        title="List connected pages",
        summary="Lists the browser pages connected now; when there is none, says why and what to do.",
        arguments=SessionsArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=list_sessions,
    ),
)
