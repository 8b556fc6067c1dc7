"""What a rule is, and what it finds."""

from dataclasses import dataclass
from typing import NamedTuple

from ostiary.shield.decision import SafetyAction


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of harm that a command can do; its id, category and action are public and stable.

    Attributes:
        id: Its name, such as `git.reset_hard`.
        category: What kind of risk, for programs: `destructive.git`, `remote_code.pipe` …
        action: What it says by default.
        summary: What it looks for, in one line.
        suggestion: A safer way, for people and models; the shield allows the command in it.
    """

    id: str
    category: str
    action: SafetyAction
    summary: str
    suggestion: str | None = None

    def finding(self, run: int, reason: str, action: SafetyAction | None = None) -> "Finding":
        """Return what this rule found in a run.

        Args:
            run: Index of the run.
            reason: The command part and its target, and what that does.
            action: What this case deserves; None: what the rule says by default.
        """
        return Finding(self, action or self.action, reason, self.suggestion, run)


class Finding(NamedTuple):
    """What a rule found in a command.

    Attributes:
        rule: The rule.
        action: What this case deserves.
        reason: Names the command part and the target: "`rm -rf /` deletes the root …".
        suggestion: A safer way, or None.
        run: Index of the run that it is about.
    """

    rule: Rule
    action: SafetyAction
    reason: str
    suggestion: str | None
    run: int
