"""
The reference is made from the code, and what is committed is what the code says.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from reticle.service.surface import all_tools
from reticle.tools.manual import RETURNS, SHARED

ROOT = Path(__file__).resolve().parents[2]


def generator() -> ModuleType:
    """
    ``development/reference_pages.py``, which is no package.
    """
    spec = importlib.util.spec_from_file_location("reference_pages", ROOT / "development/reference_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["tools.md", "methods.md", "predicates.md", "../explanation/verdict.md"])
def test_the_committed_page_is_what_the_code_says(name: str) -> None:
    """
    A reader of the reference never meets an argument that is gone; `make reference` writes it anew.
    """
    assert (ROOT / "docs/reference" / name).read_text("utf-8") == generator().PAGES[name]()


def test_the_committed_contract_is_what_the_daemon_says() -> None:
    """
    Every method of the daemon is in the contract and every row of it is a method; `make reference` writes it.
    """
    committed = (ROOT / "contracts/daemon_methods.json").read_text("utf-8")
    assert committed == generator().contract_text()
    rows = {row["method"]: row for row in json.loads(committed)["methods"]}
    assert set(rows) == {tool.name for tool in all_tools()}
    about_pages = {row["required_capability"] for name, row in rows.items() if name.startswith("reticle_")}
    assert about_pages == {"observe", "drive"}


def test_the_manual_has_every_tool() -> None:
    """
    Each tool's answer is described, and nothing that is no tool.
    """
    assert list(RETURNS) == [tool.name for tool in all_tools()]


def test_every_field_of_the_manual_is_in_the_code() -> None:
    """
    A field that was renamed in an answer is found in the manual.
    """
    code = "\n".join(
        path.read_text()
        for folder in ("tools", "dispatch", "domain", "page")
        for path in (ROOT / "reticle" / folder).rglob("*.[pj][ys]")
        if path.name not in {"manual.py", "work_manual.py"}
    )
    described = {name for fields in [SHARED, *RETURNS.values()] for name in fields}
    named = re.findall(
        r"`([A-Za-z_]+)(?:\[\])?`", "\n".join(text for fields in RETURNS.values() for text in fields.values())
    )
    # quoted, given a value, or one of several that are unpacked
    there = re.findall(r"""(?<=["'])\w+(?=["'])|\b\w+(?=[=:])|(?<=[{,] )\w+(?=[ ,])""", code)
    assert sorted((described | set(named)) - set(there)) == []
