"""Whole admissions: one that fits, one that downsamples, beside plain Python and Pillow."""

import asyncio
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

import reference
import samples
from ostiary import RustDownsampler, admit_image_bytes, admit_image_bytes_sync

SIZES = [1024, 256 * 1024, 3 * 1024 * 1024]
IDS = ["1 KiB", "256 KiB", "3 MiB"]


def png_of(size: int) -> bytes:
    """Return a valid PNG of about this many bytes."""
    side = max(16, int((size / 3) ** 0.5))
    return samples.encoded(samples.noise(side, side), "image/png", compress_level=0)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("path", ["rust", "python"])
@pytest.mark.benchmark(group="an admission that fits")
def bench_an_admission_that_fits(benchmark: Any, path: str, size: int) -> None:
    data = png_of(size)
    if path == "rust":
        assert benchmark(admit_image_bytes_sync, data, "image/png", RustDownsampler()).ok
    else:
        fit = (2000, 3_932_160)
        assert benchmark(reference.admit_fitting, data, "image/png", 5_242_880, fit)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.benchmark(group="an admission that fits, awaited")
def bench_an_admission_that_fits_awaited(benchmark: Any, size: int) -> None:
    data = png_of(size)
    with asyncio.Runner() as runner:
        loop = runner.get_loop()

        def admit() -> bool:
            admission = admit_image_bytes(data, "image/png", RustDownsampler())
            return loop.run_until_complete(admission).ok

        assert benchmark(admit)


def pillow(data: bytes, encoding: str) -> str:
    """Return what a server does with Pillow today, as base64."""
    picture = Image.open(BytesIO(data))
    picture.thumbnail((2000, 2000), Image.Resampling.LANCZOS)
    file = BytesIO()
    picture.save(file, encoding, quality=80)
    return reference.base64_encode(file.getvalue())


@pytest.mark.parametrize("path", ["rust", "python"])
@pytest.mark.parametrize("size", ["image/jpeg", "image/png"], ids=["photo", "screenshot"])
@pytest.mark.benchmark(group="an admission that downsamples")
def bench_an_admission_that_downsamples(benchmark: Any, path: str, size: str) -> None:
    picture = samples.photo(3000, 2250) if size == "image/jpeg" else samples.screenshot(3000, 1700)
    data = samples.encoded(picture, size, quality=90)
    if path == "rust":
        assert benchmark(admit_image_bytes_sync, data, size, RustDownsampler()).ok
    else:
        assert benchmark(pillow, data, samples.FORMATS[size])
