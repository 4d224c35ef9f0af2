"""
The version of the distribution, in one place: read by packaging, ``--version`` and ``/status``.
"""

__version__ = "0.1.0"
