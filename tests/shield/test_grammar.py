"""Flags mean the same however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostiary.shield.grammar import grammar, read_flags

FORM = grammar("r=recursive f=force o=output", long="recursive force file", valued="output file C")


@pytest.mark.parametrize(
    "args",
    [
        ("-rf", "x"),
        ("-r", "-f", "x"),
        ("-fr", "x"),
        ("x", "-rf"),
        ("--recursive", "--force", "x"),
        ("--rec", "--forc", "x"),
        ("-rf", "--", "x"),
    ],
)
def test_the_same_flags_are_read(args: tuple[str, ...]) -> None:
    flags = read_flags(args, FORM)
    assert flags.has("recursive")
    assert flags.has("force")
    assert [args[at] for at in flags.operands] == ["x"]


@pytest.mark.parametrize(
    "args",
    [("-o", "x"), ("-ox",), ("-ro", "x"), ("--output", "x"), ("--output=x",), ("--out=x",)],
)
def test_the_same_value_is_read(args: tuple[str, ...]) -> None:
    flags = read_flags(args, FORM)
    assert flags.value("output") == "x"
    assert flags.operands == ()


def test_the_last_value_counts() -> None:
    flags = read_flags(("-o", "a", "-o", "b"), FORM)
    assert flags.value("output") == "b"
    assert flags.value("file") is None
    assert [(name, value, at) for name, value, at in flags.values] == [
        ("output", "a", 1),
        ("output", "b", 3),
    ]


def test_an_abbreviation_that_fits_two_flags_is_itself() -> None:
    assert read_flags(("--fi",), FORM).names == {"file"}
    assert read_flags(("--f",), FORM).names == {"f"}
    assert read_flags(("--=x",), FORM).names == {""}


def test_a_flag_whose_value_is_missing_is_set() -> None:
    assert read_flags(("-o",), FORM).names == {"output"}


def test_what_follows_two_dashes_is_no_flag() -> None:
    assert read_flags(("--", "-rf"), FORM).operands == (1,)
    assert read_flags(("-", "x")).operands == (0, 1)


@given(st.lists(st.text("-=abrfo", max_size=8), max_size=8).map(tuple))
def test_every_argument_is_a_flag_or_a_value_or_an_operand(args: tuple[str, ...]) -> None:
    flags = read_flags(args, FORM)
    assert set(flags.operands).isdisjoint(at for _, _, at in flags.values)
    assert all(0 <= at < len(args) for at in flags.operands)
