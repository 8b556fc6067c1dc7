"""What is said of a command that could not be read whole."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import Fault
from ostiary.shield.rule import Finding, Rule

_CAUSES: Final = {
    "bytes": "the command is longer than is read",
    "decoded": "the command holds more encoded text than is decoded",
    "depth": "the command is nested deeper than is read",
    "input": "the input holds no command that can be read",
    "nodes": "the command has more parts than are read",
    "runs": "the command runs more programs than are listed",
    "syntax": "the command is not complete, or no shell would read it",
}

FAULT_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        kind: Rule(f"unreadable.{kind}", f"unreadable.{kind}", SafetyAction.WARN, summary)
        for kind, summary in _CAUSES.items()
    }
)
"""A rule for each cause, by the cause."""


def fault_findings(
    faults: tuple[Fault, ...], modes: Mapping[str, SafetyAction]
) -> Iterator[Finding]:
    """Yield what a command's faults amount to.

    Args:
        faults: What was not read.
        modes: What a policy says of a cause; without a word a fault is warned about, and blocked
            where the unread part could hold a command.
    """
    for fault in faults:
        rule = FAULT_RULES[fault.kind]
        usual = SafetyAction.BLOCK if fault.carrier else SafetyAction.WARN
        action = modes.get(fault.kind, usual)
        if action is not SafetyAction.ALLOW:
            yield rule.finding(0, f"{rule.summary} (from byte {fault.offset} on)", action)
