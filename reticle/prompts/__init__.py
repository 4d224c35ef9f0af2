"""
What a person can start an agent with: one module for each prompt.

A prompt is declared with ``spec``; only the gate makes it (``reticle.dispatch.features``).
"""
