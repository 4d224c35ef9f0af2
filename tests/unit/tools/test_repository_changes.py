"""
Changing the origins and the name of a registered repository.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.model.limits import REPOSITORY_ORIGINS
from reticle.testing.context import FakeContext
from reticle.testing.pages import FakePages
from reticle.testing.tokens import a_repository
from reticle.testing.toolcalls import answer_of, refusal_of
from reticle.tools.repositories import TOOLS

[UPDATE] = [tool for tool in TOOLS if tool.name == "repo.update"]
[ADD] = [tool for tool in TOOLS if tool.name == "repo.add"]
SECRET = "abcdefghijklmnopqrstuvwxyz0123456789abcdefg"
TOKEN = f"dtok_ABCDEFGHIJKLMNOP.{SECRET}"
ONE, TWO, OTHER = "http://localhost:1", "http://localhost:2", "http://localhost:9"


@pytest.fixture
def context() -> FakeContext:
    """
    A daemon that knows two repositories.
    """
    made = FakeContext(FakePages())
    made.folders.real_paths["/src/new"] = "/src/new"
    made.repositories.keep(a_repository("shop", [ONE]), a_repository("blog", [OTHER]))
    return made


def update(context: FakeContext, **asked: object) -> Mapping[str, object]:
    """
    What became of the shop.
    """
    return answer_of(UPDATE, context, {"repository_id": "shop", **asked}).fields


def test_origins_come_and_go(context: FakeContext) -> None:
    """
    A second dev server is added to what is registered, and pages there are its own from then on; one that is
    gone is taken out, and may be another's then.
    """
    told = update(context, add_origins=["HTTP://LocalHost:2/cart", TWO, ONE])
    assert (told["origins"], told["repository_id"]) == ([ONE, TWO], "shop")
    found = context.repositories.by_origin(TWO)
    assert found is not None
    assert found.repository_id == "shop"
    assert update(context, remove_origins=[f"{ONE}/x", OTHER], display_name="The shop") == {
        **told,
        "origins": [TWO],
        "display_name": "The shop",
    }
    assert context.repositories.by_origin(ONE) is None
    assert len(context.tokens.audit.rows) == 2


def test_what_is_so_already_is_left_alone(context: FakeContext) -> None:
    """
    A script may say it at each start; nothing is written the second time.
    """
    assert update(context, add_origins=[ONE], remove_origins=[TWO])["origins"] == [ONE]
    assert list(context.tokens.audit.rows) == []


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"add_origins": [OTHER]}, "conflict"),
        ({"add_origins": ["localhost:3000"]}, "bad_arguments"),
        ({"remove_origins": ["null"]}, "bad_arguments"),
        ({"add_origins": [TWO], "remove_origins": ["http://LOCALHOST:2/"]}, "bad_arguments"),
        ({}, "bad_arguments"),
        ({"add_origins": [f"http://localhost:{port}" for port in range(100, 100 + REPOSITORY_ORIGINS)]},
         "bad_arguments"),
        ({"repository_id": "gone", "add_origins": [TWO]}, "repo_not_registered"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_changes_nothing(
    context: FakeContext, asked: Mapping[str, object], code: str
) -> None:
    """
    An origin of another repository, none at all, too many, both ways at once: each is refused whole.
    """
    before = context.repositories.all()
    refusal = refusal_of(UPDATE, context, {"repository_id": "shop", **asked})
    assert refusal.code == code
    assert context.repositories.all() == before


def test_no_token_is_kept_in_a_name(context: FakeContext) -> None:
    """
    A token that was put in the place of a name is in no list.
    """
    assert SECRET not in str(update(context, display_name=f"shop {TOKEN}"))


@pytest.mark.parametrize("origin", [f"http://{TOKEN}.local/", f"http://%64{TOKEN[1:]}/"])
def test_no_token_is_kept_as_an_origin_or_an_id(context: FakeContext, origin: str) -> None:
    """
    One that stands for a name is refused: it would be in every list and backup.
    """
    for refusal in (
        refusal_of(UPDATE, context, {"repository_id": "shop", "add_origins": [origin]}),
        refusal_of(ADD, context, {"path": "/src/new", "repository_id": TOKEN}),
        refusal_of(ADD, context, {"path": "/src/new", "origins": [origin]}),
    ):
        assert (refusal.code, SECRET in str(refusal)) == ("bad_arguments", False)
