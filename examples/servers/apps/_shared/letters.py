"""
The desk's letters.
"""

from __future__ import annotations

import os
import smtplib
from email.message import EmailMessage


def confirm(order: int, to: str) -> None:
    """
    Tell a customer that the order was taken.
    """
    letter = EmailMessage()
    letter["From"] = "desk@example.test"
    letter["To"] = to
    letter["Subject"] = f"Order {order}"
    letter.set_content("We have your order.")
    with smtplib.SMTP("127.0.0.1", int(os.environ["DESK_MAIL_PORT"])) as server:
        server.send_message(letter)
