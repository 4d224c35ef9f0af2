"""
Arguments of a tool that brings its own JSON schema: held to it, and explained where they break it.

Our own tools never come here: their types decode fifty times faster (DESIGN §12).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from reticle.errors import Refusal
from reticle.mcp.strict_json import encode, shorten
from reticle.model.codes import RefusalCode

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_OBJECT: Final = msgspec.json.Decoder(dict[str, Any])


class BroughtDecoder:
    """
    Decodes arguments by a schema that is not ours; references to other places are never fetched.

    Args:
        schema: The schema; JSON Schema 2020-12 unless its ``$schema`` says otherwise (MCP 2025-11-25).
        example: Valid arguments, shown when others are refused.
    """

    def __init__(self, schema: Mapping[str, object], example: Mapping[str, object]) -> None:
        self._schema = schema
        self._example = example
        self._validator: Validator | None = None

    def decode(self, raw: bytes, /) -> dict[str, Any]:
        """
        The arguments as they came.

        Raises:
            msgspec.MsgspecError: They are no JSON object.
            Refusal: ``bad_arguments`` with the place and the rule that they break.
        """
        given = _OBJECT.decode(raw)
        if self._validator is None:
            self._validator = _make_validator(self._schema)
        for error in self._validator.iter_errors(given):
            where = ".".join(str(step) for step in error.absolute_path) or "the arguments object"
            raise Refusal(
                RefusalCode.BAD_ARGUMENTS,
                f"{where}: {shorten(error.message)}. Nothing ran.",
                f"For example {encode(self._example).decode()}.",
            )
        return given


def _make_validator(schema: Mapping[str, object]) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - loaded when first used (DESIGN §12)
    from jsonschema.validators import validator_for  # noqa: PLC0415 - as above
    from referencing import Registry  # noqa: PLC0415 - as above

    return validator_for(schema, Draft202012Validator)(schema, registry=Registry())
