"""All rules over all runs of a command; without state, without I/O."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.flow import Flow
from ostiary.shield.places import Places
from ostiary.shield.reading import UNKNOWN, Reading, Run
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import (
    accounts,
    backdoors,
    databases,
    deleters,
    disks,
    exfiltration,
    git,
    guard,
    machine,
    packages,
    permissions,
    persistence,
    platforms,
    remote_code,
    secrets,
    writes,
)
from ostiary.shield.scene import Check, Scene

_KINDS: Final = (
    deleters, disks, permissions, git, writes, persistence, machine, accounts, secrets,
    exfiltration, remote_code, backdoors, guard, databases, platforms, packages,
)  # fmt: skip

OVERSIZED: Final = Rule(
    "unreadable.words", "unreadable.words", SafetyAction.WARN,
    "Gives one program more words than are looked at.",
    "Give it a folder or a pattern, or the words in parts: `rm -f build/*.o`.",
)  # fmt: skip
ALL_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {rule.id: rule for rule in (*(one for kind in _KINDS for one in kind.RULES), OVERSIZED)}
)
"""Every rule by its id, in the order in which they are documented."""

_MOST_WORDS: Final = 1_000
"""Arguments, variables or redirections of a run that are looked at: some 10 ms of work."""
_MOST_FINDINGS: Final = 8
"""Findings of one rule that are kept: a thousand deletes need not be said a thousand times."""


def _by_program() -> dict[str, tuple[Check, ...]]:
    table: dict[str, list[Check]] = {}
    for kind in _KINDS:
        for program, check in kind.CHECKS.items():
            table.setdefault(program, []).append(check)
    return {program: tuple(checks) for program, checks in table.items()}


_CHECKS: Final = _by_program()
_NAMELESS: Final = _CHECKS[UNKNOWN]
_REDIRECTS: Final = (
    writes.EVERY_REDIRECT, disks.EVERY_REDIRECT, backdoors.EVERY_REDIRECT, secrets.EVERY_REDIRECT,
    exfiltration.EVERY_REDIRECT,
)  # fmt: skip


def judge(reading: Reading, places: Places) -> list[Finding]:
    """Return what the rules find in a command, in the order of its runs.

    Args:
        reading: The command, read.
        places: The folders that count.
    """
    flow = Flow(reading.runs)
    findings: list[Finding] = []
    for index, run in enumerate(reading.runs):
        checks = _checks_of(run)
        if not checks:
            continue
        if max(len(run.args), len(run.redirects), len(run.env)) > _MOST_WORDS:
            run = _head_of(run)  # noqa: PLW2901 - the part of it that is judged
            findings.append(_oversized(index, run))
        _collect(Scene(index, run, flow, places), checks, findings)
    return findings


def _head_of(run: Run) -> Run:
    """Return a run with the words of it that are looked at."""
    return run._replace(
        args=run.args[:_MOST_WORDS],
        redirects=run.redirects[:_MOST_WORDS],
        env=run.env[:_MOST_WORDS],
        sources=tuple(source for source in run.sources if source.slot <= _MOST_WORDS),
    )


def _oversized(index: int, run: Run) -> Finding:
    """Return what is said of words that are not looked at: what can destroy is blocked."""
    destroys = any(run.program in kind.CHECKS for kind in (deleters, permissions, writes))
    says = f"`{run.program}` gets more than {_MOST_WORDS} words, which is more than are looked at"
    return OVERSIZED.finding(index, says, SafetyAction.BLOCK if destroys else None)


def _checks_of(run: Run) -> tuple[Check, ...]:
    """Return the checks that look at a run: those of its program, and of what it has."""
    checks = _CHECKS.get(run.program, ())
    if not checks and UNKNOWN in run.program:
        checks = _NAMELESS
    if run.redirects:
        checks += tuple(check for check in _REDIRECTS if check not in checks)
    if run.env:
        checks += (guard.EVERY_ENVIRONMENT,)
    if run.how & bits.RECURSIVE:
        checks += (backdoors.EVERY_RECURSIVE,)
    if run.program not in secrets.DO_NOT_READ and run.args:
        checks += (secrets.EVERY,)
    return checks


def _collect(scene: Scene, checks: Iterable[Check], findings: list[Finding]) -> None:
    for check in checks:
        for finding in check(scene):
            alike = sum(1 for one in findings if one.rule is finding.rule)
            if alike < _MOST_FINDINGS or (
                alike < 2 * _MOST_FINDINGS and finding.action is SafetyAction.BLOCK
            ):
                findings.append(finding)
