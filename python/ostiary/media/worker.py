"""Where work that would hold the event loop runs."""

import math
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar, current_token

T = TypeVar("T")

_limiter: RunVar[anyio.CapacityLimiter] = RunVar("ostiary_media_limiter")


def current_media_limiter() -> anyio.CapacityLimiter:
    """Return the running event loop's bound on worker threads that decode, encode and downsample.

    It starts at the number of cores that this process may use; set `total_tokens` to change it.

    Raises:
        RuntimeError: no event loop is running in this thread.
    """
    limiter = _limiter.get(None)
    if limiter is None:
        limiter = anyio.CapacityLimiter(_cores())
        _limiter.set(limiter)
    return limiter


async def run_in_worker(work: Callable[[], T]) -> T:
    """Run `work` in a worker thread, within the bound of `current_media_limiter`.

    A cancelled caller is let go at once. A thread cannot be stopped, so the one it leaves behind
    keeps its place within the bound until it is done, and its result is dropped.
    """
    limiter = current_media_limiter()
    loop = current_token().native_token
    borrower = object()
    # Whoever takes this first gives the place back: the thread, or the caller whom a cancellation
    # reached before the thread began.
    claim = threading.Lock()

    def give_back() -> None:
        limiter.release_on_behalf_of(borrower)

    def run() -> T | None:
        if not claim.acquire(blocking=False):
            return None
        try:
            return work()
        finally:
            _call_soon(loop, give_back)

    await limiter.acquire_on_behalf_of(borrower)
    try:
        result = await anyio.to_thread.run_sync(
            run, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(math.inf)
        )
    except BaseException:
        if claim.acquire(blocking=False):
            give_back()
        raise
    return result  # type: ignore[return-value] # None only where nobody waits for it any more


def _cores() -> int:
    """Return the cores that this process may use, where the system tells, else those there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # pragma: no cover # not on Linux


def _call_soon(loop: Any, callback: Callable[[], None]) -> None:
    """Call back on the event loop's thread without waiting for it; a closed loop needs no call."""
    schedule = getattr(loop, "call_soon_threadsafe", None) or loop.run_sync_soon
    try:
        schedule(callback)
    except RuntimeError:  # both backends' answer when the loop has ended meanwhile
        return
