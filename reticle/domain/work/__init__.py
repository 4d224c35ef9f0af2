"""
The rules of the work (DESIGN §9): who may do what with which packet, and what becomes of it.

Each rule is a plain function over a ``ports.WorkBook``, which is one transaction, and is told the time.
"""
