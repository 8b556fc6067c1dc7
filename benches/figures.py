"""The figures that the documentation states, measured side by side in one run: `make figures`.

Inputs are made here, or taken from the folder OSTIARY_BENCH_INPUTS (`photo_12mp_base.jpg`,
`shot_4k.png`). OSTIARY_CORPUS adds the slowest file of a folder with a MANIFEST.tsv.
"""

import argparse
import base64
import gc
import math
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
from PIL import Image, ImageChops, ImageStat

sys.path.append(str(Path(__file__).parent.parent / "tests"))

import reference
import samples
from ostiary import (
    DownsampleError,
    RustDownsampler,
    _core,
    admit_image_bytes,
    admit_image_bytes_sync,
)

DOWNSAMPLER = RustDownsampler()
LIMITS = (5_242_880, (2000, 3_932_160))


def seconds(work: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(
    name: str, ours: Callable[[], object], theirs: Callable[[], object], rounds: int
) -> None:
    """Print the medians of two calls, taken in turn, and how many times faster ours is."""
    ours(), theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    one, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(
        f"{name:52} {one * 1e3:9.3f} ms {other * 1e3:9.3f} ms"
        f"   {other / one:5.1f} x faster   ratio {one / other:4.2f}"
    )


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system lets it, so that threads gain nothing."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def bench_input(name: str, make: Callable[[], bytes]) -> bytes:
    """Return a named file of OSTIARY_BENCH_INPUTS, or what `make` makes."""
    folder = os.environ.get("OSTIARY_BENCH_INPUTS")
    file = Path(folder or ".") / name
    return file.read_bytes() if folder and file.exists() else make()


def python_admission(data: bytes) -> tuple[str, str]:
    """Return the least that a pure-Python admission does: cap, signature, encoding, limit."""
    mime_type = reference.sniff(data)
    assert len(data) <= 5_242_880
    assert mime_type == "image/png"
    text = reference.base64_encode(data)
    assert len(text) <= 5_242_880
    return mime_type, text


def pillow(data: bytes, encoding: str) -> bytes:
    """Return the picture as a server makes it with Pillow, by the same filter and quality."""
    picture = Image.open(BytesIO(data))
    picture.thumbnail((2000, 2000), Image.Resampling.LANCZOS)
    file = BytesIO()
    picture.save(file, encoding, quality=80)
    return file.getvalue()


def psnr(data: bytes, source: bytes) -> float:
    """Return how near a small picture is to a whole decode and Lanczos of its source, in dB."""
    small = samples.opened(data).convert("RGB")
    best = samples.opened(source).convert("RGB").resize(small.size, Image.Resampling.LANCZOS)
    difference = ImageStat.Stat(ImageChops.difference(small, best))
    return 10 * math.log10(255**2 / max(statistics.mean(v**2 for v in difference.rms), 1e-9))


def speed(rounds: int) -> None:
    """Compare with plain Python and with Pillow, on one core."""
    five = b"\x89PNG\r\n\x1a\n".ljust(5 * 2**20, b"\x5a")
    compare(
        "base64 of 5 MiB: base64.b64encode().decode()",
        lambda: _core.base64_encode(five),
        lambda: base64.b64encode(five).decode(),
        rounds * 5,
    )
    side = 183
    fits = samples.encoded(samples.noise(side, side), "image/png", compress_level=0)
    compare(
        f"admission of a PNG of {len(fits):,} bytes: plain Python",
        lambda: [admit_image_bytes_sync(fits, "image/png") for _ in range(20)],
        lambda: [python_admission(fits) for _ in range(20)],
        rounds * 5,
    )
    compare(
        "the same, measured by a downsampler",
        lambda: [admit_image_bytes_sync(fits, "image/png", DOWNSAMPLER) for _ in range(20)],
        lambda: [reference.admit_fitting(fits, "image/png", *LIMITS) for _ in range(20)],
        rounds * 5,
    )
    photo = bench_input("photo_12mp_base.jpg", lambda: photo_jpeg(4000, 3000))
    shot = bench_input(
        "shot_4k.png", lambda: samples.encoded(samples.screenshot(3840, 2160), "image/png")
    )
    for name, data, mime_type in (
        ("12 Mpx JPEG: Pillow thumbnail + save", photo, "image/jpeg"),
        ("4K screenshot PNG: Pillow thumbnail + save", shot, "image/png"),
    ):
        compare(
            name,
            partial(DOWNSAMPLER.downsample, data, mime_type),
            partial(pillow, data, samples.FORMATS[mime_type]),
            rounds,
        )
        made = DOWNSAMPLER.downsample(data, mime_type).data
        theirs = pillow(data, samples.FORMATS[mime_type])
        print(
            f"    {psnr(made, data):.2f} dB and {len(made):,} bytes;"
            f" Pillow {psnr(theirs, data):.2f} dB and {len(theirs):,} bytes"
        )


def bombs(rounds: int) -> None:
    """Print how long it takes to refuse a header that declares too much."""
    for name, data in (
        ("PNG of 100,000 x 100,000 pixels", samples.png_declaring(100_000, 100_000)),
        ("JPEG of 65,535 x 65,535 pixels", samples.jpeg_declaring(65_535, 65_535)),
    ):
        mime_type = reference.sniff(data) or ""

        def refuse(data: bytes = data, mime_type: str = mime_type) -> None:
            for _ in range(100):
                with suppress(DownsampleError):
                    DOWNSAMPLER.downsample(data, mime_type)

        times = [seconds(refuse) / 100 for _ in range(rounds)]
        print(f"refusing a {name:41} {statistics.median(times) * 1e6:9.1f} µs")


def photo_jpeg(width: int, height: int) -> bytes:
    """Return a JPEG as a camera saves it."""
    return samples.encoded(samples.photo(width, height), "image/jpeg", quality=90)


def throughput(name: str, work: Callable[[], object], rounds: int, calls: int) -> None:
    """Print the calls a second of two threads beside those of one."""

    def run(threads: int) -> float:
        barrier = threading.Barrier(threads + 1)

        def loop() -> None:
            barrier.wait()
            for _ in range(calls):
                work()

        workers = [threading.Thread(target=loop) for _ in range(threads)]
        for worker in workers:
            worker.start()
        barrier.wait()
        start = time.perf_counter()
        for worker in workers:
            worker.join()
        return threads * calls / (time.perf_counter() - start)

    pairs = [(run(1), run(2)) for _ in range(rounds)]
    one, two = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{name:52} {one:9.1f} /s  {two:9.1f} /s    {two / one:5.2f} x with two threads")


def scaling(rounds: int) -> None:
    """Compare two threads with one."""
    fits = samples.encoded(samples.noise(1000, 1000), "image/png", compress_level=0)
    shot = samples.encoded(samples.screenshot(3840, 2160), "image/png")
    photo = photo_jpeg(4000, 3000)
    throughput(
        "admissions of a PNG of 3 MB that fits",
        lambda: admit_image_bytes_sync(fits, "image/png"),
        rounds,
        200,
    )
    throughput(
        "downsamples of a 4K screenshot PNG",
        lambda: admit_image_bytes_sync(shot, "image/png", DOWNSAMPLER),
        rounds,
        8,
    )
    throughput(
        "downsamples of a 12 Mpx JPEG",
        lambda: admit_image_bytes_sync(photo, "image/jpeg", DOWNSAMPLER),
        rounds,
        8,
    )


def loop_lag() -> None:
    """Print how late a ticker of one millisecond is while admissions run on the same loop."""
    photo = photo_jpeg(4000, 3000)
    icon = samples.encoded(samples.photo(400, 300), "image/png")
    late: list[float] = []

    async def ticker(scope: anyio.CancelScope) -> None:
        with scope:
            while True:
                start = time.perf_counter()
                await anyio.sleep(0.001)
                late.append(time.perf_counter() - start - 0.001)

    async def measure(admissions: int) -> None:
        scope = anyio.CancelScope()
        async with anyio.create_task_group() as group:
            group.start_soon(ticker, scope)
            if not admissions:
                await anyio.sleep(1)
            async with anyio.create_task_group() as work:
                for number in range(admissions):
                    data, mime_type = (photo, "image/jpeg") if number % 2 else (icon, "image/png")
                    work.start_soon(admit_image_bytes, data, mime_type, DOWNSAMPLER)
            scope.cancel()

    for name, admissions in (("an idle loop", 0), ("a loop with 32 admissions", 32)):
        late.clear()
        anyio.run(measure, admissions)
        p99 = sorted(late)[len(late) * 99 // 100]
        median = statistics.median(late)
        print(f"ticker on {name:42} {median * 1e3:9.2f} ms late, {p99 * 1e3:6.2f} ms at p99")


MEMORY_CHILD = """
import sys
from pathlib import Path
from ostiary import RustDownsampler, sniff_media_type

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024

data = Path(sys.argv[1]).read_bytes()
before = peak()
RustDownsampler().downsample(data, sniff_media_type(data))
print(f"{sys.argv[2]:52} {peak() - before:9.0f} MiB above the process at its highest")
"""


def memory() -> None:
    """Print how much a process grows by one downsample of each kind."""
    photo, shot = samples.photo(4000, 3000), samples.screenshot(7680, 4320)
    kinds: list[tuple[str, Image.Image, str, dict[str, object]]] = [
        ("12 Mpx JPEG", photo, "image/jpeg", {}),
        ("12 Mpx progressive JPEG", photo, "image/jpeg", {"progressive": True}),
        ("12 Mpx PNG", photo, "image/png", {"compress_level": 1}),
        ("12 Mpx WebP", photo, "image/webp", {"method": 0}),
        ("12 Mpx lossless WebP", photo, "image/webp", {"lossless": True, "method": 0}),
        ("8K screenshot PNG", shot, "image/png", {"compress_level": 1}),
    ]
    with TemporaryDirectory() as folder:
        for name, picture, mime_type, options in kinds:
            file = Path(folder) / "picture"
            file.write_bytes(samples.encoded(picture, mime_type, **options))
            subprocess.run([sys.executable, "-c", MEMORY_CHILD, str(file), name], check=True)


CORPUS_CHILD = """
import csv, os, sys, time
from pathlib import Path
from ostiary import RustDownsampler, admit_document_bytes, admit_image_bytes_sync

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024

folder = Path(os.environ["OSTIARY_CORPUS"])
rows = list(csv.DictReader((folder / "MANIFEST.tsv").open(newline=""), delimiter="\\t"))
before, slowest, wrong = peak(), (0, ""), 0
for row in rows:
    data = (folder / row["file"]).read_bytes()
    start = time.perf_counter()
    if row["claimed_type"] == "application/pdf":
        outcome = admit_document_bytes(data, row["claimed_type"])
    else:
        outcome = admit_image_bytes_sync(data, row["claimed_type"], RustDownsampler())
    slowest = max(slowest, (time.perf_counter() - start, row["file"]))
    expected = row["should_be"].replace("undecodable-but-admissible", "admit")
    wrong += expected != ("admit" if outcome.ok else outcome.reason)
print(f"{len(rows)} files: {wrong} verdicts other than stated; slowest {slowest[0]:.3f} s"
      f" ({slowest[1]}); peak memory {peak() - before:.0f} MiB above the start")
"""


def corpus() -> None:
    """Print the verdicts, the slowest file and the peak memory of a folder of real files."""
    if os.environ.get("OSTIARY_CORPUS"):
        subprocess.run([sys.executable, "-c", CORPUS_CHILD], check=True)


def main() -> None:
    """Print every figure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=9, help="times that each thing is timed")
    rounds = arguments.parse_args().rounds
    gc.disable()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr] # a text file here
    with one_core():
        print(f"{'one core':52} {'Ostiary':>12} {'the other':>12}")
        speed(rounds)
        bombs(rounds)
    scaling(rounds)
    loop_lag()
    if sys.platform == "linux":  # the peak is read from /proc
        memory()
        corpus()


if __name__ == "__main__":
    main()
