"""Looks at what a tool wrote, and tells the model."""

import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from typing import Final

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.values import append_text

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """What a verifier found.

    Attributes:
        passed: Whether what was written is good.
        diagnostics: What is wrong with it, for the model.
    """

    passed: bool
    diagnostics: str = ""


Verifier = Callable[[ToolDispatchContext, str], Awaitable[VerifyResult]]
"""Looks at the work after a write: `await verifier(ctx, tool_name)`."""


class VerifyMiddleware:
    """Runs a verifier after each successful write, and appends its verdict to the result.

    The verdict never makes an error of the result, nor holds anything back.
    """

    name: Final = "verify"

    def __init__(self, verifier: Verifier, write_tools: Collection[str]) -> None:
        """Verify after these tools.

        Raises:
            TypeError: `write_tools` is a string.
        """
        if isinstance(write_tools, str):
            raise TypeError("write_tools is a collection of names, not one name")
        self._verifier = verifier
        self._write_tools = frozenset(write_tools)

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call, then the verifier."""
        result = await next.dispatch(ctx)
        tool_name = result.resolved_tool_name or ctx.tool_name
        if result.is_error or tool_name not in self._write_tools:
            return result
        try:
            verdict = await self._verifier(ctx, tool_name)
            word, diagnostics = "passed" if verdict.passed else "failed", verdict.diagnostics
        except Exception as error:  # noqa: BLE001 # whatever it raises, the write stands
            _log.exception("verifier failed", extra={"tool": tool_name})
            word, diagnostics = "not run", f"the verifier raised {type(error).__name__}"
        text = f"[verify] {word}: {diagnostics}" if diagnostics else f"[verify] {word}"
        return replace(result, output=append_text(result.output, text, separator="\n\n"))
