"""What a shield must offer: the plain way, its awaitable twin, and the way without a race."""

from collections.abc import Awaitable, Collection
from typing import Any, Protocol, runtime_checkable

from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext


class ToolSafetyShield(Protocol):
    """Judges calls before they run, and hears of them afterwards.

    A shield that has `reserve` and `settle` as well (`ReservingShield`) is asked through these.
    """

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        """Judge a call; pure: the same context and history give the same decision."""
        ...

    def record_invocation(
        self,
        tool_name: str,
        input: Any,
        success: bool,
        *,
        session_id: str | None = None,
    ) -> None:
        """Hear that a call ran, under the name and the input that were judged.

        A shield that has no use for sessions may leave `session_id` out of its signature.
        """
        ...

    def watched_tools(self) -> Collection[str]:
        """Return the tools that this shield wants to judge; no others are shown to it."""
        ...


class AsyncToolSafetyShield(Protocol):
    """A `ToolSafetyShield` whose judgement or memory is somewhere else."""

    def evaluate(self, ctx: ShieldContext) -> Awaitable[SafetyDecision]:
        """Judge a call."""
        ...

    def record_invocation(
        self,
        tool_name: str,
        input: Any,
        success: bool,
        *,
        session_id: str | None = None,
    ) -> Awaitable[None]:
        """Hear that a call ran."""
        ...

    def watched_tools(self) -> Collection[str]:
        """Return the tools that this shield wants to judge."""
        ...


@runtime_checkable
class ReservingShield(Protocol):
    """Judges a call and remembers it in one step, so calls side by side see each other."""

    def reserve(self, ctx: ShieldContext) -> tuple[SafetyDecision, object]:
        """Judge a call and, unless it is blocked, count it; never waits.

        Returns:
            The decision, and a token for `settle`; of a blocked call the token means nothing.
        """
        ...

    def settle(self, token: object, outcome: CallOutcome) -> None:
        """Hear how a call ended.

        Comes once for each attempt: where an outer layer repeats a call, the last outcome counts.
        """
        ...

    def watched_tools(self) -> Collection[str]:
        """Return the tools that this shield wants to judge."""
        ...


AnyShield = ToolSafetyShield | AsyncToolSafetyShield | ReservingShield
"""Every kind of shield that `SafetyShieldMiddleware` takes."""
