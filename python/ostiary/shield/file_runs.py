"""Judges the marked files that a run executes."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice, takewhile
from posixpath import basename
from shlex import quote
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.effects import UNPACKED
from ostiary.shield.executions import Execution, executions
from ostiary.shield.judge import judge
from ostiary.shield.marks import Downloaded, Mark, Strength, Written
from ostiary.shield.reading import STDIN, UNKNOWN, read_command
from ostiary.shield.reading import Mark as WordMark
from ostiary.shield.rule import Rule
from ostiary.shield.scene import show
from ostiary.shield.scripts import command_of, piped
from ostiary.shield.step import LONGEST_PATH, MAX_SCRIPTS, Step

STAGED: Final = Rule(
    "remote_code.staged",
    "remote_code.staged",
    SafetyAction.BLOCK,
    "a file that was downloaded earlier in the session is executed",
)
STAGED_UNSURE: Final = Rule(
    "remote_code.staged_unsure",
    "remote_code.staged",
    SafetyAction.WARN,
    "a file is executed that may hold what was downloaded, or whose checksum was compared",
)
FORGOTTEN: Final = Rule(
    "unreadable.script",
    "unreadable.script",
    SafetyAction.WARN,
    "a file is executed whose text, written in this session, is not kept or not read whole",
)
TOO_MANY_FILES: Final = Rule(
    "unreadable.files",
    "unreadable.files",
    SafetyAction.WARN,
    "the command does more to files than is followed",
)
FILE_RULES: Final = {rule.id: rule for rule in (STAGED, STAGED_UNSURE, FORGOTTEN, TOO_MANY_FILES)}
"""The rules about files, by id."""

MAX_SCRIPT_DEPTH: Final = 4
"""Scripts that are read inside one another."""

_MAX_FILTERS: Final = 4
"""Filters of a pipeline that a written text is followed through."""

_BIN_FOLDERS: Final = (
    "/usr/local/bin/", "/usr/bin/", "/bin/", "/usr/local/sbin/", "/usr/sbin/", "/sbin/",
    "/opt/homebrew/bin/",
)  # fmt: skip
_HOME_BIN_FOLDERS: Final = ("/bin/", "/.local/bin/", "/.cargo/bin/", "/go/bin/")
_MAX_PATH_FOLDERS: Final = 8
_MAX_FOUND: Final = 64
_FIND_NAMES: Final = frozenset(("-name", "-iname", "-wholename", "-path"))
_FOUND: Final = int(WordMark.FOUND)


def execute(step: Step) -> None:
    """Judge the marked files that a run executes."""
    run = step.run
    if run.program and not run.path:
        _execute_by_name(step, run.program)
    for one in executions(run):
        if not one.word or any(source.slot == one.slot for source in run.sources):
            _execute_flow(step, one)
        if one.word:
            for path, doubt in _candidates(step, one):
                _execute_file(step, path, one, doubt)


def _execute_by_name(step: Step, name: str) -> None:
    """Judge a program that the shell looks up."""
    scope = step.scope
    home = scope.places.home
    paths = [folder + name for folder in _BIN_FOLDERS]
    paths += [home + folder + name for folder in _HOME_BIN_FOLDERS]
    for variable, value in step.run.env:
        if variable == "PATH":
            for folder in value.split(":", _MAX_PATH_FOLDERS)[:_MAX_PATH_FOLDERS]:
                paths += step.paths(f"{folder or '.'}/{name}", STDIN)
    for path in paths:
        if scope.files.exact(path):
            _execute_file(step, path, Execution(name, 0), "")


def _candidates(step: Step, one: Execution) -> Iterator[tuple[str, str]]:
    """Yield the files that a word can name, and the doubt about it."""
    word, cwd, scope = one.word, step.run.cwd, step.scope
    if len(word) > LONGEST_PATH:
        return
    if UNKNOWN in word:
        if step.mark(one.slot) & _FOUND:
            yield from _found(step, one.slot)
        yield from _half_known(step, word)
    elif cwd or scope.places.resolve(word, "") is not None:
        yield from ((path, "") for path in step.paths(word, one.slot))
    else:  # in any folder: every file whose path ends so can be meant
        pattern = "*/" + _escaped(word.removeprefix("./"))
        for path in step.matching(pattern):
            yield path, "the folder that it is looked for in is not known"


def _found(step: Step, slot: int) -> Iterator[tuple[str, str]]:
    """Yield the marked files that `find`, `ls` or the like can hand to a word."""
    for source in step.run.sources:
        if source.slot != slot:
            continue
        for index in range(source.first, min(source.last, source.first + MAX_SCRIPTS)):
            yield from _found_by(step.beside(index))


def _found_by(step: Step) -> Iterator[tuple[str, str]]:
    args = step.run.args
    names = [args[at + 1] for at, word in enumerate(args[:-1]) if word in _FIND_NAMES]
    starts = list(takewhile(lambda word: not word.startswith("-"), args)) or ["."]
    for at, word in enumerate(starts, 1):
        for path in step.paths(word, at):
            inside = (name for name, _ in step.below(path))
            if not names:
                yield path, ""
            for below in (path, *islice(inside, _MAX_FOUND)):
                if not names:
                    yield below, "it is among the files that are found"
                elif any(fnmatchcase(basename(below), name) for name in names):
                    yield below, ""


def _half_known(step: Step, word: str) -> Iterator[tuple[str, str]]:
    if not basename(word).strip(UNKNOWN + "."):
        return
    pattern = _escaped(word).replace(UNKNOWN, "*")
    if not pattern.startswith(("/", "*")):
        pattern = f"{step.run.cwd or '*'}/{pattern.removeprefix('./')}"
    for path in step.matching(pattern):
        yield path, "a part of its path is not known"


def _escaped(word: str) -> str:
    return word.replace("[", "[[]")


def _execute_file(step: Step, path: str, one: Execution, doubt: str) -> None:
    files = step.scope.files
    marks = files.marks(path)
    if one.guess and not files.exact(path):
        marks = tuple(mark for mark in marks if _counts_for_guess(mark))
    foreign = [mark for mark in marks if isinstance(mark, Downloaded)]
    if foreign:
        worst = max(foreign, key=lambda mark: mark.strength)
        _report(step, path, worst.weak(doubt) if doubt else worst)
    for mark in marks:
        if isinstance(mark, Written):
            _execute_text(step, mark, one.language, path)


def _counts_for_guess(mark: Mark) -> bool:
    """Return whether a folder's mark counts for a file that the command does not name."""
    return isinstance(mark, Downloaded) and mark.why != UNPACKED


