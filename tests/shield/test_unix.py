"""The reference shield against a table that was worked out by hand, and its configuration."""

import logging
import math
import threading
from typing import Any

import pytest

from ostiary import (
    CombinationRule,
    ReservingShield,
    RiskPattern,
    SafetyDecision,
    ShieldContext,
    UnixShield,
    UnixShieldBuilder,
)
from unix_table import LS, SEQUENCES, SUDO, TABLE, Row, spelled_out


def judge(shield: UnixShield, call: tuple[str, Any]) -> SafetyDecision:
    return shield.evaluate(ShieldContext(*call))


def parts(decision: SafetyDecision) -> tuple[str, str | None, str | None]:
    return decision.action, decision.reason, decision.category


def test_the_table_holds_at_least_sixty_rows() -> None:
    assert len(TABLE) + sum(map(len, SEQUENCES)) >= 60


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_the_shield_decides_as_the_table_says(row: Row) -> None:
    shield = UnixShield()
    for name, input in row.history:
        shield.record_invocation(name, input, True)
    assert parts(judge(shield, row.call)) == spelled_out(row.verdict)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_sequence_goes_as_the_table_says(sequence: list[tuple[tuple[str, Any], str]]) -> None:
    shield = UnixShield()
    for call, verdict in sequence:
        decision, token = shield.reserve(ShieldContext(*call))
        assert parts(decision) == spelled_out(verdict)
        assert token is None


def test_evaluating_changes_nothing() -> None:
    shield = UnixShield()
    assert {judge(shield, SUDO) for _ in range(5)} == {judge(UnixShield(), SUDO)}


def test_a_failed_call_counts_like_any_other() -> None:
    shield = UnixShield()
    shield.record_invocation(*LS, False)
    assert judge(shield, SUDO).reason == "Moderate risk detected (score=0.65)"


def test_each_session_has_its_own_history() -> None:
    shield = UnixShield()
    for _ in range(3):
        shield.record_invocation(*LS, True, session_id="a")
    assert shield.evaluate(ShieldContext(*SUDO, session_id="a")).is_blocked
    assert shield.evaluate(ShieldContext(*SUDO, session_id="b")).is_warn
    assert judge(shield, SUDO).is_warn


def test_the_watched_tools_are_those_with_patterns() -> None:
    assert UnixShield().watched_tools() == {"Bash", "Write", "Edit"}
    assert UnixShield.blank().build().watched_tools() == frozenset()
    assert isinstance(UnixShield(), ReservingShield)


def test_each_dimension_can_be_asked_for() -> None:
    shield = UnixShield()
    shield.record_invocation("Write", {}, True)
    ctx = ShieldContext("Bash", {"command": "sudo chmod +x run"})
    assert shield.assess_single_tool_risk(ctx.tool_name, ctx.input) == pytest.approx(0.6)
    assert shield.assess_single_tool_risk("Read", {}) == 0.0
    assert shield.assess_multi_turn(ctx) == 0.0
    assert shield.assess_combination(ctx) == pytest.approx(0.75)
    shield.record_invocation("Bash", {}, True)
    assert shield.assess_multi_turn(ctx) == pytest.approx(0.1)


def one_pattern(score: float) -> UnixShieldBuilder:
    return UnixShield.blank().with_pattern("Bash", RiskPattern("ls", score, "ls"))


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (0.39, "allow"),
        (0.4, "warn 0.40"),
        (0.69, "warn 0.69"),
        (0.7, "block 0.70 high"),
        (0.89, "block 0.89 high"),
        # Shown as .90, and still below it.
        (0.8999, "block 0.90 high"),
        (0.9, "block 0.90 critical"),
        (1, "block 1.00 critical"),
    ],
)
def test_a_score_on_a_threshold_has_reached_it(score: float, verdict: str) -> None:
    assert parts(judge(one_pattern(score).build(), LS)) == spelled_out(verdict)


@pytest.mark.parametrize(
    ("single", "verdict"),
    [(0.1, "warn 0.40"), (0.4, "block 0.70 high"), (0.6, "block 0.90 critical")],
)
def test_sums_are_rounded_to_32_bits(single: float, verdict: str) -> None:
    shield = one_pattern(single).build()
    for _ in range(3):
        shield.record_invocation(*LS, True)
    assert parts(judge(shield, LS)) == spelled_out(verdict)


