"""
The insertion corpus: what real apps answer, over WSGI, ASGI and Twisted alike.

Each case is an answer in which a careless tool breaks something, and what must come out.
"""

from __future__ import annotations

import codecs
import gzip
import re
from collections.abc import Mapping

import attrs
import pytest

from reticle.testing.kept_facts import KeptFacts
from reticle.testing.probed_apps import DOCUMENT, SERVERS, Ask, Reply, Say

PAGE = b"<!doctype html><html><head><title>T</title></head><body>B</body></html>"
TAG = re.compile(rb'<script src="/__reticle__/sdk\.js\?v=[0-9a-f]{16}"[^>]*></script>')


def without_tag(body: bytes) -> bytes:
    """
    The app's own bytes.
    """
    return TAG.sub(b"", body, count=1)


def drive(server: str, said: Say, ask: Ask | None = None) -> Reply:
    """
    One request of the app that always says the same.
    """
    return SERVERS[server](lambda _: said, ask or Ask())


def asking(**headers: str) -> Ask:
    """
    A request of a browser with further headers, by name; None takes one away.
    """
    return Ask(headers={**DOCUMENT, **{name.replace("_", "-"): value for name, value in headers.items()}})


def scripted(**headers: str) -> Ask:
    """
    A request of a library in a page that is there already, where the browser does not say what it is for.
    """
    ask = asking(Accept="text/html, */*", **headers)
    return attrs.evolve(
        ask, headers={name: text for name, text in ask.headers.items() if name != "Sec-Fetch-Dest"}
    )


@attrs.frozen
class Case:
    """
    What is said to whom, and what becomes of the tag: ``place`` is what stands right behind it, ``skip`` why
    there is none (None where the reason is nobody's business).
    """

    said: Say
    ask: Ask = attrs.field(factory=Ask)
    place: bytes | None = None
    skip: str | None = None


SPLIT = tuple(bytes((byte,)) for byte in PAGE)
WIDE = codecs.BOM_UTF16_LE + "<!doctype html><head><title>T</title>".encode("utf-16-le")

