# ruff: noqa: RUF001 -- the words are of many scripts
"""
Words by which a text is known to speak of failure, or of success, in the languages of most users.

Only a last resort: roles, ``aria-invalid`` and the server's own words come first, in any language
(``domain.findings.acknowledgement``). Stems are matched at the beginning of a word, except in scripts
that do not part words.
"""

from __future__ import annotations

import re

_ERROR_STEMS = (
    "error|fail|invalid|reject|denied|unable|could not|couldn't|can't|cannot|"
    "not allowed|try again|went wrong|oops|forbidden|unauthor|not found|unavailable|"
    "declined|incorrect|wrong|expired|is required|are required|timed out|timeout|offline|"
    "fehler|fehlgeschlagen|ungültig|nicht möglich|konnte nicht|erneut versuchen|"
    "abgelehnt|mislukt|ongeldig|fout|opnieuw|fel uppstod|misslyck|ogiltig|feil|fejl|"
    "virhe|erreur|échec|échou|invalide|impossible|réessay|refusé|fallo|falló|inválid|"
    "no se pudo|inténtalo|rechazad|erro|erro:|falha|falhou|não foi possível|"
    "tente novamente|errore|non valid|impossibile|riprova|fallit|eroare|eșuat|ошибк|"
    "не удалось|неверн|отказ|помилк|błąd|nie udało|nieprawidł|chyba|selhal|neplatn|"
    "greška|hata|başarısız|geçersiz|bağlantı yok|hiba|sikertelen|érvénytelen|σφάλμα|خطأ|فشل|שגיאה|"
    "נכשל|त्रुटि|विफल|gagal|kesalahan"
)
_ERROR_STEMS_UNPARTED = "错误|失败|錯誤|失敗|无效|エラー|できません|오류|실패|lỗi|thất bại|ข้อผิดพลาด"
_SUCCESS_STEMS = (
    "success|saved|done|thank|complete|created|updated|placed|confirmed|welcome|"
    "added|sent|gespeichert|erfolg|danke|erledigt|opgeslagen|gelukt|bedankt|sparad|"
    "lagret|gemt|tallennettu|enregistré|succès|réussi|merci|guardad|éxito|gracias|"
    "salvo|sucesso|obrigad|salvat|successo|grazie|сохранен|успешно|спасибо|zapisano|"
    "sukces|dziękuj|uložen|úspě|kaydedildi|alındı|eklendi|gönderildi|güncellendi|oluşturuldu|tamamlandı|"
    "başarılı|teşekkür|mentve|sikeres|تم الحفظ|"
    "نجاح|נשמר|בהצלחה|सफल|thành công|berhasil"
)
_SUCCESS_STEMS_UNPARTED = (
    "成功|已保存|保存しました|登録しました|追加しました|更新しました|送信しました|"
    "ありがとうございま|完了|저장|완료|สำเร็จ"
)

_BLAME_STEMS = (
    "denied|invalid|unauthor|forbidden|incorrect|wrong|not allowed|not permitted|"
    "ungültig|falsch|verweigert|nicht berechtigt|nicht erlaubt|ongeldig|onjuist|ogiltig|felaktig|"
    "invalide|erroné|refusé|interdit|non autorisé|inválid|incorrect|denegad|prohibid|no autorizad|"
    "incorret|negad|proibid|non valid|errat|negato|vietat|неверн|недопустим|запрещ|nieprawidł|neplatn|"
    "geçersiz|hatalı|yanlış|reddedildi|érvénytelen|hibás"
)
_BLAME_STEMS_UNPARTED = "无效|不正确|拒绝|無効|正しくありません|拒否|잘못된|거부"
_SERVER_STEMS = (
    "server|response|network|connect|service|internal|backend|gateway|went wrong|gone wrong|try again|"
    "later|serveur|servidor|sunucu|сервер|szerver|antwort|réponse|respuesta|resposta|risposta"
)
_SERVER_STEMS_UNPARTED = "服务器|伺服器|サーバ|서버"

_UNDERWAY = "start|request|attempt|open|click|submit|pending|begin|loading|view"

_LATER = (
    "draft|offline|queue|locally|local|later|sync|background|retry|undo|pending|"
    "entwurf|später|brouillon|plus tard|borrador|más tarde|rascunho|bozza|concept|черновик|taslak"
)
"""Words of what is kept here and sent another time."""

_COULD_NOT = "[ae]mad[ıi]|[ae]med[ıi]"
"""The Turkish ending of what could not be done: "kaydedilemedi", "alınamadı"."""

_PROBLEM = r"(?<!\bno )problem"
_FAILURE = re.compile(
    rf"(?<!\w)(?:{_ERROR_STEMS}|{_PROBLEM})|(?:{_ERROR_STEMS_UNPARTED})|\w(?:{_COULD_NOT})(?!\w)"
)
_SUCCESS = re.compile(rf"(?<!\w)(?:{_SUCCESS_STEMS})|(?:{_SUCCESS_STEMS_UNPARTED})")
_BEGINNING = re.compile(_UNDERWAY)
_BLAME = re.compile(rf"(?<!\w)(?:{_BLAME_STEMS})|(?:{_BLAME_STEMS_UNPARTED})")
_DEFERRED = re.compile(rf"(?<!\w)(?:{_LATER})")
_SERVER = re.compile(rf"(?<!\w)(?:{_SERVER_STEMS})|(?:{_SERVER_STEMS_UNPARTED})")


def speaks_of_failure(text: str) -> bool:
    """
    Whether a text names a failure.
    """
    return bool(_FAILURE.search(_folded(text)))


def speaks_of_success(text: str) -> bool:
    """
    Whether a text names a success and no failure.
    """
    return bool(_SUCCESS.search(_folded(text))) and not speaks_of_failure(text)


def blames_the_user(text: str) -> bool:
    """
    Whether a text says that what the user gave, or may, is at fault, and nothing of the server.
    """
    folded = _folded(text)
    return bool(_BLAME.search(folded)) and not _SERVER.search(folded)


def speaks_of_the_server(text: str) -> bool:
    """
    Whether a text names the server, the connection or a fault of no one in particular.
    """
    return bool(_SERVER.search(_folded(text)))


def speaks_of_later(text: str) -> bool:
    """
    Whether a text says that something is kept for another time, or here alone.
    """
    return bool(_DEFERRED.search(_folded(text)))


def speaks_of_beginning(name: str) -> bool:
    """
    Whether a signal's name says that something is only beginning.
    """
    return bool(_BEGINNING.search(_folded(name)))


def _folded(text: str) -> str:
    """
    In lower case, with identifiers ("loginFailed", "login_failed") parted into words.
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)
    return parted.casefold().replace("\u2019", "'")
