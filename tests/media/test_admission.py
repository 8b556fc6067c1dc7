"""The steps of an admission, in order, and what it says at each boundary."""

import dataclasses
import logging
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import reference
import samples
from ostiary import (
    ADMITTED_IMAGE_MIME_TYPES,
    MAX_IMAGE_BASE64_LENGTH,
    MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES,
    MAX_IMAGE_READ_BYTES,
    PDF_TARGET_RAW_SIZE,
    DocumentAdmitted,
    DocumentContent,
    Downsampled,
    ImageAdmitted,
    ImageContent,
    ImageDimensions,
    Refused,
    RustDownsampler,
    admit_document_bytes,
    admit_image_bytes,
    admit_image_bytes_sync,
    image_magic_matches,
    image_read_cap,
    pdf_magic_matches,
    sniff_media_type,
)
from strategies import any_bytes

PNG = samples.encoded(samples.photo(40, 30), "image/png")
BIG_JPEG = samples.encoded(samples.photo(3000, 1500), "image/jpeg")
LARGEST = MAX_IMAGE_BASE64_LENGTH // 4 * 3


def padded(mime_type: str, size: int) -> bytes:
    return samples.SIGNATURES[mime_type].ljust(size, b"\0")


class Returns:
    """A downsampler that returns what it is told to."""

    def __init__(self, made: object) -> None:
        self.made = made

    def downsample(self, data: bytes, mime_type: str) -> Any:
        return self.made


class Raises:
    """A downsampler that fails."""

    def downsample(self, data: bytes, mime_type: str) -> Downsampled:
        raise RuntimeError("no codec today")


@pytest.mark.parametrize("mime_type", ADMITTED_IMAGE_MIME_TYPES)
def test_an_image_that_fits_is_admitted_with_the_bytes_that_were_given(mime_type: str) -> None:
    data = samples.encoded(samples.photo(40, 30), mime_type)
    outcome = admit_image_bytes_sync(data, mime_type)
    assert outcome == ImageAdmitted(ImageContent(samples.b64(data), mime_type), len(data))
    assert outcome.ok


@pytest.mark.parametrize("claimed", ["image/jpg", "IMAGE/PNG", "image/png; q=1", "text/html", ""])
def test_a_claimed_type_outside_the_four_is_unsupported(claimed: str) -> None:
    outcome = admit_image_bytes_sync(PNG, claimed)
    assert outcome == Refused("mime_unsupported", len(PNG), media_type=claimed)
    assert not outcome.ok


@pytest.mark.parametrize("claimed", ADMITTED_IMAGE_MIME_TYPES)
@pytest.mark.parametrize("actual", ADMITTED_IMAGE_MIME_TYPES)
def test_the_signature_must_be_the_claimed_one(claimed: str, actual: str) -> None:
    data = samples.encoded(samples.photo(8, 8), actual)
    outcome = admit_image_bytes_sync(data, claimed)
    if claimed == actual:
        assert outcome.ok
    else:
        assert outcome == Refused("magic_mismatch", len(data), media_type=claimed)


@pytest.mark.parametrize("mime_type", ADMITTED_IMAGE_MIME_TYPES)
def test_a_truncated_signature_is_a_mismatch(mime_type: str) -> None:
    signature = samples.SIGNATURES[mime_type]
    assert image_magic_matches(signature, mime_type)
    for cut in range(len(signature)):
        assert not image_magic_matches(signature[:cut], mime_type)
        assert admit_image_bytes_sync(signature[:cut], mime_type) == Refused(
            "magic_mismatch", cut, media_type=mime_type
        )


def test_both_gif_versions_match_and_a_third_does_not() -> None:
    assert image_magic_matches(b"GIF87a", "image/gif")
    assert image_magic_matches(b"GIF89a", "image/gif")
    assert not image_magic_matches(b"GIF88a", "image/gif")


def test_a_pdf_is_no_image_whatever_is_claimed() -> None:
    assert not image_magic_matches(samples.PDF, "application/pdf")
    assert pdf_magic_matches(samples.PDF)
    assert not pdf_magic_matches(b" " + samples.PDF)
    assert sniff_media_type(samples.PDF) == "application/pdf"
    assert sniff_media_type(b"plain text") is None


