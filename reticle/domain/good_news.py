# ruff: noqa: RUF001 -- the words are of many scripts
"""
Messages that name a failure to say that there was none, or that one is over: "Failed jobs: 0", "No problems
found", "Expired coupons removed".
"""

from __future__ import annotations

import re
from typing import Final

from reticle.domain.words import speaks_of_failure

_NO_FAILURES: Final = (
    r"(?<![.,:])0 (?:of|out of|von|de|sur|di|van) \d+(?: \w+){1,2}"
    r"|(?:no(?! \d| se )|(?<![.,:])0|zero|without(?: any)?|keine?|ohne|sans|aucune?|sin|ning[uú]n|"
    r"senza|nessun|geen)(?: \w+){1,2}"
    r"|no se (?:encontraron|encontró|detectaron|produjeron|han encontrado) \w+"
    r"|(?:nothing|none|never) (?:has |have |was |were |is |went )?(?:failed|wrong|rejected|expired|invalid)"
)
"""Nothing, before what may have failed: "0 failed". "2.0 failed" is another thing, "no se pudo" a failure."""

_COUNTED: Final = (
    r"(?:(?:[\w-]+ ){0,2}(?:errors|failures|problems|rejections|erreurs|échecs|errores|erros|errori|fouten|"
    r"fehler|ошибок)"
    r"|(?:(?:^|(?<=[,;.(|/\u00b7] ))|[\w-]+(?<!s)s )(?:failed|invalid|rejected|declined|denied|"
    r"expired|fehlgeschlagen)"
    r"(?: (?!to |with |at |status)[\w-]+s| (?!to |with |at )[\w-]+ (?!status)[\w-]+s)?)"
    r"\s?[:=(]\s?(?:0|none|no|keine?|aucune?)(?![\w.,]*\d)(?!\s(?!\w+\s?[:=(])\w)"
    r"|error\s?[:=]\s?(?:none|null|nil)\b"
)
"""Nothing, behind the name of a count: "Failed jobs: 0", but not "Request failed: 0", which is a status."""

_OVER: Final = (
    r"(?:errors?|failures?|problems?) (?:(?:has|have) been |was |were )?"
    r"(?:fixed|resolved|dismissed|cleared|corrected|removed|deleted)"
    r"|(?:expired|invalid|rejected|failed|unavailable) [\w-]+ (?:(?:has|have) been |was |were )?"
    r"(?:removed|deleted|cleared|archived|dismissed|hidden)"
)
"""What had failed and is taken away."""

_NAMES: Final = (
    r"(?:error|fehler|trouble)-?(?:free|frei)|fail-?(?:safe|over)"
    r"|error (?:notification|report|log|alert|e-?mail|message|tracking|handling|reporting)s?"
    r"(?= (?:\w+ )?(?:enabled|disabled|saved|updated|sent|turned|exported|copied|downloaded|on|off)\b)"
    r"|timeout (?:was )?(?:set|changed|updated|saved)"
    r"|(?:available|readable|usable|saved|ready|for|works) offline(?: (?:use|reading|access))?"
    r"|can(?:not|'t|\u2019t| not) (?:be (?:undone|reversed|recovered|restored)|undo (?:this|it|that))"
)
"""What is called so, and what somebody is warned of before a deed."""

_PARTED: Final = re.compile(rf"(?i)(?<!\w)(?:{_NO_FAILURES}|{_COUNTED}|{_OVER}|{_NAMES})")
_UNPARTED: Final = re.compile(
    r"(?:没有|無|无|沒有|0 ?个|0 ?個)(?:错误|錯誤|失败|失敗)"
    r"|(?:エラー|失敗)(?:なし|はありません|は0件)|0 ?件の(?:エラー|失敗)|"
    r"(?:오류|실패)(?:가|는)? ?(?:없|0)|(?i:hata(?: yok|sız)|ошибок (?:нет|не )|нет ошибок|brak błęd\w+)"
)


def speaks_of_a_failure_now(text: str) -> bool:
    """
    Whether a message names a failure, beside any of which it says that there is none.
    """
    return speaks_of_failure(_UNPARTED.sub(" ", _PARTED.sub(" ", text)))
