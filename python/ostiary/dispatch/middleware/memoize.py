"""Answers a repeated call from the last answer to it."""

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any, Final

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.middleware.memo import Flight, Key, Memo
from ostiary.dispatch.middleware.paths import anchored, touched_paths
from ostiary.dispatch.order import MEMOIZER
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.values import append_text, snapshot
from ostiary.shield.compact import compact_json

_log = logging.getLogger(__name__)

PathExtractor = Callable[[str, Any], Iterable[str]]
"""Names the files that a call reads or writes, by the tool's name and input. Name rather too many:
a path too much costs one more run of a tool, a missing one a stale answer."""

CACHED_MARK: Final = "[cached]"


class MemoizingMiddleware:
    """Runs a tool once for the same input, until it expires or what it read is written to.

    Only successes are kept, by session, tool, directory and canonical input. Identical calls side
    by side run the tool once; when the one that runs it is cancelled, a waiting one takes over.
    """

    name: Final = MEMOIZER

    def __init__(
        self,
        tools: Collection[str],
        write_tools: Collection[str] = (),
        path_extractor: PathExtractor = touched_paths,
        ttl_turns: int = 5,
        max_entries: int = 256,
    ) -> None:
        """Remember what these tools answer.

        Args:
            tools: Tools whose answer depends on their input and on files only.
            write_tools: Tools that write; a success drops every answer that shares a path.
            path_extractor: Names the files that a call touches; relative ones start from `cwd`.
            ttl_turns: Turns that an answer lasts: it is gone when so many have passed.
            max_entries: Answers that are kept; the one that was used least recently goes first.

        Raises:
            TypeError: `tools` or `write_tools` is a string.
            ValueError: `max_entries` is less than 1.
        """
        if isinstance(tools, str) or isinstance(write_tools, str):
            raise TypeError("tools and write_tools are collections of names, not one name")
        self._tools = frozenset(tools)
        self._write_tools = frozenset(write_tools)
        self._path_extractor = path_extractor
        self._memo = Memo(ttl_turns, max_entries)

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Answer from memory, or run the tool and remember the answer."""
        if ctx.tool_name in self._write_tools:
            return await self._write(ctx, next)
        if ctx.tool_name not in self._tools:
            return await next.dispatch(ctx)
        key = _key(ctx)
        if key is None:
            return await next.dispatch(ctx)
        result = self._memo.answer(key, ctx.turn_number)
        paths = self._paths(ctx) if result is None else frozenset()
        if paths is None:
            return await next.dispatch(ctx)
        while result is None:
            flight, leads = self._memo.join(key, ctx.turn_number, paths)
            if leads:
                return await self._lead(key, flight, ctx, next)
            await flight.landed.wait()
            result = flight.result
        return _cached(result, ctx)

    async def _lead(
        self, key: Key, flight: Flight, ctx: ToolDispatchContext, next: ToolPipeline
    ) -> ToolDispatchResult:
        kept, paths = None, None
        try:
            result = await next.dispatch(ctx)
            kept, paths = _kept(result), self._paths(ctx)
        finally:
            self._memo.land(key, flight, kept, paths)
        return result

    async def _write(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        paths = self._paths(ctx)
        written = True  # a write that was cut short may have happened
        try:
            result = await next.dispatch(ctx)
            written = not result.is_error
        finally:
            if written:
                after = self._paths(ctx)
                self._memo.drop(None if paths is None or after is None else paths | after)
        return result

    def _paths(self, ctx: ToolDispatchContext) -> frozenset[str] | None:
        """Return the files that a call touches; None where the extractor cannot say."""
        try:
            found = self._path_extractor(ctx.tool_name, ctx.input)
            return frozenset(anchored(path, ctx.cwd) for path in found)
        except Exception:  # noqa: BLE001 # whatever it raises, the files are not known
            _log.exception("the path extractor failed", extra={"tool": ctx.tool_name})
            return None


def _key(ctx: ToolDispatchContext) -> Key | None:
    """Return what makes two calls the same; None where the input is no JSON value."""
    try:
        return ctx.session_id, ctx.cwd, ctx.tool_name, compact_json(ctx.input)
    except (TypeError, OverflowError, RecursionError):
        return None


def _kept(result: ToolDispatchResult) -> ToolDispatchResult | None:
    """Return a copy that nobody else changes; None where the output cannot be copied."""
    try:
        return replace(result, output=snapshot(result.output))
    except Exception:  # noqa: BLE001 # whatever a block's copying raises, the result stands
        return None


def _cached(result: ToolDispatchResult, ctx: ToolDispatchContext) -> ToolDispatchResult:
    output = snapshot(result.output)
    if not result.is_error:
        output = append_text(output, CACHED_MARK)
    return replace(result, tool_call_id=ctx.call_id, output=output, duration=0.0)
