"""Small pictures, made here, of every kind that the media door must get right."""

import random
import struct
import zlib
from base64 import b64encode
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"

SIGNATURES = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF89a",
    "image/webp": b"RIFF\x00\x00\x00\x00WEBP",
    "application/pdf": b"%PDF-",
}

FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}

TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What a viewer does for each EXIF orientation."""


def b64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def encoded(picture: Image.Image, mime_type: str, **options: Any) -> bytes:
    file = BytesIO()
    picture.save(file, FORMATS[mime_type], **options)
    return file.getvalue()


def opened(data: bytes) -> Image.Image:
    picture = Image.open(BytesIO(data))
    picture.load()
    return picture


def photo(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """Soft shades with a little grain, as a camera gives them."""
    grain = random.Random(7).randbytes(width * height)
    noise = Image.frombytes("L", (width, height), grain).point(lambda value: value // 16)
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    round_ = Image.radial_gradient("L").resize((width, height))
    bands = [Image.blend(band, noise, 0.3) for band in (across, down, round_)]
    return Image.merge("RGB", bands).convert(mode)


def screenshot(width: int, height: int) -> Image.Image:
    """Text on flat panels."""
    picture = Image.new("RGB", (width, height), "#f4f4f4")
    draw = ImageDraw.Draw(picture)
    words = random.Random(11)
    for top in range(0, height, 14):
        line = "".join(words.choice("abcdefgh ijklmnop qrstuv wxyz") for _ in range(width // 8))
        draw.text((8, top), line, fill=(words.randrange(90), words.randrange(90), 160))
    return picture


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """What no codec can shorten."""
    samples = width * height * len(mode)
    return Image.frombytes(mode, (width, height), random.Random(3).randbytes(samples))


def quarters(width: int, height: int) -> Image.Image:
    """Red, green, blue and white, one to each corner: any turn or mirror shows."""
    picture = Image.new("RGB", (width, height), "white")
    halves = (width // 2, height // 2)
    picture.paste("red", (0, 0, *halves))
    picture.paste("green", (halves[0], 0, width, halves[1]))
    picture.paste("blue", (0, halves[1], halves[0], height))
    return picture


def png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_declaring(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header declares any size."""
    ihdr = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    idat = png_chunk(b"IDAT", zlib.compress(b"\x00" * 64))
    return SIGNATURES["image/png"] + png_chunk(b"IHDR", ihdr) + idat + png_chunk(b"IEND", b"")


def jpeg_declaring(width: int, height: int) -> bytes:
    """A JPEG of a few bytes whose header declares any size."""
    data = bytearray(encoded(photo(16, 16), "image/jpeg"))
    start = data.index(b"\xff\xc0") + 5
    data[start : start + 4] = struct.pack(">HH", height, width)
    return bytes(data)