CASES: Mapping[str, Case] = {
    "a plain document": Case(Say.html(PAGE), place=b"<title>"),
    "a compressed body of an inner layer": Case(
        Say.html(gzip.compress(PAGE), content_encoding="gzip"), skip="encoded"
    ),
    "another coding": Case(Say.html(b"\x1b\x00", content_encoding="br"), skip="encoded"),
    "a range": Case(
        Say((PAGE[5:],), (("Content-Type", "text/html"), ("Content-Range", "bytes 5-69/70")), 206),
        skip="range",
    ),
    "a download": Case(
        Say.html(PAGE, content_disposition='attachment; filename="a.html"'), skip="attachment"
    ),
    "shown in place": Case(Say.html(PAGE, content_disposition="inline"), place=b"<title>"),
    "one byte at a time": Case(Say.html(*SPLIT), place=b"<title>"),
    "UTF-16 by its mark": Case(Say.html(WIDE, content_type="text/html"), skip="charset"),
    "UTF-16 by its name": Case(Say.html(PAGE, content_type="text/html; charset=UTF-16"), skip="charset"),
    "UTF-16 the other way round": Case(
        Say.html(codecs.BOM_UTF16_BE + "<!doctype html>".encode("utf-16-be"), content_type="text/html"),
        skip="charset",
    ),
    "UTF-32": Case(Say.html(PAGE, content_type="text/html; charset=utf-32le"), skip="charset"),
    "a mark of UTF-8": Case(Say.html(codecs.BOM_UTF8 + PAGE), place=b"<title>"),
    "letters of two bytes": Case(
        Say.html(
            "<!doctype html><head>日本".encode("shift_jis"), content_type="text/html; charset=Shift_JIS"
        ),
        place="日本".encode("shift_jis"),
    ),
    "a fragment": Case(
        Say.html(b"<tr><td>1</td></tr>"),
        Ask(headers={"Host": "localhost", "Accept": "*/*"}),
        skip="no_document",
    ),
    "a greeting that is a document": Case(Say.html(b"<p>Hello"), place=b"<p>Hello"),
    "htmx": Case(Say.html(PAGE), scripted(HX_Request="true")),
    "htmx, a boosted link": Case(Say.html(PAGE), scripted(HX_Request="true", HX_Boosted="true")),
    "a Turbo frame": Case(Say.html(PAGE), scripted(Turbo_Frame="list")),
    "pjax": Case(Say.html(PAGE), scripted(X_PJAX="true")),
    "XMLHttpRequest": Case(Say.html(PAGE), scripted(X_Requested_With="XMLHttpRequest")),
    "fetch": Case(Say.html(PAGE), asking(Sec_Fetch_Dest="empty")),
    "an image": Case(Say.html(PAGE), asking(Sec_Fetch_Dest="image")),
    "a page by way of a service worker": Case(
        Say.html(PAGE), asking(Sec_Fetch_Dest="empty", Sec_Fetch_Mode="navigate"), place=b"<title>"
    ),
    "a script of the page's own origin": Case(
        Say.html(PAGE), asking(Sec_Fetch_Dest="empty", Sec_Fetch_Mode="same-origin")
    ),
    "a boosted link, asked for by fetch": Case(
        Say.html(PAGE), asking(HX_Request="true", HX_Boosted="true", Sec_Fetch_Dest="empty")
    ),
    "parts of htmx that replace others": Case(
        Say.html(b'<p>one</p><p id="sum" hx-swap-oob="true">2</p>'), scripted(HX_Request="true")
    ),
    "not modified": Case(Say((b"",), (("Content-Type", "text/html"), ("ETag", '"v1"')), 304)),
    "a frame": Case(Say.html(PAGE), asking(Sec_Fetch_Dest="iframe"), place=b"<title>"),
    "a prefetched document": Case(Say.html(PAGE), asking(Sec_Purpose="prefetch;prerender"), place=b"<title>"),
    "a page of an error": Case(Say((PAGE,), status=500), place=b"<title>"),
    "not found": Case(Say((PAGE,), status=404), place=b"<title>"),
    "a redirect": Case(Say((PAGE,), (("Content-Type", "text/html"), ("Location", "/a")), 302)),
    "JSON": Case(Say.html(b'{"html": "<head>"}', content_type="application/json")),
    "events": Case(Say.html(b"data: <head>\n\n", content_type="text/event-stream")),
    "parts that replace each other": Case(
        Say.html(PAGE, content_type="multipart/x-mixed-replace; boundary=b")
    ),
    "a head in a comment": Case(
        Say.html(b"<!doctype html><!-- <head> --><html><head><title>"), place=b"<title>"
    ),
    "a head in a script": Case(Say.html(b'<!doctype html><script>"<head>"</script>'), place=b"<script>"),
    "a head in a template": Case(
        Say.html(b"<!doctype html><template><head></head></template>"), place=b"<template>"
    ),
    "CDATA": Case(Say.html(b"<!doctype html><![CDATA[ <head> ]]><title>"), place=b"]]>"),
    "XHTML": Case(
        Say.html(
            b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>',
            content_type="application/xhtml+xml",
        ),
        place=b"<title>",
    ),
    "XHTML with an empty head": Case(
        Say.html(b"<html><head/><body/></html>", content_type="application/xhtml+xml"), skip="no_document"
    ),
    "64 KiB before the head": Case(
        Say.html(b"<!doctype html><!--" + b"x" * 70_000 + b"--><head>"), skip="prologue"
    ),
    "nothing": Case(Say.html(b""), skip="no_document"),
    "a policy with a nonce": Case(
        Say.html(PAGE, content_security_policy="script-src 'nonce-abc123' 'strict-dynamic'"), place=b"<title>"
    ),
    "a policy of hashes": Case(
        Say.html(PAGE, content_security_policy="script-src 'sha256-AAAA'"), skip="policy"
    ),
    "a policy in which only trusted scripts load others": Case(
        Say.html(PAGE, content_security_policy="script-src 'self' 'strict-dynamic'"), skip="policy"
    ),
    "a sandbox": Case(Say.html(PAGE, content_security_policy="sandbox allow-forms"), skip="policy"),
    "a sandbox with scripts": Case(
        Say.html(PAGE, content_security_policy="sandbox allow-scripts"), place=b"<title>"
    ),
    "a policy that only reports": Case(
        Say.html(PAGE, content_security_policy_report_only="script-src 'none'"), place=b"<title>"
    ),
    "two policies, one of which forbids": Case(
        Say(
            (PAGE,),
            (
                ("Content-Type", "text/html"),
                ("Content-Security-Policy", "script-src 'self'"),
                ("Content-Security-Policy", "default-src 'none'"),
            ),
        ),
        skip="policy",
    ),
    "a policy in the document": Case(
        Say.html(
            b"<!doctype html><head><meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">"
        ),
        place=b"<meta",
    ),
    "an isolated document": Case(
        Say.html(PAGE, cross_origin_embedder_policy="require-corp", cross_origin_opener_policy="same-origin"),
        place=b"<title>",
    ),
    "trusted types": Case(
        Say.html(PAGE, content_security_policy="require-trusted-types-for 'script'; trusted-types 'none'"),
        place=b"<title>",
    ),
    "not to be framed": Case(Say.html(PAGE, x_frame_options="DENY"), place=b"<title>"),
    "sent by the front server": Case(Say.html(b"", x_sendfile="/srv/a.html"), skip="sendfile"),
    "a late encoding": Case(
        Say.html(
            b"<!doctype html><head><title>" + b"t" * 850 + b'</title><meta charset="utf-8"><script>',
            content_type="text/html",
        ),
        place=b"<script>",
    ),
    "an early encoding": Case(
        Say.html(b'<!doctype html><head><meta charset="utf-8"><script>', content_type="text/html"),
        place=b"<meta",
    ),
    "a late encoding behind a script": Case(
        Say.html(
            b"<!doctype html><head><script>" + b"t" * 850 + b'</script><meta charset="utf-8">',
            content_type="text/html",
        ),
        skip="charset",
    ),
    "a stranger on the network": Case(Say.html(PAGE), Ask(peer="192.168.1.9"), skip="peer"),
    "a stranger behind a proxy": Case(Say.html(PAGE), asking(X_Forwarded_For="203.0.113.5"), skip="peer"),
    "a tunnel's name": Case(Say.html(PAGE), asking(Host="shop.example.net"), skip="host"),
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("name", CASES)
def test_the_tag_stands_where_it_belongs_or_nowhere(server: str, name: str, facts: KeptFacts) -> None:
    """
    A person's page is what the app wrote, and the tag is in it exactly where it does no harm.
    """
    case = CASES[name]
    reply = drive(server, case.said, case.ask)
    assert without_tag(reply.body) == case.said.body
    assert (case.place is not None) == (TAG.search(reply.body) is not None)
    told = facts.of("injection")
    if case.place is not None:
        assert TAG.split(reply.body, maxsplit=1)[1].startswith(case.place)
        assert told[0]["outcome"] == "inserted"
    elif case.skip is None:
        assert told == []
    else:
        assert [(fact["outcome"], fact["reason"]) for fact in told] == [("skipped", case.skip)]
    assert reply.status == case.said.status
    assert re.fullmatch(r'reticle;desc="[0-9a-f]{32}"', reply.headers["server-timing"])


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_an_answer_with_the_tag_is_nobodys_to_keep(server: str) -> None:
    """
    No browser and no cache shows a document with a tag of yesterday.
    """
    said = Say.html(
        PAGE, etag='"v1"', last_modified="Mon, 30 Nov 2026 10:00:00 GMT", cache_control="public, max-age=600",
        content_length=str(len(PAGE)), content_md5="x", digest="y", x_kept="z",
    )  # fmt: skip
    reply = drive(server, said)
    assert reply.headers["cache-control"] == "private, no-store"
    assert reply.headers["content-length"] == str(len(reply.body))
    assert reply.headers["x-kept"] == "z"
    assert not {"etag", "last-modified", "content-md5", "digest"} & set(reply.headers)


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_an_answer_without_the_tag_is_the_apps(server: str) -> None:
    """
    What gets no tag keeps its validators and its length.
    """
    said = Say.html(
        b"{}", content_type="application/json", etag='"v1"', content_length="2", cache_control="public"
    )
    reply = drive(server, said)
    kept = {name: reply.headers[name] for name in ("etag", "content-length", "cache-control")}
    assert kept == {"etag": '"v1"', "content-length": "2", "cache-control": "public"}


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_the_app_is_asked_for_a_whole_plain_document(server: str) -> None:
    """
    No 304 shows a copy from before the probe, and no inner layer compresses.
    """
    ask = asking(If_None_Match='"v1"', If_Modified_Since="x", Accept_Encoding="gzip, br", X_Else="1")
    reply = drive(server, Say.html(PAGE), ask)
    assert reply.seen["accept-encoding"] == "identity"
    assert reply.seen["x-else"] == "1"
    assert not {"if-none-match", "if-modified-since"} & set(reply.seen)


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_what_gets_no_tag_is_asked_for_as_it_was(server: str) -> None:
    """
    A script's request may be answered with 304 and compressed.
    """
    ask = asking(Sec_Fetch_Dest="script", If_None_Match='"v1"', Accept_Encoding="gzip")
    reply = drive(server, Say.html(b"", content_type="text/javascript"), ask)
    assert (reply.seen["if-none-match"], reply.seen["accept-encoding"]) == ('"v1"', "gzip")


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_head_says_what_get_would(server: str) -> None:
    """
    A HEAD names neither a length nor a validator that GET would not have.
    """
    said = Say.html(*([] if server != "twisted" else [b""]), etag='"v1"', content_length="70")
    reply = drive(server, said, Ask(method="HEAD"))
    assert reply.headers["cache-control"] == "private, no-store"
    assert not {"etag", "content-length"} & set(reply.headers)
    assert reply.body == b""


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_a_nonce_of_the_app_is_used_and_none_is_made(server: str) -> None:
    """
    The policy that leaves is the policy that the app wrote.
    """
    policy = "default-src 'none'; script-src 'nonce-Zm9v'; connect-src 'self'"
    reply = drive(server, Say.html(PAGE, content_security_policy=policy))
    assert reply.headers["content-security-policy"] == policy
    assert b' data-direct="no" nonce="Zm9v"></script>' in reply.body


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    ("policy", "directive"),
    [
        ("script-src-elem 'none'; script-src *", "script-src-elem"),
        ("script-src https://cdn.example", "script-src"),
        ("default-src 'none'", "default-src"),
        ("script-src 'self'; connect-src https://api.example", "connect-src"),
    ],
)
def test_a_policy_that_forbids_is_named(server: str, policy: str, directive: str, facts: KeptFacts) -> None:
    """
    Who looks for the missing tag reads which directive to change.
    """
    drive(server, Say.html(PAGE, content_security_policy=policy))
    (told,) = facts.of("injection")
    assert (told["reason"], told["directive"]) == ("policy", directive)


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", ["wsgi", "asgi"])
def test_a_hundred_megabytes_are_not_kept(server: str) -> None:
    """
    Of a long document only its beginning waits.
    """
    rest = (b"x" * 65_536,) * 1_600
    reply = drive(server, Say.html(PAGE, *rest))
    assert len(reply.chunks[0]) < 1_000
    assert sum(map(len, reply.chunks[1:])) == 1_600 * 65_536


