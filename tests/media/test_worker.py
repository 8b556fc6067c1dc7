"""Worker threads: their bound, the event loop's freedom, and cancellation."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio
import pytest

import samples
from ostiary import (
    Downsampled,
    ImageAdmitted,
    RustDownsampler,
    admit_image_bytes,
    current_media_limiter,
)
from ostiary.media.worker import run_in_worker

PNG = samples.encoded(samples.photo(40, 30), "image/png")


class Gated:
    """A downsampler that waits until it is let go, and counts how many run at once."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.gate = threading.Event()
        self.lock = threading.Lock()
        self.running = self.most = self.calls = 0

    def downsample(self, data: bytes, mime_type: str) -> Downsampled:
        with self.lock:
            self.running += 1
            self.calls += 1
            self.most = max(self.most, self.running)
        self.started.release()
        assert self.gate.wait(30)
        with self.lock:
            self.running -= 1
        return Downsampled(data, mime_type, 40, 30, 40, 30)


@contextmanager
def gated() -> Iterator[Gated]:
    downsampler = Gated()
    try:
        yield downsampler
    finally:
        downsampler.gate.set()


async def until_started(downsampler: Gated, count: int = 1) -> None:
    for _ in range(count):
        assert await anyio.to_thread.run_sync(downsampler.started.acquire, True, 30)


async def test_the_loop_turns_while_a_downsampler_works() -> None:
    with gated() as downsampler:
        async with anyio.create_task_group() as group:
            group.start_soon(admit_image_bytes, PNG, "image/png", downsampler)
            await until_started(downsampler)
            downsampler.gate.set()  # this line runs only because the loop is free
    assert downsampler.running == 0


async def test_no_more_work_at_once_than_the_limiter_allows() -> None:
    limiter = current_media_limiter()
    assert limiter is current_media_limiter()
    assert limiter.total_tokens >= 1
    limiter.total_tokens = 3
    with gated() as downsampler:
        async with anyio.create_task_group() as group:
            for _ in range(12):
                group.start_soon(admit_image_bytes, PNG, "image/png", downsampler)
            await until_started(downsampler, 3)
            await anyio.wait_all_tasks_blocked()
            assert downsampler.calls == 3
            downsampler.gate.set()
    assert downsampler.calls == 12
    assert downsampler.most == 3
    assert limiter.borrowed_tokens == 0


async def test_a_cancelled_admission_returns_at_once_and_its_thread_keeps_its_place() -> None:
    limiter = current_media_limiter()
    limiter.total_tokens = 1
    with gated() as downsampler:
        async with anyio.create_task_group() as group:
            group.start_soon(admit_image_bytes, PNG, "image/png", downsampler)
            await until_started(downsampler)
            group.cancel_scope.cancel()
        assert limiter.borrowed_tokens == 1, "the thread still runs"
        async with anyio.create_task_group() as group:
            group.start_soon(admit_image_bytes, PNG, "image/png", downsampler)
            await anyio.wait_all_tasks_blocked()
            assert downsampler.calls == 1
            downsampler.gate.set()
    assert downsampler.calls == 2
    assert downsampler.most == 1
    assert limiter.borrowed_tokens == 0
    outcome = await admit_image_bytes(PNG, "image/png", RustDownsampler())
    assert isinstance(outcome, ImageAdmitted)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_task_cancelled_the_asyncio_way_keeps_the_bound_too() -> None:
    limiter = current_media_limiter()
    limiter.total_tokens = 1
    with gated() as downsampler:
        task = asyncio.create_task(admit_image_bytes(PNG, "image/png", downsampler))
        await until_started(downsampler)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert limiter.borrowed_tokens == 1
        other = asyncio.create_task(admit_image_bytes(PNG, "image/png", downsampler))
        await anyio.wait_all_tasks_blocked()
        assert downsampler.calls == 1
        downsampler.gate.set()
        assert (await other).ok
    assert downsampler.most == 1


async def test_an_admission_cancelled_before_it_began_gives_its_place_back() -> None:
    limiter = current_media_limiter()
    done = False

    def work() -> None:
        nonlocal done
        done = True

    with anyio.CancelScope() as scope:
        scope.cancel()
        await run_in_worker(work)
    assert not done
    assert limiter.borrowed_tokens == 0


async def test_a_thread_that_begins_after_its_caller_left_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late: list[Callable[[], object]] = []

    async def never_begins(work: Callable[[], object], **_: object) -> None:
        late.append(work)
        raise TimeoutError

    monkeypatch.setattr(anyio.to_thread, "run_sync", never_begins)
    done: list[str] = []
    with pytest.raises(TimeoutError):
        await run_in_worker(lambda: done.append("work"))
    assert current_media_limiter().borrowed_tokens == 0
    assert late[0]() is None
    assert not done
    assert current_media_limiter().borrowed_tokens == 0


@pytest.mark.parametrize("turns", range(8))
async def test_a_cancellation_at_any_turn_of_the_loop_gives_the_place_back(turns: int) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(run_in_worker, list)
        for _ in range(turns):
            await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    with anyio.fail_after(30):
        while current_media_limiter().borrowed_tokens:
            await anyio.lowlevel.checkpoint()


async def test_what_the_work_raises_comes_out() -> None:
    def work() -> None:
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        await run_in_worker(work)
    with anyio.fail_after(30):
        while current_media_limiter().borrowed_tokens:
            await anyio.lowlevel.checkpoint()


def test_a_loop_that_ended_while_its_thread_worked_does_no_harm() -> None:
    with gated() as downsampler:

        async def leave() -> None:
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(admit_image_bytes, PNG, "image/png", downsampler)
                    await until_started(downsampler)
                    scope.cancel()

        anyio.run(leave, backend="trio")
        thread = next(t for t in threading.enumerate() if "Trio" in t.name or "trio" in t.name)
        downsampler.gate.set()
        thread.join(30)
        assert downsampler.calls == 1
