"""Each function of the boundary beside plain Python: `make bench`."""

from collections.abc import Callable
from typing import Any

import pytest

import reference
from ostiary import _core

SIZES = [1024, 256 * 1024, 5 * 1024 * 1024]
IDS = ["1 KiB", "256 KiB", "5 MiB"]

sizes = pytest.mark.parametrize("size", SIZES, ids=IDS)


def rivals(name: str) -> pytest.MarkDecorator:
    """Return the same function in Rust and in plain Python."""
    both = [getattr(_core, name), getattr(reference, name)]
    return pytest.mark.parametrize("function", both, ids=["rust", "python"])


def payload(size: int) -> bytes:
    """Return bytes that start as a PNG does."""
    return (
        b"\x89PNG\r\n\x1a\n".ljust(16, b"\0") + bytes(range(256)) * (size // 256 - 1) + bytes(240)
    )


@sizes
@rivals("sniff")
@pytest.mark.benchmark(group="sniff")
def bench_sniff(benchmark: Any, function: Callable[..., object], size: int) -> None:
    assert benchmark(function, payload(size)) == "image/png"


@sizes
@rivals("base64_length")
@pytest.mark.benchmark(group="base64_length")
def bench_base64_length(benchmark: Any, function: Callable[..., object], size: int) -> None:
    assert benchmark(function, size) == len(reference.base64_encode(payload(size)))


@sizes
@rivals("base64_encode")
@pytest.mark.benchmark(group="base64_encode")
def bench_base64_encode(benchmark: Any, function: Callable[..., str], size: int) -> None:
    data = payload(size)
    assert reference.base64_decode(benchmark(function, data)) == data


@sizes
@rivals("base64_decode")
@pytest.mark.benchmark(group="base64_decode")
def bench_base64_decode(benchmark: Any, function: Callable[..., bytes], size: int) -> None:
    data = payload(size)
    assert benchmark(function, reference.base64_encode(data)) == data
