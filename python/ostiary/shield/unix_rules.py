"""What the reference shield looks for: the patterns and sequences of loopctl 0.3, unchanged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


def _require_score(score: float) -> None:
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"a score is a number from 0 to 1, not {score}")


@dataclass(frozen=True, slots=True)
class RiskPattern:
    """A text that makes a call of one tool risky wherever it stands in the input.

    Attributes:
        name: What is found, for people.
        score: How bad that is, from 0 to 1; the highest among a call's patterns counts.
        pattern: The text, searched verbatim in the input's compact JSON.
    """

    name: str
    score: float
    pattern: str

    def __post_init__(self) -> None:
        _require_score(self.score)


@dataclass(frozen=True, slots=True)
class CombinationRule:
    """Calls that are risky one after the other.

    Attributes:
        description: What the sequence does, for people.
        score: How bad that is, from 0 to 1; the highest among the completed rules counts.
        triggers: The calls in their order, others may lie between: a tool's name, and a text that
            the input's compact JSON must hold, or None for any call of the tool.
    """

    description: str
    score: float
    triggers: tuple[tuple[str, str | None], ...]

    def __post_init__(self) -> None:
        _require_score(self.score)


UNIX_PATTERNS: Final[Mapping[str, tuple[RiskPattern, ...]]] = {
    "Bash": (
        RiskPattern("recursive_delete", 0.9, "rm -rf"),
        RiskPattern("force_delete", 0.7, "rm -f"),
        RiskPattern("sudo", 0.6, "sudo"),
        RiskPattern("chmod_777", 0.5, "chmod 777"),
        RiskPattern("shell_pipe_to_sh", 0.8, "| sh"),
        RiskPattern("curl_pipe_sh", 0.9, "curl"),
        RiskPattern("wget_pipe", 0.7, "wget"),
    ),
    "Write": (
        RiskPattern("write_bin", 0.6, "/usr/bin"),
        RiskPattern("write_bin_sbin", 0.6, "/usr/sbin"),
        RiskPattern("write_etc", 0.7, "/etc/"),
        RiskPattern("write_ssh", 0.8, ".ssh/"),
    ),
    "Edit": (
        RiskPattern("edit_etc", 0.5, "/etc/"),
        RiskPattern("edit_ssh", 0.7, ".ssh/"),
    ),
}
"""Texts to look for, by tool."""

UNIX_COMBINATION_RULES: Final = (
    CombinationRule("write then execute", 0.75, (("Write", None), ("Bash", "chmod +x"))),
    CombinationRule("download then execute", 0.85, (("Bash", "curl"), ("Bash", "| sh"))),
    CombinationRule("modify permissions then write", 0.65, (("Bash", "chmod"), ("Write", None))),
)
"""Sequences to look for, over all tools."""
