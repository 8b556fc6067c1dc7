"""Helps a model that asked for a tool that there is not."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Final

from ostiary.closest import SUGGESTION_THRESHOLD, closest, shown
from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.pipeline import ToolPipeline

_HINT = "Did you mean"


class UnknownToolMiddleware:
    """Adds the closest known name to an error that speaks of a tool not found.

    For cores that do not say it themselves, and for names that only the host knows; an error that
    has a suggestion already is left as it is.
    """

    name: Final = "unknown_tool"

    def __init__(
        self,
        tool_names: Collection[str] | Callable[[], Iterable[str]],
        *,
        threshold: float = SUGGESTION_THRESHOLD,
    ) -> None:
        """Suggest among these names.

        Args:
            tool_names: The names, or what returns them at each use.
            threshold: Similarity from which a name is suggested, from 0 to 1.

        Raises:
            TypeError: `tool_names` is a string.
        """
        if isinstance(tool_names, str):
            raise TypeError("tool_names is a collection of names, not one name")
        self._tool_names = tool_names
        self._threshold = threshold

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call, and add the name if there is none."""
        result = await next.dispatch(ctx)
        if not _is_not_found(result):
            return result
        # Asked after the call, under the name that the last layer gave it.
        known = list(self._tool_names() if callable(self._tool_names) else self._tool_names)
        if ctx.tool_name in known:  # the tool speaks of something else that was not found
            return result
        near = closest(ctx.tool_name, known, self._threshold)
        if not near:
            return result
        return replace(result, output=f"{result.output} {_HINT} {shown(near[0])}?")


def _is_not_found(result: ToolDispatchResult) -> bool:
    if not result.is_error or not isinstance(result.output, str) or _HINT in result.output:
        return False
    text = result.output.lower()
    return "not found" in text and "tool" in text
