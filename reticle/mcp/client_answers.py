"""
Whether a client's answer to one of our questions is one: what is not is asked again, never passed to a tool.

Sources: MCP "Elicitation", "Sampling" and "Roots", results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reticle.model.mcp import Question

_ACTIONS: Final = frozenset({"accept", "decline", "cancel"})


def is_answer(question: Question, answer: object) -> bool:
    """
    Whether ``answer`` has the form that the question's method gives; an accepted form has to fit the schema
    that was asked for.
    """
    if not isinstance(answer, Mapping):
        return False
    match question.method:
        case "elicitation/create":
            return _is_elicited(question, answer)
        case "sampling/createMessage":
            return (
                isinstance(answer.get("role"), str)
                and isinstance(answer.get("model"), str)
                and isinstance(answer.get("content"), Mapping | list)
            )
        case "roots/list":
            roots = answer.get("roots")
            return isinstance(roots, list) and all(
                isinstance(root, Mapping) and isinstance(root.get("uri"), str) for root in roots
            )


def _is_elicited(question: Question, answer: Mapping[str, object]) -> bool:
    action = answer.get("action")
    if not isinstance(action, str) or action not in _ACTIONS:
        return False
    if action != "accept" or question.params.get("mode") == "url":
        return True
    content = {} if answer.get("content") is None else answer["content"]
    schema = question.params.get("requestedSchema")
    return isinstance(content, Mapping) and (not isinstance(schema, Mapping) or _fits(content, schema))


def _fits(content: Mapping[str, object], schema: Mapping[str, object]) -> bool:
    """
    Elicitation schemas are flat: an object of texts, numbers, booleans and choices.
    """
    required, properties = schema.get("required", ()), schema.get("properties", {})
    if isinstance(required, Sequence) and any(name not in content for name in required):
        return False
    if not isinstance(properties, Mapping):
        return True
    return all(
        _is_value(content[name], rule)
        for name, rule in properties.items()
        if name in content and isinstance(rule, Mapping)
    )


def _is_value(value: object, rule: Mapping[str, object]) -> bool:
    match rule.get("type"):
        case "string":
            return isinstance(value, str) and _is_choice(value, rule)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            whole = isinstance(value, float) and value.is_integer()
            return (isinstance(value, int) and not isinstance(value, bool)) or whole
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "array":
            items = rule.get("items")
            return isinstance(value, list) and all(
                isinstance(item, str) and (not isinstance(items, Mapping) or _is_choice(item, items))
                for item in value
            )
        case _:
            return True


def _is_choice(value: str, rule: Mapping[str, object]) -> bool:
    """
    One of ``enum``, or the ``const`` of one of ``oneOf`` or ``anyOf``, where there are such.
    """
    choices = rule.get("enum")
    if isinstance(choices, Sequence):
        return value in choices
    for form in ("oneOf", "anyOf"):
        options = rule.get(form)
        if isinstance(options, Sequence):
            return value in [option.get("const") for option in options if isinstance(option, Mapping)]
    return True
