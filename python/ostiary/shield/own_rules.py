"""Rules of a user's own: a program, words that it is given, and what to say of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ostiary.shield.options import take_apart
from ostiary.shield.reading import How, Reading, Run
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import show

_LONGEST_WORD = 4096
"""Characters of a word that are compared with a pattern."""


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of a policy.

    Attributes:
        rule: Its id, category, action, and what it says.
        programs: Patterns, one of which the program's name matches.
        flags: Options, all of which are given: `-f` also in `-xf`, `--force` also as `--force=x`.
        args: Patterns of words, each of which some argument matches, in this order.
        match: Commands that the rule must find.
        not_match: Commands that the rule must not find.
    """

    rule: Rule
    programs: tuple[str, ...]
    flags: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()

    def finds(self, run: Run) -> bool:
        """Return whether a run is what the rule looks for."""
        if run.how & How.DEFINED or not any(
            fnmatchcase(run.program, pattern) for pattern in self.programs
        ):
            return False
        if self.flags:
            options = take_apart(run.args, frozenset())
            given = {name.partition("=")[0] for name, _ in options.given}
            given |= {word.partition("=")[0] for word in run.args if word.startswith("-")}
            if not given.issuperset(self.flags):
                return False
        return _in_order(self.args, run.args)


def _in_order(patterns: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether each pattern matches a word after that of the pattern before."""
    rest = iter(words)
    return all(
        any(fnmatchcase(word[:_LONGEST_WORD], pattern) for word in rest) for pattern in patterns
    )


def own_findings(rules: Sequence[OwnRule], reading: Reading) -> Iterator[Finding]:
    """Yield what a policy's own rules find in a command."""
    for index, run in enumerate(reading.runs):
        for own in rules:
            if own.finds(run):
                yield own.rule.finding(index, f"`{show(run)}` {own.rule.summary}")
