"""
The folder that ``reticle run`` puts first in ``PYTHONPATH``; nothing else stands in it.
"""
