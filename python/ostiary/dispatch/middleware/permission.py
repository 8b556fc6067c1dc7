"""Runs a call only where somebody permits it."""

import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, assert_never

from anyio.lowlevel import checkpoint_if_cancelled

from ostiary.closest import shown
from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.pipeline import ToolPipeline

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PermissionCheck:
    """What a host decided about a call; made by `allow`, `deny`, `ask` or `modify`.

    Attributes:
        action: What to do with the call.
        text: Why it is denied, or what to ask.
        input: What to run the tool with instead.
    """

    action: Literal["allow", "deny", "ask", "modify"]
    text: str = ""
    input: Any = None

    @classmethod
    def allow(cls) -> "PermissionCheck":
        """Return the decision to run the call."""
        return cls("allow")

    @classmethod
    def deny(cls, reason: str) -> "PermissionCheck":
        """Return the decision not to run the call."""
        return cls("deny", reason)

    @classmethod
    def ask(cls, prompt: str) -> "PermissionCheck":
        """Return the decision to let somebody else decide."""
        return cls("ask", prompt)

    @classmethod
    def modify(cls, input: Any) -> "PermissionCheck":
        """Return the decision to run the call with another input."""
        return cls("modify", input=input)


CheckFunction = Callable[[ToolDispatchContext], PermissionCheck | Awaitable[PermissionCheck]]
"""Decides about a call; may be async."""

AskResolver = Callable[[str, str], Awaitable[bool]]
"""Puts a question about a tool to somebody: `await resolver(prompt, tool_name)`; only True permits.
A cancelled call cancels the question as well."""


class PermissionMiddleware:
    """Asks a function about each call, and somebody else where that function says so.

    Whatever does not end in a plain yes is a denial: a question without a resolver, a check or a
    resolver that raises, a call that is cancelled while the question is open.
    """

    name: Final = "permission"

    def __init__(self, check: CheckFunction, *, ask: AskResolver | None = None) -> None:
        """Ask this function, and this resolver where the function wants to ask.

        Raises:
            TypeError: one of them cannot be called.
        """
        if not callable(check) or not (ask is None or callable(ask)):
            raise TypeError("the check and the resolver are callables")
        self._check = check
        self._ask = ask

    @classmethod
    def allow_all(cls) -> "PermissionMiddleware":
        """Return a middleware that permits every call."""
        return cls(lambda _: PermissionCheck.allow())

    @classmethod
    def deny_all(cls) -> "PermissionMiddleware":
        """Return a middleware that permits no call."""
        return cls(lambda _: PermissionCheck.deny("blocked by policy"))

    @classmethod
    def from_context(cls, *, ask: AskResolver | None = None) -> "PermissionMiddleware":
        """Return a middleware that does what the host put in `ctx.extensions["permission"]`."""
        return cls(_from_context, ask=ask)

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call, or say why it may not run."""
        try:
            check = self._check(ctx)
            if inspect.isawaitable(check):
                check = await check
            refusal = await self._refusal(ctx, check)
        except Exception as error:  # noqa: BLE001 # whatever it raises, it is no yes
            _log.exception("permission check failed", extra={"tool": ctx.tool_name})
            refusal = f"the check failed ({type(error).__name__})"
        if refusal is None:
            return await next.dispatch(ctx)
        _log.warning("permission denied", extra={"tool": ctx.tool_name, "reason": refusal})
        text = f"Permission denied for tool {shown(ctx.tool_name)}: {refusal}"
        return ToolDispatchResult(ctx.call_id, text, is_error=True)

    async def _refusal(self, ctx: ToolDispatchContext, check: PermissionCheck) -> str | None:
        """Return why the call may not run; None where it may."""
        match check.action:
            case "allow":
                return None
            case "modify":
                ctx.input = check.input
                return None
            case "deny":
                return check.text
            case "ask":
                return await self._answer(ctx.tool_name, check.text)
            case _ as never:
                assert_never(never)

    async def _answer(self, tool_name: str, prompt: str) -> str | None:
        if self._ask is None:
            return f"nobody can be asked: {prompt}"
        permitted = await self._ask(prompt, tool_name)
        # An answer that arrives together with a cancellation comes too late.
        await checkpoint_if_cancelled()
        return None if permitted is True else "denied by user"


def _from_context(ctx: ToolDispatchContext) -> PermissionCheck:
    check = ctx.extensions.get("permission")
    if isinstance(check, PermissionCheck):
        return check
    return PermissionCheck.deny("no permission was given")
