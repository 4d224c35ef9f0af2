# ruff: noqa: RUF001 -- the words are of many scripts
"""
Words of failure and success.
"""

from __future__ import annotations

import pytest

from reticle.domain.words import speaks_of_beginning, speaks_of_failure, speaks_of_success


@pytest.mark.parametrize(
    "text",
    [
        "Something went wrong",
        "loginFailed",
        "order_rejected",
        "checkout.error",
        "We couldn\u2019t save it",
        "Speichern fehlgeschlagen",
        "Une erreur est survenue",
        "No se pudo guardar",
        "Não foi possível salvar",
        "Не удалось сохранить",
        "保存失败",
        "保存できませんでした",
        "저장 실패",
        "فشل الحفظ",
        "Sipariş kaydedilemedi",
        "There was a problem",
        "Email is required",
        "Changes could not be saved",
    ],
)
def test_failure_is_understood_in_many_languages(text: str) -> None:
    """
    An error message is one wherever its users live, and is never a success.
    """
    assert speaks_of_failure(text)
    assert not speaks_of_success(text)


@pytest.mark.parametrize(
    "text",
    [
        "Order placed",
        "Gespeichert",
        "Saved, no problem",
        "Siparişiniz alındı",
        "ご注文ありがとうございます",
        "Enregistré",
        "¡Guardado!",
        "Сохранено",
        "保存しました",
        "Terrific",
        "Mirror",
    ],
)
def test_success_and_chance_resemblance_are_no_failure(text: str) -> None:
    """
    "Terrific" and "mirror" contain no error.
    """
    assert not speaks_of_failure(text)
    assert speaks_of_success(text) is (text not in ("Terrific", "Mirror"))


def test_beginnings() -> None:
    """
    A start is no outcome.
    """
    assert speaks_of_beginning("checkoutStarted")
    assert not speaks_of_beginning("order.placed")
