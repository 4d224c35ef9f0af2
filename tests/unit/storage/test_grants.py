"""
The contract of the stores of tokens and repositories: in the database and in memory alike.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from twisted.internet.defer import Deferred

from reticle.domain.tokens import Minted, mint
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId, TokenId
from reticle.model.limits import TOKEN_USE_SECONDS
from reticle.model.tokens import Repository
from reticle.ports import RepositoryStore, TokenStore
from reticle.storage.audit import StoredAudit
from reticle.storage.database import Database
from reticle.storage.repositories import StoredRepositories
from reticle.storage.tokens import StoredTokens
from reticle.testing.drafts import a_draft
from reticle.testing.grants import MemoryRepositories, MemoryTokens
from reticle.testing.threads import ThreadCalls

HERE = RepositoryId("repo_here")
NOW = 1000.0


def a_token(name: str = "lane", at: float = NOW) -> Minted:
    """
    A token that may read everywhere and write here.
    """
    number = iter(range(1, 99))
    return mint(
        [(Capability.READ, None), (Capability.WRITE, HERE)],
        display_name=name,
        kind="cli",
        now=at,
        expires_at=None,
        random=lambda size: f"{name}{next(number)}".encode().ljust(size, b"_")[:size],
    )


def a_repository(root: str = "/app", origin: str = "http://localhost:3000") -> Repository:
    """
    A repository with one origin.
    """
    return Repository(HERE, root, "the app", (origin,), NOW)


@attrs.frozen
class Stores:
    """
    Both stores, and the audit rows as tool names.
    """

    tokens: TokenStore
    repositories: RepositoryStore
    rows: Callable[[], list[str]]
    again: Callable[[], Stores]


@pytest.fixture(params=["database", "memory"])
def stores(request: pytest.FixtureRequest, database: Database, calls: ThreadCalls) -> Stores:
    """
    Each provider of the ports.
    """
    if request.param == "database":
        return stored(database, calls)
    tokens = MemoryTokens()
    memory = Stores(
        tokens,
        MemoryRepositories(tokens),
        lambda: [row.tool for row in tokens.audit.rows],
        lambda: memory,
    )
    return memory


def stored(database: Database, calls: ThreadCalls) -> Stores:
    """
    The stores over a database, opened as a new life opens them.
    """
    audit = StoredAudit(database, now=lambda: NOW)
    tokens = StoredTokens(database, audit)
    repositories = StoredRepositories(database, audit, tokens)
    calls.result_of(Deferred.fromCoroutine(tokens.open()))
    calls.result_of(Deferred.fromCoroutine(repositories.open()))

    def rows() -> list[str]:
        return [str(row["tool"]) for row in calls.result_of(audit.read(0, 99))]

    return Stores(tokens, repositories, rows, lambda: stored(database, calls))


@pytest.fixture
def wait(calls: ThreadCalls) -> Callable[[Any], Any]:
    """
    Waits for whatever a store gives.
    """

    async def outcome(awaitable: Any) -> Any:
        return await awaitable

    return lambda awaitable: calls.result_of(Deferred.fromCoroutine(outcome(awaitable)))


def test_a_token_is_kept_whole(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    After a restart a token counts for the same things, and the row of its making is there.
    """
    sealed = a_token().sealed
    assert stores.tokens.find(sealed.token.token_id) is None
    audit_id = wait(stores.tokens.create(sealed, a_draft("daemon.token.create")))
    assert audit_id.startswith("audit_")
    for each in (stores, stores.again()):
        found = each.tokens.find(sealed.token.token_id)
        assert found is not None
        assert (found.salt, found.digest) == (sealed.salt, sealed.digest)
        assert [*found.token.grants] == [*sealed.token.grants]
        assert attrs.evolve(found.token, grants=()) == attrs.evolve(sealed.token, grants=())
        assert each.rows() == ["daemon.token.create"]


