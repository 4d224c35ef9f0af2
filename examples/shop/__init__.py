"""
A small shop with faults that can be planted: ``python examples/shop`` or ``python -m examples.shop``.
"""
