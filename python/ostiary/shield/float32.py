"""Arithmetic in 32-bit floats: each result is rounded, so sums fall where the origin's fall."""

import struct

_FLOAT = struct.Struct("f")


def float32(value: float) -> float:
    """Return the nearest 32-bit float.

    Raises:
        OverflowError: the value is beyond the range of 32-bit floats.
    """
    rounded: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return rounded


def add(left: float, right: float) -> float:
    """Return the rounded sum of two 32-bit floats."""
    return float32(left + right)


def multiply(left: float, right: float) -> float:
    """Return the rounded product of two 32-bit floats."""
    return float32(left * right)
