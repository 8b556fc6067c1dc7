"""What every adapter shares: a call judged, run and settled, and its result admitted."""

from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Self, TypeVar

import anyio

from ostiary import (
    AnyShield,
    CallGuard,
    CallOutcome,
    CommandShield,
    ImageDownsampler,
    JudgedCall,
    RustDownsampler,
    ToolResultMediaRefusal,
    admit_tool_result_media,
    refusal_text,
    surfaced,
    warning_text,
)

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Blocked:
    """A call that did not run; `message` is for the model to read."""

    message: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """A call that may run, and is to be settled.

    Attributes:
        call: What the shield is told of; None where it does not watch the tool.
        warning: What the model is to read behind the result.
    """

    call: JudgedCall | None = None
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Ran(Generic[R]):
    """A call that ran.

    Attributes:
        result: What it gave, its media admitted and a warning appended.
        warning: What the model reads of the shield.
        refused: The media that was replaced.
    """

    result: R
    warning: str | None = None
    refused: tuple[ToolResultMediaRefusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape(Generic[R]):
    """How a framework writes a tool's result.

    Attributes:
        blocks: Gives a result's content as the seat's blocks; what is none of its media is any
            object, and stays the same one.
        rebuild: Puts blocks in the place of a result's content.
        failed: Whether a result is an error.
        paused: The framework's exceptions that put a call off, and are no failure.
    """

    blocks: Callable[[R], list[Any]]
    rebuild: Callable[[R, list[Any]], R]
    failed: Callable[[R], bool] = lambda _: False
    paused: tuple[type[BaseException], ...] = ()


@dataclass(frozen=True)
class Doors:
    """Both doors with their settings; one for an application, safe under threads and tasks.

    The history of each session is the shield's and bounded there; `session_id` is whose it is. Give
    each conversation of each user its own.

    Attributes:
        shield: Judges each call before it runs.
        downsampler: Makes pictures in results smaller; None refuses what is too large.
        on_error: What becomes of a call whose shield raised.
    """

    shield: AnyShield = field(default_factory=CommandShield)
    downsampler: ImageDownsampler | None = field(default_factory=RustDownsampler)
    on_error: Literal["block", "allow"] = "block"
    guard: CallGuard = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Put the guard before the shield."""
        object.__setattr__(self, "guard", CallGuard(self.shield, on_error=self.on_error))

    @classmethod
    def of(cls, doors: Self | None) -> Self:
        """Return the doors that were given, or new ones with the usual settings."""
        return cls() if doors is None else doors

    async def run(
        self,
        tool_name: str,
        input: Any,
        execute: Callable[[], Awaitable[R]],
        shape: Shape[R],
        *,
        session_id: str | None = None,
    ) -> Blocked | Ran[R]:
        """Judge a call, run it unless it is blocked, settle it, and admit its result.

        What `execute` raises is settled and raised on.
        """
        verdict = await self.judge(tool_name, input, session_id=session_id)
        if isinstance(verdict, Blocked):
            return verdict
        try:
            result = await execute()
        except BaseException as error:
            await self.settle_raised(verdict, error, paused=shape.paused)
            raise
        await self.settle(verdict, failed=shape.failed(result))
        return await self._admitted(tool_name, result, shape, verdict.warning)

    def run_sync(
        self,
        tool_name: str,
        input: Any,
        execute: Callable[[], R],
        shape: Shape[R],
        *,
        session_id: str | None = None,
    ) -> Blocked | Ran[R]:
        """Do as `run`, in a thread without an event loop or with one that waits meanwhile.

        The call itself runs in this thread; judging, settling and admitting in one of their own.
        """
        verdict = _wait(self.judge(tool_name, input, session_id=session_id))
        if isinstance(verdict, Blocked):
            return verdict
        try:
            result = execute()
        except BaseException as error:
            _wait(self.settle_raised(verdict, error, paused=shape.paused))
            raise
        _wait(self.settle(verdict, failed=shape.failed(result)))
        return _wait(self._admitted(tool_name, result, shape, verdict.warning))

    async def judge(
        self, tool_name: str, input: Any, *, session_id: str | None = None
    ) -> Blocked | Cleared:
        """Judge a call; one that is cleared wants `settle` or `settle_raised` afterwards."""
        if not self.guard.watches(tool_name):
            return Cleared()
        call = await self.guard.judge(tool_name, input, session_id=session_id)
        if call.decision.is_blocked:
            return Blocked(refusal_text(surfaced(call.decision)))
        return Cleared(call, warning_text(call.decision) if call.decision.is_warn else None)

    async def settle(self, verdict: Cleared, *, failed: bool) -> None:
        """Say that a call ran to its end."""
        if verdict.call is not None:
            outcome = CallOutcome.FAILED if failed else CallOutcome.SUCCEEDED
            await self.guard.settle(verdict.call, outcome)

    async def settle_raised(
        self,
        verdict: Cleared,
        error: BaseException,
        *,
        paused: tuple[type[BaseException], ...] = (),
    ) -> None:
        """Say what ended a call: a failure, a cancellation, or a pause before it is tried anew."""
        if verdict.call is None:
            return
        if isinstance(error, paused):
            await self.guard.give_up(verdict.call)
        elif isinstance(error, Exception):
            await self.guard.settle(verdict.call, CallOutcome.FAILED)
        else:
            await self.guard.interrupt(verdict.call, error)

    async def admit(
        self, content: list[Any], tool_name: str
    ) -> tuple[list[Any], tuple[ToolResultMediaRefusal, ...]]:
        """Return a result's blocks with their media admitted, and what was refused."""
        admission = admit_tool_result_media(content, tool_name, downsampler=self.downsampler)
        if admission is None:
            return content, ()
        admitted = await admission
        return admitted.content, admitted.refused

    async def _admitted(
        self, tool_name: str, result: R, shape: Shape[R], warning: str | None
    ) -> Ran[R]:
        before = shape.blocks(result)
        content, refused = await self.admit(before, tool_name)
        if warning is not None:
            content = [*content, {"type": "text", "text": warning}]
        if content is not before:
            result = shape.rebuild(result, content)
        return Ran(result, warning, refused)


def _wait(work: Coroutine[Any, Any, R]) -> R:
    """Return what a coroutine gives; this thread may have an event loop, so it runs in another."""

    async def whole() -> R:
        return await work

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, whole).result()
