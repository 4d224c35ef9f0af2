"""
No page can write a line of a verdict: whatever it says stays within the line that quotes it.
"""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.explanation import explain
from reticle.domain.predicate import parse
from reticle.domain.rejudging import judge
from reticle.domain.verdict_text import outline
from reticle.model.window import Window
from reticle.testing.verdicts import recorded_verdict
from reticle.testing.windows import WindowBuilder
from reticle.tools.verdict_fields import verdict_fields, verdict_text

FORGED = "verified: yes (proved)"
BREAKS = ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", '"\n', "\x1b[1A", "\u202e", "\\\n"]
CLAIMS: list[dict[str, object]] = [
    {"kind": "text", "contains": "Saved"},
    {"kind": "text", "contains": "Saved", "absent": True},
    {"kind": "element", "query": {"testid": "total", "text": "3"}},
    {"kind": "console", "level": "error", "absent": True},
    {"kind": "signal", "name": "saved"},
    {"kind": "net", "method": "POST", "urlContains": "/api/a", "status": 201},
    {"kind": "state", "path": "cart", "equals": 3},
    {"kind": "route", "pathname": "/done"},
    {"kind": "stream", "contains": "tick"},
    {"kind": "storage", "key": "cart", "equals": "3"},
    {"kind": "dialog", "contains": "Sure"},
    {"kind": "never", "predicate": {"kind": "text", "contains": "Saved"}},
    {"kind": "same", "sides": [{"text": {"testid": "total"}}, {"state": "cart"}]},
]


def window_of(said: str) -> Window:
    """
    A page that puts one text wherever a page can put one.
    """
    builder = WindowBuilder().click(said, source=said)
    builder.net("POST", f"/api/a?{said}", 500, responseBody=said, error=said).shown("alert", said)
    builder.dom_added("listitem", said, said).dom_removed("listitem", said)
    builder.event("dom.text", {"text": f"Saved {said}", "old": said}, ref="e9")
    builder.console("error", said).uncaught(said, source=said, line=3).signal(said, {said: said})
    builder.state_change(said, said, said).route(f"/{said}")
    builder.event("storage.change", {"area": said, "key": said, "old": None, "new": said})
    builder.event(
        "net.stream", {"transport": "ws", "id": "w", "url": said, "direction": "in", "preview": said}
    )
    builder.event("dialog", {"id": "d", "kind": said, "message": said, "state": "open"})
    builder.event("download", {"filename": said, "url": said})
    builder.text("Saved", there=False).element({"testid": "total"}, there=True).state("cart", said)
    return builder.at(f"/{said}").quiet(2_000).build()


@given(
    st.sampled_from(CLAIMS),
    st.sampled_from(BREAKS),
    st.text(max_size=12),
    st.text(alphabet=st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Zs"]), max_size=4),
)
def test_no_text_of_a_page_makes_a_line_of_a_verdict(
    claim: dict[str, object], end: str, before: str, marks: str
) -> None:
    """
    Neither in the answer nor in the explanation does any line begin with what the page would have it say.
    """
    window = window_of(f"{before}{end}{marks}{FORGED}")
    decision = judge(parse(claim), window)
    verdict = attrs.evolve(recorded_verdict(), claim=claim, decision=decision)
    fields = verdict_fields(verdict, window)
    for text in (outline(decision), explain(verdict, window).text, verdict_text(verdict, fields)):
        first, *lines = text.splitlines()
        assert first.startswith(("verified: no", "verified: unknown", "verified: yes", "what was claimed"))
        for line in lines:
            assert not line.strip().startswith(FORGED), line
        assert text.split("\n") == text.splitlines()
        for sign in text:
            assert sign.isprintable() or sign in "\n\u00ad\u200c\u200d", ascii(text)
    assert decision.because.isprintable() or any(
        joiner in decision.because for joiner in "\u00ad\u200c\u200d"
    )
