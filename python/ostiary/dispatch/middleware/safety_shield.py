"""Asks a shield before each watched call, and tells it afterwards."""

import logging
from dataclasses import replace
from typing import Any, Final, Literal

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.middleware.shield_call import JudgedCall, ShieldCaller
from ostiary.dispatch.order import SHIELD
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.values import append_text, snapshot
from ostiary.shield.compact import compact_json
from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext
from ostiary.shield.history import MAX_SESSIONS, SessionHistory
from ostiary.shield.protocols import AnyShield

_log = logging.getLogger(__name__)

ERROR_CATEGORY: Final = "shield_error"
"""The category of a decision that the shield did not make, because it raised."""


class SafetyShieldMiddleware:
    """Runs a watched call only after its shield allowed it.

    A call is judged under the name and the input that reach this layer. An outer layer that
    repeats a call with the same context gets the same decision again, and the call one record.
    Install it once, inside what renames tools and outside the memoizer.
    """

    name: Final = SHIELD

    def __init__(
        self,
        shield: AnyShield,
        *,
        on_error: Literal["block", "allow"] = "block",
        surface_warnings: bool = False,
        max_sessions: int = MAX_SESSIONS,
    ) -> None:
        """Ask this shield.

        Args:
            shield: Asked through `reserve` and `settle` where it has both, else through `evaluate`
                and `record_invocation`, awaited where they are awaitable.
            on_error: What becomes of a call whose shield raised; `allow` lets it run, with a
                warning in the log.
            surface_warnings: Whether the model reads warnings in the results, and the category and
                a suggestion of warnings and refusals.
            max_sessions: Sessions whose window is kept at once; the one that was written to least
                recently is forgotten first.

        Raises:
            TypeError: the shield has neither pair of methods.
            ValueError: `max_sessions` is less than 1, or `on_error` is neither word.
        """
        if on_error not in {"block", "allow"}:
            raise ValueError(f"on_error is 'block' or 'allow', not {on_error!r}")
        self._shield = ShieldCaller(shield)
        self._fail_open = on_error == "allow"
        self._surface_warnings = surface_warnings
        self._window: SessionHistory[tuple[str, int]] = SessionHistory(max_sessions=max_sessions)

    def recent_calls(self, session_id: str | None = None) -> tuple[tuple[str, int], ...]:
        """Return a session's last 20 watched calls that ran, oldest first: `(tool_name, turn)`."""
        return self._window.snapshot(session_id)

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Judge the call, run it or refuse it, and record that it ran."""
        fault: Exception | None = None
        try:
            watched = ctx.tool_name in self._shield.watched_tools()
        except Exception as error:  # noqa: BLE001 # whatever a shield raises, the call is not judged
            watched, fault = True, error
        if not watched:
            return await next.dispatch(ctx)
        call: JudgedCall | None = ctx.memory.get(self)
        if call is None or not _same(call.seen, ctx):
            call = ctx.memory[self] = await self._judge(ctx, fault)
        if call.decision.is_blocked:
            return self._refusal(ctx, call.decision)
        return await self._run(call, ctx, next)

    async def _judge(self, ctx: ToolDispatchContext, fault: Exception | None) -> JudgedCall:
        seen = None
        try:
            seen = self._show(ctx, snapshot(ctx.input))
            if fault is not None:
                raise fault  # noqa: TRY301 # one place says what a failure means
            call = await self._shield.judge(seen)
        except Exception as error:  # noqa: BLE001 # whatever a shield raises, it is an answer here
            return self._failed(seen or self._show(ctx, None), error)
        if call.decision.is_warn:
            _log.warning("safety shield warning", extra=_fields(seen, call.decision))
        return call

    def _show(self, ctx: ToolDispatchContext, input: Any) -> ShieldContext:
        session_id = ctx.session_id
        window = self._window.snapshot(session_id)
        return ShieldContext(ctx.tool_name, input, ctx.turn_number, window, session_id, ctx.cwd)

    def _failed(self, seen: ShieldContext, error: Exception) -> JudgedCall:
        reason = f"the shield failed ({type(error).__name__}), so the call was not judged"
        make = SafetyDecision.warn if self._fail_open else SafetyDecision.block
        decision = make(reason, ERROR_CATEGORY)
        level = logging.WARNING if self._fail_open else logging.ERROR
        _log.log(level, "safety shield failed", exc_info=error, extra=_fields(seen, decision))
        return JudgedCall(seen, decision)

    async def _run(
        self, call: JudgedCall, ctx: ToolDispatchContext, next: ToolPipeline
    ) -> ToolDispatchResult:
        try:
            result = await next.dispatch(ctx)
        except BaseException as error:
            self._enter(call)
            await self._shield.tell_interrupted(call, error)
            raise
        self._enter(call)
        outcome = CallOutcome.FAILED if result.is_error else CallOutcome.SUCCEEDED
        await self._shield.tell(call, outcome)
        if self._surface_warnings and call.decision.is_warn:
            text = f"[safety shield warning: {_surfaced(call.decision)}]"
            return replace(result, output=append_text(result.output, text))
        return result

    def _enter(self, call: JudgedCall) -> None:
        """Put a call that ran in the window, once."""
        if not call.entered:
            call.entered = True
            self._window.append(call.seen.session_id, (call.seen.tool_name, call.seen.turn))

    def _refusal(self, ctx: ToolDispatchContext, decision: SafetyDecision) -> ToolDispatchResult:
        says = _surfaced(decision) if self._surface_warnings else decision.reason or "high risk"
        return ToolDispatchResult(ctx.call_id, f"blocked by safety shield: {says}", is_error=True)


def _same(seen: ShieldContext, ctx: ToolDispatchContext) -> bool:
    """Return whether a call that comes again is still the one that was judged."""
    if seen.tool_name != ctx.tool_name or seen.session_id != ctx.session_id:
        return False
    try:  # as JSON, because Python takes 1 and True for equal
        return compact_json(seen.input) == compact_json(ctx.input)
    except Exception:  # noqa: BLE001 # whatever an input raises, it is judged anew
        return False


def _surfaced(decision: SafetyDecision) -> str:
    """Return all that a model may read of a decision."""
    text = decision.reason or "high risk"
    if decision.category:
        text = f"{text} ({decision.category})"
    return f"{text}; instead: {decision.suggestion}" if decision.suggestion else text


def _fields(seen: ShieldContext, decision: SafetyDecision) -> dict[str, Any]:
    return {"tool": seen.tool_name, "reason": decision.reason, "category": decision.category}
