"""
The vocabulary of reticle: frozen values without behaviour, named once.

Every wire string is a member of an enum in ``codes``, every limit a constant in ``limits``.
"""
