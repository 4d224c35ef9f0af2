"""
The one wrapper in front of every resource that asks who is there.

It turns a request into ``TrustFacts``, asks the pure rule in ``reticle.domain.trust``, and answers a
refusal in the manner of the endpoint: the two message endpoints speak plain text, everything else the
JSON-RPC error of DESIGN §2. What passes carries its principal in its trace.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection
from typing import Any

from twisted.logger import Logger
from twisted.web.iweb import IRequest
from twisted.web.resource import IResource

from reticle.domain.trust import decide_without_token, refused_words
from reticle.model.codes import JsonRpcCode, RefusalCode
from reticle.model.limits import RETRY_AFTER_SECONDS
from reticle.model.trust import Decision, Denied, TrustFacts
from reticle.transport.checker import Checker
from reticle.transport.facts import trust_facts
from reticle.transport.head_memo import head_memo
from reticle.transport.resource import Endpoint, answer_json, answer_text
from reticle.transport.trace import trace_of

_log = Logger()

_NUMBERS = {
    RefusalCode.BAD_HOST: JsonRpcCode.BOUNDARY,
    RefusalCode.BAD_ORIGIN: JsonRpcCode.BOUNDARY,
    RefusalCode.BAD_PEER: JsonRpcCode.BOUNDARY,
    RefusalCode.NOT_READY: JsonRpcCode.INTERNAL_ERROR,
}
"""JSON-RPC numbers of refusals that are not about a token."""

RefusalObserver = Callable[[str], None]
"""Told the code of each refusal, for the metrics."""


class Face(enum.Enum):
    """
    In which words a refusal is said.
    """

    JSON_RPC = "json-rpc"
    TEXT = "text"


def answer_refusal(request: IRequest, denied: Denied, face: Face) -> bytes:
    """
    The answer to a request that trust refused.

    A 401 carries the plain ``Bearer`` challenge: there is no authorisation server to point at, and
    clients then find quick 404s instead of a discovery that stalls.
    """
    if denied.status == 401:
        request.setHeader(b"WWW-Authenticate", b"Bearer")
    if denied.status in (429, 503):
        request.setHeader(b"Retry-After", b"%d" % RETRY_AFTER_SECONDS)
    if face is Face.TEXT:
        return answer_text(request, denied.status, f"{denied.code}: {denied.message}")
    number = _NUMBERS.get(denied.code, JsonRpcCode.TOKEN)
    error = {"code": int(number), "message": denied.message, "data": {"code": denied.code}}
    return answer_json(request, denied.status, {"jsonrpc": "2.0", "id": None, "error": error})


class Guard:
    """
    Puts resources behind the trust rule.

    Args:
        checker: Who decides.
        on_refused: Told of each refusal.
    """

    def __init__(self, checker: Checker, *, on_refused: RefusalObserver) -> None:
        self._checker = checker
        self._on_refused = on_refused

    def protect(
        self,
        inner: IResource,
        *,
        face: Face = Face.JSON_RPC,
        query_token: Collection[bytes] = (),
        answers_refused: Collection[bytes] = (),
    ) -> IResource:
        """
        ``inner`` for whoever is trusted.

        Args:
            inner: What is behind the guard.
            face: In which words a refusal is said.
            query_token: The methods with which DESIGN §2 lets the token come as ``?token=``.
            answers_refused: The methods with which it answers principals whose token does not count by
                itself; everywhere else they are refused here.
        """
        return _Guarded(
            inner,
            self._checker.decide,
            face,
            query_token=query_token,
            answers_refused=answers_refused,
            on_refused=self._on_refused,
        )

    def protect_without_token(self, inner: IResource) -> IResource:
        """
        ``inner`` for this machine alone, whatever credential comes along: the page script.
        """
        return _Guarded(
            inner,
            decide_without_token,
            Face.JSON_RPC,
            query_token=(),
            answers_refused=(),
            on_refused=self._on_refused,
        )


class _Guarded(Endpoint):
    """
    One resource behind the rule.
    """

    def __init__(
        self,
        inner: IResource,
        rule: Callable[[TrustFacts], Decision],
        face: Face,
        *,
        query_token: Collection[bytes],
        answers_refused: Collection[bytes],
        on_refused: RefusalObserver,
    ) -> None:
        self._inner = inner
        self._rule = rule
        self._face = face
        self._query_token = query_token
        self._answers_refused = answers_refused
        self._on_refused = on_refused
        self._route: str | None = getattr(inner, "route", None)

    def render(self, request: IRequest) -> bytes | int:
        """
        Refuse, or hand on as the principal that was decided.
        """
        trace = trace_of(request)
        if self._route is not None:
            trace.route = self._route
        memo = head_memo(request)
        decision: Decision | None = None if memo is None else memo.get(self)
        if decision is None:
            decision = self._judge(request, memo)
        if isinstance(decision, Denied):
            trace.refused = decision.code
            self._on_refused(decision.code)
            _log.info(
                "refused {route} with {status} {code}: {reason}",
                route=trace.route,
                status=decision.status,
                code=str(decision.code),
                reason=decision.message,
            )
            return answer_refusal(request, decision, self._face)
        trace.principal = decision.principal
        answer: bytes | int = self._inner.render(request)
        return answer

    def _judge(self, request: IRequest, memo: dict[object, Any] | None) -> Decision:
        """
        The rule's decision. What stands on loopback alone holds for every request with the same head on the
        same connection; a credential is judged each time, since it can expire.
        """
        facts = trust_facts(request, query_token=request.method in self._query_token)
        decision = self._at_the_door(self._rule(facts), request)
        if memo is not None and not facts.authorizations and not facts.tokens_in_query:
            memo[self] = decision
        return decision

    def _at_the_door(self, decision: Decision, request: IRequest) -> Decision:
        """
        A principal whose token does not count goes no further, unless the resource tells it so itself.
        """
        if isinstance(decision, Denied) or decision.principal.refused is None:
            return decision
        if request.method in self._answers_refused:
            return decision
        return Denied(401, decision.principal.refused, refused_words(decision.principal.refused))
