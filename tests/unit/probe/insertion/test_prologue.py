"""
Where the head of a document begins, read as browsers do.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.probe.insertion.candidates import asked
from reticle.probe.insertion.prologue import Decision, NoPlace, Place, Prologue, common_end
from reticle.probe.insertion.rewriting import Answer
from reticle.probe.insertion.tag import Offer
from reticle.probe.words import Skip

OFFER = Offer("0" * 16, "ws://127.0.0.1:4400/reticle", "0" * 32, "ws", "http://localhost:8000")


def read(
    text: bytes, step: int | None = None, *, is_xml: bool = False, is_navigation: bool = False
) -> Decision:
    """
    The decision about a whole document, in chunks of ``step``.
    """
    prologue = Prologue(is_xml=is_xml, is_navigation=is_navigation)
    for at in range(0, len(text), step or max(1, len(text))):
        decision = prologue.feed(text[at : at + (step or len(text))])
        if decision is not None:
            return decision
    return prologue.end()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"<!doctype html><html><head>", b"<title>"),
        (b"<!DOCTYPE HTML>\n\n<HTML LANG=en>\n<HEAD\tid=x>", b"<title>"),
        (b"\xef\xbb\xbf<!doctype html><head>", b""),
        (b"<!doctype html>\n", b"<title>"),
        (b"<!doctype html>\n ", b"text"),
        (b"<!doctype html>", b"<header>"),
        (b"<!doctype html>", b"</head>"),
        (b"<!doctype html></p>", b"<p>"),
        (b"<!doctype html></>", b"<p>"),
        (b"<html><!-- <head> -->", b"<body>"),
        (b"<html data-a='<head>' data-b=\"<head>\"><head data-c='>'>", b"x"),
        (b"<html data-a=\"x\"y='>'><head>", b""),
        (b"<html a=b'><head>", b"'>"),
        (b'<html ">', b'"><p>'),
        (b'<html =">', b'"><head>'),
        (b"<html/><head/>", b"<title>"),
        (b"<html a/='x'><head>", b""),
        (b"<html a = '>'><head>", b""),
        (b"<!doctype html><!--><head>", b"-->"),
        (b"<!doctype html><!---><head>", b"-->"),
        (b"<!doctype html><!-- a --!><head>", b"-->"),
        (b"<!doctype html><!-- a -- > ---><head>", b""),
        (b"<!doctype html><!-- a --!b --><head>", b""),
        (b'<!doctype html PUBLIC ">', b'"><head>'),
        (b"<?xml version='1.0'?><!doctype html><head>", b""),
        (b"<!doctype html><![CDATA[<head>", b"]]>"),
        (b"<!doctype html><!x <head>", b"y"),
        (b"<html>", b""),
        (b"", b"<body>"),
    ],
)
def test_the_place_is_first_in_the_head(before: bytes, after: bytes) -> None:
    """
    The script runs before anything of the app's, and nothing is cut in two.
    """
    assert read(before + after) == Place(len(before))
    assert read(before + after, 1) == Place(len(before))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no_document"),
        (b"  \n", "no_document"),
        (b"<p>part", "no_document"),
        (b"text", "no_document"),
        (b"<title>of a part", "no_document"),
        (b"<!-- never ends", "no_document"),
        (b"<html never ends", "no_document"),
        (b"\xff\xfe<\x00", "charset"),
        (b"\xfe\xff\x00<", "charset"),
        (b"\x00<\x00h", "charset"),
        (b"<!doctype html><!-- \x1b$B<head>\x1b(B --><head>", "charset"),
        (b"<!--" + b"-" * 70_000, "prologue"),
    ],
)
def test_there_is_no_place(text: bytes, reason: str) -> None:
    """
    A part of a page, and what is no text of ASCII's family, stay as they are.
    """
    assert read(text) == read(text, 7) == NoPlace(Skip(reason))


def test_a_part_is_a_document_where_the_browser_shows_it_as_one() -> None:
    """
    An app may answer with a few words; its reader sees a page.
    """
    assert read(b" <p>Hello", is_navigation=True) == Place(1)
    assert read(b"Hello", is_navigation=True) == Place(0)
    assert isinstance(read(b"", is_navigation=True), NoPlace)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        (b"<?xml version='1.0'?>\n<html><head>", Place(34)),
        (b"<?xml a > ?><!-- > --><html a='>'><head >", Place(41)),
        (b"<html><!-- a -- --><head>", Place(25)),
        (b"<HTML><HEAD>", NoPlace(Skip.NO_DOCUMENT)),
        (b"<!DOCTYPE html [<!ENTITY a '>'>]><html><head>", NoPlace(Skip.PROLOGUE)),
        (b"<html><title>", NoPlace(Skip.NO_DOCUMENT)),
        (b"<h:html><h:head>", NoPlace(Skip.NO_DOCUMENT)),
    ],
)
def test_xml_is_read_by_its_own_rules(text: bytes, decision: Decision) -> None:
    """
    A browser shows an error in place of XML that is not well formed.
    """
    assert read(text, is_xml=True) == read(text, 1, is_xml=True) == decision


WORDS = [
    b"<!doctype html>", b"<html>", b"<head>", b"<!--", b"-->", b"<head", b">", b"<meta charset=utf-8>",
    b"<title>x</title>", b'<script>"<head>"</script>', b"<![CDATA[", b"]]>", b"<?", b"?>", b"'", b'"', b"=",
    b"/", b"\xef\xbb\xbf", b" ", b"\n", b"<template><head></template>", b'<html a="<head>">', b"x" * 900,
]  # fmt: skip
PIECES = st.lists(st.one_of(st.sampled_from(WORDS), st.binary(max_size=4)), max_size=12).map(b"".join)
TYPES = st.sampled_from(["text/html", "text/html; charset=utf-8", "application/xhtml+xml"])


TOKENS = st.sampled_from([
    b"<!doctype html>", b"<!DOCTYPE html >", b"<html", b"<HTML", b">", b' lang="en"', b" lang=en", b' a="',
    b'"', b"<head>", b"<HEAD>", b"<header>", b" ", b"\n", b"\x0b", b"\x0c", b"\x1b", b"/", b"=", b"<",
    b"x-", b"'",
]).map(bytes)  # fmt: skip


@given(st.lists(TOKENS, max_size=14).map(b"".join))
def test_the_short_cut_decides_as_the_reading_does(text: bytes) -> None:
    """
    A document in one piece, which most are, is judged as one that comes byte by byte.
    """
    whole = b"<!doctype html>" + text
    assert read(whole) == read(whole, 1)


def answered(
    text: bytes, cuts: list[int], content_type: str, destination: str | None
) -> tuple[Answer, bytes]:
    """
    An answer in chunks of these lengths, and what came out.
    """
    told = {"sec-fetch-dest": destination, "accept": "text/html"}
    headers = [("Content-Type", content_type), ("Content-Length", str(len(text)))]
    answer = Answer(asked("GET", told.get), 200, headers, OFFER)
    out, at = b"", 0
    for cut in cuts:
        out += answer.feed(text[at : at + cut])
        at += cut
    return answer, out + answer.feed(text[at:]) + answer.end()


@given(PIECES, st.lists(st.integers(1, 50), max_size=40), TYPES, st.sampled_from(["document", None]))
def test_the_apps_bytes_are_unchanged_but_for_the_tag(
    text: bytes, cuts: list[int], content_type: str, destination: str | None
) -> None:
    """
    However an app cuts its document into chunks, the page is the same, and so is its length.
    """
    answer, out = answered(text, cuts, content_type, destination)
    other, byte_by_byte = answered(text, [1] * len(text), content_type, destination)
    assert (out, answer.headers, answer.skip) == (byte_by_byte, other.headers, other.skip)
    assert dict(answer.headers)["Content-Length"] == str(len(out))
    assert answer.is_inserted == (answer.skip is None)
    tag = OFFER.tag(answer.permitted) if answer.permitted else b""
    if answer.is_inserted:
        at = out.index(tag)
        assert out[:at] + out[at + len(tag) :] == text
    else:
        assert out == text


def test_two_threads_that_answer_at_once() -> None:
    """
    A page of one thread never gets the tag at the place of another thread's page.
    """
    short, long = b"<!doctype html><head>", b"<!doctype html>\n<html lang=en>\n<head>"

    class Interrupted(bytes):
        """
        A document whose thread is stopped behind each look at how it begins, while another reads its own.
        """

        def startswith(self, *given: Any) -> bool:
            """
            As of bytes.
            """
            found = super().startswith(*given)
            assert common_end(long) == len(long)
            return found

    assert common_end(short) == len(short)
    assert common_end(Interrupted(short)) == len(short)
