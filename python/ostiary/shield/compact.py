"""A JSON value as one line of text, character for character as Rust's `serde_json` writes it.

Patterns are matched over this text, so its separators, escapes and order decide what is found.
"""

from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

# What `serde_json` holds as an integer; beyond, it reads the digits as a float.
_MIN_INTEGER = -(2**63)
_MAX_INTEGER = 2**64 - 1

_MAX_DIGITS_BEFORE_POINT = 16
_MAX_ZEROS_AFTER_POINT = 4


def compact_json(value: Any) -> str:
    """Return the text: no blanks, keys in the order of their code points, no escape without need.

    Raises:
        TypeError: a part of the value is nothing that JSON knows.
        OverflowError: an integer is too large for a float.
        RecursionError: the value is nested deeper than Python's stack.
    """
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts)


def _write(value: Any, put: Callable[[str], None]) -> None:
    if isinstance(value, str):
        put(encode_basestring(value))
    elif value is None:
        put("null")
    elif value is True:
        put("true")
    elif value is False:
        put("false")
    elif isinstance(value, int):
        put(int.__repr__(value) if _MIN_INTEGER <= value <= _MAX_INTEGER else _float(float(value)))
    elif isinstance(value, float):
        put(_float(value))
    elif isinstance(value, dict | Mapping):  # the second is many times slower to ask
        _write_object(value, put)
    elif isinstance(value, list | tuple):
        _write_array(value, put)
    else:
        raise TypeError(f"a tool's input is made of JSON values, and {_kind(value)} is none")


def _write_object(value: Mapping[Any, Any], put: Callable[[str], None]) -> None:
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"the keys of a JSON object are strings, and {_kind(key)} is none")
    separator = "{"
    for key in sorted(value):
        put(separator)
        put(encode_basestring(key))
        put(":")
        _write(value[key], put)
        separator = ","
    put("}" if separator == "," else "{}")


def _write_array(value: list[Any] | tuple[Any, ...], put: Callable[[str], None]) -> None:
    separator = "["
    for item in value:
        put(separator)
        _write(item, put)
        separator = ","
    put("]" if separator == "," else "[]")


def _float(value: float) -> str:
    """Return the shortest digits that read back as the same float, as `serde_json` 1.0.154 does."""
    if not isfinite(value):
        return "null"
    sign = "-" if float.__repr__(value).startswith("-") else ""
    digits, _, exponent = float.__repr__(abs(value)).partition("e")
    whole, _, fraction = digits.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if not digits:
        return f"{sign}0.0"
    if 0 < point <= _MAX_DIGITS_BEFORE_POINT:
        digits = digits.ljust(point, "0")
        return f"{sign}{digits[:point]}.{digits[point:] or '0'}"
    if -_MAX_ZEROS_AFTER_POINT <= point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+}"


def _kind(value: object) -> str:
    return f"a {type(value).__name__}"
