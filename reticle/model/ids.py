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

RunId = NewType("RunId", str)
"""One execution of a set of jobs, ``run_`` and 32 hexadecimal digits; so are the ones below."""

JobId = NewType("JobId", str)
"""One job of a run, ``job_…``."""

WorkSessionId = NewType("WorkSessionId", str)
"""An agent registered in a run, ``sess_…``; what ``session_id`` of the workflow methods names."""

MessageId = NewType("MessageId", str)
"""That one attempt of a job can be claimed, ``msg_…``."""

WorkLeaseId = NewType("WorkLeaseId", str)
"""A claim's limited time, ``lease_…``."""

PacketId = NewType("PacketId", str)
"""What was handed to an agent with a claim, ``wp_…``."""

ArtifactId = NewType("ArtifactId", str)
"""A published file, ``art_…``."""

ReviewId = NewType("ReviewId", str)
"""A reviewer's decision on a job, ``verdict_…`` as the second seed names it; no ``VerdictId``."""

BlockerId = NewType("BlockerId", str)
"""Why a job cannot go on, ``blk_…``; one that is for a person is an escalation."""