@given(any_bytes, st.sampled_from(ADMITTED_IMAGE_MIME_TYPES))
def test_magic_matches_agrees_with_plain_python(data: bytes, mime_type: str) -> None:
    assert image_magic_matches(data, mime_type) == (reference.sniff(data) == mime_type)


def test_the_read_cap_depends_on_the_downsampler() -> None:
    assert image_read_cap(None) == MAX_IMAGE_READ_BYTES == 5 * 1024 * 1024
    assert image_read_cap(RustDownsampler()) == MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES == 64 * 1024 * 1024


@pytest.mark.parametrize("downsampler", [None, RustDownsampler()])
def test_one_byte_above_the_read_cap_is_refused_before_the_signature_is_looked_at(
    downsampler: RustDownsampler | None,
) -> None:
    cap = image_read_cap(downsampler)
    assert admit_image_bytes_sync(bytes(cap + 1), "image/png", downsampler) == Refused(
        "raw_too_large", cap + 1, limit=cap, media_type="image/png"
    )
    at_cap = admit_image_bytes_sync(bytes(cap), "image/png", downsampler)
    assert at_cap == Refused("magic_mismatch", cap, media_type="image/png")


def test_the_limit_is_on_the_length_of_the_base64_text() -> None:
    fits = admit_image_bytes_sync(padded("image/png", LARGEST), "image/png")
    assert isinstance(fits, ImageAdmitted)
    assert len(fits.block.data) == MAX_IMAGE_BASE64_LENGTH
    assert admit_image_bytes_sync(padded("image/png", LARGEST + 1), "image/png") == Refused(
        "base64_too_large",
        LARGEST + 1,
        limit=MAX_IMAGE_BASE64_LENGTH,
        base64_length=MAX_IMAGE_BASE64_LENGTH + 4,
        media_type="image/png",
    )


def test_a_downsample_is_measured_and_its_own_type_is_told() -> None:
    png = samples.encoded(samples.photo(2400, 1200), "image/png")
    outcome = admit_image_bytes_sync(png, "image/png", RustDownsampler())
    assert isinstance(outcome, ImageAdmitted)
    assert outcome.dimensions == ImageDimensions(2400, 1200, 2000, 1000)
    assert outcome.original_size == len(png)
    assert outcome.resized
    assert outcome.block.mime_type == "image/jpeg"
    assert samples.opened(reference.base64_decode(outcome.block.data) or b"").format == "JPEG"


def test_an_image_that_fits_is_measured_from_its_header_and_stays_as_it_is() -> None:
    outcome = admit_image_bytes_sync(PNG, "image/png", RustDownsampler())
    block = ImageContent(samples.b64(PNG), "image/png")
    assert outcome == ImageAdmitted(block, len(PNG), ImageDimensions(40, 30, 40, 30))


def test_a_turn_alone_is_not_resized() -> None:
    exif = Image.Exif()
    exif[274] = 6
    small = samples.encoded(samples.photo(40, 30), "image/jpeg", exif=exif)
    outcome = admit_image_bytes_sync(small, "image/jpeg", RustDownsampler())
    assert isinstance(outcome, ImageAdmitted)
    assert outcome.dimensions == ImageDimensions(30, 40, 30, 40)
    heavy = RustDownsampler(target_raw_size=len(small) - 1)
    outcome = admit_image_bytes_sync(small, "image/jpeg", heavy)
    assert isinstance(outcome, ImageAdmitted)
    assert outcome.dimensions == ImageDimensions(30, 40, 30, 40)
    assert not outcome.resized


@pytest.mark.parametrize(
    "downsampler",
    [
        Raises(),
        Returns(None),
        Returns("bytes"),
        Returns(Downsampled(b"", "image/png", 1, 1, 1, 1)),
        Returns(Downsampled(b"no picture", "image/png", 1, 1, 1, 1)),
        Returns(Downsampled(samples.PDF, "image/png", 1, 1, 1, 1)),
        Returns(Downsampled(bytearray(PNG), "image/png", 1, 1, 1, 1)),  # type: ignore[arg-type] # wrong on purpose
    ],
)
async def test_a_downsampler_that_fails_leaves_the_original_bytes(
    downsampler: Any, caplog: pytest.LogCaptureFixture
) -> None:
    expected = ImageAdmitted(ImageContent(samples.b64(PNG), "image/png"), len(PNG))
    with caplog.at_level(logging.INFO, "ostiary.media"):
        assert admit_image_bytes_sync(PNG, "image/png", downsampler) == expected
    assert "the original bytes are kept" in caplog.text
    assert await admit_image_bytes(PNG, "image/png", downsampler) == expected