def test_the_newest_token_comes_first(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    A list of tokens begins with the one that was made last.
    """
    for name, at in (("old", 1.0), ("new", 2.0)):
        wait(stores.tokens.create(a_token(name, at).sealed, a_draft()))
    assert [token.display_name for token in stores.tokens.all()] == ["new", "old"]


def test_revoking_ends_a_token_and_its_grants(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    A revoked token is over at once and stays so; revoking it again keeps the time of the first.
    """
    sealed = a_token().sealed
    token_id = sealed.token.token_id
    wait(stores.tokens.create(sealed, a_draft()))
    wait(stores.tokens.revoke(token_id, NOW + 5, "lost", a_draft("daemon.token.revoke")))
    wait(stores.tokens.revoke(token_id, NOW + 9, "again", a_draft("daemon.token.revoke")))
    for each in (stores, stores.again()):
        found = each.tokens.find(token_id)
        assert found is not None
        assert found.token.revoked_at == NOW + 5
        assert {grant.revoked_at for grant in found.token.grants} == {NOW + 5}
        assert each.rows()[1:] == ["daemon.token.revoke"] * 2


def test_a_replaced_token_is_over_when_the_new_one_counts(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    At no moment do both count or neither, and one that was revoked meanwhile is not replaced.
    """
    old, new, third = a_token("old").sealed, a_token("new").sealed, a_token("third").sealed
    wait(stores.tokens.create(old, a_draft()))
    wait(stores.tokens.replace(old.token.token_id, new, NOW + 1, a_draft("daemon.token.rotate")))
    before, after = stores.tokens.find(old.token.token_id), stores.tokens.find(new.token.token_id)
    assert before is not None
    assert after is not None
    assert (before.token.revoked_at, after.token.revoked_at) == (NOW + 1, None)
    with pytest.raises(Refusal) as conflict:
        wait(stores.tokens.replace(old.token.token_id, third, NOW + 2, a_draft()))
    assert conflict.value.code == "conflict"
    assert stores.again().tokens.find(third.token.token_id) is None
    assert len(stores.rows()) == 2


@pytest.mark.parametrize("change", ["revoke", "replace"])
def test_a_token_that_never_was(stores: Stores, wait: Callable[[Any], Any], change: str) -> None:
    """
    Changing what is not there is refused and leaves no row of a change.
    """
    unknown = TokenId("dtok_unknown")
    changes = {
        "revoke": lambda: stores.tokens.revoke(unknown, NOW, "", a_draft()),
        "replace": lambda: stores.tokens.replace(unknown, a_token().sealed, NOW, a_draft()),
    }
    with pytest.raises(Refusal) as refused:
        wait(changes[change]())
    assert refused.value.code == "not_found"
    assert stores.rows() == []


def test_changes_are_told(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    Whoever shows tools by grants hears of each change, when it can be seen.
    """
    seen: list[int] = []
    stores.tokens.on_change(lambda: seen.append(len(stores.tokens.all())))
    wait(stores.tokens.create(a_token().sealed, a_draft()))
    wait(stores.repositories.add(a_repository(), a_draft()))
    wait(stores.repositories.remove(HERE, NOW, a_draft()))
    assert seen == [1, 1, 1]


def test_a_repository_is_found_in_every_way(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    A page or a person finds a repository by its id, its path and the address of its app.
    """
    wait(stores.repositories.add(a_repository(), a_draft("repo.add")))
    for each in (stores.repositories, stores.again().repositories):
        found = [
            each.find(HERE), each.by_root("/app"), each.by_origin("http://localhost:3000"), *each.all(),
        ]  # fmt: skip
        assert found == [a_repository()] * 4
        assert each.by_root("/other") is None
        assert each.by_origin("http://localhost:3001") is None


@pytest.mark.parametrize(
    ("root", "origin"), [("/app", "http://localhost:1"), ("/other", "http://localhost:3000")]
)
def test_a_root_or_origin_belongs_to_one(
    stores: Stores, wait: Callable[[Any], Any], root: str, origin: str
) -> None:
    """
    A page never belongs to two repositories, and a path is registered once.
    """
    wait(stores.repositories.add(a_repository(), a_draft()))
    other = attrs.evolve(a_repository(root, origin), repository_id=RepositoryId("repo_other"))
    with pytest.raises(Refusal) as refused:
        wait(stores.repositories.add(other, a_draft()))
    assert refused.value.code == "conflict"
    assert [each.repository_id for each in stores.repositories.all()] == [HERE]
    assert len(stores.rows()) == 1


def test_a_repository_is_changed_whole_or_not(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    Other origins and another name are there at once and after a restart; an origin of another repository, or
    a change of mind within the change, leaves everything as it was.
    """
    wait(stores.repositories.add(a_repository(), a_draft()))
    other = attrs.evolve(a_repository("/blog", "http://b"), repository_id=RepositoryId("repo_blog"))
    wait(stores.repositories.add(other, a_draft()))
    changed = attrs.evolve(a_repository(), origins=("http://x", "http://y"), display_name="Renamed")

    def think_again(_: Repository) -> Repository:
        raise Refusal(RefusalCode.BAD_ARGUMENTS, "no")

    wait(stores.repositories.update(HERE, lambda _: changed, a_draft()))
    attempts: list[tuple[RepositoryId, Callable[[Repository], Repository], str]] = [
        (HERE, lambda known: attrs.evolve(known, origins=("http://b",)), "conflict"),
        (HERE, think_again, "bad_arguments"),
        (RepositoryId("repo_gone"), lambda known: known, "repo_not_registered"),
    ]
    for repository_id, decide, code in attempts:
        with pytest.raises(Refusal) as told:
            wait(stores.repositories.update(repository_id, decide, a_draft()))
        assert told.value.code == code
    for each in (stores.repositories, stores.again().repositories):
        assert each.find(HERE) == changed
        assert each.by_origin("http://x") == changed
        assert each.by_origin("http://b") == other
    assert stores.rows() == [a_draft().tool] * 3


def test_removing_a_repository_ends_its_grants(stores: Stores, wait: Callable[[Any], Any]) -> None:
    """
    A token keeps what it may everywhere and loses what it may in the repository that went.
    """
    sealed = a_token().sealed
    wait(stores.tokens.create(sealed, a_draft()))
    wait(stores.repositories.add(a_repository(), a_draft()))
    wait(stores.repositories.remove(HERE, NOW + 3, a_draft()))
    for each in (stores, stores.again()):
        found = each.tokens.find(sealed.token.token_id)
        assert found is not None
        assert {grant.capability: grant.revoked_at for grant in found.token.grants} == {
            Capability.READ: None,
            Capability.WRITE: NOW + 3,
        }
        assert each.repositories.find(HERE) is None
    with pytest.raises(Refusal) as gone:
        wait(stores.repositories.remove(HERE, NOW, a_draft()))
    assert gone.value.code == "repo_not_registered"
    again = attrs.evolve(a_repository(), repository_id=RepositoryId("repo_again"))
    wait(stores.repositories.add(again, a_draft()))
    assert stores.repositories.by_root("/app") == again
    wait(stores.repositories.remove(again.repository_id, NOW + 4, a_draft()))
    wait(stores.repositories.add(a_repository(), a_draft()))
    assert stores.again().repositories.find(HERE) == a_repository()


@pytest.mark.parametrize("change", ["create", "replace"])
def test_no_grant_outlives_a_repository_that_is_taken_out_meanwhile(
    database: Database, calls: ThreadCalls, wait: Callable[[Any], Any], change: str
) -> None:
    """
    Who makes or renews a token at the moment of a removal gets none that counts when the id comes back.
    """
    stores = stored(database, calls)
    old, fresh = a_token("old").sealed, a_token("new").sealed
    wait(stores.repositories.add(a_repository(), a_draft()))
    wait(stores.tokens.create(old, a_draft()))
    removing = Deferred.fromCoroutine(_awaited(stores.repositories.remove(HERE, NOW + 1, a_draft())))
    # The removal is under way and nobody has seen it yet.
    assert stores.repositories.find(HERE) is not None
    changes = {
        "create": lambda: stores.tokens.create(fresh, a_draft()),
        "replace": lambda: stores.tokens.replace(old.token.token_id, fresh, NOW + 1, a_draft()),
    }
    with pytest.raises(Refusal) as refused:
        wait(changes[change]())
    assert refused.value.code == "conflict"
    calls.result_of(removing)
    again = stores.again().tokens
    assert again.find(fresh.token.token_id) is None
    known = again.find(old.token.token_id)
    assert known is not None
    assert known.token.revoked_at is None


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


def test_the_last_use_is_noted_now_and_then(database: Database, calls: ThreadCalls) -> None:
    """
    A person sees when a token was used last, to the minute, and busy agents do not wear the disk.
    """
    stores = stored(database, calls)
    sealed = a_token().sealed
    token_id = sealed.token.token_id

    async def created() -> None:
        await stores.tokens.create(sealed, a_draft())

    calls.result_of(Deferred.fromCoroutine(created()))
    stores.tokens.used(TokenId("dtok_unknown"), NOW)
    for at in (NOW, NOW + 1, NOW + TOKEN_USE_SECONDS - 1):
        stores.tokens.used(token_id, at)
    assert stored(database, calls).tokens.all()[0].last_used_at == NOW
    stores.tokens.used(token_id, NOW + TOKEN_USE_SECONDS)
    assert stored(database, calls).tokens.all()[0].last_used_at == NOW + TOKEN_USE_SECONDS


def test_no_secret_reaches_the_disk(
    file_database: Database, calls: ThreadCalls, state_dir: Path, wait: Callable[[Any], Any]
) -> None:
    """
    Who reads the state directory finds no token that works.
    """
    minted = a_token()
    wait(stored(file_database, calls).tokens.create(minted.sealed, a_draft()))
    secret = minted.text.reveal().partition(".")[2].encode()
    files = [path for path in state_dir.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if secret in path.read_bytes()]


def test_a_change_that_cannot_be_recorded_did_not_happen(
    database: Database, calls: ThreadCalls, wait: Callable[[Any], Any]
) -> None:
    """
    No token without its audit row, and none in memory that the disk does not have.
    """
    stores = stored(database, calls)
    sealed = a_token().sealed

    def say(words: str) -> None:
        calls.result_of(database.run_on_driver(lambda driver: driver.execute(words).rowcount))

    say("ALTER TABLE audit RENAME COLUMN tool TO other")
    with pytest.raises(Exception, match="tool"):
        wait(stores.tokens.create(sealed, a_draft()))
    say("ALTER TABLE audit RENAME COLUMN other TO tool")
    assert stores.tokens.find(sealed.token.token_id) is None
    assert stored(database, calls).tokens.all() == []


def test_a_renewed_token_of_a_session_is_still_that_sessions(database: Database, calls: ThreadCalls) -> None:
    """
    An agent whose token leaked and was rotated goes on with the new one, and with its packet.
    """
    tokens = StoredTokens(database, StoredAudit(database, now=lambda: NOW))
    old, fresh = a_token(), a_token("fresh")
    calls.result_of(Deferred.fromCoroutine(tokens.create(old.sealed, a_draft())))
    made = (
        "INSERT INTO work_session (session_id, run_id, role, slot, label, state, token_id, registered_by,"
        " reason, registered_at_us, called_at_us, report_kind, report_phase, report_obstacle, report_message)"
        " VALUES ('sess_1', 'run_1', 'coder', 1, '', 'active', ?, '', '', 0, 0, '', '', '', '')"
    )
    name = old.sealed.token.token_id
    calls.result_of(database.run_on_driver(lambda driver: driver.execute(made, (name,)).rowcount))
    calls.result_of(Deferred.fromCoroutine(tokens.replace(name, fresh.sealed, NOW, a_draft())))
    whose = "SELECT token_id FROM work_session"
    found = calls.result_of(database.run_on_driver(lambda driver: driver.execute(whose).fetchall()))
    assert found == [(fresh.sealed.token.token_id,)]
