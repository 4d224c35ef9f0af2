"""
The names of things, as distinct types so that one cannot be passed for another.
"""

from __future__ import annotations

from typing import NewType

McpSessionId = NewType("McpSessionId", str)
"""An agent's connection on the old transport; unguessable, minted per stream."""

PageId = NewType("PageId", str)
"""A connected page; what the tools' ``sessionId`` argument names."""

DocumentId = NewType("DocumentId", str)
"""One document load of a page; a ref is only good inside the document that minted it."""

CommandId = NewType("CommandId", str)
"""One command sent to a page; never used twice in the life of a daemon."""

BrowserLeaseId = NewType("BrowserLeaseId", str)
"""A browser context that the daemon opened for an agent (``reticle_lease``)."""

ActionId = NewType("ActionId", str)
"""One action an agent made on a page; later events carry it while the action runs."""

VerdictId = NewType("VerdictId", str)
"""One recorded verdict."""

TokenId = NewType("TokenId", str)
"""The public half of a capability token, ``dtok_`` and 16 characters; no secret."""

GrantId = NewType("GrantId", str)
"""One capability granted to one token."""

RepositoryId = NewType("RepositoryId", str)
"""A registered repository."""

AuditId = NewType("AuditId", str)
"""One audit row; in every tool result."""

Cursor = NewType("Cursor", int)
"""A place in a page's event order: the number of the last event before it. 0 is the beginning."""
