"""
Mails sent: through Django's backends, ``smtplib`` or ``aiosmtplib``. Recipients and subject, never the text.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from email.header import decode_header, make_header
from types import ModuleType
from typing import Any, Final

from reticle.probe import emission
from reticle.probe.frames import caller
from reticle.probe.import_watch import ImportWatch
from reticle.probe.limits import NAME_CHARS, RECIPIENTS
from reticle.probe.patching import Patches
from reticle.probe.quiet import is_own_work, safely
from reticle.probe.redaction import cut, text
from reticle.probe.words import FactKind

_SUBJECT: Final = re.compile(rb"^subject:[ \t]*((?:.*(?:\r?\n[ \t])?)*)", re.IGNORECASE | re.MULTILINE)
_HEAD_BYTES: Final = 16 * 1024
"""Of a raw mail, in which its subject is looked for."""


_inside: Final[ContextVar[bool]] = ContextVar("reticle_mail_inside", default=False)
"""A backend of Django's is sending, so smtplib below it need not tell."""


def install(watch: ImportWatch, patches: Patches) -> None:
    """
    Watch every backend that Django makes, and every connection of smtplib's.
    """
    seen: set[type] = set()

    def django(module: ModuleType) -> None:
        patches.replace(module, "get_connection", lambda original: _making(original, patches, seen))

    def plain(module: ModuleType) -> None:
        patches.replace(module.SMTP, "sendmail", _sending)

    def awaited(module: ModuleType) -> None:
        patches.replace(module.SMTP, "sendmail", _sending_later)

    watch.when_imported("aiosmtplib", awaited)
    watch.when_imported("django.core.mail", django)
    watch.when_imported("smtplib", plain)


def _making(original: Any, patches: Patches, seen: set[type]) -> Any:
    def get_connection(*arguments: Any, **named: Any) -> Any:
        backend = original(*arguments, **named)
        kind = type(backend)
        if kind not in seen:
            seen.add(kind)
            safely(patches.replace, kind, "send_messages", _sending_messages)
        return backend

    return get_connection


def _sending_messages(original: Any) -> Any:
    def send_messages(self: Any, email_messages: Any) -> Any:
        if emission.sink is None or is_own_work() or _inside.get():
            return original(self, email_messages)
        messages = list(email_messages or ())
        mark = _inside.set(True)
        try:
            sent = original(self, messages)
        finally:
            _inside.reset(mark)
        # A backend says how many it sent; one that says nothing sent all, or raised.
        safely(_tell_messages, messages[:sent] if isinstance(sent, int) else messages, type(self))
        return sent

    return send_messages


def _tell_messages(messages: list[Any], kind: type) -> None:
    for message in messages:
        recipients = [str(each) for each in message.recipients()]
        _tell(recipients, str(message.subject), f"{kind.__module__}.{kind.__qualname__}")


def _sending(original: Any) -> Any:
    def sendmail(self: Any, from_addr: Any, to_addrs: Any, msg: Any, *arguments: Any, **named: Any) -> Any:
        refused = original(self, from_addr, to_addrs, msg, *arguments, **named)
        if emission.sink is not None and not is_own_work() and not _inside.get():
            safely(_tell_raw, to_addrs, msg, refused)
        return refused

    return sendmail


def _sending_later(original: Any) -> Any:
    async def sendmail(
        self: Any, sender: Any, recipients: Any, message: Any, *arguments: Any, **named: Any
    ) -> Any:
        answered = await original(self, sender, recipients, message, *arguments, **named)
        if emission.sink is not None and not is_own_work() and not _inside.get():
            safely(_tell_raw, recipients, message, answered[0], "aiosmtplib")
        return answered

    return sendmail


def _tell_raw(to_addrs: Any, msg: Any, refused: Any, backend: str = "smtplib") -> None:
    recipients = [to_addrs] if isinstance(to_addrs, str) else [str(each) for each in to_addrs]
    taken = [each for each in recipients if each not in refused]
    raw = msg[:_HEAD_BYTES].encode("utf-8", "replace") if isinstance(msg, str) else bytes(msg[:_HEAD_BYTES])
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    found = _SUBJECT.search(head)
    written = re.sub(r"\r?\n[ \t]+", " ", found[1].decode("utf-8", "replace")).strip() if found else ""
    _tell(taken, str(make_header(decode_header(written))), backend)


def _tell(recipients: list[str], subject: str, backend: str) -> None:
    file, line = caller()
    emission.emit(
        FactKind.MAIL,
        to=[cut(each, NAME_CHARS) for each in recipients[:RECIPIENTS]],
        subject=text(subject, NAME_CHARS),
        backend=backend,
        file=file,
        line=line,
    )
