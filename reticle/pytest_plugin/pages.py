"""
A page in the daemon's own browser, and the acts on it.

An act is described first and made by ``expects``, which names what must come of it: what was not said
beforehand proves nothing. An act that nothing is expected of is made by ``perform``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from reticle.client import CallResult
from reticle.pytest_plugin.claims import Claim, all_of
from reticle.pytest_plugin.outcomes import ActNotPerformed, CallRefused, Judge, Verdict

Call: TypeAlias = Callable[[str, Mapping[str, object]], CallResult]
"""Calls a tool of the daemon."""


class Act:
    """
    One act on one element, not made yet.
    """

    def __init__(
        self, page: Page, action: str, target: Mapping[str, object], args: Mapping[str, object]
    ) -> None:
        self._page = page
        # A test's author has written down what is to happen; an agent would be asked before it pays.
        self._described = {"action": action, **_target(target), "args": {**args, "confirmDangerous": True}}

    def expects(self, *claims: Claim, timeout_ms: int | None = None, min_grade: str | None = None) -> Verdict:
        """
        Make the act; every claim must hold because of it.

        Raises ``VerdictNo``, ``VerdictUnknown``, and ``CallRefused`` where the act or a claim was refused.
        """
        __tracebackhide__ = True
        if not claims:
            raise TypeError("expects() needs at least one claim; perform() makes an act that proves nothing")
        more = {"timeout_ms": timeout_ms, "min_grade": min_grade}
        return self._page.judge(
            "reticle_act_and_wait", {**self._described, "until": all_of(*claims), **_given(more)}, self
        )

    def perform(self) -> Mapping[str, object]:
        """
        Make the act, expecting nothing of it; gives what the daemon says of it. Raises ``CallRefused``.
        """
        __tracebackhide__ = True
        return self._page.call("reticle_act", self._described, self)

    def __str__(self) -> str:
        target = self._described.get("target", self._described.get("ref"))
        return f"{self._described['action']} on {target}"


class Page:
    """
    One page.

    Args:
        session_id: What the daemon calls it.
        call: Calls a tool.
        judge: What becomes of a verdict.
    """

    def __init__(self, session_id: str, call: Call, judge: Judge) -> None:
        self.session_id = session_id
        self._call = call
        self._judge = judge
        self._waiting: Act | None = None

    def click(self, **target: object) -> Act:
        """
        A click on the element with this ``role`` and ``name``, ``text``, ``label``, ``testid`` or ``ref``.
        """
        return self.act("click", target)

    def double_click(self, **target: object) -> Act:
        """
        Two clicks.
        """
        return self.act("dblclick", target)

    def hover(self, **target: object) -> Act:
        """
        The pointer comes to rest over it.
        """
        return self.act("hover", target)

    def check(self, **target: object) -> Act:
        """
        Tick a box, choose a radio button.
        """
        return self.act("check", target)

    def uncheck(self, **target: object) -> Act:
        """
        Untick a box.
        """
        return self.act("uncheck", target)

    def submit(self, **target: object) -> Act:
        """
        Submit a form.
        """
        return self.act("submit", target)

    def fill(self, value: str, **target: object) -> Act:
        """
        A field has this value now.
        """
        return self.act("fill", target, {"value": value})

    def type(self, text: str, **target: object) -> Act:
        """
        Key by key.
        """
        return self.act("type", target, {"text": text})

    def press(self, key: str, **target: object) -> Act:
        """
        One key, such as ``Enter`` or ``Control+a``.
        """
        return self.act("press", target, {"key": key})

    def select(self, value: str, **target: object) -> Act:
        """
        An option.
        """
        return self.act("select", target, {"value": value})

    def upload(self, name: str, content: str, **target: object) -> Act:
        """
        A file of this name, with this text in it.
        """
        return self.act("upload", target, {"name": name, "content": content})

    def act(self, action: str, target: Mapping[str, object], args: Mapping[str, object] | None = None) -> Act:
        """
        Any action of ``reticle_act``. Raises ``ActNotPerformed`` where the act before it was never made.
        """
        __tracebackhide__ = True
        self.finish()
        self._waiting = Act(self, action, target, args or {})
        return self._waiting

    def expects(self, *claims: Claim, timeout_ms: int | None = None, min_grade: str | None = None) -> Verdict:
        """
        A claim about the page as it is, and about what its last act brought. Raises as ``Act.expects``.
        """
        __tracebackhide__ = True
        more = {"timeout_ms": timeout_ms, "min_grade": min_grade}
        return self.judge("reticle_assert", {"predicate": all_of(*claims), **_given(more)})

    def goto(self, url: str) -> None:
        """
        Bring the page to another address, which may be relative. Raises ``CallRefused`` if it did not get
        there.
        """
        __tracebackhide__ = True
        self.finish()
        result = self._ask("reticle_navigate", {"url": url})
        if result.fields.get("confirmed") is not True:
            raise CallRefused("reticle_navigate", result)

    def snapshot(self, mode: str = "full") -> str:
        """
        The page as an outline of roles, names and states.
        """
        __tracebackhide__ = True
        return str(self.call("reticle_snapshot", {"mode": mode}).get("tree", ""))

    def call(
        self, tool: str, arguments: Mapping[str, object], act: Act | None = None
    ) -> Mapping[str, object]:
        """
        Call any tool about this page; gives the fields of its answer. Raises ``CallRefused``.
        """
        __tracebackhide__ = True
        self._made(act)
        return self._ask(tool, arguments).fields

    def judge(self, tool: str, arguments: Mapping[str, object], act: Act | None = None) -> Verdict:
        """
        Call a tool that gives a verdict.
        """
        __tracebackhide__ = True
        self._made(act)
        return self._judge(tool, self._call(tool, {"sessionId": self.session_id, **arguments}))

    def finish(self) -> None:
        """
        Raises ``ActNotPerformed`` where an act was described and never made.
        """
        __tracebackhide__ = True
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            raise ActNotPerformed(f"{waiting} was never made: end it with .expects(…) or .perform()")

    def _made(self, act: Act | None) -> None:
        __tracebackhide__ = True
        if act is not None and act is self._waiting:
            self._waiting = None
        self.finish()

    def _ask(self, tool: str, arguments: Mapping[str, object]) -> CallResult:
        __tracebackhide__ = True
        result = self._call(tool, {"sessionId": self.session_id, **arguments})
        if not result.ok:
            raise CallRefused(tool, result)
        return result


def _target(target: Mapping[str, object]) -> Mapping[str, object]:
    if not target:
        raise TypeError("an act needs an element: role= and name=, text=, label=, testid= or ref=")
    return dict(target) if set(target) == {"ref"} else {"target": dict(target)}


def _given(fields: Mapping[str, object]) -> Mapping[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
