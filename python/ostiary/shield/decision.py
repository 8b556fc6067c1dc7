"""What a shield says of a call, and what a call tells a shield."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class SafetyAction(StrEnum):
    """What a shield recommends to do with a call."""

    ALLOW = "allow"
    WARN = "warn"
    BLOCK = "block"


class RiskLevel(StrEnum):
    """How a score is called, from harmless to worst."""

    SAFE = "safe"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class CallOutcome(StrEnum):
    """How a call that was let through ended.

    `CANCELLED` and `UNKNOWN` calls may have run in part or in full.
    """

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SafetyDecision:
    """A shield's judgement of one call; made by `allow`, `warn` or `block`.

    Attributes:
        action: What to do with the call.
        reason: Why, for people and models; None where the call is allowed.
        category: What kind of risk, for programs; None where the call is allowed.
        suggestion: A safer way to the same end, for people and models, where there is one.
    """

    action: SafetyAction
    reason: str | None = None
    category: str | None = None
    suggestion: str | None = None

    @classmethod
    def allow(cls) -> "SafetyDecision":
        """Return the decision that lets a call run."""
        return _ALLOW

    @classmethod
    def warn(cls, reason: str, category: str, suggestion: str | None = None) -> "SafetyDecision":
        """Return the decision that lets a call run, and says why somebody should look at it."""
        return cls(SafetyAction.WARN, reason, category, suggestion)

    @classmethod
    def block(cls, reason: str, category: str, suggestion: str | None = None) -> "SafetyDecision":
        """Return the decision that a call must not run."""
        return cls(SafetyAction.BLOCK, reason, category, suggestion)

    @property
    def is_allowed(self) -> bool:
        """Whether the call may run without a word."""
        return self.action is SafetyAction.ALLOW

    @property
    def is_warn(self) -> bool:
        """Whether the call may run and is to be reported."""
        return self.action is SafetyAction.WARN

    @property
    def is_blocked(self) -> bool:
        """Whether the call must not run."""
        return self.action is SafetyAction.BLOCK


_ALLOW = SafetyDecision(SafetyAction.ALLOW)


@dataclass(frozen=True, slots=True)
class ShieldContext:
    """One call, as a shield sees it before it runs.

    Attributes:
        tool_name: The tool that is about to run.
        input: Its input, a JSON value that nobody else holds.
        turn: Number of the turn, from 0.
        recent_calls: The session's last calls that ran, oldest first, as `(tool_name, turn)`, for
            shields that keep no history of their own.
        session_id: Whose history counts; None is a session of its own.
        cwd: The directory that relative paths in the input start from, where the host told it.
    """

    tool_name: str
    input: Any
    turn: int = 0
    recent_calls: tuple[tuple[str, int], ...] = ()
    session_id: str | None = None
    cwd: str | None = None
