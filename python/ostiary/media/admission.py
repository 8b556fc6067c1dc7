"""The one way in: bytes become a content block, or a refusal that says why."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ostiary import _core
from ostiary.media import limits
from ostiary.media.blocks import DocumentContent, ImageContent
from ostiary.media.downsample import Downsampled, RustDownsampler, require_downsampler
from ostiary.media.outcome import DocumentAdmitted, ImageAdmitted, ImageDimensions, Refused
from ostiary.media.worker import run_in_worker

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from ostiary.media.downsample import ImageDownsampler

_SIGNATURE = 16  # bytes, more than any signature has

_log = logging.getLogger("ostiary.media")


def sniff_media_type(data: ReadableBuffer) -> str | None:
    """Return the media type whose signature starts the bytes: the four images, PDF, or None.

    Raises:
        TypeError: `data` is not bytes-like.
    """
    _require_buffer(data)
    view = memoryview(data)
    return _core.sniff(bytes(view[:_SIGNATURE] if view.ndim == 1 else view))


def image_magic_matches(data: ReadableBuffer, mime: str) -> bool:
    """Return whether the bytes carry the whole signature of this image type."""
    return mime in limits.ADMITTED_IMAGE_MIME_TYPES and sniff_media_type(data) == mime


def pdf_magic_matches(data: ReadableBuffer) -> bool:
    """Return whether the bytes start with `%PDF-`."""
    return sniff_media_type(data) in limits.ADMITTED_DOCUMENT_MIME_TYPES


def image_read_cap(downsampler: ImageDownsampler | None) -> int:
    """Return the most bytes of an image that an admission reads with this downsampler."""
    if downsampler is None:
        return limits.MAX_IMAGE_READ_BYTES
    return limits.MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES


async def admit_image_bytes(
    data: ReadableBuffer,
    claimed_mime: str,
    downsampler: ImageDownsampler | None = None,
) -> ImageAdmitted | Refused:
    """Admit an image: claimed type, raw cap, signature, then the downsample and the base64 limit.

    Small work is done at once, without suspending; the rest runs in a worker thread, as many at
    once as `current_media_limiter` allows. A downsampler that fails changes nothing: the original
    bytes stay, and the base64 limit decides.

    Args:
        data: The bytes; anything but `bytes` is copied once, first.
        claimed_mime: The media type that the supplier states.
        downsampler: Makes pictures smaller, in a worker thread.

    Raises:
        TypeError: an argument has the wrong type.
    """
    checked = _check_image(data, claimed_mime, downsampler)
    if isinstance(checked, Refused):
        return checked
    if len(checked.data) <= limits.INLINE_WORK_BYTES:
        admitted = _admit_fitting(checked)
        if admitted is not None:
            return admitted
    return await run_in_worker(partial(_finish_image, checked))


def admit_image_bytes_sync(
    data: ReadableBuffer,
    claimed_mime: str,
    downsampler: ImageDownsampler | None = None,
) -> ImageAdmitted | Refused:
    """Admit an image as `admit_image_bytes` does, in the calling thread.

    Raises:
        TypeError: an argument has the wrong type.
    """
    checked = _check_image(data, claimed_mime, downsampler)
    return checked if isinstance(checked, Refused) else _finish_image(checked)


def admit_document_bytes(data: ReadableBuffer, claimed_mime: str) -> DocumentAdmitted | Refused:
    """Admit a document: claimed type, raw cap, signature.

    It works in the calling thread: up to about ten milliseconds for the largest PDF, with the GIL
    released. On an event loop, run it in a worker thread, as the tool-result seat does.

    Raises:
        TypeError: an argument has the wrong type.
    """
    size = _require_buffer(data)
    claimed_mime = _require_str("claimed_mime", claimed_mime)
    if claimed_mime not in limits.ADMITTED_DOCUMENT_MIME_TYPES:
        return Refused("mime_unsupported", size, media_type=claimed_mime)
    cap = limits.PDF_TARGET_RAW_SIZE
    if size > cap:
        return Refused("raw_too_large", size, limit=cap, media_type=claimed_mime)
    snapshot = _snapshot(data)
    if not pdf_magic_matches(snapshot):
        return Refused("magic_mismatch", size, media_type=claimed_mime)
    return DocumentAdmitted(DocumentContent(_core.base64_encode(snapshot), claimed_mime), size)


class _Checked(NamedTuple):
    """An image past the first three steps: an immutable snapshot, and how to go on."""

    data: bytes
    media_type: str
    downsampler: ImageDownsampler | None


def _check_image(
    data: ReadableBuffer,
    claimed_mime: str,
    downsampler: ImageDownsampler | None,
) -> _Checked | Refused:
    size = _require_buffer(data)
    claimed_mime = _require_str("claimed_mime", claimed_mime)
    require_downsampler(downsampler)
    if claimed_mime not in limits.ADMITTED_IMAGE_MIME_TYPES:
        return Refused("mime_unsupported", size, media_type=claimed_mime)
    cap = image_read_cap(downsampler)
    if size > cap:
        return Refused("raw_too_large", size, limit=cap, media_type=claimed_mime)
    snapshot = _snapshot(data)
    if _core.sniff(snapshot) != claimed_mime:
        return Refused("magic_mismatch", size, media_type=claimed_mime)
    return _Checked(snapshot, claimed_mime, downsampler)


def _admit_fitting(checked: _Checked) -> ImageAdmitted | None:
    """Admit, in one crossing, an image that needs no change; None where that is not known."""
    data, media_type, downsampler = checked
    fit = None
    if isinstance(downsampler, RustDownsampler):
        fit = (downsampler.max_edge, downsampler.target_raw_size)
    elif downsampler is not None:
        return None
    fitting = _core.admit_fitting(data, media_type, limits.MAX_IMAGE_BASE64_LENGTH, fit)
    if fitting is None:
        return None
    text, size = fitting
    dimensions = None if size is None else ImageDimensions(*size, *size)
    return ImageAdmitted(ImageContent(text, media_type), len(data), dimensions)


def _finish_image(checked: _Checked) -> ImageAdmitted | Refused:
    admitted = _admit_fitting(checked)
    if admitted is not None:
        return admitted
    original, claimed_mime, downsampler = checked
    smaller = None if downsampler is None else _downsample(original, claimed_mime, downsampler)
    data = original if smaller is None else smaller.data
    length = _core.base64_length(len(data))
    if length is None or length > limits.MAX_IMAGE_BASE64_LENGTH:
        return Refused(
            "base64_too_large",
            len(original),
            limit=limits.MAX_IMAGE_BASE64_LENGTH,
            base64_length=length,
            media_type=claimed_mime,
        )
    text = _core.base64_encode(data)
    if smaller is None:
        return ImageAdmitted(ImageContent(text, claimed_mime), len(original))
    dimensions = ImageDimensions(
        smaller.original_width,
        smaller.original_height,
        smaller.display_width,
        smaller.display_height,
    )
    before = (dimensions.original_width, dimensions.original_height)
    after = (dimensions.display_width, dimensions.display_height)
    block = ImageContent(text, smaller.mime_type)
    return ImageAdmitted(block, len(original), dimensions, resized=before != after)


def _downsample(data: bytes, media_type: str, downsampler: ImageDownsampler) -> Downsampled | None:
    """Return what the downsampler made, with the type that its bytes have; None if it failed."""
    try:
        made = downsampler.downsample(data, media_type)
        made = replace(made, mime_type=_core.sniff(made.data) or "")
    except Exception as error:  # noqa: BLE001 # whatever a downsampler raises, the bytes are kept
        _log.info("the downsampler failed, so the original bytes are kept: %r", error)
        return None
    if made.mime_type not in limits.ADMITTED_IMAGE_MIME_TYPES:
        _log.info("the downsampler made no image, so the original bytes are kept")
        return None
    return made


def _require_buffer(data: object) -> int:
    """Return the number of bytes in a buffer."""
    if type(data) is bytes:
        return len(data)
    try:
        return memoryview(data).nbytes  # type: ignore[arg-type] # asked here, answered below
    except (TypeError, ValueError, BufferError):  # no buffer, or one that is closed or unreadable
        raise TypeError(
            "data must be bytes-like and open (bytes, bytearray, memoryview), "
            f"not {type(data).__name__}"
        ) from None


def _snapshot(data: ReadableBuffer) -> bytes:
    """Return the bytes of a buffer; a subclass of `bytes` is asked for its buffer only."""
    return data if type(data) is bytes else bytes(memoryview(data))


def _require_str(name: str, value: object) -> str:
    """Return the plain value of a str, whatever a subclass makes of it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str such as 'image/png', not {type(value).__name__}")
    return str.__str__(value)
