"""The reference shield: loopctl's `UnixShield`, decision for decision.

It matches text, so it blocks what only looks dangerous and misses what looks otherwise;
`docs/calls.md` says how far that goes.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from ostiary.shield.compact import compact_json
from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext
from ostiary.shield.history import MAX_SESSIONS, SessionHistory
from ostiary.shield.unix_rules import (
    UNIX_COMBINATION_RULES,
    UNIX_PATTERNS,
    CombinationRule,
    RiskPattern,
)
from ostiary.shield.unix_score import BLOCK_THRESHOLD, WARN_THRESHOLD, Call, UnixScorer


class UnixShield:
    """Scores a call by texts in it, by repetition, and by the calls before it.

    total = min(1, single + 0.5 * repetition + 0.3 * combination), in 32-bit floats. Each session
    has its own history of the last 20 recorded calls. Safe under threads and tasks.
    """

    __slots__ = ("_history", "_lock", "_looks_for", "_scorer", "_watched")

    def __init__(
        self,
        *,
        patterns: Mapping[str, Iterable[RiskPattern]] = UNIX_PATTERNS,
        combination_rules: Iterable[CombinationRule] = UNIX_COMBINATION_RULES,
        warn_threshold: float = WARN_THRESHOLD,
        block_threshold: float = BLOCK_THRESHOLD,
        max_sessions: int = MAX_SESSIONS,
    ) -> None:
        """Watch the tools that have patterns.

        Args:
            patterns: Texts to look for, by tool.
            combination_rules: Sequences to look for.
            warn_threshold: Score from which a call is warned about.
            block_threshold: Score from which a call is blocked. A pair in the wrong order changes
                places, both are kept within 0 and 1, and what is no finite number gives way to the
                default.
            max_sessions: Sessions whose history is kept at once; the one that was written to least
                recently is forgotten first.

        Raises:
            ValueError: `max_sessions` is less than 1.
        """
        self._looks_for = (
            {tool_name: tuple(found) for tool_name, found in patterns.items()},
            tuple(combination_rules),
            max_sessions,
        )
        self._scorer = UnixScorer(*self._looks_for[:2], warn_threshold, block_threshold)
        self._watched = self._scorer.tools
        self._history: SessionHistory[Call] = SessionHistory(max_sessions=max_sessions)
        self._lock = threading.Lock()

    @staticmethod
    def builder() -> "UnixShieldBuilder":
        """Return a builder that starts with the default patterns and rules."""
        return UnixShieldBuilder()

    @staticmethod
    def blank() -> "UnixShieldBuilder":
        """Return a builder that starts with no pattern and no rule."""
        return UnixShieldBuilder.blank()

    def with_thresholds(self, warn: float, block: float) -> "UnixShield":
        """Return a shield that looks for the same, with other thresholds and an empty history."""
        patterns, rules, max_sessions = self._looks_for
        return UnixShield(
            patterns=patterns,
            combination_rules=rules,
            warn_threshold=warn,
            block_threshold=block,
            max_sessions=max_sessions,
        )

    def watched_tools(self) -> frozenset[str]:
        """Return the tools that have patterns."""
        return self._watched

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        """Judge a call by its input and by what was recorded in its session.

        Raises:
            TypeError: the input is no JSON value.
        """
        text = compact_json(ctx.input)
        return self._decide(self._scorer.call(ctx.tool_name, text), text, ctx.session_id)

    def reserve(self, ctx: ShieldContext) -> tuple[SafetyDecision, None]:
        """Judge a call and record it, unless it is blocked, before any other call is judged.

        Raises:
            TypeError: the input is no JSON value.
        """
        text = compact_json(ctx.input)
        call = self._scorer.call(ctx.tool_name, text)
        with self._lock:
            decision = self._decide(call, text, ctx.session_id)
            if not decision.is_blocked:
                self._history.append(ctx.session_id, call)
        return decision, None

    def settle(self, token: object, outcome: CallOutcome) -> None:
        """Change nothing: a call that failed or was cut short counts like any other."""

    def record_invocation(
        self, tool_name: str, input: Any, success: bool, *, session_id: str | None = None
    ) -> None:
        """Record a call that ran; whether it succeeded is of no account.

        Raises:
            TypeError: the input is no JSON value.
        """
        self._history.append(session_id, self._scorer.call(tool_name, compact_json(input)))

    def assess_single_tool_risk(self, tool_name: str, input: Any) -> float:
        """Return the highest score among the tool's patterns that the input holds, else 0."""
        return self._scorer.single(tool_name, compact_json(input))

    def assess_multi_turn(self, ctx: ShieldContext) -> float:
        """Return the score of 0, 1, 2, or 3 and more recorded calls of the same tool."""
        return self._scorer.repetition(ctx.tool_name, self._history.snapshot(ctx.session_id))

    def assess_combination(self, ctx: ShieldContext) -> float:
        """Return the highest score among the rules that the history and this call complete."""
        call = self._scorer.call(ctx.tool_name, compact_json(ctx.input))
        return self._scorer.combination((*self._history.snapshot(ctx.session_id), call))

    def _decide(self, call: Call, text: str, session_id: str | None) -> SafetyDecision:
        return self._scorer.decide(call, text, self._history.snapshot(session_id))


class UnixShieldBuilder:
    """Collects what a `UnixShield` looks for; each step returns the builder itself."""

    __slots__ = ("_block", "_patterns", "_rules", "_warn")

    def __init__(self) -> None:
        """Start with the default patterns, rules and thresholds."""
        self._patterns = {tool_name: list(found) for tool_name, found in UNIX_PATTERNS.items()}
        self._rules = list(UNIX_COMBINATION_RULES)
        self._warn = WARN_THRESHOLD
        self._block = BLOCK_THRESHOLD

    @classmethod
    def blank(cls) -> "UnixShieldBuilder":
        """Return a builder with no pattern and no rule."""
        builder = cls()
        builder._patterns.clear()
        builder._rules.clear()
        return builder

    def with_pattern(
        self, tool_name: str, patterns: RiskPattern | Iterable[RiskPattern]
    ) -> "UnixShieldBuilder":
        """Add one pattern or several to a tool's; the tool is watched from the first on."""
        added = [patterns] if isinstance(patterns, RiskPattern) else patterns
        self._patterns.setdefault(tool_name, []).extend(added)
        return self

    def with_combination_rule(self, rule: CombinationRule) -> "UnixShieldBuilder":
        """Add a sequence to look for."""
        self._rules.append(rule)
        return self

    def with_warn_threshold(self, threshold: float) -> "UnixShieldBuilder":
        """Warn from this score on."""
        self._warn = threshold
        return self

    def with_block_threshold(self, threshold: float) -> "UnixShieldBuilder":
        """Block from this score on."""
        self._block = threshold
        return self

    def with_thresholds(self, warn: float, block: float) -> "UnixShieldBuilder":
        """Warn and block from these scores on."""
        return self.with_warn_threshold(warn).with_block_threshold(block)

    def build(self) -> UnixShield:
        """Return a shield with what was collected, and an empty history."""
        return UnixShield(
            patterns=self._patterns,
            combination_rules=self._rules,
            warn_threshold=self._warn,
            block_threshold=self._block,
        )
