"""Decisions, levels and actions as values."""

import pytest

from ostiary import CallOutcome, RiskLevel, SafetyAction, SafetyDecision, ShieldContext


@pytest.mark.parametrize(
    ("decision", "predicates"),
    [
        (SafetyDecision.allow(), (True, False, False)),
        (SafetyDecision.warn("odd", "test"), (False, True, False)),
        (SafetyDecision.block("bad", "test"), (False, False, True)),
    ],
)
def test_a_decision_is_exactly_one_of_three(
    decision: SafetyDecision, predicates: tuple[bool, bool, bool]
) -> None:
    assert (decision.is_allowed, decision.is_warn, decision.is_blocked) == predicates


def test_an_allowed_call_has_neither_reason_nor_category() -> None:
    assert SafetyDecision.allow() == SafetyDecision(SafetyAction.ALLOW, None, None)


def test_a_warning_and_a_block_say_why() -> None:
    assert SafetyDecision.warn("odd", "test") == SafetyDecision(SafetyAction.WARN, "odd", "test")
    assert SafetyDecision.block("bad", "test") == SafetyDecision(SafetyAction.BLOCK, "bad", "test")


def test_the_enums_are_the_words_themselves() -> None:
    assert [*SafetyAction] == ["allow", "warn", "block"]
    assert [*RiskLevel] == ["safe", "low", "medium", "high", "critical"]
    assert [*CallOutcome] == ["succeeded", "failed", "cancelled", "unknown"]


def test_a_shield_context_needs_only_the_tool_and_its_input() -> None:
    assert ShieldContext("Bash", {}) == ShieldContext("Bash", {}, 0, (), None, None)
