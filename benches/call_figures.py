"""The call door's figures: `python benches/call_figures.py`; `--calls` sets how many."""

import argparse
import asyncio
import gc
import resource
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ostiary import (
    MediaSeatMiddleware,
    MemoizingMiddleware,
    NullShield,
    RedactionMiddleware,
    SafetyShieldMiddleware,
    ToolDispatchContext,
    ToolPipeline,
    UnixShield,
)

COMMAND = {"command": "git status --short"}


async def noop(command: str) -> str:
    return command


def stack(*layers: Any) -> ToolPipeline:
    builder = ToolPipeline.builder()
    for layer in layers:
        builder.with_middleware(layer)
    return builder.with_core({"Bash": noop}).build()


async def per_call(call: Callable[[], Any], calls: int) -> float:
    """Return the microseconds of one call."""
    start = time.perf_counter()
    for _ in range(calls):
        await call()
    return (time.perf_counter() - start) / calls * 1e6


def through(pipeline: ToolPipeline) -> Callable[[], Any]:
    return lambda: pipeline.invoke(ToolDispatchContext("Bash", COMMAND, "call", 1))


async def overhead(calls: int, rounds: int) -> None:
    """Print medians of rounds that were taken in turn, and what each stack adds to the tool."""
    stacks: dict[str, Callable[[], Any]] = {
        "the tool alone": lambda: noop(**COMMAND),
        "no layer": through(stack()),
        "null shield": through(stack(SafetyShieldMiddleware(NullShield()))),
        "seat": through(stack(MediaSeatMiddleware())),
        "shield": through(stack(SafetyShieldMiddleware(UnixShield()))),
        "seat and shield": through(
            stack(MediaSeatMiddleware(), SafetyShieldMiddleware(UnixShield()))
        ),
    }
    taken: dict[str, list[float]] = {name: [] for name in stacks}
    for _ in range(rounds):
        for name, call in stacks.items():
            taken[name].append(await per_call(call, calls))
    alone = statistics.median(taken["the tool alone"])
    for name, values in taken.items():
        median = statistics.median(values)
        print(f"{name:18} {median:7.2f} us a call   {median - alone:+7.2f} us")
    null = statistics.median(taken["null shield"]) - statistics.median(taken["no layer"])
    print(f"the null shield adds {null:.2f} us to no shield")


async def memory(calls: int) -> None:
    """Print what is held after each tenth of the calls, over ever new sessions and inputs."""
    memoizer = MemoizingMiddleware(["Bash"])
    pipeline = stack(MediaSeatMiddleware(), SafetyShieldMiddleware(UnixShield()), memoizer)
    tracing = calls <= 200_000  # tracing every allocation is several times slower
    if tracing:
        tracemalloc.start()
    for number in range(1, calls + 1):
        command = {"command": f"git show {number}"}
        session = f"session {number // 30}"
        await pipeline.invoke(ToolDispatchContext("Bash", command, "call", 1, session))
        if number % max(calls // 10, 1) == 0:
            gc.collect()
            traced = f"   {tracemalloc.get_traced_memory()[0] / 2**20:6.2f} MiB traced" * tracing
            print(f"{number:9,} calls   {resident():7.2f} MiB resident{traced}")


def resident() -> float:
    """Return this process's memory in MiB: as it is now on Linux, elsewhere its highest point."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


async def redaction() -> None:
    """Print how fast ordinary text is searched for secrets, and how often one is seen in it."""
    layer = RedactionMiddleware()
    folder = Path(statistics.__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))]
    size = sum(map(len, texts))
    answers = iter(texts)

    async def next_text() -> str:
        return next(answers)

    pipeline = ToolPipeline.builder().with_middleware(layer).with_core({"Read": next_text}).build()
    start = time.perf_counter()
    results = [await pipeline.invoke(ToolDispatchContext("Read", {})) for _ in texts]
    taken = time.perf_counter() - start
    changed = sum(one.output != text for one, text in zip(results, texts, strict=True))
    print(
        f"redaction: {size / 2**20:.1f} MiB of the standard library in {taken * 1e3:.0f} ms, "
        f"{changed} of {len(texts)} files changed"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}")
    asyncio.run(overhead(min(options.calls, 5_000), options.rounds))
    asyncio.run(memory(options.calls))
    try:
        asyncio.run(redaction())
    except ModuleNotFoundError as error:
        print(f"redaction: {error}")


if __name__ == "__main__":
    main()
