"""A verdict after each successful write, which never changes the result itself."""

from typing import Any

import pytest

from calls import Layer, call, pipeline
from ostiary import (
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
    VerifyMiddleware,
    VerifyResult,
)


class Verifier:
    def __init__(self, verdict: VerifyResult | Exception) -> None:
        self.verdict = verdict
        self.asked: list[tuple[ToolDispatchContext, str]] = []

    async def __call__(self, ctx: ToolDispatchContext, tool_name: str) -> VerifyResult:
        self.asked.append((ctx, tool_name))
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (VerifyResult(passed=True), "[verify] passed"),
        (VerifyResult(passed=True, diagnostics="3 files"), "[verify] passed: 3 files"),
        (VerifyResult(passed=False, diagnostics="line 3"), "[verify] failed: line 3"),
        (OSError("secret"), "[verify] not run: the verifier raised OSError"),
    ],
)
async def test_the_verdict_stands_behind_the_result(verdict: Any, text: str) -> None:
    verifier = Verifier(verdict)
    ctx = call("Write")
    result = await pipeline(VerifyMiddleware(verifier, ["Write"])).invoke(ctx)
    assert (result.output, result.is_error) == (f"{{}}\n\n{text}", False)
    assert verifier.asked == [(ctx, "Write")]


async def test_a_list_of_blocks_gets_one_more() -> None:
    async def blocks() -> list[Any]:
        return [{"type": "text", "text": "written"}]

    layer = VerifyMiddleware(Verifier(VerifyResult(passed=True)), ["Write"])
    result = await pipeline(layer, tools={"Write": blocks}).invoke(call("Write"))
    assert result.output == [
        {"type": "text", "text": "written"},
        {"type": "text", "text": "[verify] passed"},
    ]


async def test_only_successful_writes_are_verified() -> None:
    async def fail() -> None:
        raise OSError

    verifier = Verifier(VerifyResult(passed=True))
    built = pipeline(VerifyMiddleware(verifier, ["Write"]), tools={"Write": fail})
    await built.invoke_all([call("Write"), call("Read")])
    assert verifier.asked == []


async def test_the_tool_that_ran_decides_and_else_the_one_that_was_asked_for() -> None:
    async def redirect(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        if ctx.tool_name == "Save":
            ctx.tool_name = "Write"
            return await next.dispatch(ctx)
        return ToolDispatchResult("", "answered")

    verifier = Verifier(VerifyResult(passed=True))
    built = pipeline(VerifyMiddleware(verifier, ["Write"]), Layer(redirect))
    await built.invoke_all([call("Save"), call("Write"), call("Read")])
    assert [tool_name for _, tool_name in verifier.asked] == ["Write", "Write"]


def test_one_name_is_no_collection_of_names() -> None:
    with pytest.raises(TypeError, match="collection"):
        VerifyMiddleware(Verifier(VerifyResult(passed=True)), "Write")
    assert VerifyMiddleware(Verifier(VerifyResult(passed=True)), []).name == "verify"
