"""The same answers in plain Python: the oracle of the tests and the rival of the benches."""

import base64
import re
import struct
from collections.abc import Iterator

_BASE64 = re.compile(r"[A-Za-z0-9+/]*", re.ASCII)
_SPACE = " \t\r\n\f"
_CLEAN = str.maketrans("-_", "+/", _SPACE)


def sniff(data: bytes) -> str | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    return None


def base64_length(raw: int) -> int:
    return (raw + 2) // 3 * 4


def base64_encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def base64_decode(text: str) -> bytes | None:
    text = text.strip(_SPACE)
    if text[:5].lower() == "data:":
        header, comma, text = text.partition(",")
        if not comma or not header.lower().endswith(";base64"):
            return None
    text = text.translate(_CLEAN)
    body = text.rstrip("=")
    missing = -len(body) % 4
    if missing == 3 or len(text) - len(body) > missing or not _BASE64.fullmatch(body):
        return None
    return base64.b64decode(body + "=" * missing)


def base64_decoded_length(text: str) -> int | None:
    data = base64_decode(text)
    return None if data is None else len(data)


def admit_fitting(
    data: bytes, media_type: str, max_base64_length: int, fit: tuple[int, int] | None = None
) -> tuple[str, tuple[int, int] | None] | None:
    if sniff(data) != media_type:
        return None
    size = None
    if fit is not None:
        probed = probe(data)
        if probed is None:
            return None
        _, width, height, orientation, _, _ = probed
        if max(width, height) > fit[0] or len(data) > fit[1]:
            return None
        size = (height, width) if orientation >= 5 else (width, height)
    if base64_length(len(data)) > max_base64_length:
        return None
    return base64_encode(data), size


Probe = tuple[str, int, int, int, int, int]


def probe(data: bytes) -> Probe | None:
    walk = {
        "image/png": _probe_png,
        "image/jpeg": _probe_jpeg,
        "image/gif": _probe_gif,
        "image/webp": _probe_webp,
    }.get(sniff(data) or "")
    try:
        return None if walk is None else walk(data)
    except (IndexError, struct.error):
        return None


def _probe_png(data: bytes) -> Probe | None:
    chunks = list(_png_chunks(data))
    if not chunks or chunks[0][0] != b"IHDR":
        return None
    width, height, _, colour = struct.unpack_from(">IIBB", chunks[0][1])
    if not width or not height or colour not in (0, 2, 3, 4, 6):
        return None
    orientation, frames = 1, 0
    for name, chunk in chunks:
        if name == b"eXIf":
            orientation = _orientation(chunk.removeprefix(b"Exif\0\0"))
        if name == b"IDAT":
            frames = 1
    for name, chunk in chunks:
        if name == b"acTL":
            frames = struct.unpack_from(">I", chunk)[0] if len(chunk) >= 4 else 0
            break
    return "image/png", width, height, orientation, frames, 0


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at, name = 8, b""
    while at + 8 <= len(data) and name != b"IEND":
        (length,) = struct.unpack_from(">I", data, at)
        name, end = data[at + 4 : at + 8], at + 8 + length
        if end > len(data):
            return
        yield name, data[at + 8 : end]
        at = end + 4


def _orientation(tiff: bytes) -> int:
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return 1
    try:
        (at,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, at)
        for entry in range(at + 2, at + 2 + 12 * count, 12):
            (tag,) = struct.unpack_from(order + "H", tiff, entry)
            if tag == 274:
                (kind,) = struct.unpack_from(order + "H", tiff, entry + 2)
                form = {3: "H", 4: "I"}.get(kind)
                if form is None:
                    return 1
                (value,) = struct.unpack_from(order + form, tiff, entry + 8)
                return value if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            return
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in (0x00, 0x01, *range(0xD0, 0xD8)):
            at += 2
        elif marker in (0xD8, 0xD9):
            at += 2
            yield marker, b""
        else:
            if at + 4 > len(data):
                return
            (length,) = struct.unpack_from(">H", data, at + 2)
            if length < 2 or at + 2 + length > len(data):
                return
            yield marker, data[at + 4 : at + 2 + length]
            at += 2 + length