def _execute_flow(step: Step, one: Execution) -> None:
    """Judge what runs because it flows into a slot, where it comes out of a marked file."""
    found = step.outputs.into(step.index, one.slot)
    if found is not None and found[1] is not None:
        _report(step, found[1], found[0])
    for mark, path in _texts_into(step, one):
        _execute_text(step, mark, one.language, path)


def _texts_into(step: Step, one: Execution) -> Iterator[tuple[Written, str]]:
    """Yield the written texts that flow into a slot and that the reader could not know."""
    for source in step.run.sources:
        if source.slot != one.slot:
            continue
        for index in range(source.first, min(source.last, source.first + MAX_SCRIPTS)):
            output = step.runs[index].output
            if output is None:
                yield from _printed_texts(step, index)
            elif one.language == "cron":
                yield Written(output), "the cron table that it is given"


def _printed_texts(step: Step, index: int) -> Iterator[tuple[Written, str]]:
    """Yield the written text that a pipeline's last run prints, with the filters that it passes."""
    filters: list[str] = []
    for _ in range(_MAX_FILTERS):
        run = step.runs[index]
        here = step.beside(index)
        words = [(at, word) for at, word in enumerate(run.args) if _written(here, word, at + 1)]
        inputs = [each.target for each in run.redirects if each.fd == 0]
        at, word = words[0] if words else (len(run.args), inputs[0] if inputs else "")
        found = _written(here, word, STDIN)
        kept = [quote(each) for place, each in enumerate(run.args) if place != at]
        filters.insert(0, " ".join([run.program, *kept]))
        if found is not None:
            mark, path = found
            yield mark._replace(text=piped(mark.text, filters)), path
            return
        before = [source for source in run.sources if source.slot == STDIN]
        if len(before) != 1:
            return
        index = before[0].last - 1  # the neighbour; what it is fed by stands before it


def _written(step: Step, word: str, slot: int) -> tuple[Written, str] | None:
    """Return the text of a file that a word names, where one was written."""
    for path in step.paths(word, slot):
        for mark in step.scope.files.exact(path):
            if isinstance(mark, Written):
                return mark, path
    return None


def _execute_text(step: Step, mark: Written, language: str, path: str) -> None:
    """Judge a script, and go through its runs as if they stood in the command."""
    scope, runs = step.scope, f"`{show(step.run)}` runs {path}"
    if path in scope.stack:
        return
    if not mark.kept:
        step.find(FORGOTTEN, f"{runs}, whose whole text is not kept")
    command = command_of(mark.text, language)
    if not command:
        return
    if scope.scripts <= 0 or len(scope.stack) >= MAX_SCRIPT_DEPTH:
        step.find(FORGOTTEN, f"{runs}, one script more than is followed")
        return
    scope.scripts -= 1
    reading = read_command(command, step.run.cwd, scope.places.home)
    for found in judge(reading, scope.places):
        reason = f"{runs}, in which {found.reason}"
        scope.findings.append(found._replace(reason=reason, run=step.outer))
    for fault in reading.faults:
        step.find(FORGOTTEN, f"{runs}, which could not be read whole ({fault.kind})")
    scope.stack.append(path)
    scope.follow(scope, reading, step.outer)
    scope.stack.pop()


def _report(step: Step, path: str, mark: Downloaded) -> None:
    rule = STAGED if mark.strength is Strength.STRONG else STAGED_UNSURE
    reason = f"`{show(step.run)}` runs {path}, which came from {mark.source}"
    if mark.why:
        reason = f"{reason}; {mark.why}"
    step.find(rule, reason, f"cat {quote(path)}")
