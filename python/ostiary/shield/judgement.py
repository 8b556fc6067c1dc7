"""How a `CommandShield` comes to a decision: everything on the way, for people too."""

from collections.abc import Mapping
from posixpath import normpath
from typing import Final, NamedTuple

from ostiary.shield.decision import SafetyAction, SafetyDecision, ShieldContext
from ostiary.shield.faults import FAULT_RULES, fault_findings
from ostiary.shield.files import walk
from ostiary.shield.judge import judge
from ostiary.shield.marks import Change, Changes, SessionFiles, Written
from ostiary.shield.overlay import known_text
from ostiary.shield.own_rules import own_findings
from ostiary.shield.places import Places
from ostiary.shield.policy import CommandPolicy
from ostiary.shield.reading import Reading, read_command
from ostiary.shield.rule import Finding
from ostiary.shield.tools import Files, Text, Unusable, inner_cwd, reading_of, said_by

_RANK: Final = {SafetyAction.ALLOW: 0, SafetyAction.WARN: 1, SafetyAction.BLOCK: 2}
_NOTHING: Final = Reading((), (), "", ())


class Judgement(NamedTuple):
    """One reading of a call, judged.

    Attributes:
        cwd: The folder that it was read from.
        reading: What would run.
        findings: What is wrong with it, with the actions of the policy; none that it switched off.
        changes: What it does to files, each with the index of the run that does it.
    """

    cwd: str
    reading: Reading
    findings: tuple[Finding, ...]
    changes: tuple[tuple[int, Change], ...] = ()

    @property
    def worst(self) -> Finding | None:
        """The finding that decides: the first of the gravest."""
        return max(self.findings, key=lambda found: _RANK[found.action], default=None)


class Judge:
    """Judges calls by one policy; holds nothing that a call changes."""

    __slots__ = ("places", "policy")

    def __init__(self, policy: CommandPolicy) -> None:
        """Judge by a policy."""
        self.policy = policy
        self.places = Places(policy.home, policy.workspace, policy.scratch, policy.protected)

    def readings(self, ctx: ShieldContext, files: SessionFiles) -> tuple[Judgement, ...]:
        """Return a call's judgements: one, or one for each folder that it may start in.

        Args:
            ctx: The call.
            files: What is known of its session.
        """
        fields = self.policy.tools.get(ctx.tool_name)
        if fields is None:
            return ()
        said = said_by(ctx.tool_name, fields, ctx.input)
        if isinstance(said, Unusable):
            return (self._unusable(said),)
        starts = self._starts(ctx, files)
        named = said.cwd if isinstance(said, Text) else ""
        if named:
            starts = tuple(dict.fromkeys(normpath(inner_cwd(start, named)) for start in starts))
        judgements = tuple(self._judge(said, start, files) for start in starts)
        if len(judgements) > 1:
            return (judgements[0], _second(judgements[0], judgements[1]))
        return judgements

    def _starts(self, ctx: ShieldContext, files: SessionFiles) -> tuple[str, ...]:
        if ctx.cwd is not None:
            return (normpath(inner_cwd(self.policy.workspace, ctx.cwd)),)
        workspace = self.policy.workspace
        return (workspace,) if files.cwd in {"", workspace} else (workspace, files.cwd)

    def _judge(self, said: Text | Files, cwd: str, files: SessionFiles) -> Judgement:
        policy, places = self.policy, self.places
        if isinstance(said, Text):
            text = said.command
            reading = read_command(text, cwd, policy.home, files.variables)
        else:
            text = ""
            reading = reading_of(said, cwd, lambda path: _text_of(files, places.resolve(path, cwd)))
        walked = walk(reading, text, files, places)
        findings = judge(reading, places)
        if walked.findings:
            findings = [*findings, *walked.findings]
        if policy.own:
            findings = [*findings, *own_findings(policy.own, reading)]
        if reading.faults:
            findings = [*findings, *fault_findings(reading.faults, policy.unreadable)]
        if findings and policy.rules:
            findings = [one for found in findings if (one := _by_policy(found, policy.rules))]
        return Judgement(cwd, reading, tuple(findings), tuple(walked.changes))

    def _unusable(self, said: Unusable) -> Judgement:
        action = said.action
        if action is not SafetyAction.ALLOW:
            action = self.policy.unreadable.get("input", action)
        findings: tuple[Finding, ...] = ()
        if action is not SafetyAction.ALLOW:
            hint = "name the tool's fields in the policy, under tools"
            findings = (Finding(FAULT_RULES["input"], action, said.reason, hint, 0),)
        return Judgement("", _NOTHING, findings)


def decision_of(judgements: tuple[Judgement, ...]) -> SafetyDecision:
    """Return the decision that the gravest finding makes."""
    worst: Finding | None = None
    for judgement in judgements:
        found = judgement.worst if judgement.findings else None
        if found is not None and (worst is None or _RANK[found.action] > _RANK[worst.action]):
            worst = found
    if worst is None:
        return SafetyDecision.allow()
    return SafetyDecision(worst.action, worst.reason, worst.rule.category, worst.suggestion)


def changes_together(judgements: tuple[Judgement, ...]) -> Changes:
    """Return what a call does to its session, whichever of its readings is right.

    Marks are added by every reading, and replaced where all of them replace them.

    Args:
        judgements: At least one.
    """
    last = judgements[-1]
    sets = [[change for _, change in judgement.changes] for judgement in judgements]
    if len(sets) == 1:
        files = tuple(sets[0])
    else:
        first, second = set(sets[0]), set(sets[1])
        both = first & second
        files = tuple(
            change if change in both else change._replace(replaces=False, tree=False, fails=False)
            for change in dict.fromkeys([*sets[0], *sets[1]])
            if change in both or change.mark is not None
        )
    return Changes(files, last.reading.cwd, last.reading.assigned)


def _second(first: Judgement, second: Judgement) -> Judgement:
    """Return a reading from the folder of the last command, as it counts beside the usual one.

    It is a guess, so what it alone finds to be deleted is only warned about.
    """
    blocked = {found.rule.id for found in first.findings if found.action is SafetyAction.BLOCK}
    findings = tuple(
        found._replace(action=SafetyAction.WARN)
        if found.action is SafetyAction.BLOCK
        and found.rule.id == "filesystem.delete_outside"
        and found.rule.id not in blocked
        else found
        for found in second.findings
    )
    return second._replace(findings=findings)


def _by_policy(found: Finding, rules: Mapping[str, SafetyAction]) -> Finding | None:
    rule = found.rule
    action = rules.get(rule.id) or rules.get(rule.category)
    if action is None:
        return found
    return None if action is SafetyAction.ALLOW else found._replace(action=action)


def _text_of(files: SessionFiles, path: str | None) -> str | None:
    known: Written | None = None if path is None else known_text(files.marks.get(path, ()))
    return None if known is None else known.text