@pytest.mark.parametrize("server", ["wsgi", "asgi"])
def test_an_exception_behind_the_first_byte_goes_on(server: str, facts: KeptFacts) -> None:
    """
    The server hears of it, and so do we; what the app had sent goes out before.
    """
    out: list[bytes] = []
    with pytest.raises(ZeroDivisionError):
        SERVERS[server](lambda _: Say((PAGE[:20],), breaks=ZeroDivisionError("late")), Ask(out=out))
    assert b"".join(out) == PAGE[:20]
    assert facts.of("exception")[0]["type"].endswith("ZeroDivisionError")
    assert facts.of("request.aborted")[0]["why"] == "exception"


@pytest.mark.parametrize("server", SERVERS)
def test_every_request_is_told(server: str, facts: KeptFacts) -> None:
    """
    Beginning and end, what was sent and how long it was.
    """
    ask = asking(X_Reticle_Action="p1.a2", Sec_Fetch_Dest="empty")
    reply = drive(server, Say.html(b"<p>", b"two", content_type="text/plain"), ask)
    (started,), (handled,) = facts.of("request.started"), facts.of("request.handled")
    assert (started["action"], started["link"]) == ("p1.a2", "header")
    assert (handled["status"], handled["response_bytes"], handled["rid"]) == (200, 6, started["rid"])
    assert handled["streamed"] is True
    assert handled["head"] == 1  # nothing but the start was told before the answer's head
    assert reply.headers["server-timing"] == f'reticle;desc="{started["rid"]}"'


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    ("sent", "left"),
    [("x-reticle-p1.a2", None), ("de, x-reticle-p1.a2", "de"), ("x-reticle-p1.a2, en", "en")],
)
def test_the_page_names_its_action_where_the_app_does_not_see_it(
    server: str, sent: str, left: str | None, facts: KeptFacts
) -> None:
    """
    The page's word in a header that browsers send on unasked is ours alone.
    """
    ask = asking(Content_Language=sent, Sec_Fetch_Dest="empty")
    reply = drive(server, Say.html(b"<p>", content_type="text/plain"), ask)
    (started,) = facts.of("request.started")
    assert (started["action"], started["link"]) == ("p1.a2", "header")
    assert reply.seen.get("content-language") == left


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_the_apps_own_language_is_its_own(server: str) -> None:
    """
    What an app says of its texts is left as it is.
    """
    ask = asking(Content_Language="de,  x-klingon", Sec_Fetch_Dest="empty")
    reply = drive(server, Say.html(b"<p>", content_type="text/plain"), ask)
    assert reply.seen["content-language"] == "de,  x-klingon"


