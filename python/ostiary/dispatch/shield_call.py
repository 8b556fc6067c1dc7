"""Speaks to every kind of shield in the same way: judge a call, then say how it ended."""

import inspect
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Final

import anyio

from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext
from ostiary.shield.protocols import AnyShield

_log = logging.getLogger(__name__)

RECORD_GRACE: Final = 5.0
"""Seconds that an awaitable record of a cancelled call may hold the cancellation up."""

_NO_CANCELLATION = (Exception, GeneratorExit, KeyboardInterrupt, SystemExit)


@dataclass(slots=True)
class JudgedCall:
    """A call, what its shield said, and how far its record has come.

    Attributes:
        seen: What the shield was shown; nothing that happens to the call later changes it.
        decision: What the shield said.
        reserved: Whether the shield counted the call when it judged it.
        token: What the shield wants back with the outcome of a reserved call.
        recorded: Whether the shield was told, on the plain path, that the call ran.
        entered: Whether the call is in the window.
    """

    seen: ShieldContext
    decision: SafetyDecision
    reserved: bool = False
    token: object = None
    recorded: bool = False
    entered: bool = False


class ShieldCaller:
    """One shield, whichever of the three protocols it follows."""

    __slots__ = ("_evaluate", "_record", "_reserve", "_settle", "_with_session", "watched_tools")

    def __init__(self, shield: AnyShield) -> None:
        """Find out how the shield wants to be asked.

        Raises:
            TypeError: it watches no tools, or can neither reserve and settle nor evaluate and
                record.
        """
        given: Any = shield
        self._reserve, self._settle = _pair(given, "reserve", "settle")
        self._evaluate, self._record = _pair(given, "evaluate", "record_invocation")
        watched = getattr(given, "watched_tools", None)
        if watched is None or not (self._reserve or self._evaluate):
            raise TypeError(
                "a shield has watched_tools, and evaluate with record_invocation or reserve with "
                f"settle; {type(given).__name__} has not"
            )
        self.watched_tools: Any = watched
        self._with_session = self._record is not None and _takes_session(self._record)

    async def judge(self, seen: ShieldContext) -> JudgedCall:
        """Return the call with the shield's decision.

        Raises:
            TypeError: the shield answered with something else than a decision.
        """
        if self._reserve is not None:
            decision, token = self._reserve(seen)
            _require_decision(decision)
            return JudgedCall(seen, decision, not decision.is_blocked, token)
        decision = self._evaluate(seen)
        if inspect.isawaitable(decision):
            decision = await decision
        _require_decision(decision)
        return JudgedCall(seen, decision)

    async def tell(self, call: JudgedCall, outcome: CallOutcome) -> None:
        """Tell the shield how a call ended; what the shield raises is logged."""
        try:
            pending = self._begin(call, outcome)
            if pending is not None:
                await pending
        except Exception:  # noqa: BLE001 # whatever a shield raises, the result stands
            self._complain(call)

    async def tell_interrupted(self, call: JudgedCall, error: BaseException) -> None:
        """Tell the shield of a call that something other than its end took away."""
        outcome = CallOutcome.UNKNOWN
        if not isinstance(error, _NO_CANCELLATION) and isinstance(
            error, anyio.get_cancelled_exc_class()
        ):
            outcome = CallOutcome.CANCELLED
        try:
            pending = self._begin(call, outcome)
            if pending is None:
                return
            if isinstance(error, GeneratorExit):
                _drop(pending)
            with anyio.move_on_after(RECORD_GRACE, shield=True):
                await pending
        except Exception:  # noqa: BLE001 # whatever a shield raises, the result stands
            self._complain(call)

    def _begin(self, call: JudgedCall, outcome: CallOutcome) -> Awaitable[None] | None:
        """Tell the shield; what it returns is still to be awaited."""
        if call.reserved:
            self._settle(call.token, outcome)
            return None
        if call.recorded or self._record is None:
            return None
        call.recorded = True
        seen, success = call.seen, outcome is CallOutcome.SUCCEEDED
        session = {"session_id": seen.session_id} if self._with_session else {}
        pending = self._record(seen.tool_name, seen.input, success, **session)
        return pending if inspect.isawaitable(pending) else None

    def _complain(self, call: JudgedCall) -> None:
        _log.exception(
            "safety shield could not be told of a call", extra={"tool": call.seen.tool_name}
        )


def _pair(shield: Any, first: str, second: str) -> tuple[Any, Any]:
    found = getattr(shield, first, None), getattr(shield, second, None)
    return (None, None) if None in found else found


def _takes_session(record: Any) -> bool:
    try:
        parameters = inspect.signature(record).parameters
    except (TypeError, ValueError):  # a callable that does not say what it takes
        return True
    return "session_id" in parameters or any(
        each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()
    )


def _require_decision(decision: Any) -> None:
    if not isinstance(decision, SafetyDecision):
        raise TypeError(f"a shield answers with a SafetyDecision, not {type(decision).__name__}")


def _drop(pending: Any) -> None:
    """Give up on an awaitable of a call that nobody runs any more.

    Raises:
        RuntimeError: always.
    """
    if inspect.iscoroutine(pending):
        pending.close()
    raise RuntimeError("nothing can be awaited any more")
