"""Real files that nobody here made: each gets its verdict and its true colours."""

import warnings
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageStat

from ostiary import (
    DownsampleError,
    ImageAdmitted,
    RustDownsampler,
    admit_document_bytes,
    admit_image_bytes_sync,
    sniff_media_type,
)
from samples import TURNS, b64, opened

if TYPE_CHECKING:
    from conftest import CorpusRow


def test_every_file_gets_the_verdict_of_its_row(corpus: "list[CorpusRow]") -> None:
    wrong = []
    for row in corpus:
        data = row.path.read_bytes()
        outcome = (
            admit_document_bytes(data, row.claimed_type)
            if row.claimed_type == "application/pdf"
            else admit_image_bytes_sync(data, row.claimed_type, RustDownsampler())
        )
        verdict = "admit" if outcome.ok else outcome.reason
        expected = row.should_be.replace("undecodable-but-admissible", "admit")
        if verdict != expected:
            wrong.append((row.path.name, verdict, expected))
        if isinstance(outcome, ImageAdmitted) and row.should_be == "undecodable-but-admissible":
            assert outcome.block.data == b64(data), row.path.name
    assert not wrong
    assert len(corpus) >= 300


def test_what_pillow_decodes_comes_out_as_pillow_shows_it(corpus: "list[CorpusRow]") -> None:
    compared = 0
    refused = []
    for row in corpus:
        data = row.path.read_bytes()
        mime_type = sniff_media_type(data) or ""
        if not row.decodes or not mime_type.startswith("image/"):
            continue
        if row.path.name in KNOWN_TO_DIFFER:
            continue
        width, height = opened_size(data)
        edge = min(max(width, height) - 1, 600) or 1
        try:
            made = RustDownsampler(max_edge=edge).downsample(data, mime_type)
        except DownsampleError as error:
            refused.append((row.path.name, str(error)))
            continue
        picture = opened(made.data)
        assert picture.size == (made.display_width, made.display_height)
        assert Image.MIME[picture.format or ""] == made.mime_type
        compared += 1
        expected = shown(data, picture.size)
        stat = ImageStat.Stat(ImageChops.difference(shown(made.data, picture.size), expected))
        assert sum(stat.mean) / 3 < 10, row.path.name
    assert compared > 130
    assert {name for name, _ in refused} <= KNOWN_TO_BE_REFUSED, refused


KNOWN_TO_DIFFER = {
    "wuffs--frame-out-of-bounds.gif",  # Pillow widens the screen to the frame
    "image--oob.gif",  # likewise
    # Stops within the frame.
    "seed-corpora--id_001494_src_000129+001470_op_splice_rep_32.gif",
    "fastimage--ExifOrientation6.jpg",  # Pillow cannot turn it
    "fastimage--ExifOrientation7.jpg",
    "wuffs--exif.png",  # likewise
}

KNOWN_TO_BE_REFUSED = {
    "AFL--libjpeg-turbo-dht-leak.jpg",  # a broken Huffman code, which libjpeg only warns of
    "bimg--corrupt.jpg",  # likewise
    "imgproxy--test1.arith.jpg",  # arithmetic coding
    "image-png--xcsn0g01.png",  # a wrong checksum, which PngSuite marks as corrupt
    "jpeg-decoder--5482a54657765056f1a94116a8dbffe7.jpg",  # an Adobe transform that is none
}


def opened_size(data: bytes) -> tuple[int, int]:
    with warnings.catch_warnings(action="ignore"):
        return opened(data).size


def shown(data: bytes, size: tuple[int, int]) -> Image.Image:
    """The picture as Pillow shows it, upright, on a violet ground, at this size."""
    with warnings.catch_warnings(action="ignore"):
        picture = opened(data)
        picture.seek(0)
        turn = TURNS.get(picture.getexif().get(274, 1))
    if picture.mode.startswith("I;16"):
        picture = picture.point(lambda value: value / 256).convert("L")
    picture = picture.convert("RGBA")
    if turn is not None:
        picture = picture.transpose(turn)
    picture = picture.convert("RGBa").resize(size, Image.Resampling.LANCZOS).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", size, "violet"), picture).convert("RGB")
