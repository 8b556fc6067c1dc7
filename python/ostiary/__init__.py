"""Ostiary: the doorkeeper of an AI agent's tool traffic.

The map: `media` turns bytes into content blocks. A file imports only files below it:

    seat ─▶ admission ─▶ downsample · worker · outcome ─▶ blocks ─▶ limits ─▶ _core (Rust)
"""

from ostiary.media.admission import (
    admit_document_bytes,
    admit_image_bytes,
    admit_image_bytes_sync,
    image_magic_matches,
    image_read_cap,
    pdf_magic_matches,
    sniff_media_type,
)
from ostiary.media.blocks import DocumentContent, ImageContent
from ostiary.media.downsample import (
    Downsampled,
    DownsampleError,
    ImageDownsampler,
    RustDownsampler,
)
from ostiary.media.limits import (
    ADMITTED_DOCUMENT_MIME_TYPES,
    ADMITTED_IMAGE_MIME_TYPES,
    MAX_IMAGE_BASE64_LENGTH,
    MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES,
    MAX_IMAGE_READ_BYTES,
    PDF_TARGET_RAW_SIZE,
)
from ostiary.media.outcome import (
    DocumentAdmitted,
    ImageAdmitted,
    ImageDimensions,
    RefusalReason,
    Refused,
    ToolResultMediaRefusal,
    ToolResultRefusalReason,
)
from ostiary.media.seat import ToolResultMediaAdmission, admit_tool_result_media
from ostiary.media.worker import current_media_limiter

__all__ = [
    "ADMITTED_DOCUMENT_MIME_TYPES",
    "ADMITTED_IMAGE_MIME_TYPES",
    "MAX_IMAGE_BASE64_LENGTH",
    "MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES",
    "MAX_IMAGE_READ_BYTES",
    "PDF_TARGET_RAW_SIZE",
    "DocumentAdmitted",
    "DocumentContent",
    "DownsampleError",
    "Downsampled",
    "ImageAdmitted",
    "ImageContent",
    "ImageDimensions",
    "ImageDownsampler",
    "RefusalReason",
    "Refused",
    "RustDownsampler",
    "ToolResultMediaAdmission",
    "ToolResultMediaRefusal",
    "ToolResultRefusalReason",
    "admit_document_bytes",
    "admit_image_bytes",
    "admit_image_bytes_sync",
    "admit_tool_result_media",
    "current_media_limiter",
    "image_magic_matches",
    "image_read_cap",
    "pdf_magic_matches",
    "sniff_media_type",
]
