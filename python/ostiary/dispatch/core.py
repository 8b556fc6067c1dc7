"""The innermost layer: it runs the tool, and turns whatever comes of that into a result."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, Protocol

from anyio.to_thread import run_sync

from ostiary.closest import not_found_text
from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.values import as_output

Tool = Callable[..., Any]
"""A tool: sync or async; returns text, content blocks, a JSON value or a whole result."""


class ToolCore(Protocol):
    """Runs tools."""

    async def dispatch(self, ctx: ToolDispatchContext) -> ToolDispatchResult:
        """Run the tool that the context names."""
        ...


class ToolMapping:
    """Runs tools by name: async ones on the event loop, sync ones in a worker thread.

    A tool is called with the input's items as keyword arguments, or with the input itself when it
    is no mapping. A cancelled call lets a sync tool's thread run to its end and drops its result.
    """

    __slots__ = ("_tools",)

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        """Take the tools as they are now; later changes of the mapping do not count.

        Raises:
            TypeError: a name is no string, or a tool cannot be called.
        """
        for name, tool in tools.items():
            if not isinstance(name, str) or not callable(tool):
                raise TypeError(f"tools are callables under their names; {name!r} is none")
        self._tools = {name: (tool, _is_async(tool)) for name, tool in tools.items()}

    async def dispatch(self, ctx: ToolDispatchContext) -> ToolDispatchResult:
        """Run the tool, and time it."""
        found = self._tools.get(ctx.tool_name)
        if found is None:
            text = not_found_text(ctx.tool_name, list(self._tools))
            return ToolDispatchResult(ctx.call_id, text, is_error=True)
        started = perf_counter()
        tool, is_async = found
        value = await _run(tool, ctx.input, is_async=is_async)
        duration = perf_counter() - started
        name = ctx.tool_name
        if isinstance(value, ToolDispatchResult):
            return replace(
                value, tool_call_id=ctx.call_id, resolved_tool_name=name, duration=duration
            )
        return ToolDispatchResult(ctx.call_id, as_output(value), False, name, duration)  # noqa: FBT003 # positional is twice as fast


class GuardedCore:
    """Turns a core's exceptions into results, so that nothing but cancellation leaves it."""

    __slots__ = ("_core",)

    def __init__(self, core: ToolCore) -> None:
        """Guard this core."""
        self._core = core

    async def dispatch(self, ctx: ToolDispatchContext) -> ToolDispatchResult:
        """Run the tool; an exception becomes an error result with its type and message.

        Raises:
            TypeError: the core returned something else than a result.
        """
        started = perf_counter()
        try:
            result = await self._core.dispatch(ctx)
        except Exception as error:  # noqa: BLE001 # whatever a tool raises, the model reads of it
            return ToolDispatchResult(
                ctx.call_id,
                _describe(error),
                is_error=True,
                resolved_tool_name=ctx.tool_name,
                duration=perf_counter() - started,
            )
        if not isinstance(result, ToolDispatchResult):
            raise TypeError(f"a core returns a ToolDispatchResult, not a {type(result).__name__}")
        return result


async def _run(tool: Tool, arguments: Any, *, is_async: bool) -> Any:
    by_name = isinstance(arguments, Mapping)
    call = partial(tool, **arguments) if by_name else partial(tool, arguments)
    if is_async:
        value = call()
    else:
        # In a tuple, because trio takes no awaitable from a thread.
        (value,) = await run_sync(lambda: (call(),), abandon_on_cancel=True)
    return await value if inspect.isawaitable(value) else value


def _is_async(tool: Tool) -> bool:
    return inspect.iscoroutinefunction(tool) or inspect.iscoroutinefunction(
        getattr(tool, "__call__", None)  # noqa: B004 # asks whether the method is async
    )


def _describe(error: Exception) -> str:
    """Return the exception's type and message."""
    name = type(error).__name__
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 # an exception whose text cannot be had still has a type
        return name
    return f"{name}: {message}" if message else name
