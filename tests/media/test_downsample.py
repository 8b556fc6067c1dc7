"""What a downsample makes: size, shape, colours, encoding, and how it refuses."""

import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

import samples
from ostiary import Downsampled, DownsampleError, RustDownsampler
from samples import TURNS, encoded, opened

ALL_TYPES = list(samples.FORMATS)


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean absolute difference of two pictures' samples, 0 to 255."""
    stat = ImageStat.Stat(ImageChops.difference(one.convert("RGBA"), other.convert("RGBA")))
    return sum(stat.mean) / len(stat.mean)


def is_opaque(picture: Image.Image) -> bool:
    return picture.convert("RGBA").getchannel("A").getextrema() == (255, 255)


def shrunk(data: bytes, mime_type: str, **settings: int) -> tuple[Downsampled, Image.Image]:
    made = RustDownsampler(**settings).downsample(data, mime_type)
    picture = opened(made.data)
    assert picture.size == (made.display_width, made.display_height)
    assert Image.MIME[picture.format or ""] == made.mime_type
    return made, picture


@pytest.mark.parametrize("mime_type", ALL_TYPES)
def test_bytes_that_fit_come_back_unchanged_decoded_or_not(mime_type: str) -> None:
    data = encoded(samples.photo(60, 40), mime_type)
    made = RustDownsampler(max_edge=60).downsample(data, mime_type)
    assert made == Downsampled(data, mime_type, 60, 40, 60, 40)
    if mime_type != "image/webp":
        data = data[:-20]
        assert RustDownsampler().downsample(data, mime_type).data is data


@pytest.mark.parametrize("mime_type", ALL_TYPES)
@pytest.mark.parametrize(
    ("size", "fitted"),
    [
        ((301, 200), (100, 66)),
        ((200, 301), (66, 100)),
        ((400, 400), (100, 100)),
        ((400, 1), (100, 1)),
    ],
)
def test_a_picture_is_fitted_into_the_square_and_keeps_its_shape(
    mime_type: str, size: tuple[int, int], fitted: tuple[int, int]
) -> None:
    source = samples.photo(*size)
    data = encoded(source, mime_type)
    made, picture = shrunk(data, mime_type, max_edge=100)
    assert (made.original_width, made.original_height) == size
    assert picture.size == fitted
    expected = opened(data).convert("RGB").resize(fitted, Image.Resampling.LANCZOS)
    assert difference(picture, expected) < 3


