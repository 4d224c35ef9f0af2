"""
How the server says no.
"""

from __future__ import annotations


class Refused(Exception):
    """
    The answer is this status and body.
    """

    def __init__(self, status: int, error: str, **more: object) -> None:
        super().__init__(error)
        self.status = status
        self.body = {"error": error, **more}
