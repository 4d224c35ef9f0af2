"""
An app's contract: what it says and shows that others may rely on, by name: test ids, signals, stores, flows.

Its file is made to be reviewed: sorted, a name on each line, and the same while the app is the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

VERSION: Final = 1
"""Of the file's form; another one is not read."""

NAMED: Final = ("testids", "signals", "stores")
"""The kinds of names that are told by the name alone."""

Flow = Mapping[str, object]
"""A flow: ``name``, and ``steps`` as the app wrote them."""


@attrs.frozen
class AppContract:
    """
    ``names`` has a sorted list for each of ``NAMED``; ``flows`` are sorted by name; ``governance`` is what
    the app says of owners and risks. ``generated_at`` is ISO 8601, empty for a page that was asked just now.
    """

    names: Mapping[str, Sequence[str]]
    flows: Sequence[Flow]
    governance: Mapping[str, object]
    generated_at: str = ""

    @property
    def capabilities(self) -> dict[str, object]:
        """
        What the file says beside version and time.
        """
        kinds: dict[str, object] = {kind: list(self.names[kind]) for kind in NAMED}
        kinds["flows"] = [dict(flow) for flow in self.flows]
        return {**kinds, **({"governance": dict(self.governance)} if self.governance else {})}

    def says_the_same(self, other: AppContract) -> bool:
        """
        Whether two contracts differ in nothing but their time.
        """
        return _json(self.capabilities) == _json(other.capabilities)


@attrs.frozen
class Difference:
    """
    What an app had and has no longer, and what is new, by kind (``flows`` by name); ``changed`` are flows
    with other steps.
    """

    missing: Mapping[str, Sequence[str]]
    added: Mapping[str, Sequence[str]]
    changed: Sequence[str]
    governance: bool


def contract_of(capabilities: Mapping[str, object], generated_at: str = "") -> AppContract:
    """
    A contract from what a page or a file tells; what is no name and no flow is left out.
    """
    flows = {str(flow["name"]): flow for flow in _flows(capabilities.get("flows"))}
    governance = capabilities.get("governance")
    return AppContract(
        {kind: _texts(capabilities.get(kind)) for kind in NAMED},
        [flows[name] for name in sorted(flows)],
        governance if isinstance(governance, Mapping) else {},
        generated_at,
    )


def parse_contract(text: str) -> AppContract | None:
    """
    A contract from its file, which people may have edited; None for what is none of this version.
    """
    try:
        fields = json.loads(text)
    except ValueError:
        return None
    if not isinstance(fields, Mapping) or fields.get("version") != VERSION:
        return None
    capabilities, told = fields.get("capabilities"), fields.get("generatedAt")
    if not isinstance(capabilities, Mapping):
        return None
    lists = [capabilities.get(kind, []) for kind in (*NAMED, "flows")]
    if not all(isinstance(each, list) for each in lists):
        return None
    return contract_of(capabilities, told if isinstance(told, str) else "")


def contract_text(contract: AppContract) -> str:
    """
    The file of a contract.
    """
    fields = {
        "version": VERSION, "generatedAt": contract.generated_at, "capabilities": contract.capabilities,
    }  # fmt: skip
    return _json(fields, indent=1) + "\n"


def joined(older: AppContract, newer: AppContract) -> AppContract:
    """
    Everything that either says; of a flow or of governance what the newer one says.
    """
    flows = {str(flow["name"]): flow for flow in [*older.flows, *newer.flows]}
    return AppContract(
        {kind: sorted({*older.names[kind], *newer.names[kind]}) for kind in NAMED},
        [flows[name] for name in sorted(flows)],
        {**older.governance, **newer.governance},
        newer.generated_at,
    )


def difference(before: AppContract, now: AppContract) -> Difference:
    """
    What is different now.
    """
    had, has = _names(before), _names(now)
    steps = {str(flow["name"]): _json(flow) for flow in before.flows}
    return Difference(
        {kind: sorted(had[kind] - has[kind]) for kind in had},
        {kind: sorted(has[kind] - had[kind]) for kind in had},
        [str(flow["name"]) for flow in now.flows if steps.get(str(flow["name"]), _json(flow)) != _json(flow)],
        _json(before.governance) != _json(now.governance),
    )


def _names(contract: AppContract) -> dict[str, set[str]]:
    return {
        **{kind: set(contract.names[kind]) for kind in NAMED},
        "flows": {str(flow["name"]) for flow in contract.flows},
    }


def _flows(value: object) -> Sequence[Flow]:
    flows = [flow for flow in _list(value) if isinstance(flow, Mapping)]
    return [
        {"name": flow["name"], "steps": list(_list(flow.get("steps")))}
        for flow in flows
        if isinstance(flow.get("name"), str) and flow["name"]
    ]


def _texts(value: object) -> Sequence[str]:
    return sorted({name for name in _list(value) if isinstance(name, str)})


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, sort_keys=True, indent=indent, ensure_ascii=False)
