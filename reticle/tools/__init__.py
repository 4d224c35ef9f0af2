"""
What an agent can call: one module per family, each a list of ``Tool``s; ``spec`` says what a tool is.

A tool module declares arguments as a msgspec struct, from which the published schema is made, and an
``async`` function over ``ports.CallContext``. Only the gate runs it.
"""
