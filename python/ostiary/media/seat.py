"""The one place where every tool result's media is admitted, or replaced by a text saying why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from anyio.lowlevel import checkpoint

from ostiary import _core
from ostiary.media import limits
from ostiary.media.admission import admit_document_bytes, admit_image_bytes, image_read_cap
from ostiary.media.downsample import require_downsampler
from ostiary.media.outcome import (
    DocumentAdmitted,
    ImageAdmitted,
    MediaKind,
    Refused,
    ToolResultMediaRefusal,
)
from ostiary.media.placeholder import is_media_type, placeholder_text
from ostiary.media.worker import run_in_worker

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from ostiary.media.downsample import ImageDownsampler

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ToolResultMediaAdmission:
    """A tool result whose media was checked.

    Attributes:
        content: A new list: each media block rebuilt from its checked bytes or replaced by a text
            block, all other blocks the same objects, in order.
        refused: One entry for each block that was replaced, in order.
    """

    content: list[Any]
    refused: tuple[ToolResultMediaRefusal, ...]


def admit_tool_result_media(
    content: object,
    tool_name: str,
    *,
    downsampler: ImageDownsampler | None = None,
) -> Coroutine[Any, Any, ToolResultMediaAdmission] | None:
    """Admit the media of a tool's result; None where it has none, and the content stands as it is.

    Media blocks are dicts whose `type` is `image` or `document`, with the base64 text in `data` and
    the claimed type in `mimeType` (or `media_type`, `mime_type`). A rebuilt block has these three
    under the names that it came with, and its `annotations`, `_meta` and `cache_control`.

    Never raises on any content: what cannot be read is left as it is. The call needs no running
    event loop; the blocks are read once, in the call.

    Args:
        content: The tool's result; only a list or tuple is looked into.
        tool_name: The tool's name, for the placeholders.
        downsampler: Makes pictures smaller, in a worker thread.

    Raises:
        TypeError: `tool_name` is no str, or `downsampler` cannot downsample.
    """
    if not isinstance(tool_name, str):
        raise TypeError(f"tool_name must be a str, not {type(tool_name).__name__}")
    tool_name = str.__str__(tool_name)
    require_downsampler(downsampler)
    kind = type(content)
    if not issubclass(kind, list | tuple):
        return None
    # The built-in type's own method reads what is really there, whatever a subclass claims.
    builtin: Any = list if issubclass(kind, list) else tuple
    blocks = [_read(item) for item in list(builtin.__iter__(content))]
    if not any(type(block) is _Media for block in blocks):
        return None
    return _admit_blocks(blocks, tool_name, downsampler)


_KINDS: dict[str | None, MediaKind] = {"image": "image", "document": "document"}
_MIME_KEYS = ("mimeType", "media_type", "mime_type")
_KEPT_KEYS = ("annotations", "_meta", "cache_control")


class _Media(NamedTuple):
    """What a media block said when it was read."""

    type: MediaKind
    data: str | None
    mime_type: str | None
    mime_key: str
    kept: dict[str, Any]


def _read(block: Any) -> Any:
    """Return what a media block says, or the very object that is none or cannot be read."""
    if not issubclass(type(block), dict):
        return block
    try:
        kind = _plain_str(dict.get(block, "type"))
        if kind not in _KINDS:
            return block
        mime_key = next((key for key in _MIME_KEYS if dict.__contains__(block, key)), "mimeType")
        return _Media(
            _KINDS[kind],
            _plain_str(dict.get(block, "data")),
            _plain_str(dict.get(block, mime_key)),
            mime_key,
            {key: dict.get(block, key) for key in _KEPT_KEYS if dict.__contains__(block, key)},
        )
    except Exception:  # noqa: BLE001 # a hostile key's __eq__ can raise anything
        return block


def _plain_str(value: object) -> str | None:
    """Return a str, of a subclass its plain value, of anything else None."""
    return str.__str__(value) if issubclass(type(value), str) else None


async def _admit_blocks(
    blocks: list[Any], tool_name: str, downsampler: ImageDownsampler | None
) -> ToolResultMediaAdmission:
    content: list[Any] = []
    refused: list[ToolResultMediaRefusal] = []
    for block in blocks:
        if type(block) is not _Media:
            content.append(block)
            continue
        outcome = await _admit(block, downsampler)
        if outcome is None or isinstance(outcome, Refused):
            refusal = _refusal(block, outcome)
            refused.append(refusal)
            text = placeholder_text(refusal, tool_name)
            content.append({"type": "text", "text": text})
        else:
            data, mime_type = outcome.block.data, outcome.block.mime_type
            media = {"type": block.type, "data": data, block.mime_key: mime_type}
            content.append({**block.kept, **media})
        await checkpoint()  # ten thousand small blocks are not one turn of the event loop
    return ToolResultMediaAdmission(content, tuple(refused))


async def _admit(
    block: _Media, downsampler: ImageDownsampler | None
) -> ImageAdmitted | DocumentAdmitted | Refused | None:
    """Admit one block; None where it holds no base64 that decodes."""
    if block.data is None or not block.data.isascii():
        return None
    types: tuple[str, ...] = limits.ADMITTED_DOCUMENT_MIME_TYPES
    cap = limits.PDF_TARGET_RAW_SIZE
    if block.type == "image":
        types, cap = limits.ADMITTED_IMAGE_MIME_TYPES, image_read_cap(downsampler)
    claimed_mime = block.mime_type or ""
    data = await _off_loop(len(block.data), partial(_decode, block.data, cap))
    if isinstance(data, int):
        if claimed_mime not in types:
            return Refused("mime_unsupported", data, media_type=claimed_mime)
        return Refused("raw_too_large", data, limit=cap, media_type=claimed_mime)
    if data is None:
        return None
    if block.type == "image":
        return await admit_image_bytes(data, claimed_mime, downsampler)
    return await _off_loop(len(data), partial(admit_document_bytes, data, claimed_mime))


async def _off_loop(size: int, work: Callable[[], T]) -> T:
    return work() if size <= limits.INLINE_WORK_BYTES else await run_in_worker(work)


def _decode(text: str, cap: int) -> bytes | int | None:
    """Return the bytes; beyond the cap their number alone, never allocated; None if undecodable."""
    # A text no longer than the cap's own encoding cannot decode to more.
    if len(text) * 3 // 4 > cap:
        size = _core.base64_decoded_length(text)
        if size is None or size > cap:
            return size
    return _core.base64_decode(text)


def _refusal(block: _Media, refused: Refused | None) -> ToolResultMediaRefusal:
    claimed = block.mime_type
    if claimed is not None and not is_media_type(claimed):
        claimed = None
    if refused is None:
        return ToolResultMediaRefusal(block.type, "undecodable", 0, None, claimed)
    return ToolResultMediaRefusal(
        block.type, refused.reason, refused.raw_bytes, refused.limit, claimed
    )