def test_after_a_failed_downsample_the_base64_limit_still_holds() -> None:
    outcome = admit_image_bytes_sync(padded("image/png", LARGEST + 1), "image/png", Raises())
    assert isinstance(outcome, Refused)
    assert outcome.reason == "base64_too_large"


def test_a_downsample_above_the_base64_limit_is_refused_with_the_length_that_failed() -> None:
    made = Downsampled(padded("image/png", LARGEST + 4), "image/png", 9, 9, 9, 9)
    assert admit_image_bytes_sync(PNG, "image/png", Returns(made)) == Refused(
        "base64_too_large",
        len(PNG),
        limit=MAX_IMAGE_BASE64_LENGTH,
        base64_length=MAX_IMAGE_BASE64_LENGTH + 8,
        media_type="image/png",
    )


def test_the_block_has_the_type_of_the_bytes_that_a_downsampler_made() -> None:
    made = Downsampled(samples.encoded(samples.photo(4, 4), "image/jpeg"), "image/png", 9, 8, 4, 4)
    outcome = admit_image_bytes_sync(PNG, "image/png", Returns(made))
    assert isinstance(outcome, ImageAdmitted)
    assert outcome.block == ImageContent(samples.b64(made.data), "image/jpeg")
    assert outcome.dimensions == ImageDimensions(9, 8, 4, 4)


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview])
def test_any_bytes_like_object_is_read(wrap: Callable[[bytes], Any]) -> None:
    assert admit_image_bytes_sync(wrap(PNG), "image/png") == admit_image_bytes_sync(
        PNG, "image/png"
    )
    assert sniff_media_type(wrap(PNG)) == "image/png"


