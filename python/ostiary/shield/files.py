"""Goes through a command, run by run: what it does to files, and which marked ones it executes."""

from typing import Final, NamedTuple

from ostiary.shield.certainty import Certainty
from ostiary.shield.file_changes import change, changes_files
from ostiary.shield.file_runs import TOO_MANY_FILES, execute
from ostiary.shield.marks import Change, SessionFiles
from ostiary.shield.outputs import Outputs
from ostiary.shield.overlay import Overlay
from ostiary.shield.places import Places
from ostiary.shield.reading import How, Reading
from ostiary.shield.rule import Finding
from ostiary.shield.step import Scope, Step

# As plain numbers: `&` with an enum's member costs as much as the rest of a run.
_REMOTE: Final = int(How.REMOTE)


class Walked(NamedTuple):
    """What came of going through a command.

    Attributes:
        findings: What is wrong with what is executed.
        changes: What the command does to files, each with the index of the run that does it.
    """

    findings: list[Finding]
    changes: list[tuple[int, Change]]


def walk(reading: Reading, text: str, files: SessionFiles, places: Places) -> Walked:
    """Go through a command's runs in order.

    Args:
        reading: The command.
        text: Its text.
        files: What is known of its session's files.
        places: The folders that count.
    """
    scope = Scope(Overlay(files), places, _follow)
    runs = reading.runs
    outputs, certainty = Outputs(runs), Certainty(runs, text)
    for index, run in enumerate(runs):
        if run.how & _REMOTE:
            continue
        if scope.files or outputs or run.redirects or changes_files(run):
            _take(Step(scope, runs, index, outputs, certainty, index))
    if scope.exhausted:
        reason = TOO_MANY_FILES.summary
        scope.findings.append(TOO_MANY_FILES.finding(0, reason))
    return Walked(scope.findings, scope.changes)


def _follow(scope: Scope, reading: Reading, outer: int) -> None:
    """Go through a script's runs, for the run that executes it."""
    runs = reading.runs
    outputs = Outputs(runs)
    for index, run in enumerate(runs):
        if not run.how & _REMOTE:
            _take(Step(scope, runs, index, outputs, None, outer))


def _take(step: Step) -> None:
    if step.scope.files:
        execute(step)
    change(step)
