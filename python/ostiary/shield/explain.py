"""How a command was read and which rule decided, as plain data."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ostiary.shield.decision import SafetyDecision, ShieldContext
from ostiary.shield.judgement import Judge, Judgement, decision_of
from ostiary.shield.marks import Change, Downloaded, SessionFiles, Written
from ostiary.shield.places import Place, Places
from ostiary.shield.reading import How, Run
from ostiary.shield.rule import Finding
from ostiary.shield.scene import shorten, show

_WAYS = {
    How.MAYBE: "maybe",
    How.BACKGROUND: "in the background",
    How.REMOTE: "on another machine",
    How.OPENED: "its code was read",
    How.INLINE: "said by inline code",
    How.DEFINED: "a function",
    How.RECURSIVE: "calls itself",
    How.PIPED: "piped on",
    How.CAPTURED: "captured",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision, and every reading of the call that it comes from.

    Attributes:
        decision: What the shield says.
        rule: The id of the rule that decided, None where the call is allowed.
        readings: How the call was read: once, or once for each folder that it may start in. Plain
            data, ready for JSON: `cwd`, `runs`, `faults`.
    """

    decision: SafetyDecision
    rule: str | None
    readings: tuple[dict[str, Any], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        decision = self.decision
        return {
            "action": decision.action.value,
            "rule": self.rule,
            "category": decision.category,
            "reason": decision.reason,
            "suggestion": decision.suggestion,
            "readings": list(self.readings),
        }


def explain(judge: Judge, ctx: ShieldContext, files: SessionFiles) -> Explanation:
    """Return how a call is judged and why.

    Args:
        judge: Who judges.
        ctx: The call.
        files: What is known of its session.
    """
    judgements = judge.readings(ctx, files)
    decision = decision_of(judgements)
    worst = [one.worst for one in judgements]
    rule = next(
        (
            found.rule.id
            for found in worst
            if found is not None
            and (found.action, found.reason) == (decision.action, decision.reason)
        ),
        None,
    )
    return Explanation(decision, rule, tuple(_reading(one, judge.places) for one in judgements))


def _reading(judgement: Judgement, places: Places) -> dict[str, Any]:
    findings: dict[int, list[Finding]] = defaultdict(list)
    for found in judgement.findings:
        findings[found.run].append(found)
    changes: dict[int, list[Change]] = defaultdict(list)
    for run, change in judgement.changes:
        changes[run].append(change)
    runs = judgement.reading.runs
    return {
        "cwd": judgement.cwd,
        "runs": [
            _run(run, places, findings.pop(at, []), changes[at]) for at, run in enumerate(runs)
        ],
        "findings": [_finding(found) for rest in findings.values() for found in rest],
        "faults": [fault._asdict() for fault in judgement.reading.faults],
    }


def _run(run: Run, places: Places, found: list[Finding], changes: list[Change]) -> dict[str, Any]:
    return {
        "depth": run.depth,
        "via": list(run.via),
        "command": show(run),
        "how": [word for bit, word in _WAYS.items() if run.how & bit],
        "cwd": run.cwd or None,
        "targets": _targets(run, places),
        "files": [_change(change) for change in changes],
        "findings": [_finding(one) for one in found],
    }


def _targets(run: Run, places: Places) -> list[dict[str, Any]]:
    """Return the words that name a path, resolved."""
    words = [
        (word, run.marks[at] if at < len(run.marks) else 0)
        for at, word in enumerate(run.args, 1)
        if "/" in word or word.startswith(("~", ".")) or word == "*"
    ]
    words += [(redirect.target, redirect.mark) for redirect in run.redirects]
    targets = [places.target(word, mark, run.cwd) for word, mark in words if "://" not in word]
    return [
        {
            "word": shorten(one.word),
            "path": one.path and shorten(one.path),
            "place": one.place.value,
        }
        for one in targets
        if one.place is not Place.STREAM
    ]


def _change(change: Change) -> dict[str, Any]:
    mark = change.mark
    if isinstance(mark, Downloaded):
        what = f"downloaded from {shorten(mark.source)}"
        what += f" ({mark.why})" if mark.why else ""
    elif isinstance(mark, Written):
        what = f"written, {len(mark.text)} characters"
    else:
        what = "gone or overwritten"
    return {"path": shorten(change.path), "what": what}


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "rule": found.rule.id,
        "category": found.rule.category,
        "action": found.action.value,
        "reason": found.reason,
        "suggestion": found.suggestion,
    }
