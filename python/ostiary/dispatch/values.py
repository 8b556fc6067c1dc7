"""Inputs and outputs as values: copied whole, extended, mapped; never changed in place."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from ostiary.dispatch.context import ToolOutput

_BLOCK_TYPES = frozenset(
    ("text", "image", "audio", "document", "resource", "resource_link"),  # MCP's, and `document`
)
_ATOMS = frozenset((str, int, float, bool, type(None)))


def snapshot(value: Any) -> Any:
    """Return a copy that no later change of the value reaches.

    What is no JSON value is copied as it says itself, and may raise whatever it likes.

    Raises:
        RecursionError: the value is nested deeper than Python's stack.
    """
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is dict:
        return {key: snapshot(item) for key, item in value.items()}
    if kind is list:
        return [snapshot(item) for item in value]
    return deepcopy(value)


def as_output(value: Any) -> ToolOutput:
    """Return what a tool returned as a text or a list of content blocks.

    A list with at least one content block is a list of blocks, and its strings become text blocks;
    every other value that is no string becomes its JSON text, None the empty text.

    Raises:
        TypeError: the value is bytes; a tool says in a block what bytes are.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bytes | bytearray | memoryview):
        raise TypeError("a tool returns text, content blocks or JSON values, not bare bytes")
    if isinstance(value, list | tuple) and any(map(_is_block, value)):
        return [text_block(item) if isinstance(item, str) else item for item in value]
    if _is_block(value):
        return [value]
    return json.dumps(value, ensure_ascii=False, default=str)


def append_text(output: ToolOutput, text: str, separator: str = "\n") -> ToolOutput:
    """Return an output with a text behind it: on a string after the separator, else as a block."""
    if isinstance(output, str):
        return f"{output}{separator}{text}"
    return [*output, text_block(text)]


def map_texts(output: ToolOutput, change: Callable[[str], str]) -> ToolOutput:
    """Return an output whose text, or every text of a block or a resource, was changed."""
    if isinstance(output, str):
        return change(output)
    return [_map_block(block, change) for block in output]


def _map_block(block: Any, change: Callable[[str], str]) -> Any:
    if isinstance(block, str):
        return change(block)
    text = text_of(block)
    if text is not None:
        return {**block, "text": change(text)}
    resource = block.get("resource") if isinstance(block, dict) else None
    if isinstance(resource, dict) and isinstance(resource.get("text"), str):
        return {**block, "resource": {**resource, "text": change(resource["text"])}}
    return block


def text_of(block: Any) -> str | None:
    """Return a text block's text; None where the block is of another kind."""
    if isinstance(block, dict) and block.get("type") == "text":
        text = block.get("text")
        return text if isinstance(text, str) else None
    return None


def text_block(text: str) -> dict[str, str]:
    """Return a content block that holds a text."""
    return {"type": "text", "text": text}


def _is_block(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    kind = value.get("type")
    return isinstance(kind, str) and kind in _BLOCK_TYPES
