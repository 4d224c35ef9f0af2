"""
A job writes where its plan says, and nowhere else, however a path is spelled.
"""

from __future__ import annotations

import contextlib
from pathlib import PurePosixPath

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reticle.domain.work.write_scope import check_scope, covers, is_ours, normalised, outside, refuse_outside
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.work_plan import WriteScope

NAMES = st.sampled_from(["a", "ab", "b", "src", "x.py", "[a]", ".git", ".GIT", ".reticle", "..", ".", ""])
PATHS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)
PARTS = st.sampled_from(["a", "*", "?", "a*", "*b", "**", "src", "*.py", "[a]"])
PATTERNS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


def naive(parts: list[str], names: list[str]) -> bool:
    """
    What a pattern means, in the slowest way: it meets the path or a folder above it.
    """
    if not parts:
        return True
    if parts[0] == "**":
        rest = parts[1:] or ["*"]
        return any(naive(rest, names[at:]) for at in range(len(names)))
    if not names:
        return False
    return one_name(parts[0], names[0]) and naive(parts[1:], names[1:])


def one_name(part: str, name: str) -> bool:
    if not part:
        return not name
    if part[0] == "*":
        return any(one_name(part[1:], name[at:]) for at in range(len(name) + 1))
    return bool(name) and part[0] in {"?", name[0]} and one_name(part[1:], name[1:])


@given(PATHS)
def test_no_spelling_leads_out(path: str) -> None:
    """A path that is taken lies below the root, and neither git's nor the daemon's files are meant by it."""
    try:
        kept = normalised(path)
    except Refusal:
        return
    assert not PurePosixPath(kept).is_absolute()
    assert not {".", "..", ""} & {*kept.split("/")}
    assert not any(is_ours(part) for part in kept.split("/"))
    assert normalised(kept) == kept


@given(st.text(max_size=12))
def test_any_text_is_kept_or_refused(path: str) -> None:
    """Whatever an agent sends as a path, the answer is a path or a reason."""
    with contextlib.suppress(Refusal):
        assert ".." not in normalised(path).split("/")


@given(PATTERNS, PATHS)
def test_patterns_mean_what_they_say(pattern: str, path: str) -> None:
    """A pattern meets the paths that its words describe, and no others."""
    assume(not {"..", ".git", ".GIT", ".reticle"} & {*path.split("/")})
    kept = "/".join(part for part in path.split("/") if part not in {"", "."})
    assume(kept)
    scope = WriteScope(allowed_paths=[pattern])
    assert covers(scope, kept) == naive(pattern.split("/"), kept.split("/"))


@given(st.lists(PATTERNS, max_size=3), st.lists(PATTERNS, max_size=2), PATHS)
def test_what_is_forbidden_stays_so(allowed: list[str], forbidden: list[str], path: str) -> None:
    """No allowance opens what is forbidden, and a scope that allows nothing covers nothing."""
    scope = WriteScope(allowed_paths=allowed, forbidden_paths=forbidden)
    if covers(scope, path):
        assert allowed
        assert not covers(WriteScope(allowed_paths=forbidden), path)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "../a", "a/../../b", "a/..", "C:/x", "C:x", "~/x", "a\\b", "a\0b", "a\nb", "", "  ",
        ".", ".git/config", "a/.GIT/hooks/x", ".reticle/contract.json", ".git./config",
        ".g\u200cit/config", "GIT~1/config", "x" * 2_000,
    ],
)  # fmt: skip
def test_refuses(path: str) -> None:
    """A path that leads elsewhere, or into git's and the daemon's own files, is no place to publish."""
    with pytest.raises(Refusal) as refused:
        refuse_outside(None, path)
    assert refused.value.code == RefusalCode.PATH_OUTSIDE_SCOPE
    assert refused.value.recovery


@pytest.mark.parametrize(
    ("pattern", "path", "met"),
    [
        ("src", "src/a/b.py", True),
        ("src/**", "src/a/b.py", True),
        ("src/**", "src", False),
        ("**", "a", True),
        ("**/*.py", "a/b/c.py", True),
        ("**/*.py", "c.py", True),
        ("*.py", "a/c.py", False),
        ("src/*/views.py", "src/shop/views.py", True),
        ("src/*/views.py", "src/a/b/views.py", False),
        ("src", "src2/a", False),
        ("docs/./a.md", "docs/a.md", True),
        ("**", ".git/config", False),
        (".git", ".git/config", False),
    ],
)
def test_covers(pattern: str, path: str, met: bool) -> None:  # noqa: FBT001 - a table
    """A packet's scope reads as people expect of such patterns."""
    assert covers(WriteScope(allowed_paths=[pattern]), path) is met


def test_says_what_is_allowed() -> None:
    """An agent that publishes elsewhere is told where it may."""
    with pytest.raises(Refusal) as refused:
        refuse_outside(WriteScope(allowed_paths=["docs/**"]), "./src//a.py")
    assert "'src/a.py'" in refused.value.message
    assert "docs/**" in refused.value.recovery
    assert refuse_outside(WriteScope(allowed_paths=["docs/**"]), "docs/./a.md") == "docs/a.md"


def test_names_what_lies_outside() -> None:
    """Of many changed files those that the job may not change are named, in order."""
    scope = WriteScope(allowed_paths=["src"])
    assert outside(scope, ["src/a", "z", "b", ".reticle/x"]) == (".reticle/x", "b", "z")
    assert outside(None, ["a", ".git/x"]) == (".git/x",)


@pytest.mark.parametrize("pattern", ["", "/src", "../x", "a**", "a/**b", ".git/**", "a\\b", "src/.reticle"])
def test_refuses_a_plan_that_cannot_be_meant(pattern: str) -> None:
    """A scope with a pattern that meets nothing, or too much, is refused before any work begins."""
    with pytest.raises(Refusal) as refused:
        check_scope(WriteScope(allowed_paths=["ok", pattern]), "jobs[0].write_scope")
    assert refused.value.code == RefusalCode.BAD_ARGUMENTS
    assert "jobs[0].write_scope.allowed_paths[1]" in refused.value.message


def test_takes_a_plan_that_can() -> None:
    """Ordinary patterns are taken."""
    check_scope(WriteScope(allowed_paths=["src/**", "docs/*.md", "a?"], forbidden_paths=["src/x"]), "scope")
    with pytest.raises(Refusal, match="more than"):
        check_scope(WriteScope(allowed_paths=["a"] * 999), "scope")


def test_many_stars_take_no_time() -> None:
    """A plan cannot keep the daemon busy with stars."""
    scope = WriteScope(allowed_paths=["/".join(["**", "*a*a*a*a*a*b"] * 8)])
    assert not covers(scope, "/".join(["a" * 30] * 30))
