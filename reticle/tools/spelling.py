"""
Names that an object of arguments does not take, refused with the nearest right spelling.

The gate does this for a call's own arguments; here it is for the objects inside them: ``target``, ``args``,
a step. A misspelt name that was dropped would let a call do more, or claim less, than was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reticle.domain.predicate.refusals import nearest
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.tools.fields import cut

STRANGE_SHOWN = 5
"""Strange names in one message."""

NAME_CHARS = 60


def refuse_strange(given: Iterable[str], known: Sequence[str], where: str, example: str = "") -> None:
    """
    Let an object pass that has only known names.

    Args:
        given: The names it has.
        known: The names that it may have.
        where: What the object is called in the message, such as ``target``.
        example: A valid object or call, as JSON.

    Raises:
        Refusal: ``bad_arguments``; a retry makes sense with the names mended.
    """
    strange = [name for name in given if name not in known][:STRANGE_SHOWN]
    if not strange:
        return
    named = ", ".join(f"`{cut(name, NAME_CHARS)}`" for name in strange)
    near = [f"`{word}`" for name in strange if (word := nearest(name[:NAME_CHARS], known)) is not None]
    meant = f"; did you mean {', '.join(near)}?" if near else "."
    takes = f"It takes {', '.join(known)}." if known else "It takes none."
    raise Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{where} does not take {named}{meant} Nothing ran.",
        f"{takes} For example {example}." if example else takes,
        {"unknown": [cut(name, NAME_CHARS) for name in strange]},
    )