def _probe_jpeg(data: bytes) -> Probe | None:
    frame, orientation, scans = None, None, 0
    segments = list(_jpeg_segments(data))
    for marker, payload in segments:
        if marker == 0xE1 and orientation is None and payload.startswith(b"Exif\0\0"):
            orientation = _orientation(payload[6:])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            frame = payload if frame is None else frame
        elif marker in (0xD9, 0xDA):
            break
    for marker, _ in segments:
        if marker == 0xD9:
            break
        scans += marker == 0xDA
    if frame is None:
        return None
    height, width, components = struct.unpack_from(">HHB", frame, 1)
    if not width or not height or not components:
        return None
    return "image/jpeg", width, height, orientation or 1, 1, scans


def _probe_gif(data: bytes) -> Probe | None:
    width, height = struct.unpack_from("<HH", data, 6)
    if not width or not height:
        return None
    frames = 0
    try:
        at = 13 + _gif_table(data[10])
        while data[at] in (0x21, 0x2C):
            if data[at] == 0x21:
                at += 2
            else:
                struct.unpack_from("<HH", data, at + 5)
                at += 10 + _gif_table(data[at + 9]) + 1
                frames += 1
            while data[at]:
                at += 1 + data[at]
            at += 1
    except (IndexError, struct.error):
        pass
    return "image/gif", width, height, 1, frames, 0


def _gif_table(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _webp_chunks(data: bytes, at: int = 12) -> Iterator[tuple[bytes, bytes]]:
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + (length & 1)


def _int24(data: bytes, at: int) -> int:
    if len(data) < at + 3:
        raise IndexError
    return int.from_bytes(data[at : at + 3], "little")


def _pixels_size(name: bytes, data: bytes) -> tuple[int, int] | None:
    if name == b"VP8 ":
        if data[3:6] != b"\x9d\x01\x2a":
            return None
        width, height = struct.unpack_from("<HH", data, 6)
        return width & 0x3FFF, height & 0x3FFF
    if data[0] != 0x2F:
        return None
    (packed,) = struct.unpack_from("<I", data, 1)
    return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1


def _probe_webp(data: bytes) -> Probe | None:
    chunks = list(_webp_chunks(data))
    if not chunks:
        return None
    name, first = chunks[0]
    orientation = 1
    if name == b"VP8 ":
        if first[3:6] != b"\x9d\x01\x2a":
            return None
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", first, 6))
    elif name == b"VP8L":
        if first[0] != 0x2F:
            return None
        (packed,) = struct.unpack_from("<I", first, 1)
        width, height = (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    elif name == b"VP8X":
        width, height = (
            struct.unpack("<I", struct.pack("3sx", first[at : at + 3]))[0] + 1 for at in (4, 7)
        )
        if len(first) < 10:
            return None
        for name, chunk in chunks:
            if name in (b"VP8 ", b"VP8L") and _pixels_size(name, chunk) != (width, height):
                return None
            if name == b"ANMF":
                frame = tuple(_int24(chunk, at) + 1 for at in (6, 9))
                inner = list(_webp_chunks(chunk, 16))
                sizes = [_pixels_size(*each) for each in inner if each[0] in (b"VP8 ", b"VP8L")]
                if frame[0] > width or frame[1] > height or any(size != frame for size in sizes):
                    return None
            if name == b"EXIF":
                orientation = _orientation(chunk.removeprefix(b"Exif\0\0"))
    else:
        return None
    if not width or not height:
        return None
    frames = 0
    for name, _ in chunks:
        if name in (b"VP8 ", b"VP8L"):
            frames = 1
            break
        frames += name == b"ANMF"
    return "image/webp", width, height, orientation, frames, 0
