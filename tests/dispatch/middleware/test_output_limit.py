"""Long outputs keep their head and tail, and whole characters and blocks."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calls import call, pipeline
from ostiary import OutputLimitMiddleware
from ostiary.dispatch.middleware.output_limit import limit_output

IMAGE = {"type": "image", "data": "A" * 100, "mimeType": "image/png"}
NOTICE = re.compile(r"\n?\[([\d,]+) of ([\d,]+) characters cut\]\n?")


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


@pytest.mark.parametrize(
    ("output", "limit", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("", 0, ""),
        ("abcdef", 4, "ab\n[2 of 6 characters cut]\nef"),
        ("abcdef", 3, "ab\n[3 of 6 characters cut]\nf"),
        ("abcdef", 1, "a\n[5 of 6 characters cut]"),
        ("abcdef", 0, "[6 of 6 characters cut]"),
        ("x" * 50_000, 2, "x\n[49,998 of 50,000 characters cut]\nx"),
    ],
)
def test_the_middle_is_cut_and_counted(output: str, limit: int, short: str) -> None:
    assert limit_output(output, limit) == short


def test_blocks_share_one_limit_and_media_stays_whole() -> None:
    blocks = [text("aaaa"), IMAGE, text("bbbb"), text(""), text("cccc")]
    assert limit_output(blocks, 12) is blocks
    assert limit_output(blocks, 6) == [
        text("aaa\n[1 of 12 characters cut]"),
        IMAGE,
        text("[4 of 12 characters cut]"),
        text(""),
        text("[1 of 12 characters cut]\nccc"),
    ]


def test_a_block_that_fits_is_the_same_object_and_others_keep_their_fields() -> None:
    first, long = text("aa"), {**text("b" * 10), "cache_control": {"type": "ephemeral"}}
    short = limit_output([first, long], 4)
    assert short[0] is first
    assert isinstance(short[1], dict)
    assert short[1]["cache_control"] == {"type": "ephemeral"}
    assert long["text"] == "b" * 10


def test_a_block_whose_text_is_no_text_is_left_alone() -> None:
    strange: list[Any] = [{"type": "text", "text": None}, {"type": "text"}, "loose", 7]
    assert limit_output(strange, 0) is strange


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
WAVE = "\U0001f44b\U0001f3fd"
FLAG = "\U0001f1e9\U0001f1ea"


@pytest.mark.parametrize("whole", ["e\u0301", "x\ufe0f", FAMILY, WAVE, FLAG, "\r\n"])
def test_a_character_is_cut_off_whole_or_not_at_all(whole: str) -> None:
    for limit in range(len(whole) * 8):
        kept = NOTICE.sub("\0", str(limit_output(whole * 8, limit)))
        assert set(kept.replace(whole, "")) <= {"\0"}


def test_a_character_without_end_is_cut_all_the_same() -> None:
    short = limit_output("e" + "\u0301" * 10_000, 5_000)
    assert len(short) < 5_100


@given(st.text("ab é\u0301\u200d\U0001f1e9\r\n", max_size=60), st.integers(0, 60))
def test_no_more_is_kept_than_the_limit_and_the_numbers_are_true(whole: str, limit: int) -> None:
    short = str(limit_output(whole, limit))
    if len(whole) <= limit:
        assert short == whole
        return
    (notice,) = NOTICE.finditer(short)
    cut, total = (int(number.replace(",", "")) for number in notice.groups())
    head, tail = short[: notice.start()], short[notice.end() :]
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + len(tail) == len(whole) - cut <= limit
    assert total == len(whole)


async def test_results_are_shortened_errors_included() -> None:
    async def chatty() -> str:
        raise ValueError("x" * 100)

    built = pipeline(OutputLimitMiddleware(10), tools={"Bash": chatty})
    result = await built.invoke(call("Bash"))
    assert result.is_error
    assert result.output == "Value\n[102 of 112 characters cut]\nxxxxx"
    assert (await built.invoke(call("Read"))).output == "{}"
    assert built.middleware_names[0] == "output_limit"


def test_a_limit_is_a_number_of_characters() -> None:
    with pytest.raises(ValueError, match="characters"):
        OutputLimitMiddleware(-1)