@pytest.mark.parametrize(
    ("warn", "block", "score", "action"),
    [
        (0.3, 0.6, 0.3, "warn"),
        (0.3, 0.6, 0.6, "block"),
        # In the wrong order they change places.
        (0.6, 0.3, 0.3, "warn"),
        (0.6, 0.3, 0.6, "block"),
        # Kept within 0 and 1.
        (-1, 2, 0.0, "warn"),
        (-1, 2, 0.89, "warn"),
        (-1, 2, 1.0, "block"),
        (0.5, 7, 0.9, "block"),
        # No number at all gives way to the default.
        (math.nan, 0.6, 0.4, "warn"),
        (math.nan, 0.6, 0.39, "allow"),
        (0.3, math.nan, 0.7, "block"),
        (0.3, math.inf, 0.69, "warn"),
        (-math.inf, 0.6, 0.39, "allow"),
    ],
)
def test_thresholds_are_put_in_order(warn: float, block: float, score: float, action: str) -> None:
    shield = one_pattern(score).with_thresholds(warn, block).build()
    assert judge(shield, LS).action == action
    assert judge(one_pattern(score).build().with_thresholds(warn, block), LS).action == action


def test_thresholds_that_were_changed_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "ostiary"):
        UnixShield(warn_threshold=math.nan, block_threshold=math.nan)
        UnixShield.builder().with_warn_threshold(0.9).with_block_threshold(0.1).build()
    assert [record.getMessage() for record in caplog.records] == [
        "the warn threshold is no finite number, so 0.4 counts",
        "the block threshold is no finite number, so 0.7 counts",
        "the block threshold is below the warn threshold, so they change places",
    ]


def test_patterns_and_rules_are_added_to_the_default_ones() -> None:
    shield = (
        UnixShield.builder()
        .with_pattern("Bash", [RiskPattern("dd", 0.8, "dd of="), RiskPattern("mkfs", 0.9, "mkfs")])
        .with_pattern("PowerShell", RiskPattern("remove", 0.9, "Remove-Item"))
        .with_combination_rule(
            CombinationRule("read then edit", 1.0, (("Read", None), ("Edit", None)))
        )
        .build()
    )
    assert shield.watched_tools() == {"Bash", "Write", "Edit", "PowerShell"}
    assert judge(shield, ("Bash", "dd of=/dev/sda")).is_blocked
    assert judge(shield, ("Bash", "sudo")).is_warn
    assert judge(shield, ("PowerShell", "Remove-Item C:\\")).is_blocked
    shield.record_invocation("Read", {}, True)
    assert shield.assess_combination(ShieldContext("Edit", {})) == 1.0
    assert UnixShield().watched_tools() == {"Bash", "Write", "Edit"}


def test_a_rule_without_triggers_is_always_complete() -> None:
    shield = UnixShield.blank().with_combination_rule(CombinationRule("always", 1.0, ())).build()
    assert shield.assess_combination(ShieldContext("Any", {})) == 1.0


def test_triggers_may_come_as_lists() -> None:
    rule = CombinationRule("lists", 1.0, [["Bash", "a"], ["Bash", "b"]])  # type: ignore[arg-type]
    shield = UnixShield.blank().with_combination_rule(rule).build()
    shield.record_invocation("Bash", "a", True)
    assert shield.assess_combination(ShieldContext("Bash", "b")) == 1.0


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_a_score_is_a_number_from_0_to_1(score: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        RiskPattern("x", score, "x")
    with pytest.raises(ValueError, match="from 0 to 1"):
        CombinationRule("x", score, ())


def test_an_input_that_is_no_json_value_is_an_error_and_leaves_the_history_alone() -> None:
    shield = UnixShield()
    with pytest.raises(TypeError, match="JSON"):
        shield.reserve(ShieldContext("Bash", object()))
    assert judge(shield, SUDO).reason == "Moderate risk detected (score=0.60)"


def test_reservations_side_by_side_see_each_other() -> None:
    shield = UnixShield()
    decisions = []
    start = threading.Barrier(8)

    def reserve() -> None:
        start.wait()
        decisions.append(shield.reserve(ShieldContext(*SUDO))[0].action.value)

    threads = [threading.Thread(target=reserve) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(decisions) == ["block"] * 6 + ["warn"] * 2
