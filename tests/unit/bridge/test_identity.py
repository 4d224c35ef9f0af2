"""
URLs with and without a page's identity.
"""

from __future__ import annotations

import pytest

from reticle.bridge.identity import url_after, with_identity, without_identity
from reticle.model.ids import PageId
from reticle.model.page import PageIdentity

PAGE = PageIdentity(PageId("s1 &"), "http://x/", "x", own_script=False, project_id="shop")


@pytest.mark.parametrize(
    ("url", "carrying"),
    [
        (
            "http://x/a",
            "http://x/a?__reticle_session=s1+%26&__reticle_project=shop",
        ),
        (
            "http://x/a?q=%41+b&__reticle_session=old#h",
            "http://x/a?q=%41+b&__reticle_session=s1+%26&__reticle_project=shop#h",
        ),
    ],
)
def test_a_url_carries_the_identity_once(url: str, carrying: str) -> None:
    """
    A published package keeps its session over our navigation; the app's own query keeps every character.
    """
    assert with_identity(url, PAGE) == carrying
    assert without_identity(carrying) == url.replace("&__reticle_session=old", "")


@pytest.mark.parametrize("url", ["http://y/a", "http://x:81/a", "https://x/a"])
def test_another_app_does_not_get_this_one_s_project(url: str) -> None:
    """
    Who may act on one repository's pages does not make another app's page one of them by going there.
    """
    assert with_identity(url, PAGE) == f"{url}?__reticle_session=s1+%26"


@pytest.mark.parametrize("url", ["http://x/?a=1&b", "", "not a url", "http://[__reticle_session"])
def test_other_urls_stay_as_they_are(url: str) -> None:
    """
    Nothing else is touched, not even what is no URL.
    """
    assert without_identity(url) == url


@pytest.mark.parametrize(
    ("to", "url"),
    [
        ("/b?x#y", "http://x/b?x#y"),
        ("http://x/c", "http://x/c"),
        ("#z", "http://x/a#z"),
        (None, "http://x/a"),
        ("http://y/", "http://x/a"),
        ("//y/", "http://x/a"),
    ],
)
def test_a_route_change_moves_the_url(to: object, url: str) -> None:
    """
    Relative and absolute targets both work; none moves a document to another origin, and so to another
    repository.
    """
    assert url_after("http://x/a", to) == url


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("__reticle_session=a", ""),
        ("__reticle_session=a&b=1", "?b=1"),
        ("b=1&__reticle_session=a&__reticle_project=p&c", "?b=1&c"),
        ("b=1&__reticle_project", "?b=1"),
        ("a__reticle_session=1&__reticle_sessions=2", "?a__reticle_session=1&__reticle_sessions=2"),
    ],
)
def test_only_whole_parameters_of_ours_go(query: str, kept: str) -> None:
    """
    Wherever the packages' parameters stand, they alone are taken out.
    """
    assert without_identity(f"http://x/?{query}#h") == f"http://x/{kept}#h"
