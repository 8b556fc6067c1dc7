"""Every number and media type of the media door, once, each with its source."""

from typing import Final

MIB: Final = 1024 * 1024

ADMITTED_IMAGE_MIME_TYPES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Image types that every provider's vision models read (Anthropic's vision page, 2026-09-07)."""

ADMITTED_DOCUMENT_MIME_TYPES: Final = ("application/pdf",)
"""Document types that a model reads as pages (Anthropic's PDF page, 2026-09-07)."""

MAX_IMAGE_BASE64_LENGTH: Final = 5 * MIB
"""Characters of one image's base64 text: 5 MB on Bedrock and Google Cloud, whose error text
compares with 5,242,880 (Anthropic's vision page, 2026-09-07)."""

IMAGE_TARGET_RAW_SIZE: Final = MAX_IMAGE_BASE64_LENGTH // 4 * 3
"""Bytes whose base64 text has exactly the longest length: 3,932,160."""

MAX_IMAGE_READ_BYTES: Final = 5 * MIB
"""Bytes of an image that no downsampler will make smaller; more cannot pass the base64 limit."""

MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES: Final = 64 * MIB
"""Bytes of an image that a downsampler is given: a 48-megapixel PNG photo fits."""

PDF_TARGET_RAW_SIZE: Final = 20 * MIB
"""Bytes of a PDF: its base64 text leaves room in a request of 32 MB (Anthropic, 2026-09-07)."""

MAX_IMAGE_EDGE: Final = 2000
"""Longest side in pixels: what a request of more than 20 images allows (Anthropic, 2026-09-07)."""

MAX_IMAGE_PIXELS: Final = 100_000_000
"""Pixels that a header may declare before it counts as a decompression bomb."""

MAX_IMAGE_ALLOC: Final = 512 * MIB
"""Bytes that one downsample may hold at its highest point, source and result not counted."""

MAX_JPEG_SCAN_WORK: Final = 2_000_000_000
"""Coefficients of a JPEG times its scans: about a second of passes (2026-12-01). A 100-megapixel
progressive photo has 10 scans and 150 million coefficients; a 100 KB file can hold thousands."""

JPEG_QUALITIES: Final = (80, 60, 40, 20)
"""Rungs of the ladder, best first."""

LAST_RESORT_EDGE: Final = 1000
"""Longest side of the last resort in pixels."""

LAST_RESORT_QUALITY: Final = 20
"""JPEG quality of the last resort."""

MAX_ENCODES: Final = 5
"""Encodes that one downsample may cost, the last resort included."""

INLINE_WORK_BYTES: Final = 512 * 1024
"""Bytes that are read, encoded or decoded on the event loop's own thread: 0.06 ms, and 0.8 ms
where they are made to be slow (2 MiB of white space or empty segments: 2 to 3 ms, 2026-12-01)."""

MAX_TOOL_NAME_LENGTH: Final = 128
"""Characters of a tool's name in a placeholder: the longest name that MCP recommends (2025-11)."""

MAX_MIME_TYPE_LENGTH: Final = 127
"""Characters of a media type that is worth repeating: the longest registrable name (RFC 6838)."""
