"""
What a client can read by its address, without calling a tool: one module for each kind of resource.

A resource is declared with ``spec``; only the gate reads it (``reticle.dispatch.features``).
"""
