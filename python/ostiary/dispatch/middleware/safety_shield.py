"""Asks a shield before each watched call, and tells it afterwards."""

from dataclasses import replace
from typing import Final, Literal

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.guard import CallGuard, refusal_text, surfaced, warning_text
from ostiary.dispatch.order import SHIELD
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.shield_call import JudgedCall
from ostiary.dispatch.values import append_text
from ostiary.shield.compact import compact_json
from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext
from ostiary.shield.history import MAX_SESSIONS
from ostiary.shield.protocols import AnyShield


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
        """Ask this shield, as a `CallGuard` with the same settings does.

        Args:
            shield: Who judges.
            on_error: What becomes of a call whose shield raised.
            surface_warnings: Whether the model reads warnings in the results, and the category and
                a suggestion of warnings and refusals.
            max_sessions: Sessions whose window is kept at once.

        Raises:
            TypeError: the shield has neither pair of methods.
            ValueError: `max_sessions` is less than 1, or `on_error` is neither word.
        """
        self._guard = CallGuard(shield, on_error=on_error, max_sessions=max_sessions)
        self._surface_warnings = surface_warnings

    def recent_calls(self, session_id: str | None = None) -> tuple[tuple[str, int], ...]:
        """Return a session's last 20 watched calls that ran, oldest first: `(tool_name, turn)`."""
        return self._guard.recent_calls(session_id)

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Judge the call, run it or refuse it, and record that it ran."""
        if not self._guard.watches(ctx.tool_name):
            return await next.dispatch(ctx)
        call: JudgedCall | None = ctx.memory.get(self)
        if call is None or not _same(call.seen, ctx):
            call = ctx.memory[self] = await self._guard.judge(
                ctx.tool_name,
                ctx.input,
                turn=ctx.turn_number,
                session_id=ctx.session_id,
                cwd=ctx.cwd,
            )
        if call.decision.is_blocked:
            return self._refusal(ctx, call.decision)
        return await self._run(call, ctx, next)

    async def _run(
        self, call: JudgedCall, ctx: ToolDispatchContext, next: ToolPipeline
    ) -> ToolDispatchResult:
        try:
            result = await next.dispatch(ctx)
        except BaseException as error:
            await self._guard.interrupt(call, error)
            raise
        outcome = CallOutcome.FAILED if result.is_error else CallOutcome.SUCCEEDED
        await self._guard.settle(call, outcome)
        if self._surface_warnings and call.decision.is_warn:
            return replace(result, output=append_text(result.output, warning_text(call.decision)))
        return result

    def _refusal(self, ctx: ToolDispatchContext, decision: SafetyDecision) -> ToolDispatchResult:
        says = surfaced(decision) if self._surface_warnings else decision.reason or "high risk"
        return ToolDispatchResult(ctx.call_id, refusal_text(says), is_error=True)


def _same(seen: ShieldContext, ctx: ToolDispatchContext) -> bool:
    """Return whether a call that comes again is still the one that was judged."""
    if seen.tool_name != ctx.tool_name or seen.session_id != ctx.session_id:
        return False
    try:  # as JSON, because Python takes 1 and True for equal
        return compact_json(seen.input) == compact_json(ctx.input)
    except Exception:  # noqa: BLE001 # whatever an input raises, it is judged anew
        return False
