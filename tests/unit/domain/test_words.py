# ruff: noqa: RUF001 -- the words are of many scripts
"""
Words of failure and success.
"""

from __future__ import annotations

import pytest

from reticle.domain.words import (
    blames_the_user,
    speaks_of_beginning,
    speaks_of_failure,
    speaks_of_success,
    speaks_of_the_server,
)


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


@pytest.mark.parametrize(
    ("text", "blames"),
    [
        ("Wrong password", True),
        ("accessDenied", True),
        ("Geçersiz e-posta", True),
        ("Something went wrong", False),
        ("Invalid server response", False),
        ("Connection refused", False),
        ("Saved", False),
        ("Could not save", False),
    ],
)
def test_blame_is_told_from_a_mere_failure(text: str, *, blames: bool) -> None:
    """
    "Your password is wrong" is another thing to tell than "something went wrong".
    """
    assert blames_the_user(text) is blames


@pytest.mark.parametrize(
    ("text", "server"),
    [("Server error", True), ("サーバーエラー", True), ("Try again later", True), ("Wrong", False)],
)
def test_the_server_is_known_by_name(text: str, *, server: bool) -> None:
    """
    A message that names the server or the connection blames no user.
    """
    assert speaks_of_the_server(text) is server
