"""The order of layers, what each may do, and how calls go down together."""

import asyncio
import logging
from typing import Any

import anyio
import pytest

from calls import Layer, PlainShield, bash, call, echo, pipeline
from ostiary import (
    EmptyPipelineError,
    MediaSeatMiddleware,
    MemoizingMiddleware,
    MissingCoreError,
    NullShield,
    PipelineError,
    SafetyShieldMiddleware,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
)


def noting(notes: list[str], name: str) -> Layer:
    async def dispatch(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        notes.append(f"{name} before")
        result = await next.dispatch(ctx)
        notes.append(f"{name} after")
        return result

    return Layer(dispatch, name)


def test_a_context_needs_only_a_tool_and_an_input() -> None:
    ctx = ToolDispatchContext("Bash", {})
    assert (ctx.call_id, ctx.turn_number, ctx.session_id, ctx.extensions) == ("", 0, None, {})


def test_the_directory_of_a_call_is_a_string_or_unknown() -> None:
    assert call(extensions={"cwd": "/srv"}).cwd == "/srv"
    assert call(extensions={"cwd": 7}).cwd is None
    assert call().cwd is None


async def test_the_layer_that_was_added_first_is_outermost() -> None:
    notes: list[str] = []
    built = pipeline(noting(notes, "outer"), noting(notes, "inner"))
    await built.invoke(call())
    assert notes == ["outer before", "inner before", "inner after", "outer after"]
    assert built.middleware_names == ("outer", "inner", "tool_call")


async def test_a_pipeline_without_middleware_runs_the_tool() -> None:
    result = await ToolPipeline.new({"Bash": echo}).invoke(bash("ls", call_id="c1"))
    assert (result.output, result.tool_call_id, result.resolved_tool_name) == (
        "{'command': 'ls'}",
        "c1",
        "Bash",
    )
    assert not result.is_error
    assert result.duration >= 0


async def test_a_layer_may_send_the_call_to_another_tool_and_change_the_input() -> None:
    async def redirect(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        ctx.tool_name, ctx.input = "Write", {"x": 1}
        return await next.dispatch(ctx)

    result = await pipeline(Layer(redirect)).invoke(bash("ls"))
    assert (result.output, result.resolved_tool_name) == ("{'x': 1}", "Write")


async def test_a_layer_may_answer_by_itself() -> None:
    async def answer(ctx: ToolDispatchContext, _: ToolPipeline) -> ToolDispatchResult:
        return ToolDispatchResult(ctx.call_id, "no", is_error=True)

    notes: list[str] = []
    result = await pipeline(Layer(answer), noting(notes, "inner")).invoke(bash("ls", call_id="c1"))
    assert result == ToolDispatchResult("c1", "no", is_error=True)
    assert notes == []


async def test_a_layer_may_call_the_rest_as_often_as_it_wants() -> None:
    async def twice(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        await next.dispatch(ctx)
        return await next.dispatch(ctx)

    notes: list[str] = []
    await pipeline(Layer(twice), noting(notes, "inner")).invoke(call())
    assert notes == ["inner before", "inner after"] * 2


async def test_invoke_starts_at_the_outermost_layer_from_any_view() -> None:
    notes: list[str] = []

    async def restart(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        if ctx.turn_number:
            return await next.dispatch(ctx)
        assert next.middleware_names == ("outer", "layer", "tool_call")
        ctx.turn_number = 1
        return await next.invoke(ctx)

    await pipeline(noting(notes, "outer"), Layer(restart)).invoke(call())
    assert notes == ["outer before", "outer before", "outer after", "outer after"]


async def test_a_fault_of_a_layer_is_raised() -> None:
    async def broken(_: ToolDispatchContext, __: ToolPipeline) -> ToolDispatchResult:
        raise LookupError("a bug")

    with pytest.raises(LookupError, match="a bug"):
        await pipeline(Layer(broken)).invoke(call())


def test_an_empty_pipeline_and_one_without_a_core_fail_apart() -> None:
    with pytest.raises(EmptyPipelineError, match="with_core"):
        ToolPipeline.builder().build()
    with pytest.raises(MissingCoreError, match="with_core"):
        ToolPipeline.builder().with_middleware(MediaSeatMiddleware()).build()
    assert not issubclass(EmptyPipelineError, MissingCoreError)
    assert issubclass(EmptyPipelineError, PipelineError)


def test_a_pipeline_is_not_made_by_hand_and_takes_no_strangers() -> None:
    with pytest.raises(TypeError, match="builder"):
        ToolPipeline()
    stranger: Any = object()
    with pytest.raises(TypeError, match="dispatch"):
        ToolPipeline.builder().with_middleware(stranger)
    with pytest.raises(TypeError, match="dispatch"):
        ToolPipeline.builder().with_core(stranger)


async def test_a_builder_that_goes_on_leaves_what_it_built_alone() -> None:
    builder = ToolPipeline.builder().with_core({"Bash": echo})
    first = builder.build()
    builder.with_middleware(noting([], "late"))
    assert first.middleware_names == ("tool_call",)


async def test_calls_in_a_row_keep_their_order() -> None:
    results = await pipeline().invoke_all([bash(str(at), call_id=str(at)) for at in range(5)])
    assert [result.tool_call_id for result in results] == list("01234")


async def test_cancellation_is_looked_for_between_calls() -> None:
    ran: list[str] = []

    async def stop(command: str) -> str:
        ran.append(command)
        scope.cancel()
        return command

    with anyio.CancelScope() as scope:
        await pipeline(tools={"Bash": stop}).invoke_all([bash("one"), bash("two")])
    assert scope.cancelled_caught
    assert ran == ["one"]


@pytest.mark.parametrize("limit", [None, 1, 3, 99])
async def test_calls_side_by_side_keep_their_order_and_the_limit(limit: int | None) -> None:
    active, most = 0, 0

    async def work(command: str) -> str:
        nonlocal active, most
        active += 1
        most = max(most, active)
        await anyio.lowlevel.checkpoint()
        active -= 1
        return command

    calls = [bash(str(at)) for at in range(10)]
    results = await pipeline(tools={"Bash": work}).invoke_concurrently(calls, limit=limit)
    assert [result.output for result in results] == list(map(str, range(10)))
    assert most == min(limit or 10, 10)


async def test_no_calls_have_no_results() -> None:
    assert await pipeline().invoke_concurrently([]) == []
    assert await pipeline().invoke_all([]) == []


async def test_a_limit_that_lets_nothing_run_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        await pipeline().invoke_concurrently([call()], limit=0)


@pytest.mark.parametrize("fault", [LookupError("a bug"), KeyboardInterrupt()])
async def test_the_first_fault_ends_the_other_calls_and_is_raised_itself(
    fault: BaseException,
) -> None:
    ended: list[str] = []

    async def layer(ctx: ToolDispatchContext, _: ToolPipeline) -> ToolDispatchResult:
        if ctx.call_id == "bad":
            raise fault
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(ctx.call_id)
        raise AssertionError

    calls = [call(call_id="good"), call(call_id="bad"), call(call_id="late")]
    with pytest.raises(type(fault)):
        await pipeline(Layer(layer)).invoke_concurrently(calls, limit=2)
    assert ended == ["good"]


async def test_cancelling_the_caller_cancels_calls_side_by_side() -> None:
    ended: list[str] = []

    async def hang(command: str) -> str:
        if command == "last":
            scope.cancel()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(command)
        raise AssertionError

    with anyio.CancelScope() as scope:
        await pipeline(tools={"Bash": hang}).invoke_concurrently([bash("first"), bash("last")])
    assert scope.cancelled_caught
    assert sorted(ended) == ["first", "last"]


def test_a_pipeline_serves_event_loops_in_several_threads() -> None:
    built = pipeline(SafetyShieldMiddleware(NullShield()), MediaSeatMiddleware())

    async def three() -> list[Any]:
        calls = [bash("a"), bash("b"), bash("c")]
        return [result.output for result in await built.invoke_concurrently(calls)]

    async def threads() -> list[list[Any]]:
        return await asyncio.gather(*(asyncio.to_thread(anyio.run, three) for _ in range(4)))

    assert len({str(outputs) for outputs in asyncio.run(threads())}) == 1


def renaming() -> Layer:
    layer = noting([], "aliases")
    layer.rewrites_names = True  # type: ignore[attr-defined] # what a host's middleware declares
    return layer


def shield() -> SafetyShieldMiddleware:
    return SafetyShieldMiddleware(PlainShield())


@pytest.mark.parametrize(
    ("layers", "warnings"),
    [
        ([MediaSeatMiddleware(), renaming(), shield(), MemoizingMiddleware(["Read"])], []),
        ([shield(), renaming()], ["safety_shield stands outside 'aliases'"]),
        ([MemoizingMiddleware(["Read"]), shield()], ["safety_shield stands inside memoize"]),
        ([shield(), shield()], ["two safety shields are installed"]),
        ([shield(), MediaSeatMiddleware()], ["media_seat is not outermost"]),
        (
            [MemoizingMiddleware(["Read"]), shield(), renaming(), shield(), MediaSeatMiddleware()],
            ["two safety", "stands outside", "stands inside", "not outermost"],
        ),
    ],
)
def test_an_order_that_defeats_a_layer_is_logged(
    layers: list[Any], warnings: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "ostiary"):
        pipeline(*layers)
    assert len(caplog.records) == len(warnings)
    for record, warning in zip(caplog.records, warnings, strict=True):
        assert warning in record.getMessage()
