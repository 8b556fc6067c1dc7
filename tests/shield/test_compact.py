"""The text over which patterns are matched: `serde_json`'s, character for character."""

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostiary.shield.compact import compact_json

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text() | st.floats(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def nan_as_null(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: nan_as_null(item) for key, item in value.items()}
    return list(map(nan_as_null, value)) if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        ({"b": 1, "a": [True, False, None]}, '{"a":[true,false,null],"b":1}'),
        ((1, "x"), '[1,"x"]'),
        ({"z": 0, "Z": 0, "é": 0, "a": 0}, '{"Z":0,"a":0,"z":0,"é":0}'),
        ("a/b\x7fé\u2028😀", '"a/b\x7fé\u2028😀"'),
        ('"\\\b\f\n\r\t\x00\x1f', r'"\"\\\b\f\n\r\t\u0000\u001f"'),
        (2**64 - 1, "18446744073709551615"),
        (2**64, "1.8446744073709552e+19"),
        (-(2**63) - 1, "-9.223372036854776e+18"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (100.0, "100.0"),
        (12.34, "12.34"),
        (0.1, "0.1"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (1.5e16, "1.5e+16"),
        (123456789012345680.0, "1.2345678901234568e+17"),
        (1.234e-5, "0.00001234"),
        (1e-6, "1e-6"),
        (-1.5e-10, "-1.5e-10"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (math.nan, "null"),
        (-math.inf, "null"),
    ],
)
def test_a_value_is_written_as_serde_json_writes_it(value: Any, text: str) -> None:
    assert compact_json(value) == text


@given(json_values)
def test_every_value_reads_back_as_itself(value: Any) -> None:
    assert json.loads(compact_json(value)) == nan_as_null(value)


@given(json_values)
def test_the_order_of_keys_does_not_matter(value: Any) -> None:
    backwards = dict(reversed(value.items())) if isinstance(value, dict) else value
    assert compact_json(backwards) == compact_json(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_keeps_its_digits_and_has_a_point_or_an_exponent(value: float) -> None:
    text = compact_json(value)
    assert float(text) == value
    assert re.fullmatch(r"-?\d+\.\d+|-?\d(\.\d+)?e[+-]\d+", text)


@pytest.mark.parametrize("value", [b"x", {1}, object(), {1: "x"}, [{"a": b""}]])
def test_what_json_does_not_know_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="JSON"):
        compact_json(value)


def test_an_integer_beyond_every_float_is_refused() -> None:
    with pytest.raises(OverflowError):
        compact_json(10**400)
