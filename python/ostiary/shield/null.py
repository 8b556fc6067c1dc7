"""The shield that stands where none is wanted."""

from typing import Any, Final

from ostiary.shield.decision import SafetyDecision, ShieldContext

_NOTHING: Final[frozenset[str]] = frozenset()


class NullShield:
    """Watches nothing, allows everything, remembers nothing."""

    __slots__ = ()

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        """Allow the call."""
        return SafetyDecision.allow()

    def record_invocation(
        self, tool_name: str, input: Any, success: bool, *, session_id: str | None = None
    ) -> None:
        """Forget the call."""

    def watched_tools(self) -> frozenset[str]:
        """Return the empty set: no call is ever shown to this shield."""
        return _NOTHING
