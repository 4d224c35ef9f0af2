"""
Stamps of template and line in opening tags.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.probe.stamping import Stamper, is_stampable

STAMP = re.compile(r' data-reticle-source="[^"]*"')


def stamped(*pieces: str) -> str:
    """
    Pieces of text with something opaque between them, shown as ``{}``.
    """
    stamper, line, out = Stamper("t.html"), 1, []
    for at, piece in enumerate(pieces):
        out.append(stamper.text(piece, line, is_followed=at + 1 < len(pieces)))
        stamper.opaque()
        line += piece.count("\n")
    return "{}".join(out)


def short(text: str) -> str:
    """
    Stamps as ``@line``.
    """
    return re.sub(r' data-reticle-source="t.html:(\d+)"', r"@\1", text)


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        (["<p>a</p>"], "<p@1>a</p>"),
        (["<div\n class='a'>\n<b>x</b>\n</div>"], "<div@1\n class='a'>\n<b@3>x</b>\n</div>"),
        (["<ul>\n", "\n<li>", "</li></ul>"], "<ul@1>\n{}\n<li@3>{}</li></ul>"),
        (["<img/><INPUT disabled>"], "<img@1/><INPUT@1 disabled>"),
        (["<my-card a=b>"], "<my-card@1 a=b>"),
        (["<!-- <p> --><p>"], "<!-- <p> --><p@1>"),
        (["<!doctype><html><head><meta></head><body>"], "<!doctype><html@1><head><meta></head><body@1>"),
        (["<script>if (a <b) '<p>'</script><p>"], "<script>if (a <b) '<p>'</script><p@1>"),
        (["<style>a<b</STYLE ><p>"], "<style>a<b</STYLE ><p@1>"),
        (["<textarea><p></textarea><p>"], "<textarea@1><p></textarea><p@1>"),
        (['<a title="<b>" href=\'<i>\'><b>'], '<a@1 title="<b>" href=\'<i>\'><b@1>'),
        (['<a title="', "<b>", '"><b>'], '<a@1 title="{}<b>{}"><b@1>'),
        (["<a href=", "><b>"], "<a@1 href={}><b@1>"),
        (["<a it's><b>"], "<a@1 it's><b@1>"),
        (["<h", "><p>"], "<h{}><p@1>"),
        (["<", "><p>"], "<{}><p@1>"),
        (["1 < 2 <3 <p>"], "1 < 2 <3 <p@1>"),
        (["<br><p>"], "<br><p@1>"),
        ([""], ""),
    ],
)  # fmt: skip
def test_each_opening_tag_names_its_line(pieces: list[str], found: str) -> None:
    """
    An element of the page leads to the line that wrote it; what is no tag stays untouched.
    """
    assert short(stamped(*pieces)) == found


@given(st.lists(st.text(alphabet="<>/!-=\"' \nabpscriptle", max_size=40), max_size=6))
def test_without_the_stamps_it_is_the_original(pieces: list[str]) -> None:
    """
    Whatever the template is, the stamps are all that was added.
    """
    assert STAMP.sub("", stamped(*pieces)) == "{}".join(pieces)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("shop/cart.html", True), ("cart.htm", True), ("cart.html.j2", True), ("cart.html.jinja", True),
        ("cart.txt", False), ("feed.xml", False), ("cart.j2", False), ("cart.js", False), ("icon.svg", False),
        ("registration/password_reset_email.html", False), ("emails/receipt.html", False),
        ("e-mail.html", False),
        ("newsletter.html", False), ("mailbox.html", True), ("snail.html", True),
    ],
)  # fmt: skip
def test_only_pages_are_stamped(name: str, *, is_one: bool) -> None:
    """
    Mails, texts and feeds leave as they are written.
    """
    assert is_stampable(name) == is_one


def test_a_path_is_escaped() -> None:
    """
    A folder with a quote in its name breaks no page.
    """
    found = Stamper('a"b&c.html').text("<p>", 1, is_followed=False)
    assert found == '<p data-reticle-source="a&quot;b&amp;c.html:1">'
