"""
What the rules and the tools need of the outside world, as contracts.

``bridge`` and ``storage`` provide them for real, ``reticle.testing`` in memory; both pass the same
contract tests, one module per provider. Waiting is an ``Awaitable`` so that nothing here names an event loop.
"""

from __future__ import annotations

from reticle.ports.browser import Browser
from reticle.ports.calls import Answer, CallContext, Progress
from reticle.ports.clock import Clock
from reticle.ports.conversations import Conversation, Conversations, Exchange, MessageSink, ReplySink
from reticle.ports.detection import Detection
from reticle.ports.journal import Journal
from reticle.ports.leases import PageHolds
from reticle.ports.page_links import PageLink, PageLinks, SocketWriter
from reticle.ports.pages import Page, Pages, Steering
from reticle.ports.server_facts import ServerFacts
from reticle.ports.stores import (
    AuditLog,
    BaselineStore,
    ContractStore,
    FeedbackStore,
    PictureStore,
    VerdictStore,
)
from reticle.ports.tokens import Folders, RepositoryStore, TokenStore
from reticle.ports.work import Listening, WorkBook, WorkNews, WorkReading, WorkStore
from reticle.ports.worktrees import Worktrees

__all__ = [
    "Answer",
    "AuditLog",
    "BaselineStore",
    "Browser",
    "CallContext",
    "Clock",
    "ContractStore",
    "Conversation",
    "Conversations",
    "Detection",
    "Exchange",
    "FeedbackStore",
    "Folders",
    "Journal",
    "Listening",
    "MessageSink",
    "Page",
    "PageHolds",
    "PageLink",
    "PageLinks",
    "Pages",
    "PictureStore",
    "Progress",
    "ReplySink",
    "RepositoryStore",
    "ServerFacts",
    "SocketWriter",
    "Steering",
    "TokenStore",
    "VerdictStore",
    "WorkBook",
    "WorkNews",
    "WorkReading",
    "WorkStore",
    "Worktrees",
]
