"""
What tools, resources and prompts show beside text: content blocks, in the words of the newest revision.

``reticle.mcp.down_convert`` puts them into the words of an older one (MCP 2026-07-28 "Content").
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

ContentBlock = Mapping[str, object]
"""A JSON object with ``type``: ``text``, ``image``, ``audio``, ``resource`` or ``resource_link``."""


def text_block(text: str) -> ContentBlock:
    """
    Text.
    """
    return {"type": "text", "text": text}


def image_block(image: bytes, mime_type: str) -> ContentBlock:
    """
    An image, such as a screenshot.
    """
    return {"type": "image", "data": base64.b64encode(image).decode(), "mimeType": mime_type}


def audio_block(audio: bytes, mime_type: str) -> ContentBlock:
    """
    A sound; MCP 2025-03-26 and later.
    """
    return {"type": "audio", "data": base64.b64encode(audio).decode(), "mimeType": mime_type}


def resource_block(uri: str, mime_type: str, text: str) -> ContentBlock:
    """
    A text resource with its contents.
    """
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}}


def link_block(uri: str, name: str, mime_type: str) -> ContentBlock:
    """
    A resource that the client may read; MCP 2025-06-18 and later.
    """
    return {"type": "resource_link", "uri": uri, "name": name, "mimeType": mime_type}
