"""
The ``reticle`` command; exceptions become exit codes in ``main`` and nowhere else.
"""
