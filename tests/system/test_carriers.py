"""
Every tool by every name over every carrier: the same decisions, the same answers, one row each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from examples.journeys.children import ROOT, Daemon
from reticle.client import connect
from reticle.model.codes import Exposure
from reticle.model.limits import AUDIT_EXPORTED_ROWS
from reticle.service.surface import all_tools
from reticle.tools.spec import Tool
from tests.system.carriers import WAYS, Wanted, over_every, over_single_posts
from tests.system.wire import WAIT_SECONDS, eventually

REPOSITORY = "carriers"
OURS = {"method", "audit_id"}
"""Fields that name the call and differ."""

TOOLS = [tool for tool in all_tools() if tool.exposure is not Exposure.HANDSHAKE]


@pytest.fixture(scope="module")
def token(daemon: Daemon) -> str:
    """
    The operator's token, which has every capability.
    """
    return (daemon.runtime_dir / "client-token").read_text().strip()


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[Wanted]:
    """
    A call of each tool: its own example, made true for this machine where it could not be.
    """
    folder = tmp_path_factory.mktemp("repository")
    told: Mapping[str, Mapping[str, object]] = {
        "repo.add": {"path": str(folder), "repository_id": REPOSITORY},
        # A browser for each carrier at once takes longer than an answer may; opening one has its own tests.
        "reticle_lease": {"action": "list"},
        "repo.resolve": {"path": str(folder.parent.parent)},
        "audit.verify": {},
        "audit.list": {"limit": 1},
        "audit.export": {"after": 0, "limit": 1},
    }
    return [Wanted(tool.name, told.get(tool.name, tool.example)) for tool in TOOLS]


def by_alias(wanted: Wanted) -> Wanted:
    """
    The same by the name with underscores.
    """
    return Wanted(wanted.name.replace(".", "_"), wanted.arguments)


def through_run(wanted: Wanted) -> Wanted:
    """
    The same through the meta tool.
    """
    return Wanted("reticle_run", {"tool": wanted.name, "args": wanted.arguments})


NAMES = {"name": lambda wanted: wanted, "alias": by_alias, "reticle_run": through_run}


def rows_of(daemon: Daemon, token: str) -> dict[str, dict[str, Any]]:
    """
    Every audit row so far, by its id.
    """
    rows: dict[str, dict[str, Any]] = {}
    page: Mapping[str, object] | None = {"after": 0}
    while page is not None:
        [answer] = WAYS["socket"](daemon, token, [Wanted("audit.export", page)])
        lines = [json.loads(line) for line in answer["ndjson"].splitlines()]
        rows.update((line["audit_id"], line) for line in lines)
        page = answer["next"]
    return rows


def outcome_of(answer: Mapping[str, Any]) -> object:
    """
    What must be the same over each carrier: the code of a refusal, or which fields an answer has.
    """
    return answer["error"] if not answer["ok"] else sorted(answer.keys() - OURS)


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_over_every_carrier(daemon: Daemon, token: str, calls: list[Wanted], name: str) -> None:
    """
    Whatever road an agent takes and by whichever name it calls, it is told the same, and so is the log.
    """
    wanted = [NAMES[name](each) for each in calls if name != "reticle_run" or each.name != "reticle_run"]
    meant = [each for each in calls if name != "reticle_run" or each.name != "reticle_run"]
    WAYS["socket"](daemon, token, [each for each in calls if each.name == "repo.add"])
    answers = over_every(daemon, token, wanted)
    rows = rows_of(daemon, token)
    token_id = token.partition(".")[0]
    for number, each in enumerate(meant):
        told = {way: outcome_of(answers[way][number]) for way in WAYS}
        assert len({json.dumps(outcome) for outcome in told.values()}) == 1, (each.name, told)
        decided = set()
        for way in WAYS:
            answer, row = answers[way][number], rows[answers[way][number]["audit_id"]]
            assert row["tool"] == ("reticle_run" if name == "reticle_run" else each.name)
            assert row["principal"] == f"token:{token_id}"
            assert (row["carrier"], row["transport"]) == (
                way.partition(" ")[0],
                "rpc" if way == "socket" else "mcp",
            )
            assert row["reason"] == answer.get("error", "")
            decided.add((row["decision"], row["reason"], row["repository_id"]))
        assert len(decided) == 1, (each.name, decided)


def test_each_call_leaves_exactly_one_row(daemon: Daemon, token: str, calls: list[Wanted]) -> None:
    """
    A call that was answered, refused or hidden is in the log once; nothing else is.
    """
    before = rows_of(daemon, token)
    told = over_every(daemon, token, calls)
    answered = [answer["audit_id"] for answers in told.values() for answer in answers]
    new = {audit_id: row for audit_id, row in rows_of(daemon, token).items() if audit_id not in before}
    assert len(set(answered)) == len(answered) == len(WAYS) * len(TOOLS)
    others = [row["tool"] for audit_id, row in new.items() if audit_id not in answered]
    # Each page of an export is itself a call, and each reticle_run ran the tool of its example.
    inner = [str(tool.example["tool"]) for tool in TOOLS if tool.name == "reticle_run"] * len(WAYS)
    assert sorted(tool for tool in others if tool != "audit.export") == sorted(inner)
    pages = 1 + (len(before) + len(new)) // AUDIT_EXPORTED_ROWS
    assert 1 <= others.count("audit.export") <= pages


def hidden(tool: Tool) -> bool:
    """
    Whether agents are kept from it.
    """
    return tool.exposure is Exposure.HIDDEN


def test_what_is_hidden_is_hidden_on_every_road(daemon: Daemon, token: str) -> None:
    """
    Also the mightiest token gets tool_hidden from the first call to the last, with a row that says hidden.
    """
    wanted = [Wanted(tool.name, tool.example) for tool in TOOLS if hidden(tool)]
    assert len(wanted) == 2
    told = over_every(daemon, token, wanted)
    rows = rows_of(daemon, token)
    for way, answers in told.items():
        assert {answer["error"] for answer in answers} == {"tool_hidden"}, way
        assert {rows[answer["audit_id"]]["decision"] for answer in answers} == {"hidden"}, way


def test_no_token_is_in_any_file(daemon: Daemon, token: str, tmp_path: Path) -> None:
    """
    What was presented over every carrier is kept nowhere but in the file that the operator reads.
    """
    del tmp_path
    secret = token.partition(".")[2].encode()
    folder = daemon.state_dir.parent
    found = [path for path in folder.rglob("*") if path.is_file() and secret in path.read_bytes()]
    assert {path.name for path in found} == {"client-token", "front-token"}


DENIALS = {
    "method_unknown": Wanted("repo.lst", {}),
    "capability_scope_mismatch": Wanted("repo.list", {}),
    "capability_missing": Wanted("daemon.token.list", {}),
    "capability_expired": Wanted("reticle_sessions", {}),
    "tool_hidden": Wanted("workflow.validate", {"repository_id": REPOSITORY}),
    "bad_arguments": Wanted("reticle_tools", {"nmaes": []}),
}
"""What a token for one repository is denied, by code. The rest needs a token that does not count."""


def make_token(daemon: Daemon, token: str, **arguments: object) -> str:
    """
    A token made by the operator.
    """
    [made] = WAYS["socket"](daemon, token, [Wanted("daemon.token.create", arguments)])
    return str(made["token"])


def test_each_denial_is_told_alike(daemon: Daemon, token: str, calls: list[Wanted]) -> None:
    """
    On every road an agent reads the same code, reason and next step, and the log has the same code.
    """
    WAYS["socket"](daemon, token, [each for each in calls if each.name == "repo.add"])
    grants = [
        {"capability": "read", "repository_id": REPOSITORY},
        {"capability": "drive"},
        {"capability": "observe", "expires_in": 1},
    ]
    limited = make_token(daemon, token, capability_grants=grants)
    lapsing = [DENIALS["capability_expired"]]
    eventually(
        lambda: over_single_posts(daemon, limited, lapsing)[0].get("error") == "capability_expired",
        "a grant that lapses",
    )
    wanted = [each for code, each in DENIALS.items() if code != "bad_arguments"]
    told = over_every(daemon, limited, wanted)
    told_to_operator = over_every(daemon, token, [DENIALS["bad_arguments"]])
    rows = rows_of(daemon, token)
    for way in WAYS:
        answers = [*told[way], *told_to_operator[way]]
        assert [answer["error"] for answer in answers] == list(DENIALS), way
        assert all(answer["message"] and answer["recovery"] for answer in answers)
        assert [rows[answer["audit_id"]]["reason"] for answer in answers] == list(DENIALS)
        assert [answer["message"] for answer in answers] == [
            answer["message"] for answer in [*told["http"], *told_to_operator["http"]]
        ]


@pytest.mark.parametrize("code", ["token_invalid", "token_revoked", "token_expired"])
def test_a_token_that_does_not_count_is_told_in_the_result(daemon: Daemon, token: str, code: str) -> None:
    """
    A call with it gets the code as its result, never an empty list or a step back to local trust.
    """
    made = make_token(daemon, token, capability="observe", expires_in=1 if code == "token_expired" else 60)
    if code == "token_invalid":
        made = made[:-4] + "AAAA"
    if code == "token_revoked":
        WAYS["socket"](daemon, token, [Wanted("daemon.token.revoke", {"token": made})])
    wanted = [Wanted("reticle_tools", {})]
    eventually(lambda: over_single_posts(daemon, made, wanted)[0].get("error") == code, code)
    for way in ("http", "http 2026-07-28", "socket"):
        [answer] = WAYS[way](daemon, made, wanted)
        assert (answer["ok"], answer["error"]) == (False, code), way
        [row] = [row for row in rows_of(daemon, token).values() if row["audit_id"] == answer["audit_id"]]
        assert (row["decision"], row["reason"]) == ("refused", code)
        assert made.partition(".")[2] not in json.dumps(answer)


def test_the_contract_is_what_the_daemon_answers_by(daemon: Daemon, token: str) -> None:
    """
    A shell greets without a token and learns the tag of the repository's contract; agents do not.
    """
    committed = json.loads((ROOT / "contracts/daemon_methods.json").read_text())
    greeting = [Wanted("daemon.hello", {"client": {"supported_envelope": [1]}})]
    [greeted] = WAYS["socket"](daemon, "", greeting)
    [described] = WAYS["socket"](daemon, token, [Wanted("daemon.describe", {})])
    assert greeted["methods_etag"] == described["methods_etag"] == committed["methods_etag"]
    assert described["methods"] == committed["methods"]
    for way, call in WAYS.items():
        if way != "socket":
            assert call(daemon, token, greeting)[0]["error"] == "tool_hidden", way


def test_clients_hear_of_changed_grants(daemon: Daemon, token: str) -> None:
    """
    An agent that is connected is told to read its list of tools anew when grants change or end.
    """
    changed = "notifications/tools/list_changed"
    held = make_token(daemon, token, capability="observe", expires_in=60)
    with connect(daemon.mcp_url, held, timeout_seconds=WAIT_SECONDS) as client:
        client.initialize("carriers", "1")

        def heard() -> bool:
            client.request("ping")
            return changed in [notification["method"] for notification in client.notifications]

        eventually(heard, "the notice of the token's own making")
        client.notifications.clear()
        make_token(daemon, token, capability_grants=[{"capability": "observe", "expires_in": 1}])
        eventually(heard, "another token")
        client.notifications.clear()
        eventually(heard, "the end of its grant")


@pytest.mark.parametrize("way", WAYS)
def test_a_token_that_renews_itself_is_answered(daemon: Daemon, token: str, way: str) -> None:
    """
    The new secret reaches whoever asked, although what the old token has open ends with it.
    """
    own = make_token(daemon, token, capability="admin", expires_in=60)
    [renewed] = WAYS[way](daemon, own, [Wanted("daemon.token.rotate", {"token": own})])
    assert renewed["rotated_from_token_id"] == own.partition(".")[0]
    [told] = over_single_posts(daemon, str(renewed["token"]), [Wanted("daemon.token.list", {})])
    assert told["ok"], told
    [ended] = over_single_posts(daemon, own, [Wanted("daemon.token.list", {})])
    assert ended["error"] == "token_revoked"
