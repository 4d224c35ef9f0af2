"""
The probe's own words in an app's headers.
"""

from __future__ import annotations

import pytest

from reticle.probe.our_marks import (
    NAVIGATION_OVER,
    action_in,
    is_navigation,
    navigation,
    navigation_of,
    without_ours,
)
from reticle.probe.words import LANGUAGE_HEADER, LANGUAGE_MARK

RID = "0123456789abcdef" * 2


def test_a_cookie_comes_back_as_the_request_that_set_it() -> None:
    """
    The page behind a redirect is tied to the request that was redirected, and to nothing once it is over.
    """
    name, value = navigation(RID)
    sent = value.partition(";")[0]
    assert name == "Set-Cookie"
    assert navigation_of(f"a=1; {sent}; b=2") == RID
    assert navigation_of(NAVIGATION_OVER[1].partition(";")[0]) is None
    assert (is_navigation(value), is_navigation(NAVIGATION_OVER[1]), is_navigation("a=1")) == (
        True,
        True,
        False,
    )


@pytest.mark.parametrize("cookies", [None, "", "a=1", "__reticle_nav=x", f"x__reticle_nav={RID}"])
def test_what_is_no_navigation(cookies: str | None) -> None:
    """
    A cookie of the app's, or a spoiled one of ours, ties nothing.
    """
    assert navigation_of(cookies) is None


def test_the_app_sees_only_its_own() -> None:
    """
    An app that reads all its cookies and languages finds none that it does not know.
    """
    sent = navigation(RID)[1].partition(";")[0]
    language = f"en, {LANGUAGE_MARK}p1.a1"
    assert action_in(language) == "p1.a1"
    assert action_in("en") is None
    assert without_ours(f"a=1; {sent}", language) == [("cookie", "a=1"), (LANGUAGE_HEADER, "en")]
    assert without_ours(sent, None) == [("cookie", "")]
    assert without_ours("a=1", "en") == []
