"""What a pipeline costs over a tool that does nothing, one layer after the other.

A round is a hundred calls, so that the event loop's own share is shared.
"""

import asyncio
from typing import Any

import pytest

from ostiary import (
    MediaSeatMiddleware,
    MemoizingMiddleware,
    NullShield,
    SafetyShieldMiddleware,
    ToolDispatchContext,
    ToolPipeline,
    UnixShield,
)

CALLS = 100
INPUT = {"command": "git status --short"}


async def noop(command: str) -> str:
    return command


def layers(name: str) -> list[Any]:
    match name:
        case "null shield":
            return [SafetyShieldMiddleware(NullShield())]
        case "seat":
            return [MediaSeatMiddleware()]
        case "shield":
            return [SafetyShieldMiddleware(UnixShield())]
        case "seat and shield":
            return [MediaSeatMiddleware(), SafetyShieldMiddleware(UnixShield())]
        case "seat, shield and a cached answer":
            shield = SafetyShieldMiddleware(UnixShield())
            return [MediaSeatMiddleware(), shield, MemoizingMiddleware(["Bash"])]
        case _:
            return []


@pytest.mark.parametrize(
    "stack",
    [
        "the tool alone",
        "no layer",
        "null shield",
        "seat",
        "shield",
        "seat and shield",
        "seat, shield and a cached answer",
    ],
)
@pytest.mark.benchmark(group="a hundred calls of a tool that does nothing")
def bench_a_hundred_calls(benchmark: Any, stack: str) -> None:
    builder = ToolPipeline.builder()
    for layer in layers(stack):
        builder.with_middleware(layer)
    pipeline = builder.with_core({"Bash": noop}).build()

    async def through() -> None:
        for _ in range(CALLS):
            await pipeline.invoke(ToolDispatchContext("Bash", INPUT, "call", 1))

    async def alone() -> None:
        for _ in range(CALLS):
            await noop(**INPUT)

    work = alone if stack == "the tool alone" else through
    with asyncio.Runner() as runner:
        benchmark(lambda: runner.run(work()))
