"""Bytes made smaller: the protocol, and the downsampler in Rust."""

from dataclasses import dataclass
from typing import Protocol, final

from ostiary import _core
from ostiary._core import DownsampleError
from ostiary.media import limits

__all__ = [
    "DownsampleError",
    "Downsampled",
    "ImageDownsampler",
    "RustDownsampler",
    "require_downsampler",
]


@dataclass(frozen=True, slots=True)
class Downsampled:
    """A picture that fits, and what was measured.

    Attributes:
        data: The encoded picture; the very bytes that were given where they fit already.
        mime_type: The media type of `data`.
        original_width: Width of the source in pixels, as a viewer shows it.
        original_height: Height of the source in pixels, as a viewer shows it.
        display_width: Width of `data` in pixels.
        display_height: Height of `data` in pixels.
    """

    data: bytes
    mime_type: str
    original_width: int
    original_height: int
    display_width: int
    display_height: int


class ImageDownsampler(Protocol):
    """Anything that makes pictures smaller; it may run in a worker thread."""

    def downsample(self, data: bytes, mime_type: str) -> Downsampled:
        """Return the picture made to fit, or raise: the admission then keeps the original bytes."""
        ...


def require_downsampler(value: object) -> None:
    """Raise a TypeError for what is neither a downsampler nor None."""
    if isinstance(value, type):
        raise TypeError(f"downsampler must be an object, such as {value.__name__}(), not the class")
    if value is not None and not callable(getattr(value, "downsample", None)):
        raise TypeError(
            "downsampler must have a method downsample(data, mime_type), as RustDownsampler() has,"
            f" or be None; {type(value).__name__} has none"
        )


@final
@dataclass(frozen=True, slots=True)
class RustDownsampler:
    """Fits a picture into a square and a number of bytes, in Rust, with the GIL released.

    Bytes that fit both come back unchanged, decoded or not. The others are decoded (the first
    frame), turned upright, scaled with Lanczos3 and encoded anew: photos as JPEG, flat pictures
    and real transparency as PNG. Where that is too large, quality and then pixels are given up.

    Attributes:
        max_edge: Longest side in pixels.
        target_raw_size: Bytes of the result.
        max_pixels: Pixels that a header may declare; more is refused before anything is allocated.
        max_alloc: Bytes held at the highest point, source and result not counted; a header that
            makes more necessary is refused before anything is allocated.

    Raises:
        TypeError: a setting is no int.
        ValueError: a setting is below 1 or beyond what a header can state.
    """

    max_edge: int = limits.MAX_IMAGE_EDGE
    target_raw_size: int = limits.IMAGE_TARGET_RAW_SIZE
    max_pixels: int = limits.MAX_IMAGE_PIXELS
    max_alloc: int = limits.MAX_IMAGE_ALLOC

    def __post_init__(self) -> None:
        for name, most in (
            ("max_edge", 2**16 - 1),  # what a JPEG's header can state
            ("target_raw_size", 2**48),
            ("max_pixels", 2**48),
            ("max_alloc", 2**48),
        ):
            value = getattr(self, name)
            if type(value) is not int:
                raise TypeError(f"{name} must be an int, not {type(value).__name__}")
            if not 1 <= value <= most:
                raise ValueError(f"{name} must be from 1 to {most:,}, not {value:,}")

    def downsample(self, data: bytes, mime_type: str) -> Downsampled:
        """Return the picture made to fit.

        Raises:
            DownsampleError: the bytes are of another type, too large by their header, truncated,
                corrupt, or no encoding of them is small enough.
        """
        found = _core.sniff(data)
        if found != mime_type:
            raise DownsampleError(
                f"the bytes are {found or 'of no known type'}, not {mime_type}; pass their own type"
            )
        smaller, media_type, original, display = _core.downsample(
            data,
            (
                self.max_edge,
                self.target_raw_size,
                self.max_pixels,
                self.max_alloc,
                limits.MAX_JPEG_SCAN_WORK,
            ),
            (
                limits.JPEG_QUALITIES,
                limits.LAST_RESORT_EDGE,
                limits.LAST_RESORT_QUALITY,
                limits.MAX_ENCODES,
            ),
        )
        return Downsampled(data if smaller is None else smaller, media_type, *original, *display)
