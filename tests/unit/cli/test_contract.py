"""
``reticle contract``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from click.testing import CliRunner

import reticle.cli.contract as contract_module
from reticle.cli.exits import ExitCode

SAME = {"same": True, "missing": {}, "added": {}}
NEW = {"same": False, "missing": {}, "added": {"testids": ["store"]}}
GONE = {
    "same": False,
    "missing": {"signals": ["order.placed"]},
    "added": {},
    "changedFlows": ["buy"],
    "note": "n",
}
PART = {"same": False, "missing": {}, "added": {}, "note": "more than are told"}
SAVED = {
    "saved": True, "path": "/src/.reticle/contract.json", "unchanged": True,
    "testidCount": 2, "signalCount": 1, "storeCount": 0, "flowCount": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "answer", "asked", "code", "printed"),
    [
        (["check"], SAME, {}, ExitCode.OK, "the app has what its contract names\n"),
        (["check", "--session", "p1"], NEW, {"sessionId": "p1"}, ExitCode.OK, "new testid: store\n"),
        (
            ["check"], GONE, {}, ExitCode.FAILED,
            "missing signal: order.placed\nchanged flow: buy\nnote: n\n",
        ),
        (["check"], PART, {}, ExitCode.FAILED, "no difference was told\nnote: more than are told\n"),
        (
            ["save", "--merge"], SAVED, {"merge": True}, ExitCode.OK,
            "/src/.reticle/contract.json as it was: 2 testids, 1 signals, 0 stores, 3 flows\n",
        ),
    ],
)  # fmt: skip
def test_a_script_sees_by_the_exit_code_whether_something_is_missing(
    *,
    arguments: list[str],
    answer: Mapping[str, Any],
    asked: Mapping[str, object],
    code: ExitCode,
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    What went missing is named and fails; what is new does not; what was not told all is no success.
    """
    calls: list[object] = []

    def ask(_: object, __: object, method: str, params: Mapping[str, object]) -> Mapping[str, Any]:
        calls.append((method, dict(params)))
        return answer

    monkeypatch.setattr(contract_module, "ask", ask)
    result = CliRunner().invoke(contract_module.command, arguments, standalone_mode=False)
    assert (result.output, result.return_value) == (printed, code)
    assert calls == [(f"reticle_contract_{arguments[0]}", asked)]