@pytest.mark.parametrize("server", SERVERS)
def test_a_redirect_hands_its_id_on(server: str, facts: KeptFacts) -> None:
    """
    A form that posts and is sent on stays one chain, and the app never sees the cookie of it.
    """
    first = drive(server, Say((b"",), (("Location", "/thanks"),), 303), Ask(method="POST"))
    cookie = first.headers["set-cookie"]
    rid = re.match(r"__reticle_nav=([0-9a-f]{32}); Path=/; Max-Age=10; SameSite=Lax$", cookie)
    assert rid is not None
    second = drive(server, Say.html(PAGE), asking(Cookie=f"a=1; __reticle_nav={rid[1]}; b=2"))
    started = facts.of("request.started")
    assert (started[1]["link"], started[1]["action"], rid[1]) == (
        "cookie",
        started[0]["rid"],
        started[0]["rid"],
    )
    assert second.seen["cookie"] == "a=1; b=2"
    assert "Max-Age=0" in second.headers["set-cookie"]


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    "ask",
    [asking(Sec_Fetch_Dest="image"), asking(Sec_Purpose="prefetch"), scripted(HX_Request="true")],
    ids=["image", "prefetch", "htmx"],
)
def test_only_a_navigation_is_chained(server: str, ask: Ask) -> None:
    """
    An image that is redirected meanwhile, or a document fetched in case, is no step of the person's way.
    """
    reply = drive(server, Say((b"",), (("Location", "/b"),), 302), ask)
    assert "set-cookie" not in reply.headers


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("server", SERVERS)
def test_a_redirect_elsewhere_takes_nothing_along(server: str) -> None:
    """
    Another site's page is not this app's.
    """
    reply = drive(server, Say((b"",), (("Location", "https://pay.example/"),), 302))
    assert "set-cookie" not in reply.headers
