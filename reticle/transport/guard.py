"""
The one wrapper in front of every resource that asks who is there.

It turns a request into ``TrustFacts``, asks the pure rule in ``reticle.domain.trust``, and answers a
refusal in the manner of the endpoint: the two message endpoints speak plain text, everything else the
JSON-RPC error of DESIGN §2. What passes carries its principal in its trace.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection

from twisted.logger import Logger
from twisted.web.iweb import IRequest
from twisted.web.resource import IResource

from reticle.domain.trust import TrustPolicy, decide, decide_without_token
from reticle.model.codes import JsonRpcCode, RefusalCode
from reticle.model.trust import Decision, Denied, TrustFacts
from reticle.transport.facts import trust_facts
from reticle.transport.head_memo import head_memo
from reticle.transport.resource import Endpoint, answer_json, answer_text
from reticle.transport.trace import trace_of

_log = Logger()

_TOKEN_CODES = frozenset({RefusalCode.TOKEN_MISSING, RefusalCode.TOKEN_MALFORMED, RefusalCode.TOKEN_INVALID})

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
    if face is Face.TEXT:
        return answer_text(request, denied.status, f"{denied.code}: {denied.message}")
    number = JsonRpcCode.TOKEN if denied.code in _TOKEN_CODES else JsonRpcCode.BOUNDARY
    error = {"code": int(number), "message": denied.message, "data": {"code": denied.code}}
    return answer_json(request, denied.status, {"jsonrpc": "2.0", "id": None, "error": error})


class Guard:
    """
    Puts resources behind the trust rule.

    Args:
        policy: What the daemon was told about trust.
        on_refused: Told of each refusal.
    """

    def __init__(self, policy: TrustPolicy, *, on_refused: RefusalObserver) -> None:
        self._policy = policy
        self._on_refused = on_refused

    def protect(
        self, inner: IResource, *, face: Face = Face.JSON_RPC, query_token: Collection[bytes] = ()
    ) -> IResource:
        """
        ``inner`` for whoever is trusted by loopback or has the pairing token.

        ``query_token`` names the methods with which DESIGN §2 lets the token come as ``?token=``.
        """

        def rule(facts: TrustFacts) -> Decision:
            return decide(self._policy, facts)

        return _Guarded(inner, rule, face, query_token=query_token, on_refused=self._on_refused)

    def protect_without_token(self, inner: IResource) -> IResource:
        """
        ``inner`` for this machine alone, whatever credential comes along: the page script.
        """
        return _Guarded(
            inner, decide_without_token, Face.JSON_RPC, query_token=(), on_refused=self._on_refused
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
        on_refused: RefusalObserver,
    ) -> None:
        self._inner = inner
        self._rule = rule
        self._face = face
        self._query_token = query_token
        self._on_refused = on_refused

    def render(self, request: IRequest) -> bytes | int:
        """
        Refuse, or hand on as the principal that was decided.
        """
        trace = trace_of(request)
        trace.route = getattr(self._inner, "route", trace.route)
        decision = self._judge(request)
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

    def _judge(self, request: IRequest) -> Decision:
        """
        The rule's decision. What stands on loopback alone holds for every request with the same head on the
        same connection; a credential is judged each time, since it can expire.
        """
        memo = head_memo(request)
        if memo is not None and self in memo:
            known: Decision = memo[self]
            return known
        facts = trust_facts(request, query_token=request.method in self._query_token)
        decision = self._rule(facts)
        if memo is not None and not facts.authorizations and not facts.tokens_in_query:
            memo[self] = decision
        return decision
