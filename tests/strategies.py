"""What hypothesis draws: bytes near a signature, base64 near its rules, results near a shape."""

from functools import cache

from hypothesis import strategies as st
from PIL import Image

import samples

MEDIA_TYPES = [*samples.FORMATS, "application/pdf"]

signed_bytes = st.builds(
    lambda signature, cut, rest: signature[:cut] + rest,
    st.sampled_from(list(samples.SIGNATURES.values())),
    st.integers(0, 12),
    st.binary(max_size=64),
)

any_bytes = st.binary(max_size=256) | signed_bytes

base64_alphabet = "ABCDwxyz0189+/-_= \t\r\n\f\v,;:é"

base64_text = st.builds(
    lambda prefix, text: prefix + text,
    st.sampled_from(["", "data:image/png;base64,", "DATA:;BASE64,", "data:text/plain,", "data:"]),
    st.text(base64_alphabet, max_size=48) | st.text(max_size=12),
)


@cache
def _pictures() -> list[bytes]:
    exif = Image.Exif()
    exif[274] = 6
    frames = [samples.photo(9, 7), samples.noise(9, 7)]
    animated = {"save_all": True, "append_images": frames[1:]}
    return [
        *(samples.encoded(frames[0], mime) for mime in samples.FORMATS),
        *(samples.encoded(frames[0], m, exif=exif) for m in samples.FORMATS if m != "image/gif"),
        *(samples.encoded(frames[0], m, **animated) for m in samples.FORMATS if m != "image/jpeg"),
        samples.encoded(frames[0], "image/jpeg", progressive=True),
        samples.encoded(frames[0], "image/webp", lossless=True),
        samples.encoded(samples.noise(5, 5, "RGBA"), "image/webp"),
    ]


@st.composite
def broken_pictures(draw: st.DrawFn) -> bytes:
    """A real picture with bytes changed, removed or repeated."""
    data = bytearray(draw(st.sampled_from(_pictures())))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 16)))
        data[start:end] = draw(st.binary(max_size=16))
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
_types = st.sampled_from(["image", "document", "text", "resource", "IMAGE", "", None, 7])
_mime_types = st.sampled_from(
    [*MEDIA_TYPES, "image/jpg", "text/html", "x", None, 5, "a/" + "b" * 999]
)
_data = base64_text | any_bytes.map(samples.b64) | _scalars

blocks = st.fixed_dictionaries(
    {},
    optional={
        "type": _types,
        "data": _data,
        "mimeType": _mime_types,
        "media_type": _mime_types,
        "mime_type": _mime_types,
        "text": st.text(),
        "annotations": _scalars,
    },
)

contents = st.lists(blocks | _scalars | st.lists(blocks), max_size=6) | _scalars | blocks