@pytest.mark.parametrize("mime_type", ["image/png", "image/jpeg", "image/webp"])
@pytest.mark.parametrize("orientation", range(9))
def test_every_orientation_is_baked_into_the_pixels(mime_type: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[274] = orientation
    data = encoded(samples.quarters(320, 160), mime_type, exif=exif)
    made, picture = shrunk(data, mime_type, max_edge=80)
    upright = (160, 320) if orientation >= 5 else (320, 160)
    assert (made.original_width, made.original_height) == upright
    assert picture.getexif().get(274, 1) == 1
    expected = samples.quarters(320, 160)
    if orientation in TURNS:
        expected = expected.transpose(TURNS[orientation])
    assert difference(picture, expected.resize(picture.size)) < 6


def test_an_orientation_in_big_endian_or_as_a_long_is_read() -> None:
    plain = encoded(samples.quarters(320, 160), "image/jpeg")
    for tiff in (
        b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0",
        b"II*\0\x08\0\0\0\x01\0\x12\x01\x04\0\x01\0\0\0\x06\0\0\0\0\0\0\0",
    ):
        app1 = b"Exif\0\0" + tiff
        data = plain[:2] + b"\xff\xe1" + (len(app1) + 2).to_bytes(2, "big") + app1 + plain[2:]
        assert RustDownsampler().downsample(data, "image/jpeg").display_width == 160


def palette_with_transparency() -> bytes:
    picture = samples.quarters(300, 300).quantize(4)
    return encoded(picture, "image/png", transparency=picture.getpixel((0, 0)))


def sixteen_bit_grey() -> bytes:
    rows = b"".join(
        b"\0" + b"".join(((x * 200) & 0xFFFF).to_bytes(2, "big") for x in range(300))
        for _ in range(300)
    )
    header = (300).to_bytes(4, "big") * 2 + bytes([16, 0, 0, 0, 0])
    return (
        samples.SIGNATURES["image/png"]
        + samples.png_chunk(b"IHDR", header)
        + samples.png_chunk(b"IDAT", zlib.compress(rows))
        + samples.png_chunk(b"IEND", b"")
    )


def animated(mime_type: str, first: Image.Image) -> bytes:
    others = [samples.noise(*first.size, first.mode)] * 2
    return encoded(first, mime_type, save_all=True, append_images=others, lossless=True)


@pytest.mark.parametrize(
    ("data", "mime_type", "expected"),
    [
        pytest.param(
            encoded(samples.photo(300, 200, "L"), "image/jpeg"),
            "image/jpeg",
            samples.photo(300, 200, "L"),
            id="grey JPEG",
        ),
        pytest.param(
            encoded(samples.photo(300, 200, "L"), "image/png"),
            "image/png",
            samples.photo(300, 200, "L"),
            id="grey PNG",
        ),
        pytest.param(
            encoded(samples.photo(300, 200, "CMYK"), "image/jpeg", quality=95),
            "image/jpeg",
            samples.photo(300, 200, "CMYK"),
            id="CMYK JPEG, inverted as Adobe does",
        ),
        pytest.param(
            encoded(samples.photo(300, 200), "image/jpeg", progressive=True, quality=95),
            "image/jpeg",
            samples.photo(300, 200),
            id="progressive JPEG",
        ),
        pytest.param(
            palette_with_transparency(),
            "image/png",
            opened(palette_with_transparency()),
            id="palette with a transparent colour",
        ),
        pytest.param(
            encoded(samples.photo(300, 300, "LA"), "image/png"),
            "image/png",
            samples.photo(300, 300, "LA"),
            id="grey with alpha",
        ),
        pytest.param(
            sixteen_bit_grey(),
            "image/png",
            Image.linear_gradient("L").rotate(90).resize((300, 300)).point(lambda v: v * 0.917),
            id="16 bits",
        ),
        pytest.param(
            encoded(samples.quarters(300, 200).convert("1", dither=Image.Dither.NONE), "image/png"),
            "image/png",
            samples.quarters(300, 200).convert("1", dither=Image.Dither.NONE),
            id="1 bit",
        ),
        pytest.param(
            animated("image/png", samples.photo(300, 200)),
            "image/png",
            samples.photo(300, 200),
            id="APNG",
        ),
        pytest.param(
            animated("image/gif", samples.quarters(300, 200)),
            "image/gif",
            samples.quarters(300, 200),
            id="animated GIF",
        ),
        pytest.param(
            animated("image/webp", samples.photo(300, 200)),
            "image/webp",
            samples.photo(300, 200),
            id="animated WebP",
        ),
    ],
)
def test_every_kind_of_pixel_comes_out_in_its_colours(
    data: bytes, mime_type: str, expected: Image.Image
) -> None:
    _, picture = shrunk(data, mime_type, max_edge=150)
    assert difference(picture, expected.convert("RGBA").resize(picture.size)) < 4
    assert is_opaque(picture) == is_opaque(expected)


@pytest.mark.parametrize("mime_type", ["image/png", "image/webp", "image/jpeg"])
def test_a_photo_goes_out_as_jpeg_whatever_it_was(mime_type: str) -> None:
    made, _ = shrunk(encoded(samples.photo(500, 400), mime_type), mime_type, max_edge=300)
    assert made.mime_type == "image/jpeg"


@pytest.mark.parametrize("mime_type", ["image/png", "image/webp", "image/gif"])
def test_text_goes_out_as_png_whatever_it_was(mime_type: str) -> None:
    data = encoded(samples.screenshot(800, 600), mime_type, lossless=True)
    made, _ = shrunk(data, mime_type, max_edge=700)
    assert made.mime_type == "image/png"


def test_an_alpha_channel_that_hides_nothing_does_not_make_a_photo_a_png() -> None:
    made, _ = shrunk(
        encoded(samples.photo(500, 400, "RGBA"), "image/png"), "image/png", max_edge=300
    )
    assert made.mime_type == "image/jpeg"


def test_one_pixel_that_is_nearly_opaque_does_not_make_a_photo_a_png() -> None:
    picture = samples.photo(500, 400, "RGBA")
    picture.putpixel((0, 0), (0, 0, 0, 254))
    made, _ = shrunk(encoded(picture, "image/png"), "image/png", max_edge=300)
    assert made.mime_type == "image/jpeg"


@pytest.mark.parametrize("size", [(25, 4000), (33, 2000), (4000, 25), (17, 333)])
def test_a_narrow_jpeg_is_not_stretched_by_the_padding_of_its_last_pixels(
    size: tuple[int, int],
) -> None:
    ramp = Image.linear_gradient("L").rotate(90 if size[0] < size[1] else 0).resize(size)
    data = encoded(ramp, "image/jpeg", quality=95)
    _, picture = shrunk(data, "image/jpeg", max_edge=max(size) // 4)
    expected = ramp.resize(picture.size, Image.Resampling.LANCZOS)
    assert difference(picture, expected) < 4


def adobe(transform: int) -> bytes:
    return b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00" + bytes([transform])


def test_three_components_are_rgb_where_adobe_says_so() -> None:
    red = Image.new("RGB", (300, 200), (200, 30, 40))
    data = encoded(red, "image/jpeg", keep_rgb=True, quality=95)
    start = data.index(b"\xff\xc0") + 10
    named = bytearray(data)
    named[start], named[start + 3], named[start + 6] = 1, 2, 3  # as if they were luma and chroma
    scan = named.index(b"\xff\xda") + 5
    named[scan], named[scan + 2], named[scan + 4] = 1, 2, 3
    marked = bytes(named).replace(adobe(0), b"")
    assert b"JFIF" not in marked
    for file in (data, marked[:2] + adobe(0) + marked[2:]):
        _, picture = shrunk(file, "image/jpeg", max_edge=100)
        assert difference(picture, red.resize(picture.size)) < 4


def test_a_thin_jpeg_keeps_the_detail_of_its_long_side() -> None:
    dashes = Image.new("L", (8000, 2), "black")
    for left in range(0, 8000, 8):
        dashes.paste("white", (left, 0, left + 4, 2))
    _, picture = shrunk(encoded(dashes, "image/jpeg", quality=95), "image/jpeg")
    assert difference(picture, dashes.resize(picture.size, Image.Resampling.LANCZOS)) < 12


def test_a_webp_whose_pixels_are_larger_than_its_canvas_is_refused() -> None:
    big = encoded(samples.photo(900, 900), "image/webp", lossless=True)
    canvas = b"VP8X\x0a\0\0\0\0\0\0\0" + (9).to_bytes(3, "little") * 2
    frame = bytes(6) + (9).to_bytes(3, "little") * 2 + bytes(4) + big[12:]
    anmf = b"ANMF" + len(frame).to_bytes(4, "little") + frame
    for pixels in (big[12:], anmf):
        with pytest.raises(DownsampleError, match="no picture size can be read"):
            RustDownsampler(max_edge=5).downsample(big[:12] + canvas + pixels, "image/webp")


def test_a_thin_file_of_empty_scans_is_refused() -> None:
    data = encoded(samples.photo(1, 2001).convert("L"), "image/jpeg", progressive=True)
    empty = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x10"
    bomb = data[:-2] + empty * 200_000 + data[-2:]
    with pytest.raises(DownsampleError, match=r"\d{6} scans of this picture are more work"):
        RustDownsampler().downsample(bomb, "image/jpeg")


def test_the_lossless_process_of_jpeg_is_refused() -> None:
    data = encoded(samples.photo(300, 200), "image/jpeg").replace(b"\xff\xc0", b"\xff\xc3")
    with pytest.raises(DownsampleError, match="lossless JPEG is not supported"):
        RustDownsampler(max_edge=100).downsample(data, "image/jpeg")


def test_an_orientation_behind_the_frame_header_or_with_a_prefix_is_read() -> None:
    exif = Image.Exif()
    exif[274] = 6
    block = b"Exif\0\0" + exif.tobytes().removeprefix(b"Exif\0\0")
    jpeg = encoded(samples.photo(320, 160), "image/jpeg")
    scan = jpeg.index(b"\xff\xda")
    app1 = b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block
    made = RustDownsampler().downsample(jpeg[:scan] + app1 + jpeg[scan:], "image/jpeg")
    assert made.display_width == 160
    png = encoded(samples.photo(320, 160), "image/png")
    made = RustDownsampler().downsample(
        png[:33] + samples.png_chunk(b"eXIf", block) + png[33:], "image/png"
    )
    assert made.display_width == 160


@pytest.mark.parametrize("size", [(100_000_000, 1), (1, 100_000_000), (9_000_000, 10)])
def test_extreme_shapes_are_refused_for_the_memory_that_their_weights_take(
    size: tuple[int, int],
) -> None:
    with pytest.raises(DownsampleError, match=r"needs \d+ bytes of memory"):
        RustDownsampler().downsample(samples.png_declaring(*size), "image/png")


def test_a_chunk_that_no_header_announces_counts_towards_the_memory() -> None:
    data = encoded(samples.photo(2100, 2100), "image/png", compress_level=1)
    exif = samples.png_chunk(b"eXIf", b"II*\0" + bytes(40 * 2**20))
    data = data[:33] + exif + data[33:]
    with pytest.raises(DownsampleError, match=r"[Ll]imit"):
        RustDownsampler(max_alloc=40 * 2**20).downsample(data, "image/png")
    assert RustDownsampler().downsample(data, "image/png").display_width == 2000


def test_colours_under_full_transparency_do_not_bleed_into_the_edge() -> None:
    picture = Image.new("RGBA", (400, 400), (255, 0, 0, 0))
    picture.paste((0, 0, 255, 255), (100, 100, 300, 300))
    _, small = shrunk(encoded(picture, "image/png"), "image/png", max_edge=111)
    black = Image.new("RGBA", small.size, "black")
    assert Image.alpha_composite(black, small.convert("RGBA")).getchannel("R").getextrema()[1] == 0


NOISE = encoded(samples.noise(600, 600), "image/png")


@pytest.mark.parametrize("target", [400_000, 250_000, 150_000, 80_000, 30_000, 5_000])
def test_the_target_is_met_by_quality_first_and_by_pixels_then(target: int) -> None:
    made, picture = shrunk(NOISE, "image/png", target_raw_size=target)
    assert len(made.data) <= target
    assert made.mime_type == "image/jpeg"
    assert (picture.size == (600, 600)) == (target >= 80_000)


def test_a_transparent_picture_keeps_its_alpha_while_pixels_go() -> None:
    data = encoded(samples.noise(1500, 1500, "RGBA"), "image/png", compress_level=1)
    made, picture = shrunk(data, "image/png", target_raw_size=len(data) * 2 // 3)
    assert made.mime_type == "image/png"
    assert picture.mode == "RGBA"
    assert 1000 <= picture.width < 1500


def test_the_last_resort_is_a_thousand_pixels_on_white() -> None:
    picture = samples.noise(1600, 1600, "RGBA")
    picture.paste((255, 0, 0, 0), (0, 0, 800, 1600))
    data = encoded(picture, "image/png", compress_level=1)
    made, small = shrunk(data, "image/png", target_raw_size=150_000)
    assert (made.mime_type, small.size) == ("image/jpeg", (1000, 1000))
    assert min(ImageStat.Stat(small.crop((0, 0, 480, 1000))).mean) > 250


def test_text_that_is_too_large_gets_a_palette_before_it_becomes_jpeg() -> None:
    page = samples.screenshot(900, 900).resize((1000, 1000), Image.Resampling.LANCZOS)
    data = encoded(page, "image/png", compress_level=0)
    first, _ = shrunk(data, "image/png", target_raw_size=len(data) - 1)
    made, picture = shrunk(data, "image/png", target_raw_size=len(first.data) * 6 // 10)
    assert made.mime_type == "image/png"
    assert picture.size == (1000, 1000)
    assert difference(picture, page) < 6
    smallest, picture = shrunk(data, "image/png", target_raw_size=len(first.data) // 5)
    assert smallest.mime_type == "image/jpeg"
    assert len(smallest.data) <= len(first.data) // 5


@pytest.mark.parametrize("colours", [2, 4, 16, 200])
def test_few_colours_go_out_in_an_exact_palette(colours: int) -> None:
    stripes = Image.new("RGB", (401, 400), "white")
    for at in range(1, colours):
        stripes.paste((at, 255 - at, at * 61 % 256), (2 * at - 1, 0, 2 * at, 400))
    data = encoded(stripes, "image/png", compress_level=0)
    made, picture = shrunk(data, "image/png", target_raw_size=len(data) - 1)
    assert made.mime_type == "image/png"
    assert picture.mode in ("P", "1")
    assert difference(picture, stripes) == 0
    assert len(made.data) < 8000


def test_when_nothing_is_small_enough_the_error_says_how_small_it_got() -> None:
    with pytest.raises(DownsampleError, match=r"the smallest version takes \d+ bytes"):
        RustDownsampler(target_raw_size=100).downsample(NOISE, "image/png")


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (samples.png_declaring(50_000, 50_000), "image/png"),
        (samples.jpeg_declaring(65_000, 65_000), "image/jpeg"),
        (b"GIF89a\xff\xff\xff\xff\0\0\0", "image/gif"),
        (b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x08\0", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff", "image/webp"),
    ],
)
def test_a_declared_size_beyond_the_limit_is_refused_from_the_header(
    data: bytes, mime_type: str
) -> None:
    downsampler = RustDownsampler(max_edge=1, target_raw_size=1)
    with pytest.raises(DownsampleError, match=r"declares \d+x\d+ pixels, more than the limit"):
        downsampler.downsample(data, mime_type)


def test_memory_beyond_the_limit_is_refused_from_the_header() -> None:
    with pytest.raises(DownsampleError, match=r"needs \d+ bytes of memory, more than the limit"):
        RustDownsampler(max_alloc=2**20).downsample(samples.png_declaring(9000, 9000), "image/png")


def test_a_small_file_that_asks_for_endless_passes_is_refused() -> None:
    data = encoded(samples.photo(2100, 2100), "image/jpeg", progressive=True)
    last_scan = data[data.rindex(b"\xff\xda") : -2]
    bomb = data[:-2] + last_scan * 600 + data[-2:]
    with pytest.raises(DownsampleError, match=r"\d{3} scans of this picture are more work"):
        RustDownsampler().downsample(bomb, "image/jpeg")


@pytest.mark.parametrize("mime_type", ALL_TYPES)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_truncated_picture_is_a_failure(mime_type: str, kept: float) -> None:
    data = encoded(samples.noise(300, 300), mime_type)
    with pytest.raises(DownsampleError):
        RustDownsampler(max_edge=200).downsample(data[: int(len(data) * kept)], mime_type)


@pytest.mark.parametrize("mime_type", ALL_TYPES)
def test_a_signature_without_a_picture_is_a_failure(mime_type: str) -> None:
    with pytest.raises(DownsampleError, match=f"no picture size .* {mime_type}"):
        RustDownsampler().downsample(samples.SIGNATURES[mime_type] + b"\0" * 40, mime_type)


def test_bytes_of_another_type_are_named() -> None:
    data = encoded(samples.photo(8, 8), "image/png")
    with pytest.raises(DownsampleError, match="the bytes are image/png, not image/jpeg"):
        RustDownsampler().downsample(data, "image/jpeg")
    with pytest.raises(DownsampleError, match="the bytes are of no known type, not image/png"):
        RustDownsampler().downsample(b"text", "image/png")
    with pytest.raises(DownsampleError, match="the bytes are no PNG, JPEG, GIF or WebP"):
        RustDownsampler().downsample(samples.PDF, "application/pdf")


@pytest.mark.parametrize("mime_type", ALL_TYPES)
def test_the_same_bytes_and_settings_give_the_same_bytes(mime_type: str) -> None:
    data = encoded(samples.photo(500, 300), mime_type)
    first, second = (RustDownsampler(max_edge=200).downsample(data, mime_type) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", ["max_edge", "target_raw_size", "max_pixels", "max_alloc"])
def test_settings_out_of_range_are_a_misuse(name: str) -> None:
    settings: list[Any] = [0, -1, 2**60]
    for value in settings:
        with pytest.raises(ValueError, match=f"{name} must be from 1 to"):
            RustDownsampler(**{name: value})
    wrong: list[Any] = [1.5, "9", None, True]
    for value in wrong:
        with pytest.raises(TypeError, match=f"{name} must be an int"):
            RustDownsampler(**{name: value})


MEASURE = """
import sys
import zlib
from pathlib import Path
from ostiary import RustDownsampler

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024

data, mime_type = Path(sys.argv[1]).read_bytes(), sys.argv[2]
before = peak()
RustDownsampler(max_edge=1000).downsample(data, mime_type)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc/self/status")
@pytest.mark.parametrize(
    ("mode", "mime_type", "options"),
    [
        ("RGB", "image/png", {"compress_level": 1}),
        ("RGBA", "image/png", {"compress_level": 1}),
        ("RGB", "image/jpeg", {}),
        ("RGB", "image/jpeg", {"progressive": True}),
        ("RGB", "image/gif", {}),
        ("RGB", "image/webp", {"method": 0}),
        ("RGB", "image/webp", {"method": 0, "lossless": True, "quality": 0}),
        ("GLASS", "image/webp", {"method": 0}),
        ("GLASS", "image/webp", {"method": 0, "save_all": True, "append_images": "twice"}),
        ("THIN", "image/png", {"compress_level": 1}),
    ],
)
def test_peak_memory_stays_within_what_max_alloc_is_compared_with(
    tmp_path: Path, mode: str, mime_type: str, options: dict[str, Any]
) -> None:
    if mode == "GLASS":  # every alpha is used, and stored beside the colours
        picture = samples.photo(3000, 2500, "RGBA")
        picture.putalpha(Image.linear_gradient("L").resize(picture.size))
    elif mode == "THIN":
        picture = Image.new("L", (1_000_000, 3))
    else:
        picture = samples.photo(3000, 2500, mode)
    if "append_images" in options:
        options = {**options, "append_images": [picture.rotate(180)]}
    data = encoded(picture, mime_type, **options)
    with pytest.raises(DownsampleError) as refused:
        RustDownsampler(max_edge=1000, max_alloc=1).downsample(data, mime_type)
    stated = int(str(refused.value).split(" bytes of memory")[0].split()[-1])
    file = tmp_path / "picture"
    file.write_bytes(data)
    child = [sys.executable, "-c", MEASURE, str(file), mime_type]
    grown = int(subprocess.run(child, check=True, capture_output=True).stdout)
    assert stated // 4 < grown < stated + 8 * 2**20  # the result, tables and the allocator's rest
