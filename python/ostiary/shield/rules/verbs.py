"""Programs with commands of their own: tables of what does harm."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ostiary.shield.decision import SafetyAction
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import Check, Scene

_MOST_OPERANDS: Final = 16
"""Operands among which a command's words are looked for; values of flags stand between."""
_MOST_WORDS: Final = 256


class Verb(NamedTuple):
    """A command of a program that does harm.

    Attributes:
        rule: What it breaks.
        words: Its words, one after the other among the first operands.
        says: What it does, after the shown command: "deletes the volume".
        flags: One of these must be there; none: no flag is needed.
        action: What it deserves; None: what the rule says by default.
    """

    rule: Rule
    words: tuple[str, ...]
    says: str
    flags: frozenset[str] = frozenset()
    action: SafetyAction | None = None


_LOOKS: Final = frozenset({
    "--help", "-h", "--dry-run", "--dryrun", "--version", "help", "--check", "--dry-run=client",
    "--dry-run=server", "--dry-run=true",
})  # fmt: skip
"""Words with which a command only looks."""


def verb(
    rule: Rule, words: str, says: str, *, flags: str = "", action: SafetyAction | None = None
) -> Verb:
    """Return a verb from words with blanks between them."""
    return Verb(rule, tuple(words.split()), says, frozenset(flags.split()), action)


def checks(table: Mapping[str, tuple[Verb, ...]]) -> dict[str, Check]:
    """Return the checks of a table: programs, with several names between blanks, to verbs."""
    found: dict[str, Check] = {}
    for programs, verbs in table.items():
        check = _check_of(verbs)
        found.update((program, check) for program in programs.split())
    return found


def _check_of(verbs: tuple[Verb, ...]) -> Check:
    def check(scene: Scene) -> Iterator[Finding]:
        args = scene.run.args
        words = [word for word in args[:_MOST_WORDS] if word[:1] != "-"][:_MOST_OPERANDS]
        fits = [one for one in verbs if _stands(one.words, words)]
        if not fits or not _LOOKS.isdisjoint(args):
            return
        given = {*args, *(word.partition("=")[0] for word in args)}
        for one in fits:
            if not one.flags or not one.flags.isdisjoint(given):
                yield one.rule.finding(scene.at, f"{scene.shown()} {one.says}", one.action)
                return

    return check


def _stands(wanted: tuple[str, ...], words: list[str]) -> bool:
    length = len(wanted)
    return any(tuple(words[at : at + length]) == wanted for at in range(len(words) - length + 1))
