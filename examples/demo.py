"""What the media door does, on files that this script makes itself: `make demo`."""

import logging
import random
import struct
import sys
import zlib
from pathlib import Path

from ostiary import ImageAdmitted, Refused, RustDownsampler, admit_image_bytes_sync

OUT = Path("demo-out")


def png(width: int, height: int, rows: bytes) -> bytes:
    """Return an RGB picture as a PNG file."""

    def chunk(name: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + checksum

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 1))
        + chunk(b"IEND", b"")
    )


def noise(width: int, height: int) -> bytes:
    """Return a picture that no codec can shorten."""
    grain = random.Random(1)  # noqa: S311 # a picture, no secret
    return png(width, height, b"".join(b"\0" + grain.randbytes(3 * width) for _ in range(height)))


def stripes(width: int, height: int) -> bytes:
    """Return a picture of a few colours."""
    colours = (b"\x20\x40\x80", b"\xf0\xf0\xf0", b"\xd0\x30\x30")
    rows = (b"\0" + colours[row // 40 % 3] * width for row in range(height))
    return png(width, height, b"".join(rows))


FILES = {
    "icon.png": stripes(64, 64),
    "poster.png": stripes(3000, 2000),
    "heavy.png": noise(1300, 1100),
    "bomb.png": png(60_000, 60_000, b""),
    "page.png": b"<!DOCTYPE html><title>404 Not Found</title>",
    "cut.png": noise(2400, 400)[:-50_000],
}


def main() -> None:
    """Write the files, and say what an admission says of each, without and with a downsampler."""
    # A downsampler that fails changes nothing, and says why in the log.
    logging.basicConfig(level=logging.INFO, format="    log: %(message)s", stream=sys.stdout)
    OUT.mkdir(exist_ok=True)
    for name, data in FILES.items():
        (OUT / name).write_bytes(data)
        print(f"\n{name}, {len(data):,} bytes")
        for label, downsampler in (("as it is", None), ("downsampled", RustDownsampler())):
            match admit_image_bytes_sync(data, "image/png", downsampler):
                case ImageAdmitted(block=block, dimensions=size, resized=resized):
                    measured = f", {size.original_width}x{size.original_height}" if size else ""
                    shown = (
                        f" -> {size.display_width}x{size.display_height}"
                        if resized and size
                        else ""
                    )
                    print(
                        f"  {label:12} admitted: {block.mime_type}, {len(block.data):,} characters"
                        f" of base64{measured}{shown}"
                    )
                case Refused(reason=reason, base64_length=length, limit=limit):
                    above = f", {length:,} characters, the limit is {limit:,}" if length else ""
                    print(f"  {label:12} refused: {reason}{above}")


if __name__ == "__main__":
    main()
