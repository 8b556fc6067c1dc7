"""The closest known name, where an error speaks of a tool not found."""

from typing import Any

import pytest

from calls import Layer, call, pipeline
from ostiary import (
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
    UnknownToolMiddleware,
)


def answering(output: Any, *, is_error: bool = True) -> Layer:
    async def answer(ctx: ToolDispatchContext, _: ToolPipeline) -> ToolDispatchResult:
        return ToolDispatchResult(ctx.call_id, output, is_error=is_error)

    return Layer(answer)


async def output(name: str, layer: Layer, known: Any = ("Bash", "Read"), **options: Any) -> Any:
    unknown = UnknownToolMiddleware(known, **options)
    return (await pipeline(unknown, layer).invoke(call(name))).output


NOT_FOUND = answering("TOOL x NOT FOUND.")


async def test_the_closest_name_is_added() -> None:
    assert await output("bsh", NOT_FOUND) == "TOOL x NOT FOUND. Did you mean 'Bash'?"


async def test_names_may_be_asked_for_at_each_use() -> None:
    assert "'Later'" in await output("latr", NOT_FOUND, lambda: ["Later"])


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (answering("file not found"), "file not found"),
        (answering("tool failed"), "tool failed"),
        (answering("tool not found", is_error=False), "tool not found"),
        (answering([{"type": "text", "text": "tool not found"}]), None),
        (answering("tool not found. Did you mean 'Bash'?"), "tool not found. Did you mean 'Bash'?"),
    ],
)
async def test_other_results_are_left_alone(layer: Layer, text: str | None) -> None:
    left = await output("bsh", layer)
    assert left == (text or [{"type": "text", "text": "tool not found"}])


async def test_nothing_is_added_where_nothing_is_close() -> None:
    assert await output("qqq", NOT_FOUND) == "TOOL x NOT FOUND."
    assert await output("bsh", NOT_FOUND, threshold=0.99) == "TOOL x NOT FOUND."


async def test_the_core_has_said_it_already() -> None:
    result = await pipeline(UnknownToolMiddleware(["Bash"])).invoke(call("bsh"))
    assert result.output == "Tool 'bsh' not found. Did you mean 'Bash'?"


def test_one_name_is_no_collection_of_names() -> None:
    with pytest.raises(TypeError, match="collection"):
        UnknownToolMiddleware("Bash")
    assert UnknownToolMiddleware([]).name == "unknown_tool"


async def test_a_known_tool_that_did_not_find_something_gets_no_suggestion() -> None:
    async def bash() -> ToolDispatchResult:
        return ToolDispatchResult("", "tool.cfg not found", is_error=True)

    layers = ToolPipeline.builder().with_middleware(UnknownToolMiddleware(["Bash"]))
    pipeline = layers.with_core({"Bash": bash}).build()
    result = await pipeline.invoke(ToolDispatchContext("Bash", {}))
    assert result.output == "tool.cfg not found"
