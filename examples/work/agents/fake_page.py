"""
A program that says it is the page: it dials the daemon and answers whatever makes a claim come true.

``python fake_page.py BRIDGE URL NAME TEXT`` goes on until it is ended.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import connect
from websockets.typing import Origin

_NOTHING_PENDING = {"timers": 0, "animations": 0, "loads": 0, "quietMs": 60_000}
_EFFECT = {
    "dispatched": True, "targetMatched": True, "visible": True, "enabled": True, "defaultPrevented": False,
    "focusMoved": False, "valueChanged": False, "domMutatedWithin": True, "occluded": False,
    "scrolledIntoView": False, "alreadyAtValue": False,
}  # fmt: skip


class FakePage:
    """
    Nothing of it is true.
    """

    def __init__(self, bridge: str, url: str, name: str, text: str) -> None:
        parts = urlsplit(url)
        self._line = connect(bridge, origin=Origin(f"{parts.scheme}://{parts.netloc}"), legacy=True)
        self._text = text
        self._seq = 0
        self._acted = False
        self._send(
            kind="hello", protocolVersion=1, script="reticle", sdkVersion="0.1.0", sessionId=name,
            documentId="fake0000", url=url, title="Corner shop",
        )  # fmt: skip

    def serve(self) -> None:
        """
        Answer commands until the daemon hangs up.
        """
        for message in self._line:
            asked = json.loads(message)
            if asked.get("kind") == "command":
                result = self._answer(asked["name"], asked.get("args") or {})
                self._send(kind="command_result", id=asked["id"], ok=True, result=result)

    def _answer(self, name: str, args: Mapping[str, Any]) -> object:
        if name == "act":
            self._acted = True
            self._event("dom.text", text=self._text, old="Total 3.00")
            return {
                "ok": True, "ref": "e1", "action": args.get("action"), "role": "button",
                "name": "Add Green tea", "settled": True, "settleReason": "quiet", "inputMode": "script",
                "pending": _NOTHING_PENDING, "effect": {**_EFFECT, "appeared": self._text},
            }  # fmt: skip
        if name == "read":
            answers = [self._reading(each) for each in args.get("questions", [])]
            return {"answers": answers, "documentId": "fake0000", "pending": _NOTHING_PENDING}
        return self._reading({"kind": name})

    def _reading(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        found = int(self._acted)
        sample = {"ref": "e2", "text": self._text, "visible": True}
        told = {"matched": bool(found), "count": found, "visibleCount": found, "perceivableCount": found}
        if question["kind"] == "text":
            return {"ok": True, **told, "samples": [sample] * found}
        return {"ok": True, **told, "candidates": found, "perceivable": bool(found), "elements": []}

    def _event(self, kind: str, **data: object) -> None:
        self._seq += 1
        event = {"seq": self._seq, "t": self._seq, "type": kind, "documentId": "fake0000", "data": data}
        self._send(kind="event", event=event)

    def _send(self, **message: object) -> None:
        self._line.send(json.dumps(message))


if __name__ == "__main__":
    FakePage(*sys.argv[1:5]).serve()
