"""
Whether a page has parts that the published packages cannot look into: frames, and elements of the app's own
kind, which mostly keep their content in a shadow root (page-wire §9.1). What was not found may stand there.
"""

from __future__ import annotations

from reticle.bridge.dialect import Send
from reticle.bridge.published.elements import tree

_TAGS = (
    "a, abbr, acronym, address, applet, area, article, aside, audio, b, base, basefont, bdi, bdo, "
    "bgsound, big, blockquote, body, br, button, canvas, caption, center, cite, code, col, colgroup, "
    "data, datalist, dd, del, details, dfn, dialog, dir, div, dl, dt, em, fieldset, figcaption, figure, "
    "font, footer, form, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i, img, input, "
    "ins, kbd, keygen, label, legend, li, link, main, map, mark, marquee, math, menu, menuitem, meta, "
    "meter, nav, nobr, noembed, noframes, noscript, ol, optgroup, option, output, p, param, picture, "
    "plaintext, pre, progress, q, rb, rp, rt, rtc, ruby, s, samp, script, search, section, select, slot, "
    "small, source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template, "
    "textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, var, video, wbr, xmp"
)
"""Of HTML, also of old; a name with a hyphen is an app's own."""

HOSTS = (
    "body :is(iframe, frame, object, embed), "
    f"body :not({_TAGS}, svg *, math *, iframe, frame, object, embed, nextjs-portal)"
)
"""A selector that finds such a part; the portal is a development server's own."""

WHOLE = "body"


async def unseen_parts(send: Send) -> bool:
    """
    Whether there are such parts now. It is asked each time: the packages say nothing of a frame that is
    added, nor of a text that replaces another.

    A scope that finds nothing is the whole body, whose tree it then has.
    """
    before = await _walk(send, WHOLE)
    found = await _walk(send, HOSTS)
    # a page that changes meanwhile is looked at once more
    return found != before and found != await _walk(send, WHOLE)


async def _walk(send: Send, scope: str) -> object:
    return await tree(send, {"scope": scope, "mode": "full"})