def test_a_view_of_wider_items_or_with_gaps_counts_its_bytes() -> None:
    shorts = memoryview(PNG[: len(PNG) // 2 * 2]).cast("H")
    outcome = admit_image_bytes_sync(shorts, "image/png")
    assert isinstance(outcome, ImageAdmitted)
    assert outcome.original_size == len(PNG) // 2 * 2
    gaps = memoryview(bytes(byte for byte in PNG for _ in "ab"))[::2]
    assert admit_image_bytes_sync(gaps, "image/png") == admit_image_bytes_sync(PNG, "image/png")
    assert sniff_media_type(gaps) == sniff_media_type(shorts) == "image/png"


async def test_a_buffer_that_changes_meanwhile_does_not_change_the_block() -> None:
    data = bytearray(PNG)

    class Changes:
        def downsample(self, given: bytes, mime_type: str) -> Downsampled:
            data[:] = bytes(len(data))
            raise RuntimeError

    outcome = await admit_image_bytes(data, "image/png", Changes())
    assert isinstance(outcome, ImageAdmitted)
    assert outcome.block.data == samples.b64(PNG)


def test_a_downsamplers_class_is_no_downsampler() -> None:
    with pytest.raises(TypeError, match=r"such as RustDownsampler\(\), not the class"):
        admit_image_bytes_sync(PNG, "image/png", RustDownsampler)  # type: ignore[arg-type] # wrong on purpose


def test_a_subclass_cannot_show_one_value_and_give_another() -> None:
    class Bytes(bytes):
        def __bytes__(self) -> bytes:
            return b"%PDF-" + bytes(2**25)

    class Str(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = str.__hash__

    outcome = admit_document_bytes(Bytes(samples.PDF), "application/pdf")
    assert outcome == admit_document_bytes(samples.PDF, "application/pdf")
    assert admit_image_bytes_sync(PNG, Str("text/evil")) == Refused(
        "mime_unsupported", len(PNG), media_type="text/evil"
    )


def test_a_buffer_that_is_closed_is_a_misuse() -> None:
    view = memoryview(PNG)
    view.release()
    with pytest.raises(TypeError, match="bytes-like and open"):
        admit_image_bytes_sync(view, "image/png")


@pytest.mark.parametrize("wrong", ["text", None, 5, [1, 2], object()])
async def test_data_of_a_wrong_type_is_a_misuse(wrong: Any) -> None:
    message = "data must be bytes-like"
    with pytest.raises(TypeError, match=message):
        admit_image_bytes_sync(wrong, "image/png")
    with pytest.raises(TypeError, match=message):
        await admit_image_bytes(wrong, "image/png")
    with pytest.raises(TypeError, match=message):
        admit_document_bytes(wrong, "application/pdf")
    with pytest.raises(TypeError, match=message):
        sniff_media_type(wrong)


@pytest.mark.parametrize("wrong", [None, b"image/png", 5])
def test_a_claimed_type_that_is_no_str_is_a_misuse(wrong: Any) -> None:
    with pytest.raises(TypeError, match="claimed_mime must be a str"):
        admit_image_bytes_sync(PNG, wrong)
    with pytest.raises(TypeError, match="claimed_mime must be a str"):
        admit_document_bytes(samples.PDF, wrong)


def test_an_object_that_cannot_downsample_is_a_misuse() -> None:
    with pytest.raises(TypeError, match="downsampler must have a method"):
        admit_image_bytes_sync(PNG, "image/png", object())  # type: ignore[arg-type] # wrong on purpose


@given(any_bytes, st.sampled_from([*ADMITTED_IMAGE_MIME_TYPES, "image/bmp"]), st.booleans())
async def test_the_async_and_the_sync_admission_say_the_same(
    data: bytes, mime_type: str, downsamples: bool
) -> None:
    downsampler = RustDownsampler(max_edge=4) if downsamples else None
    outcome = await admit_image_bytes(data, mime_type, downsampler)
    assert outcome == admit_image_bytes_sync(data, mime_type, downsampler)


@pytest.mark.parametrize("data", [BIG_JPEG, padded("image/jpeg", LARGEST), PNG])
async def test_large_work_gives_the_same_in_a_worker_thread(data: bytes) -> None:
    mime_type = sniff_media_type(data) or ""
    outcome = await admit_image_bytes(data, mime_type, RustDownsampler())
    assert outcome == admit_image_bytes_sync(data, mime_type, RustDownsampler())
    assert outcome.ok


def test_a_pdf_is_admitted_as_a_document() -> None:
    block = DocumentContent(samples.b64(samples.PDF), "application/pdf")
    outcome = admit_document_bytes(bytearray(samples.PDF), "application/pdf")
    assert outcome == DocumentAdmitted(block, len(samples.PDF))
    assert outcome.ok


def test_a_document_is_refused_by_type_by_size_and_by_signature() -> None:
    size = len(samples.PDF)
    assert admit_document_bytes(samples.PDF, "image/png") == Refused(
        "mime_unsupported", size, media_type="image/png"
    )
    cap = PDF_TARGET_RAW_SIZE
    assert admit_document_bytes(padded("application/pdf", cap), "application/pdf").ok
    assert admit_document_bytes(padded("application/pdf", cap + 1), "application/pdf") == Refused(
        "raw_too_large", cap + 1, limit=cap, media_type="application/pdf"
    )
    assert admit_document_bytes(b"\n" + samples.PDF, "application/pdf") == Refused(
        "magic_mismatch", size + 1, media_type="application/pdf"
    )


def test_outcomes_are_made_for_match() -> None:
    match admit_image_bytes_sync(PNG, "image/png"):
        case ImageAdmitted(block=ImageContent(mime_type=mime_type), original_size=size):
            assert (mime_type, size) == ("image/png", len(PNG))
        case Refused():  # pragma: no cover
            pytest.fail("it fits")
    match admit_image_bytes_sync(b"", "image/png"):
        case Refused("magic_mismatch", 0, None, None, "image/png"):
            pass
        case other:  # pragma: no cover
            pytest.fail(f"{other} is no mismatch")


@pytest.mark.parametrize(
    "value",
    [
        ImageAdmitted(ImageContent("", "image/png"), 0),
        DocumentAdmitted(DocumentContent("", "application/pdf"), 0),
        Refused("magic_mismatch", 0),
        ImageDimensions(1, 1, 1, 1),
        Downsampled(b"", "image/png", 1, 1, 1, 1),
        RustDownsampler(),
    ],
)
def test_outcomes_are_frozen_and_have_slots(value: Any) -> None:
    name = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, None)
    assert not hasattr(value, "__dict__")
    assert hash(value) == hash(dataclasses.replace(value))
