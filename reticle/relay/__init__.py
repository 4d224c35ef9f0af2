"""
``reticle mcp``: the stdio front that outlives the daemon.

A client starts it as its MCP server; it answers the handshake itself, finds or starts the daemon, and
carries every message over the old HTTP+SSE pair. Standard library alone, and little of that: its first
answer has to come within 60 ms of the process's start. ``docs/protocol/stdio.md`` is the contract.
"""
