"""
Registering repositories.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reticle.errors import Refusal
from reticle.model.codes import Capability
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.testing.tokens import a_grant, a_repository, a_token
from reticle.testing.toolcalls import answer_of, refusal_of
from reticle.tools.repositories import TOOLS

BY_NAME = {tool.name.rpartition(".")[2]: tool for tool in TOOLS}


@pytest.fixture
def context() -> FakeContext:
    """
    A machine with some folders and no repository.
    """
    made = FakeContext(FakePages())
    for folder in ("/src/shop", "/src/shop/api", "/src/shopping", "/src/blog"):
        made.folders.real_paths[folder] = folder
    made.folders.real_paths["/link"] = "/src/shop"
    return made


def call(context: FakeContext, name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
    """
    The fields of an answer.
    """
    return dict(answer_of(BY_NAME[name], context, arguments).fields)


def refused(context: FakeContext, name: str, arguments: Mapping[str, object]) -> Refusal:
    """
    Why a call was refused.
    """
    return refusal_of(BY_NAME[name], context, arguments)


def test_who_may() -> None:
    """
    Looking needs read, changing needs admin.
    """
    needed = {name: tool.capability for name, tool in BY_NAME.items()}
    assert needed == {
        "add": Capability.ADMIN,
        "list": Capability.READ,
        "resolve": Capability.READ,
        "remove": Capability.ADMIN,
        "update": Capability.ADMIN,
    }
    assert {name for name, tool in BY_NAME.items() if tool.mutates} == {"add", "remove", "update"}


def test_a_repository_is_registered_by_its_folder(context: FakeContext) -> None:
    """
    It gets an id and a name, its origins are written as browsers write them, and every folder in it is its.
    """
    added = call(context, "add", {"path": "/src/shop", "origins": ["HTTP://LocalHost:3000/cart?x=1"]})
    assert added["already_registered"] is False
    assert (added["repo_root"], added["display_name"]) == ("/src/shop", "shop")
    assert added["origins"] == ["http://localhost:3000"]
    assert context.repositories.by_origin("http://localhost:3000") is not None
    for path in ("/src/shop", "/src/shop/api", "/link", "/src/shop/gone/file.py"):
        assert call(context, "resolve", {"path": path})["repository_id"] == added["repository_id"]
    assert call(context, "resolve", {"repo_root": "/src/shop"})["repository_id"] == added["repository_id"]
    for path in ("/src/shopping", "/src", "/", "relative"):
        assert refused(context, "resolve", {"path": path}).code == "repo_not_registered"
    assert call(context, "list", {})["total"] == 1


def test_adding_again_is_the_same_repository(context: FakeContext) -> None:
    """
    A script that registers at each start changes nothing the second time, through whichever path.
    """
    added = call(context, "add", {"path": "/src/shop", "origins": ["http://localhost:3000"]})
    for again in ({"path": "/src/shop"}, {"path": "/link", "origins": ["http://localhost:3000/"]}):
        told = call(context, "add", again)
        assert told == {**added, "already_registered": True}
    assert len(context.tokens.audit.rows) == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"path": "/nowhere"}, "not_found"),
        ({"path": "/src/blog", "origins": ["localhost:3000"]}, "bad_arguments"),
        ({"path": "/src/blog", "origins": ["file:///x"]}, "bad_arguments"),
        ({"path": "/src/blog", "origins": ["null"]}, "bad_arguments"),
        ({"path": "/src/shop", "display_name": "other"}, "conflict"),
        ({"path": "/src/blog", "origins": ["http://localhost:3000"]}, "conflict"),
        ({"path": "/src/blog", "repository_id": "shop"}, "conflict"),
    ],
)
def test_what_cannot_be_registered_is_refused(
    context: FakeContext, asked: Mapping[str, object], code: str
) -> None:
    """
    No two repositories share a root, an id or an origin, and none is known by an origin that no page has.
    """
    call(
        context,
        "add",
        {"path": "/src/shop", "repository_id": "shop", "origins": ["http://localhost:3000"]},
    )
    assert refused(context, "add", asked).code == code
    assert call(context, "list", {})["total"] == 1


def test_taking_one_out_ends_its_grants(context: FakeContext) -> None:
    """
    Tokens for that repository may nothing there any more; grants for others stay.
    """
    call(context, "add", {"path": "/src/shop", "repository_id": "shop"})
    context.tokens.keep(a_token(a_grant(Capability.READ, "shop"), a_grant(Capability.READ, "blog")))
    told = call(context, "remove", {"repository_id": "shop"})
    assert told == {"repository_id": "shop", "state": "removed", "revoked_capabilities": 1}
    [token] = context.tokens.all()
    assert [grant.revoked_at is None for grant in token.grants] == [False, True]
    assert refused(context, "remove", {"repository_id": "shop"}).code == "repo_not_registered"
    assert call(context, "list", {}) == {"total": 0, "repositories": []}


def test_a_folder_is_named_in_one_way(context: FakeContext) -> None:
    """
    Both names or none is an unclear question.
    """
    for asked in ({}, {"path": "/src/shop", "repo_root": "/src/shop"}):
        assert refused(context, "resolve", asked).code == "bad_arguments"


def test_a_long_list_comes_in_parts(context: FakeContext) -> None:
    """
    Each part says what to ask for the next one, nothing is left out or told twice, and a cursor that names
    no repository is refused.
    """
    for number in range(5):
        context.repositories.keep(a_repository(f"r{number}"))
    asked: Mapping[str, object] = {"limit": 2}
    seen: list[str] = []
    for _ in range(3):
        part = call(context, "list", asked)
        assert part["total"] == 5
        seen += [each["repository_id"] for each in part["repositories"]]
        asked = part.get("next", {})
    assert (seen, asked) == ([f"r{number}" for number in range(5)], {})
    refusal = refused(context, "list", {"after": "r9"})
    assert (refusal.code, "r9" in refusal.message) == ("bad_arguments", False)
