"""
The pitfalls of putting a script into other people's pages, and where each is tested: over WSGI, over ASGI and
in twisted.web.

``tests/architecture/test_pitfalls.py`` holds this table against the tests: a pitfall without a carrier, a
test that is gone, and one that does not drive the carrier it stands for, are failures.
A test is named ``file::function`` or ``file::function[case]``, the file below ``tests``.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

CARRIERS = ("wsgi", "asgi", "twisted")

_UNIT = "unit/probe/"
_TAG = "test_the_tag_stands_where_it_belongs_or_nowhere"
_RUN = "system/test_run.py::test_"
_BROWSER = "system/test_pitfalls_in_a_browser.py::"


@attrs.frozen
class Shared:
    """
    A test that drives no carrier, or another one, and ``why`` it speaks for this one.
    """

    test: str
    why: str


@attrs.frozen
class Meaningless:
    """
    There is no such thing with this carrier; ``why``, and in ``instead`` the test of what comes nearest.
    """

    why: str
    instead: str


Place = str | Shared | Meaningless
Places = Mapping[str, tuple[Place, ...]]


def _case(*names: str) -> tuple[str, ...]:
    """
    Cases of the corpus, which are answered over every carrier.
    """
    return tuple(f"{_UNIT}test_corpus.py::{_TAG}[{name}]" for name in names)


def _corpus(*names: str) -> tuple[str, ...]:
    return tuple(f"{_UNIT}test_corpus.py::test_{name}" for name in names)


def _pitfall(name: str) -> str:
    return f"{_UNIT}test_pitfalls.py::test_{name}"


def _browser(name: str) -> tuple[str, ...]:
    return (f"{_BROWSER}test_{name}",)


def _all(*places: Place) -> Places:
    return dict.fromkeys(CARRIERS, places)


PITFALLS: Mapping[str, Places] = {
    "compressed by an inner layer": _all(
        *_case("a compressed body of an inner layer", "another coding"),
        *_corpus("the_app_is_asked_for_a_whole_plain_document"),
        _pitfall("an_app_that_compresses_is_asked_not_to"),
    ),
    "HEAD": _all(*_corpus("head_says_what_get_would")),
    "304 once the probe is on": _all(
        *_case("not modified"),
        *_corpus("the_app_is_asked_for_a_whole_plain_document", "an_answer_with_the_tag_is_nobodys_to_keep"),
    ),
    "Range": _all(*_case("a range")),
    "HTML as an attachment": _all(*_case("a download", "shown in place")),
    "100 MB of HTML": {
        "wsgi": _corpus("a_hundred_megabytes_are_not_kept"),
        "asgi": _corpus("a_hundred_megabytes_are_not_kept"),
        "twisted": (_pitfall("a_hundred_megabytes_go_through_twisted_as_they_come"),),
    },
    "chunks of one byte": _all(*_case("one byte at a time")),
    "UTF-16": _all(
        *_case("UTF-16 by its mark", "UTF-16 by its name", "UTF-16 the other way round", "UTF-32")
    ),
    "fragments without a doctype": _all(*_case("a fragment", "a greeting that is a document")),
    "hx-boost": _all(*_case("htmx, a boosted link", "a boosted link, asked for by fetch")),
    "parts of htmx out of band": _all(*_case("parts of htmx that replace others", "htmx")),
    "Turbo frames": _all(*_case("a Turbo frame")),
    "srcdoc and about:blank": _all(*_browser("frames_without_an_address_get_no_tag_and_make_no_page")),
    "frames": _all(
        *_case("a frame"), *_browser("frames_without_an_address_get_no_tag_and_make_no_page")
    ),
    "a document of a service worker": _all(
        *_case("a page by way of a service worker", "a script of the page's own origin"),
        *_browser("a_document_that_a_service_worker_kept"),
    ),
    "back/forward cache": _all(*_browser("a_page_that_is_gone_back_to")),
    "prerendering": _all(
        *_case("a prefetched document"),
        *_corpus("only_a_navigation_is_chained"),
        *_browser("a_page_that_is_rendered_in_case_is_none_until_somebody_goes_there"),
    ),
    "Content-Security-Policy": _all(
        *_case(
            "a policy with a nonce", "a policy of hashes",
            "a policy in which only trusted scripts load others", "a sandbox", "a sandbox with scripts",
            "a policy that only reports", "two policies, one of which forbids", "a policy in the document",
        ),
        *_corpus("a_nonce_of_the_app_is_used_and_none_is_made", "a_policy_that_forbids_is_named"),
    ),
    "COOP, COEP and CORP": _all(
        *_case("an isolated document"),
        f"{_UNIT}test_own_answers.py::test_the_script_comes_from_the_apps_own_origin",
        *_browser("a_document_that_is_isolated_from_all_others"),
    ),
    "trusted types": _all(*_case("trusted types"), *_browser("a_document_that_trusts_no_text")),
    "X-Frame-Options": _all(*_case("not to be framed")),
    "files that the server sends": {
        "wsgi": (
            f"{_UNIT}test_wsgi.py::test_a_file_reaches_the_servers_own_sender",
            f"{_UNIT}test_wsgi.py::test_a_document_in_a_file_is_read",
            f"{_UNIT}test_wsgi.py::test_the_servers_wrapper_stands_there_again_afterwards",
            *_case("sent by the front server"),
        ),
        "asgi": (
            f"{_UNIT}test_asgi.py::test_a_file_by_its_path_and_trailers_pass",
            *_case("sent by the front server"),
        ),
        "twisted": (
            _pitfall("a_file_of_twisted_is_read_where_it_is_a_page_and_passes_where_it_is_none"),
            *_case("sent by the front server"),
        ),
    },
    "a client that leaves": {
        "wsgi": (f"{_UNIT}test_wsgi.py::test_a_client_that_leaves_is_told",),
        "asgi": (f"{_UNIT}test_asgi.py::test_a_client_that_leaves_is_told",),
        "twisted": (_pitfall("a_client_that_leaves_twisted_is_told"),),
    },
    "an exception behind the first byte": {
        "wsgi": _corpus("an_exception_behind_the_first_byte_goes_on"),
        "asgi": _corpus("an_exception_behind_the_first_byte_goes_on"),
        "twisted": (f"{_UNIT}test_twisted.py::test_a_fault_behind_the_first_bytes",),
    },
    "generators that nobody closes": {
        "wsgi": (
            f"{_UNIT}test_wsgi.py::test_a_generator_that_nobody_closes_is_over_at_its_end",
            f"{_UNIT}test_wsgi.py::test_the_iterable_is_closed_once",
        ),
        "asgi": (
            Meaningless(
                "an app sends, and gives the server nothing to close: it may only return too early",
                f"{_UNIT}test_asgi.py::test_an_app_that_never_ends_its_answer_is_told",
            ),
        ),
        "twisted": (
            Meaningless(
                "a resource writes, and gives the server nothing to close: it may only never finish",
                _pitfall("a_coroutine_that_twisted_never_finishes_is_told_at_the_end"),
            ),
        ),
    },
    "threads, forks and greenlets": {
        "wsgi": (
            f"{_UNIT}test_wsgi.py::test_threads_do_not_mix",
            Shared(f"{_RUN}a_project_is_watched_without_a_change", "in gunicorn's forks and in gevent"),
            Shared(
                "system/test_probe_transport.py::test_a_forked_worker_speaks_for_itself",
                "facts are sent alike, whatever served",
            ),
        ),
        "asgi": (
            _pitfall("threads_of_asgi_do_not_mix"),
            Shared(f"{_RUN}a_project_is_watched_without_a_change", "in uvicorn's workers"),
            Shared(
                "system/test_probe_transport.py::test_a_forked_worker_speaks_for_itself",
                "facts are sent alike, whatever served; no greenlets under an event loop",
            ),
        ),
        "twisted": (
            _pitfall("threads_of_twisted_do_not_mix"),
            Shared(
                f"{_UNIT}test_context.py::test_a_thread_of_the_app_is_ambient",
                "deferToThread takes no context along",
            ),
            Shared(
                "system/test_probe_transport.py::test_a_forked_worker_speaks_for_itself",
                "facts are sent alike, whatever served; no greenlets under a reactor",
            ),
        ),
    },
}  # fmt: skip
"""Each pitfall with its tests by carrier."""
