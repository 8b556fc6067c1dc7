"""The boundary to the Rust core: bytes in, facts out.

Only immutable values cross. A function whose work grows with its input releases the GIL meanwhile.
"""

from typing import Any, final

__all__ = [
    "DownsampleError",
    "admit_fitting",
    "base64_decode",
    "base64_decoded_length",
    "base64_encode",
    "base64_length",
    "downsample",
    "probe",
    "read_command",
    "sniff",
]

@final
class DownsampleError(Exception):
    """A picture could not be made to fit: the message says why and what was expected."""

def sniff(data: bytes) -> str | None:
    """Return the media type whose whole signature starts the bytes: the four images, or PDF."""

def base64_length(raw: int) -> int | None:
    """Return the characters that so many bytes take in base64, or None beyond the address space.

    Raises:
        OverflowError: `raw` is negative or no machine word.
    """

def base64_encode(data: bytes) -> str:
    """Return the canonical base64: standard alphabet, padded, one line. Releases the GIL."""

def base64_decode(text: str) -> bytes | None:
    """Return the bytes that a base64 text stands for, or None. Releases the GIL.

    Reads both alphabets, missing padding, ASCII white space and a `data:…;base64,` prefix.

    Raises:
        UnicodeEncodeError: the text holds a lone surrogate.
    """

def base64_decoded_length(text: str) -> int | None:
    """Return how many bytes `base64_decode` would give, without decoding. Releases the GIL."""

def probe(data: bytes) -> tuple[str, int, int, int, int, int] | None:
    """Return what the container says of itself; None where no size can be read. Releases the GIL.

    The media type; stored width and height in pixels; the EXIF orientation, 1 to 8; the number of
    frames (0 where the file holds no picture); the number of scans (JPEG; else 0).
    """

def admit_fitting(
    data: bytes,
    media_type: str,
    max_base64_length: int,
    fit: tuple[int, int] | None = None,
) -> tuple[str, tuple[int, int] | None] | None:
    """Admit bytes that need no change, in one crossing; None for all others. Releases the GIL.

    Args:
        data: The bytes; they must carry the signature of `media_type`.
        media_type: The claimed type.
        max_base64_length: The longest base64 text, in characters.
        fit: Longest side in pixels and size in bytes that the picture must have already.

    Returns:
        The base64 text, and width and height as a viewer shows them where `fit` was given.
    """

def downsample(
    data: bytes,
    limits: tuple[int, int, int, int, int],
    ladder: tuple[tuple[int, ...], int, int, int],
) -> tuple[bytes | None, str, tuple[int, int], tuple[int, int]]:
    """Make a picture fit. Releases the GIL.

    Args:
        data: An encoded PNG, JPEG, GIF or WebP.
        limits: Longest side in pixels, size in bytes, the most pixels a header may declare, the
            most bytes that decoding may hold, the most coefficients times scans of a JPEG.
        ladder: JPEG qualities, falling; the longest side of the last resort and its quality; the
            number of encodes in all.

    Returns:
        The new bytes (None where the source fits as it is), their media type, and width and height
        before and after, both as a viewer shows them.

    Raises:
        DownsampleError: the picture is too large by its header, truncated, corrupt or no picture.
    """

def read_command(
    text: str,
    cwd: str,
    home: str,
    variables: tuple[tuple[str, str], ...],
    limits: tuple[int, int, int, int, int],
) -> tuple[
    tuple[tuple[Any, ...], ...],
    tuple[tuple[str, int, bool], ...],
    str,
    tuple[tuple[str, str], ...],
]:
    """Read a command line as bash would. Releases the GIL for texts of 4 KiB and more.

    Args:
        text: The command.
        cwd: The absolute directory that it starts in; "" where that is not known.
        home: The user's home directory.
        variables: What may be set already; each is read as set and as unknown.
        limits: The most bytes, words and commands, layers, runs, and bytes that are worked out.

    Returns:
        The runs, each with the fields of `ostiary.shield.reading.Run` in their order; the faults
        (kind, byte, whether the unread part could hold a command); the directory afterwards; the
        variables that the command leaves behind.
    """
