"""What an admission says: values to `match` on, never an exception."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from ostiary.media.blocks import DocumentContent, ImageContent

RefusalReason = Literal["mime_unsupported", "raw_too_large", "magic_mismatch", "base64_too_large"]
"""Why an admission refuses, in the order in which it asks."""

ToolResultRefusalReason = RefusalReason | Literal["undecodable"]
"""Why the seat refuses a block: an admission's reasons, or no base64 that decodes."""

MediaKind = Literal["image", "document"]
"""The types of media blocks."""


@dataclass(frozen=True, slots=True)
class ImageDimensions:
    """What a downsampler measured, in pixels, as a viewer shows the picture (after orientation).

    Attributes:
        original_width: Width before.
        original_height: Height before.
        display_width: Width of the picture in the block.
        display_height: Height of the picture in the block.
    """

    original_width: int
    original_height: int
    display_width: int
    display_height: int


@dataclass(frozen=True, slots=True)
class ImageAdmitted:
    """An image that may enter the conversation.

    Attributes:
        block: The content block, built from the bytes that were checked.
        original_size: Bytes that were given, before any downsample.
        dimensions: What the downsampler measured; None where none did.
        resized: Whether the picture has other pixel dimensions than the one that was given.
    """

    block: ImageContent
    original_size: int
    dimensions: ImageDimensions | None = None
    resized: bool = False
    ok: ClassVar[Literal[True]] = True


@dataclass(frozen=True, slots=True)
class DocumentAdmitted:
    """A document that may enter the conversation.

    Attributes:
        block: The content block, built from the bytes that were checked.
        original_size: Bytes that were given.
    """

    block: DocumentContent
    original_size: int
    ok: ClassVar[Literal[True]] = True


@dataclass(frozen=True, slots=True)
class Refused:
    """Bytes that may not enter the conversation, and why.

    Attributes:
        reason: The first of the steps that failed.
        raw_bytes: Bytes that were given.
        limit: The cap in bytes for `raw_too_large`, the limit in characters for
            `base64_too_large`, else None.
        base64_length: Characters of the encoding that was too long, for `base64_too_large`.
        media_type: The claimed type.
    """

    reason: RefusalReason
    raw_bytes: int
    limit: int | None = None
    base64_length: int | None = None
    media_type: str | None = None
    ok: ClassVar[Literal[False]] = False


@dataclass(frozen=True, slots=True)
class ToolResultMediaRefusal:
    """One block of a tool result that was replaced by a placeholder.

    Attributes:
        type: The block's type.
        reason: Why it was refused.
        bytes: Its decoded size; 0 when undecodable.
        limit: The cap in bytes or the limit in characters that it broke, if it broke one.
        mime_type: The claimed type, where the block states one that can be a media type.
    """

    type: MediaKind
    reason: ToolResultRefusalReason
    bytes: int
    limit: int | None = None
    mime_type: str | None = None
