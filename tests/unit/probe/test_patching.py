"""
Functions put in the place of others, and taken back.
"""

from __future__ import annotations

from typing import Any

from reticle.probe.patching import Patches


class Base:
    """
    Has a method of its own.
    """

    def greet(self) -> str:
        """
        Say something.
        """
        return "hello"


class Child(Base):
    """
    Inherits it.
    """


def louder(original: Any) -> Any:
    """
    The same in capitals.
    """
    return lambda self: original(self).upper()


def test_a_patch_is_taken_back_whole() -> None:
    """
    With the probe off again, the library is what it was.
    """
    patches = Patches()
    before = vars(Base)["greet"]
    patches.replace(Base, "greet", louder)
    patches.replace(Child, "greet", louder)
    assert (Base().greet(), Child.greet.__doc__) == ("HELLO", Base.greet.__doc__)
    patches.remove()
    assert vars(Base)["greet"] is before
    assert "greet" not in vars(Child)


def test_a_patch_under_another_stays() -> None:
    """
    Who patched after us calls us, so we do not take theirs away.
    """
    patches = Patches()
    patches.replace(Base, "greet", louder)
    theirs = louder(Base.greet)
    kept, Base.greet = Base.greet, theirs  # type: ignore[method-assign]  # as another tool does
    patches.remove()
    assert vars(Base)["greet"] is theirs
    Base.greet = kept.__wrapped__  # type: ignore[method-assign, attr-defined]  # as it was


def test_what_is_not_there_is_not_patched() -> None:
    """
    A version of a library without the function is left as it is.
    """
    patches = Patches()
    patches.replace(Base, "gone", louder)
    assert not hasattr(Base, "gone")
