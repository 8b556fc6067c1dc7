"""Ends a call that takes too long."""

import logging
from collections.abc import Collection
from math import isfinite
from typing import Final

import anyio

from ostiary.closest import shown
from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.values import snapshot

_log = logging.getLogger(__name__)

DEFAULT_TIMEOUT: Final = 120.0
"""Seconds that a call may take (loopctl 0.3)."""


class TimeoutMiddleware:
    """Gives the rest of the pipeline a deadline; what misses it becomes an error result.

    An async tool is cancelled. The thread of a sync tool cannot be stopped: it runs to its end, and
    its result is dropped.
    """

    name: Final = "timeout"

    def __init__(
        self,
        seconds: float | None = DEFAULT_TIMEOUT,
        *,
        retry_tools: Collection[str] = (),
        max_retries: int = 0,
    ) -> None:
        """Set the deadline.

        Args:
            seconds: Seconds that the first attempt may take; None for no deadline.
            retry_tools: Tools that are safe to run again; no others are.
            max_retries: Further attempts at such a tool, each with twice the last one's time.

        Raises:
            TypeError: `retry_tools` is a string.
            ValueError: `seconds` is no positive number, or `max_retries` is negative.
        """
        if isinstance(retry_tools, str):
            raise TypeError("retry_tools is a collection of names, not one name")
        if seconds is not None and not (seconds > 0 and isfinite(seconds)):
            raise ValueError(f"a deadline is a positive number of seconds, or None, not {seconds}")
        if max_retries < 0:
            raise ValueError(f"there cannot be {max_retries} retries")
        self._seconds = seconds
        self._retry_tools = frozenset(retry_tools)
        self._max_retries = max_retries

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call within its deadline."""
        if self._seconds is None:
            return await next.dispatch(ctx)
        tool_name, input, seconds = ctx.tool_name, None, self._seconds
        retries = self._max_retries if tool_name in self._retry_tools else 0
        try:
            input = snapshot(ctx.input) if retries else None
        except Exception:  # noqa: BLE001 # an input that cannot be copied cannot come again
            retries = 0
        for attempt in range(retries + 1):
            if attempt:
                _log.warning("tool timed out, so it runs again", extra={"tool": tool_name})
                ctx.tool_name, ctx.input = tool_name, snapshot(input)
                seconds *= 2
            with anyio.move_on_after(seconds):
                return await next.dispatch(ctx)
        _log.error("tool timed out", extra={"tool": tool_name})
        text = f"Tool {shown(tool_name)} timed out after {seconds:g}s"
        return ToolDispatchResult(ctx.call_id, text, True, tool_name, seconds)  # noqa: FBT003 # is_error
