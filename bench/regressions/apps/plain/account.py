"""
Who is signed in, and what they told about themselves.
"""

from __future__ import annotations

from typing import Any

from refusals import Refused


class Account:
    """
    One user, in one of two roles.
    """

    def __init__(self) -> None:
        self.role = "admin"
        self.profile: dict[str, Any] = {"name": "Robin Moss", "email": "robin@depot.test", "orderMails": True}
        self._password = "correct horse"

    def session(self) -> dict[str, Any]:
        """
        Who this is.
        """
        return {"role": self.role, "profile": self.profile}

    def sign_out(self) -> None:
        """
        End the session; the next one begins as it was.
        """
        self.role = "admin"

    def act_as(self, role: str) -> dict[str, Any]:
        """
        Change the role.
        """
        self.role = role
        return self.session()

    def save(self, name: str, email: str) -> dict[str, Any]:
        """
        Keep the profile.
        """
        self.profile.update(name=name, email=email)
        return self.profile

    def mails(self, *, on: bool) -> dict[str, Any]:
        """
        Mails about orders, or none.
        """
        self.profile["orderMails"] = on
        return self.profile

    def change_password(self, old: str, new: str) -> None:
        """
        Set a new password.
        """
        if old != self._password:
            raise Refused(403, "That is not your password")
        self._password = new
