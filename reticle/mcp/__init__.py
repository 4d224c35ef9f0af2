"""
The MCP protocol core, without I/O: bytes and answers in, events and bytes out.
"""
