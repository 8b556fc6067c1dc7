"""The sizes that a placeholder states."""

import pytest

from ostiary.media.placeholder import human_size


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1,023 bytes"),
        (1024, "1.0 KiB (1,024 bytes)"),
        (12_595, "12.3 KiB (12,595 bytes)"),
        (5 * 2**20, "5.0 MiB (5,242,880 bytes)"),
        (3 * 2**30, "3.0 GiB (3,221,225,472 bytes)"),
        (5000 * 2**30, "5000.0 GiB (5,368,709,120,000 bytes)"),
    ],
)
def test_a_size_is_given_for_people_and_in_bytes(size: int, shown: str) -> None:
    assert human_size(size) == shown
