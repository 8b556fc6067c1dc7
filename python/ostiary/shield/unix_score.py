"""The reference shield's arithmetic: a call and the calls before it, to a score and a decision."""

import logging
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Final, NamedTuple

from ostiary.shield.decision import RiskLevel, SafetyDecision
from ostiary.shield.float32 import add, float32, multiply
from ostiary.shield.unix_rules import CombinationRule, RiskPattern

_log = logging.getLogger(__name__)

WARN_THRESHOLD: Final = 0.4
BLOCK_THRESHOLD: Final = 0.7
"""Scores from which a call is warned about, and blocked (loopctl 0.3)."""

_LOW = float32(0.2)
_CRITICAL = float32(0.9)
_REPETITION = tuple(map(float32, (0.0, 0.1, 0.3, 0.6)))
_REPETITION_WEIGHT = float32(0.5)
_COMBINATION_WEIGHT = float32(0.3)
_CATEGORY = "safety_evaluation"

_Trigger = tuple[str, str | None]


class Call(NamedTuple):
    """What counts of a call in a history: which of the rules' triggers it met, never its input."""

    tool_name: str
    met: list[_Trigger]


class UnixScorer:
    """Patterns, rules and thresholds, fixed; all state is handed in."""

    __slots__ = ("_block", "_patterns", "_rules", "_triggers", "_warn")

    def __init__(
        self,
        patterns: Mapping[str, Iterable[RiskPattern]],
        rules: Iterable[CombinationRule],
        warn: float,
        block: float,
    ) -> None:
        """Round every score to 32 bits once; thresholds are put in order."""
        self._patterns = {
            tool_name: tuple((each.pattern, float32(each.score)) for each in found)
            for tool_name, found in patterns.items()
        }
        self._rules = tuple((_triggers(rule), float32(rule.score)) for rule in rules)
        self._triggers = _by_tool(triggers for triggers, _ in self._rules)
        self._warn, self._block = _ordered(warn, block)

    @property
    def tools(self) -> frozenset[str]:
        """The tools that have patterns."""
        return frozenset(self._patterns)

    def call(self, tool_name: str, text: str) -> Call:
        """Return what counts of a call whose input is this compact JSON."""
        triggers = self._triggers.get(tool_name, ())
        return Call(tool_name, [each for each in triggers if each[1] is None or each[1] in text])

    def single(self, tool_name: str, text: str) -> float:
        """Return the highest score among the tool's patterns in the text, else 0."""
        patterns = self._patterns.get(tool_name, ())
        return max((score for pattern, score in patterns if pattern in text), default=0.0)

    def repetition(self, tool_name: str, history: tuple[Call, ...]) -> float:
        """Return the score of 0, 1, 2, or 3 and more earlier calls of the tool."""
        count = [name for name, _ in history].count(tool_name)
        return _REPETITION[min(count, len(_REPETITION) - 1)]

    def combination(self, calls: tuple[Call, ...]) -> float:
        """Return the highest score among the rules that the calls complete in order, else 0."""
        met = [triggers for _, triggers in calls if triggers]
        return max((score for rule, score in self._rules if _complete(met, rule)), default=0.0)

    def decide(self, call: Call, text: str, history: tuple[Call, ...]) -> SafetyDecision:
        """Return the decision on a call after these."""
        repetition = multiply(self.repetition(call.tool_name, history), _REPETITION_WEIGHT)
        combination = multiply(self.combination((*history, call)), _COMBINATION_WEIGHT)
        total = min(add(add(self.single(call.tool_name, text), repetition), combination), 1.0)
        level = self.level(total)
        if level is RiskLevel.SAFE or level is RiskLevel.LOW:
            return SafetyDecision.allow()
        if level is RiskLevel.MEDIUM:
            return SafetyDecision.warn(f"Moderate risk detected (score={total:.2f})", _CATEGORY)
        reason = f"High risk blocked (score={total:.2f}, category={level})"
        return SafetyDecision.block(reason, _CATEGORY)

    def level(self, score: float) -> RiskLevel:
        """Return what a score is called; critical starts at 0.9 whatever the thresholds."""
        if score >= _CRITICAL:
            return RiskLevel.CRITICAL
        if score >= self._block:
            return RiskLevel.HIGH
        if score >= self._warn:
            return RiskLevel.MEDIUM
        return RiskLevel.LOW if score >= _LOW else RiskLevel.SAFE


def _triggers(rule: CombinationRule) -> tuple[_Trigger, ...]:
    return tuple((tool_name, text) for tool_name, text in rule.triggers)


def _complete(calls: list[list[_Trigger]], rule: tuple[_Trigger, ...]) -> bool:
    """Return whether the calls meet a rule's triggers one after the other."""
    remaining = iter(rule)
    wanted = next(remaining, None)
    for met in calls:
        if wanted in met:
            wanted = next(remaining, None)
    return wanted is None


def _by_tool(rules: Iterable[tuple[_Trigger, ...]]) -> dict[str, tuple[_Trigger, ...]]:
    """Return the triggers that a call of each tool can meet."""
    triggers = dict.fromkeys(trigger for rule in rules for trigger in rule)
    return {
        tool_name: tuple(each for each in triggers if each[0] == tool_name)
        for tool_name, _ in triggers
    }


def _ordered(warn: float, block: float) -> tuple[float, float]:
    """Return the thresholds as they count: finite, the lower one first, within 0 and 1."""
    if not isfinite(warn):
        _log.warning("the warn threshold is no finite number, so %s counts", WARN_THRESHOLD)
        warn = WARN_THRESHOLD
    if not isfinite(block):
        _log.warning("the block threshold is no finite number, so %s counts", BLOCK_THRESHOLD)
        block = BLOCK_THRESHOLD
    if block < warn:
        _log.warning("the block threshold is below the warn threshold, so they change places")
        warn, block = block, warn
    return float32(min(max(warn, 0.0), 1.0)), float32(min(max(block, 0.0), 1.0))
