"""Shields that keep a diary, and short ways to build contexts and pipelines."""

from collections.abc import Callable, Mapping
from typing import Any

from ostiary import (
    CallOutcome,
    SafetyDecision,
    ShieldContext,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
)


def call(tool_name: str = "Bash", input: Any = None, **others: Any) -> ToolDispatchContext:
    return ToolDispatchContext(tool_name, {} if input is None else input, **others)


def bash(command: str, **others: Any) -> ToolDispatchContext:
    return call("Bash", {"command": command}, **others)


def pipeline(*layers: Any, tools: Mapping[str, Callable[..., Any]] | None = None) -> ToolPipeline:
    builder = ToolPipeline.builder()
    for layer in layers:
        builder.with_middleware(layer)
    return builder.with_core({"Bash": echo, "Write": echo, "Read": echo, **(tools or {})}).build()


async def echo(**input: Any) -> str:
    return str(input)


class Counter:
    """A tool that writes down what it is called with."""

    def __init__(self) -> None:
        self.ran: list[Any] = []

    async def __call__(self, *args: Any, **input: Any) -> str:
        self.ran.append(args[0] if args else input)
        return "ran"


class Layer:
    """A middleware made of a function."""

    def __init__(self, dispatch: Callable[..., Any], name: str = "layer") -> None:
        self.name = name
        self._dispatch = dispatch

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        result: ToolDispatchResult = await self._dispatch(ctx, next)
        return result


class PlainShield:
    """Says what it was told to say, and writes down what it hears."""

    def __init__(self, decision: SafetyDecision | None = None, *, tools: str = "Bash") -> None:
        self.decision = decision or SafetyDecision.allow()
        self.tools = set(tools.split())
        self.seen: list[ShieldContext] = []
        self.recorded: list[tuple[str, Any, bool]] = []
        self.sessions: list[str | None] = []

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        self.seen.append(ctx)
        return self.decision

    def record_invocation(
        self, tool_name: str, input: Any, success: bool, *, session_id: str | None = None
    ) -> None:
        self.recorded.append((tool_name, input, success))
        self.sessions.append(session_id)

    def watched_tools(self) -> set[str]:
        return self.tools


class DiaryShield:
    """A reserving shield."""

    def __init__(self, decision: SafetyDecision | None = None) -> None:
        self.decision = decision or SafetyDecision.allow()
        self.reserved: list[ShieldContext] = []
        self.settled: list[tuple[object, CallOutcome]] = []

    def reserve(self, ctx: ShieldContext) -> tuple[SafetyDecision, object]:
        self.reserved.append(ctx)
        return self.decision, len(self.reserved)

    def settle(self, token: object, outcome: CallOutcome) -> None:
        self.settled.append((token, outcome))

    def watched_tools(self) -> tuple[str, ...]:
        return ("Bash",)
