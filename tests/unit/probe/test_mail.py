"""
Mails as facts.
"""

from __future__ import annotations

import asyncio
import smtplib
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts
from tests.unit.probe.test_sql_django import run_django


class Unconnected(smtplib.SMTP):
    """
    Takes every mail but those to somebody who is refused, without a connection.
    """

    def __init__(self) -> None:
        self.sock = None

    def sendmail(self, from_addr: Any, to_addrs: Any, msg: Any, *_: Any, **__: Any) -> Any:
        """
        As the real one answers: those who were refused.
        """
        del from_addr, msg
        return {each: (550, b"no") for each in to_addrs if each.startswith("gone")}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[KeptFacts]:
    """
    The collector is in, over an SMTP that has no server.
    """
    monkeypatch.setattr(smtplib, "SMTP", Unconnected)
    with collecting("mail") as sink:
        yield sink


def test_a_mail_names_recipients_and_subject(kept: KeptFacts) -> None:
    """
    The agent reads to whom it went, and where in the app; the text stays inside.
    """
    message = EmailMessage()
    message["Subject"] = "Grüße: " + "your order of many shoes " * 4
    message["From"], message["To"] = "shop@example.org", "bob@example.org"
    message.set_content("secret text")
    smtplib.SMTP().sendmail("shop@example.org", ["bob@example.org", "gone@example.org"], message.as_bytes())
    (fields,) = kept.of("mail")
    assert fields["to"] == ["bob@example.org"]
    assert fields["subject"] == ("Grüße: " + "your order of many shoes " * 4).strip()
    assert (fields["backend"], fields["file"]) == ("smtplib", __file__)
    assert "secret" not in str(kept.facts)


@pytest.mark.parametrize(
    "raw", ["Subject: hi\r\n\r\nsubject: no", "To: x\n\nbody", "", b"Subject: =?utf-8?b?w6Q=?=\n\n"]
)
def test_any_raw_mail_is_read(kept: KeptFacts, raw: str | bytes) -> None:
    """
    A mail without a subject, or without anything, is still a mail.
    """
    smtplib.SMTP().sendmail("a@example.org", "b@example.org", raw)
    (fields,) = kept.of("mail")
    assert (fields["to"], fields["subject"]) == (
        ["b@example.org"], {"Subject: hi": "hi", "Subject: =?": "ä"}.get(
            raw[:11] if isinstance(raw, str) else raw[:11].decode(), ""
        ),
    )  # fmt: skip


def test_djangos_backends_tell_each_mail_once(tmp_path: Path) -> None:
    """
    Whatever backend the settings name, a mail is told with the app's line.
    """
    pytest.importorskip("django")
    more = (
        "from django.core.mail import send_mail; send_mail('Thanks', 'text', None, ['bob@example.org']);"
        " step('mail')"
    )
    ((kind, fields),) = run_django(tmp_path, more)["mail"]
    assert kind == "mail"
    assert (fields["to"], fields["subject"]) == (["bob@example.org"], "Thanks")
    assert fields["backend"].endswith("locmem.EmailBackend")
    assert fields["file"].endswith("shop.py")


def test_a_mail_that_is_awaited_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Apps on asyncio send by aiosmtplib; whom the server refused got none.
    """

    class SMTP:
        async def sendmail(self, sender: str, recipients: list[str], message: str) -> tuple[Any, str]:
            del sender, message
            return dict.fromkeys(recipients[1:]), "OK"

    module: Any = ModuleType("aiosmtplib")
    module.SMTP = SMTP
    monkeypatch.setitem(sys.modules, "aiosmtplib", module)
    to = ["ada@example.org", "nobody@example.org"]
    with collecting("mail") as kept:
        asyncio.run(module.SMTP().sendmail("shop@example.org", to, "Subject: Thanks\r\n\r\ntext"))
    (fields,) = kept.of("mail")
    assert (fields["to"], fields["subject"], fields["backend"]) == (to[:1], "Thanks", "aiosmtplib")
