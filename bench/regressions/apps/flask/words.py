"""
Words in two languages, and how money and moments are written.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from flask import g

ZONE = ZoneInfo("Europe/Vienna")
WORDS = {
    "en": {
        "tickets": "Tickets", "new": "New ticket", "search": "Search", "found": "{n} tickets",
        "open": "Open", "closed": "Closed", "all": "All", "status": "Status", "language": "Language",
        "open_now": "{n} open", "subject": "Subject", "customer": "Customer", "save": "Save",
        "close": "Close ticket", "reopen": "Reopen ticket",
    },
    "de": {
        "tickets": "Anfragen", "new": "Neue Anfrage", "search": "Suchen", "found": "{n} Anfragen",
        "open": "Offen", "closed": "Geschlossen", "all": "Alle", "status": "Stand", "language": "Sprache",
        "open_now": "{n} offen", "subject": "Betreff", "customer": "Kunde", "save": "Sichern",
        "close": "Anfrage schließen", "reopen": "Wieder öffnen",
    },
}  # fmt: skip


def translate(key: str, **values: object) -> str:
    """
    The words of a key in the language of the request.
    """
    return WORDS[g.language][key].format(**values)


def money(amount: Decimal) -> str:
    """
    An amount of euros.
    """
    return f"€{amount:,.2f}"


def moment(when: datetime) -> str:
    """
    A moment where the desk is.
    """
    local = when.astimezone(ZONE)
    return f"{local.day} {local:%b %Y, %H:%M}"
