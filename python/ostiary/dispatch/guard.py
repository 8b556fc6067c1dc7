"""Judges a call before it runs and hears how it ended, whoever runs it."""

import logging
from typing import Any, Final, Literal

from ostiary.dispatch.shield_call import JudgedCall, ShieldCaller
from ostiary.dispatch.values import snapshot
from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext
from ostiary.shield.history import MAX_SESSIONS, SessionHistory
from ostiary.shield.protocols import AnyShield

_log = logging.getLogger(__name__)

ERROR_CATEGORY: Final = "shield_error"
"""The category of a decision that the shield did not make, because it raised."""


class CallGuard:
    """One shield round calls that somebody else runs.

    `judge` a call, and after one that was not blocked say exactly one of `settle`, `interrupt`
    and `give_up`; of an outcome that comes again the last counts.
    """

    def __init__(
        self,
        shield: AnyShield,
        *,
        on_error: Literal["block", "allow"] = "block",
        max_sessions: int = MAX_SESSIONS,
    ) -> None:
        """Ask this shield.

        Args:
            shield: Asked through `reserve` and `settle` where it has both, else through `evaluate`
                and `record_invocation`, awaited where they are awaitable.
            on_error: What becomes of a call whose shield raised; `allow` lets it run, with a
                warning in the log.
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
        self._window: SessionHistory[tuple[str, int]] = SessionHistory(max_sessions=max_sessions)

    def recent_calls(self, session_id: str | None = None) -> tuple[tuple[str, int], ...]:
        """Return a session's last 20 watched calls that ran, oldest first: `(tool_name, turn)`."""
        return self._window.snapshot(session_id)

    def watches(self, tool_name: str) -> bool:
        """Return whether the shield wants to judge this tool; also where it cannot say."""
        try:
            return tool_name in self._shield.watched_tools()
        except Exception:  # noqa: BLE001 # whatever a shield raises, `judge` says what it means
            return True

    async def judge(
        self,
        tool_name: str,
        input: Any,
        *,
        turn: int = 0,
        session_id: str | None = None,
        cwd: str | None = None,
    ) -> JudgedCall:
        """Judge a watched call; a shield that raises has judged as `on_error` says."""
        window = self._window.snapshot(session_id)
        seen = ShieldContext(tool_name, None, turn, window, session_id, cwd)
        try:
            seen = ShieldContext(tool_name, snapshot(input), turn, window, session_id, cwd)
            self._shield.watched_tools()  # what it raises here, `watches` could not say
            call = await self._shield.judge(seen)
        except Exception as error:  # noqa: BLE001 # whatever a shield raises, it is an answer here
            return self._failed(seen, error)
        if call.decision.is_warn:
            _log.warning("safety shield warning", extra=_fields(seen, call.decision))
        return call

    async def settle(self, call: JudgedCall, outcome: CallOutcome) -> None:
        """Hear that a call ran, and how it ended."""
        self._enter(call)
        await self._shield.tell(call, outcome)

    async def interrupt(self, call: JudgedCall, error: BaseException) -> None:
        """Hear of a call that something other than its end took away; it may have run in part."""
        self._enter(call)
        await self._shield.tell_interrupted(call, error)

    async def give_up(self, call: JudgedCall) -> None:
        """Hear of a call that was put off and will be judged anew; it is not recorded as run.

        What a reserving shield counted for it stays counted, as of a call whose end is not known.
        """
        if call.reserved:
            await self._shield.tell(call, CallOutcome.UNKNOWN)

    def _failed(self, seen: ShieldContext, error: Exception) -> JudgedCall:
        reason = f"the shield failed ({type(error).__name__}), so the call was not judged"
        make = SafetyDecision.warn if self._fail_open else SafetyDecision.block
        decision = make(reason, ERROR_CATEGORY)
        level = logging.WARNING if self._fail_open else logging.ERROR
        _log.log(level, "safety shield failed", exc_info=error, extra=_fields(seen, decision))
        return JudgedCall(seen, decision)

    def _enter(self, call: JudgedCall) -> None:
        """Put a call that ran in the window, once."""
        if not call.entered:
            call.entered = True
            self._window.append(call.seen.session_id, (call.seen.tool_name, call.seen.turn))


def refusal_text(says: str) -> str:
    """Return what a model reads in place of a blocked call's result."""
    return f"blocked by safety shield: {says}"


def warning_text(decision: SafetyDecision) -> str:
    """Return what a model reads behind a warned call's result."""
    return f"[safety shield warning: {surfaced(decision)}]"


def surfaced(decision: SafetyDecision) -> str:
    """Return all that a model may read of a decision."""
    text = decision.reason or "high risk"
    if decision.category:
        text = f"{text} ({decision.category})"
    return f"{text}; instead: {decision.suggestion}" if decision.suggestion else text


def _fields(seen: ShieldContext, decision: SafetyDecision) -> dict[str, Any]:
    return {"tool": seen.tool_name, "reason": decision.reason, "category": decision.category}
