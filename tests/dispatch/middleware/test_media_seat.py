"""Where the doors meet: no result leaves a pipeline with media that was not admitted."""

import logging
from typing import Any

import pytest

import samples
from calls import Layer, call, pipeline
from ostiary import (
    MediaSeatMiddleware,
    MemoizingMiddleware,
    RustDownsampler,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
)

PNG = samples.b64(samples.encoded(samples.photo(40, 30), "image/png"))
GOOD = {"type": "image", "data": PNG, "mimeType": "image/png"}
BAD = {"type": "image", "data": samples.b64(b"no picture"), "mimeType": "image/png"}


def returning(value: Any) -> Any:
    async def tool() -> Any:
        return value

    return tool


def placeholder(result: ToolDispatchResult, at: int = 0) -> str:
    assert isinstance(result.output, list)
    assert result.output[at]["type"] == "text"
    return str(result.output[at]["text"])


async def test_media_that_was_checked_passes() -> None:
    layer = MediaSeatMiddleware(RustDownsampler())
    result = await pipeline(layer, tools={"Shot": returning([GOOD, "look"])}).invoke(call("Shot"))
    assert result.output == [GOOD, {"type": "text", "text": "look"}]


async def test_a_text_passes_as_it_is() -> None:
    result = await pipeline(MediaSeatMiddleware()).invoke(call("Read"))
    assert result.output == "{}"


async def test_media_that_was_refused_is_named_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    built = pipeline(MediaSeatMiddleware(), tools={"Shot": returning([BAD])})
    with caplog.at_level(logging.INFO, "ostiary"):
        result = await built.invoke(call("Shot"))
    assert "magic_mismatch" in placeholder(result)
    assert '"Shot"' in placeholder(result)
    (record,) = caplog.records
    assert (record.__dict__["tool"], record.__dict__["reason"]) == ("Shot", "magic_mismatch")


async def test_a_layer_that_answers_by_itself_is_admitted_too() -> None:
    async def answer(ctx: ToolDispatchContext, _: ToolPipeline) -> ToolDispatchResult:
        return ToolDispatchResult(ctx.call_id, [BAD])

    result = await pipeline(MediaSeatMiddleware(), Layer(answer)).invoke(call("Shot"))
    assert '"Shot"' in placeholder(result)


async def test_what_comes_from_a_cache_is_admitted_too() -> None:
    built = pipeline(
        MediaSeatMiddleware(), MemoizingMiddleware(["Shot"]), tools={"Shot": returning([BAD, GOOD])}
    )
    first, again = await built.invoke_all([call("Shot"), call("Shot")])
    assert placeholder(first) == placeholder(again)
    assert again.output[1:] == [GOOD, {"type": "text", "text": "[cached]"}]


def test_the_layer_is_called_media_seat() -> None:
    assert MediaSeatMiddleware().name == "media_seat"
