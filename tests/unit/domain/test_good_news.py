"""
Messages that name a failure to say that there is none.
"""

from __future__ import annotations

import pytest

from reticle.domain.good_news import speaks_of_a_failure_now


@pytest.mark.parametrize(
    "text",
    [
        "0 errors",
        "No problems found",
        "Error-free",
        "Failed jobs: 0",
        "Failed login attempts: 0",
        "Errors (0)",
        "Failed: 0, imported: 5",
        "Imported: 5, failed: 0",
        "Tests failed: 0",
        "0 of 5 failed",
        "5 saved, none failed",
        "Error: none",
        "Nothing failed",
        "Available offline",
        "Expired coupons removed",
        "All errors resolved",
        "Error notifications enabled",
        "Session timeout set to 30 minutes",
        "You can't undo this",
        "No se encontraron errores",
        "Fehlgeschlagen: 0",
        "Fehlerfrei",
        "Erreurs : 0",
        "没有错误",
        "エラーなし",
        "오류 없음",
        "Hata yok",
        "Ошибок: 0",
    ],
)
def test_good_news_names_a_failure_and_is_none(text: str) -> None:
    """
    An admin's page that says "Failed jobs: 0" after a click does not cost a pass.
    """
    assert not speaks_of_a_failure_now(text)


@pytest.mark.parametrize(
    "text",
    [
        "No se pudo guardar",
        "Failed to save: 0 rows written",
        "Request failed: 0",
        "Error: 0",
        "Error: 0x80070005",
        "Failed with status: 0",
        "Version 2.0 update failed",
        "Order no 5 failed",
        "0 of 5 saved: error",
        "Error not resolved",
        "Failed: 10",
        "Failed jobs: 3",
        "Failed jobs could not be removed",
        "Error reports could not be sent",
        "You are offline",
        "No network: could not save",
        "保存失败",
    ],
)
def test_a_failure_that_is_told_beside_a_nought_stays_one(text: str) -> None:
    """
    "Request failed: 0" has a status of 0, and "no se pudo" is Spanish for "could not".
    """
    assert speaks_of_a_failure_now(text)
