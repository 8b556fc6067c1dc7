"""What a command does to files, run by run, and what it executes of those that are marked."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from posixpath import basename
from shlex import quote
from typing import Final, NamedTuple

from ostiary.shield.decision import SafetyAction
from ostiary.shield.downloads import OUTPUT, Fetch, fetches
from ostiary.shield.effects import EFFECTS, UNPACKED
from ostiary.shield.executions import Execution, executions
from ostiary.shield.judge import judge
from ostiary.shield.marks import Change, Changes, Downloaded, Mark, SessionFiles, Strength, Written
from ostiary.shield.overlay import NOWHERE, Overlay, known_text
from ostiary.shield.places import Place, Places
from ostiary.shield.reading import STDIN, UNKNOWN, How, Reading, Run, read_command
from ostiary.shield.reading import Mark as WordMark
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import show
from ostiary.shield.scripts import command_of, here_document

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
    "unreadable.forgotten",
    "unreadable.forgotten",
    SafetyAction.WARN,
    "a file is executed whose text was written in this session and is no longer kept",
)
FILE_RULES: Final = {rule.id: rule for rule in (STAGED, STAGED_UNSURE, FORGOTTEN)}
"""The rules of this file, by id."""

MAX_SCRIPT_DEPTH: Final = 4
"""Scripts that are read inside one another."""

MAX_SCRIPTS: Final = 16
"""Scripts that are read for one call."""

MAX_LOOKUPS: Final = 2_000
"""Words that are looked up among a session's files for one call."""

_MAX_FILTERS: Final = 4
"""Filters of a pipeline that a written text is followed through."""

_LONGEST_PATH: Final = 4096
"""Bytes of a path on Linux, its PATH_MAX; longer ones cannot be opened."""

_BIN_FOLDERS: Final = (
    "/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin", "~/bin",
    "~/.local/bin", "~/.cargo/bin", "~/go/bin", "/opt/homebrew/bin",
)  # fmt: skip

_PRINTERS: Final = frozenset(
    """awk base32 base64 bzcat cat cut dos2unix envsubst expand fold gawk gpg grep gunzip gzip head
    iconv jq lz4 lz4cat nl openssl pr rev sed shuf sort strings tac tail tr uniq unxz uudecode xxd
    xz xzcat zcat zstd zstdcat unzip tar printf echo bzip2 brotli yq xmllint""".split()
)
"""Programs that print what the files hold that they are given."""

_DIGESTERS: Final = frozenset(
    """b2sum cksum cmp comm diff file md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum
    sum test wc [""".split()
)
"""Programs that print something about their input, and nothing of it."""

_UNSURE_CHAIN: Final = re.compile(
    r"\|\||!|\(\s*\)|\b(?:if|while|until|for|case|select|function|exit|return|exec|trap|set)\b"
)
_MAX_DOCUMENTS: Final = 8
"""Here-documents that are left out where a command is searched for words that steer it."""

_ENDS: Final = frozenset(["exit", "return", "exec", "set", "trap", "kill", "break", "continue"])


class Walked(NamedTuple):
    """What came of a walk.

    Attributes:
        findings: What is wrong with what is executed.
        changes: What the command does to files, each with the run that does it.
    """

    findings: list[Finding]
    changes: list[tuple[int, Change]]


def walk(reading: Reading, text: str, files: SessionFiles, places: Places) -> Walked:
    """Go through a command's runs in order.

    Args:
        reading: The command.
        text: Its text.
        files: What is known of the session's files.
        places: The folders that count.
    """
    session = _Walk(files, places)
    session.go(reading, text)
    return Walked(session.findings, session.changes)


def changes_of(walked: Walked, reading: Reading) -> Changes:
    """Return what the command does to its session."""
    return Changes(
        tuple(change for _, change in walked.changes), reading.cwd, reading.assigned
    )


class _Walk:
    """The state of one walk, shared by the scripts that are read on the way."""

    __slots__ = ("changes", "files", "findings", "lookups", "places", "scripts", "stack")

    def __init__(self, files: SessionFiles, places: Places) -> None:
        self.files = Overlay(files)
        self.places = places
        self.findings: list[Finding] = []
        self.changes: list[tuple[int, Change]] = []
        self.scripts = MAX_SCRIPTS
        self.lookups = MAX_LOOKUPS
        self.stack: list[str] = []

    def go(self, reading: Reading, text: str, outer: int | None = None) -> None:
        """Walk through runs; those of a script count for the run that executes it."""
        runs = reading.runs
        lines = _Lines(runs, text) if outer is None else None
        flow = _Outputs(runs)
        for index, run in enumerate(runs):
            if run.how & How.REMOTE:
                continue
            step = _Step(self, runs, index, flow, lines, index if outer is None else outer)
            if self.files:
                step.execute()
            step.change()


class _Lines:
    """Which runs of a command are sure to have run, where the command succeeded."""

    __slots__ = ("_end", "_last_plain", "_runs", "_text", "_unsure")

    def __init__(self, runs: tuple[Run, ...], text: str) -> None:
        self._runs = runs
        self._text = text
        self._last_plain: int | None = None
        self._end = len(runs)
        self._unsure = False

    def sure(self, index: int) -> bool:
        """Return whether a run has run if the whole command succeeded."""
        if self._last_plain is None:
            self._look()
        run = self._runs[index]
        if index > self._end or run.how & (How.BACKGROUND | How.INLINE | How.DEFINED):
            return False
        if not run.how & How.MAYBE:
            return True
        return not self._unsure and index > (self._last_plain or 0)

    def decides(self, index: int) -> bool:
        """Return whether the command fails exactly if this run fails."""
        run = self._runs[index]
        return (
            index == len(self._runs) - 1
            and run.depth == 0
            and not run.how
            and self.sure(index)
            and not self._unsure
        )

    def _look(self) -> None:
        self._last_plain = -1
        text = self._text
        for index, run in enumerate(self._runs):
            if not run.how & How.MAYBE:
                self._last_plain = index
            if run.program in _ENDS or "exec" in run.via:
                self._end = min(self._end, index)
        documents = [run.stdin for run in self._runs if run.stdin is not None and run.stdin.strip()]
        for document in documents[:_MAX_DOCUMENTS]:
            text = text.replace(document, "", 1)
        self._unsure = _UNSURE_CHAIN.search(text) is not None


class _Outputs:
    """What foreign content the runs print, as far as the walk has come."""

    __slots__ = ("_runs", "_strong", "_weak", "_of")

    def __init__(self, runs: tuple[Run, ...]) -> None:
        self._runs = runs
        self._strong: list[int] = []
        self._weak: list[int] = []
        self._of: dict[int, tuple[Downloaded, str | None]] = {}

    def put(self, index: int, mark: Downloaded, path: str | None) -> None:
        """Have a run print what came from elsewhere, by way of a file or not."""
        self._of[index] = (mark, path)
        (self._strong if mark.strength is Strength.STRONG else self._weak).append(index)

    def own(self, index: int) -> Downloaded | None:
        """Return what foreign content a run prints."""
        found = self._of.get(index)
        return None if found is None else found[0]

    def into(self, index: int, slot: int | None = None) -> tuple[Downloaded, str | None] | None:
        """Return the foreign content that flows into a run's slot, None for any slot."""
        for source in self._runs[index].sources:
            if slot is not None and source.slot != slot:
                continue
            for found in (self._strong, self._weak):
                at = bisect_left(found, source.first)
                if at < len(found) and found[at] < source.last:
                    return self._of[found[at]]
        return None


class _Step:
    """One run of a walk; the `Step` of `effects`."""

    __slots__ = ("_flow", "_index", "_lines", "_outer", "_runs", "_walk", "run")

    def __init__(  # noqa: PLR0913, PLR0917 # one call, in this file
        self,
        walk: _Walk,
        runs: tuple[Run, ...],
        index: int,
        flow: _Outputs,
        lines: _Lines | None,
        outer: int,
    ) -> None:
        self._walk = walk
        self._runs = runs
        self._index = index
        self._flow = flow
        self._lines = lines
        self._outer = outer
        self.run = runs[index]

    # What `effects` asks

    def paths(self, word: str, slot: int) -> list[str]:
        """Return the paths that a word names."""
        walk = self._walk
        if not word or len(word) > _LONGEST_PATH or walk.lookups <= 0:
            return []
        walk.lookups -= 1
        marks = self.run.marks
        if 0 <= slot < len(marks) and marks[slot] & WordMark.GLOB and UNKNOWN not in word:
            return walk.files.matching(walk.places.resolve(word, self.run.cwd) or word)
        path = walk.places.resolve(word, self.run.cwd)
        if path is not None:
            return [path]
        name = basename(word)
        return [NOWHERE + name] if name and UNKNOWN not in name else []

    def place(self, path: str) -> Place:
        """Return where a path lies."""
        return self._walk.places.place(path)

    def marks(self, path: str) -> tuple[Mark, ...]:
        """Return what a file can be, each as a file's own mark."""
        files = self._walk.files
        return files.exact(path) or tuple(
            mark._replace(folder=False) if isinstance(mark, Downloaded) else mark
            for mark in files.marks(path)
        )

    def below(self, folder: str) -> list[tuple[str, tuple[Mark, ...]]]:
        """Return the marked files in a folder."""
        return self._walk.files.below(folder)

    def incoming(self) -> Downloaded | None:
        """Return what foreign content the standard input holds."""
        found = self._incoming(STDIN)
        return None if found is None else found[0]

    def add(self, path: str, mark: Mark) -> None:
        """Have a file be something more."""
        self._apply(Change(path, mark))

    def replace(self, path: str, mark: Mark | None, *, tree: bool = False) -> None:
        """Have a file be something else, where this run is sure to have run."""
        sure = self._lines is not None and self._lines.sure(self._index)
        if mark is not None:
            self._apply(Change(path, mark, replaces=sure, tree=tree and sure))
        elif sure and not path.startswith(NOWHERE):
            self._apply(Change(path, None, replaces=True, tree=tree))

    def _apply(self, change: Change) -> None:
        self._walk.changes.append((self._outer, self._walk.files.apply(change)))

    # What the run does to files

    def change(self) -> None:
        """Note what the run does to files, and what it prints."""
        run = self.run
        fetched = fetches(run)
        effect = EFFECTS.get(run.program)
        if effect is not None and (self._walk.files or run.sources):
            effect(self)
        printed = next((each for each in fetched if each.target == OUTPUT), None)
        if printed is not None:
            self._flow.put(self._index, _mark_of(printed), None)
        elif not fetched:
            self._pass_on()
        for fetch in fetched:
            if fetch.target != OUTPUT:
                self._fetch(fetch)
        if run.program in {"tee", "sponge"}:
            self._tee()
        for redirect in run.redirects:
            if redirect.fd == 1 and redirect.op in {">", ">>"}:
                self._write(redirect.target, run.output, append=redirect.op == ">>")

    def _fetch(self, fetch: Fetch) -> None:
        lines = self._lines
        sure = lines is not None and lines.sure(self._index) and not fetch.folder
        fails = fetch.only and lines is not None and lines.decides(self._index)
        for path in self.paths(fetch.target, STDIN):
            self._apply(Change(path, _mark_of(fetch), replaces=sure, fails=fails))

    def _tee(self) -> None:
        append = any(word in {"-a", "--append"} for word in self.run.args)
        for word in self.run.args:
            if not word.startswith("-"):
                self._write(word, self.run.stdin, append=append)

    def _write(self, word: str, text: str | None, *, append: bool) -> None:
        """Have a file hold what the run prints: foreign content, a known text, or anything."""
        if word.startswith("/dev/"):
            return
        foreign = self._flow.own(self._index)
        for path in self.paths(word, STDIN):
            if append and (foreign or text is None):
                if foreign:
                    self.add(path, foreign)
            elif foreign is not None:
                lines = self._lines
                fails = lines is not None and lines.decides(self._index)
                sure = lines is not None and lines.sure(self._index)
                self._apply(Change(path, foreign, replaces=sure, fails=fails))
            elif text is not None and append:
                self._append(path, text)
            elif text is not None:
                self.replace(path, Written(text))
            else:
                self.replace(path, None)

    def _append(self, path: str, text: str) -> None:
        """Have a file hold a text more; what came from elsewhere stays in it."""
        marks = self._walk.files.exact(path)
        known = known_text(marks)
        if known is not None:
            self.replace(path, Written(known.text + text))
            return
        texts = [mark for mark in marks if isinstance(mark, Written)]
        before = "".join(mark.text for mark in texts)
        kept = all(mark.kept for mark in texts)
        self.replace(path, Written(before + text, kept=kept, whole=False))
        for mark in marks:
            if isinstance(mark, Downloaded):
                self.add(path, mark)

    def _pass_on(self) -> None:
        """Note what foreign content the run prints that it was given."""
        run = self.run
        if run.program in _DIGESTERS or not (self._walk.files or run.sources):
            return
        found = self._incoming(None)
        if found is None and run.program in _PRINTERS:
            for at, word in enumerate(run.args):
                found = self._foreign(word, at + 1)
                if found is not None:
                    break
        if found is not None:
            self._flow.put(self._index, *found)

    def _incoming(self, slot: int | None) -> tuple[Downloaded, str | None] | None:
        found = self._flow.into(self._index, slot)
        if found is None and self._walk.files:
            for redirect in self.run.redirects:
                if redirect.fd == 0:
                    found = self._foreign(redirect.target, STDIN)
        return found

    def _foreign(self, word: str, slot: int) -> tuple[Downloaded, str | None] | None:
        for path in self.paths(word, slot):
            for mark in self.marks(path):
                if isinstance(mark, Downloaded):
                    return mark, path
        return None

    # What the run executes

    def execute(self) -> None:
        """Judge the marked files that the run executes."""
        run = self.run
        if run.program and not run.path:
            self._execute_by_name(run.program)
        for one in executions(run):
            if not one.word:
                self._execute_flow(one)
                continue
            for path, doubt in self._candidates(one):
                self._execute_file(path, one, doubt)

    def _execute_by_name(self, name: str) -> None:
        """Judge a program that the shell looks up; only marked ones are found here."""
        files = self._walk.files
        folders = [*_BIN_FOLDERS]
        for variable, value in self.run.env:
            if variable == "PATH":
                folders.extend(value.split(":")[:8])
        for folder in folders:
            path = self._walk.places.resolve(f"{folder}/{name}", self.run.cwd)
            if path is not None and files.exact(path):
                self._execute_file(path, Execution(name, 0), "")

    def _candidates(self, one: Execution) -> Iterator[tuple[str, str]]:
        """Yield the files that a word can name, and the doubt about it."""
        word, cwd = one.word, self.run.cwd
        marks = self.run.marks
        globbed = 0 <= one.slot < len(marks) and bool(marks[one.slot] & WordMark.GLOB)
        if UNKNOWN in word:
            yield from self._half_known(word, cwd)
        elif globbed or cwd:
            yield from ((path, "") for path in self.paths(word, one.slot))
        else:
            path = self._walk.places.resolve(word, cwd)
            if path is not None:
                yield path, ""
            else:  # any folder: every file whose path ends so can be meant
                tail = word.removeprefix("./")
                pattern = "*/" + tail.replace("[", "[[]")
                for path in self._walk.files.matching(pattern):
                    yield path, "the folder that it is looked for in is not known"

    def _half_known(self, word: str, cwd: str) -> Iterator[tuple[str, str]]:
        pattern = word.replace("[", "[[]").replace(UNKNOWN, "*")
        if basename(word).strip(UNKNOWN + ".") and len(word) <= _LONGEST_PATH:
            if not pattern.startswith(("/", "*")):
                pattern = f"{cwd or '*'}/{pattern.removeprefix('./')}"
            for path in self._walk.files.matching(pattern):
                yield path, "a part of its path is not known"

    def _execute_file(self, path: str, one: Execution, doubt: str) -> None:
        marks = self._walk.files.marks(path)
        if one.guess and not self._walk.files.exact(path):
            marks = tuple(mark for mark in marks if _counts_for_guess(mark))
        foreign = [mark for mark in marks if isinstance(mark, Downloaded)]
        if foreign:
            worst = max(foreign, key=lambda mark: mark.strength)
            self._report(path, worst.weak(doubt) if doubt else worst)
        for mark in marks:
            if isinstance(mark, Written):
                self._execute_text(mark, one.language, path)

    def _execute_flow(self, one: Execution) -> None:
        """Judge what runs because it flows into a slot, where it comes out of a marked file."""
        found = self._flow.into(self._index, one.slot)
        if found is not None and found[1] is not None:
            self._report(found[1], found[0])
        for text, path in self._texts_into(one):
            self._execute_text(text, one.language, path)

    def _texts_into(self, one: Execution) -> Iterator[tuple[Written, str]]:
        run = self.run
        if run.stdin is not None and one.slot == STDIN and one.language == "cron":
            yield Written(run.stdin), "the standard input"
        for source in run.sources:
            if source.slot != one.slot:
                continue
            for index in range(source.first, min(source.last, source.first + MAX_SCRIPTS)):
                output = self._runs[index].output
                if output is None:
                    yield from self._printed_texts(index)
                elif one.language == "cron":
                    yield Written(output), "the standard input"

    def _printed_texts(self, index: int) -> Iterator[tuple[Written, str]]:
        """Yield the written text that a pipeline's last run prints, run through its filters."""
        filters: list[str] = []
        for _ in range(_MAX_FILTERS):
            run = self._runs[index]
            step = _Step(self._walk, self._runs, index, self._flow, None, self._outer)
            words = [(at, word) for at, word in enumerate(run.args) if step.written(word, at + 1)]
            inputs = [each.target for each in run.redirects if each.fd == 0]
            at, word = words[0] if words else (len(run.args), inputs[0] if inputs else "")
            text = step.written(word, STDIN)
            kept = [quote(each) for place, each in enumerate(run.args) if place != at]
            filters.insert(0, " ".join([run.program, *kept]))
            if text is not None:
                yield _filtered(text[0], filters), text[1]
                return
            before = [source for source in run.sources if source.slot == STDIN]
            if len(before) != 1 or before[0].last - before[0].first != 1:
                return
            index = before[0].first

    def written(self, word: str, slot: int) -> tuple[Written, str] | None:
        """Return the text of a file that a word names, where one was written."""
        for path in self.paths(word, slot):
            for mark in self._walk.files.exact(path):
                if isinstance(mark, Written):
                    return mark, path
        return None

    def _execute_text(self, mark: Written, language: str, path: str) -> None:
        walk, run = self._walk, self.run
        if path in walk.stack:
            return
        if not mark.kept:
            self._find(FORGOTTEN, f"{_shown(run)} runs {path}, whose whole text is not kept")
        command = command_of(mark.text, language)
        if not command:
            return
        if walk.scripts <= 0 or len(walk.stack) >= MAX_SCRIPT_DEPTH:
            self._find(FORGOTTEN, f"{_shown(run)} runs {path}, one script more than is followed")
            return
        walk.scripts -= 1
        reading = read_command(command, run.cwd, walk.places.home)
        for finding in judge(reading, walk.places):
            reason = f"{_shown(run)} runs {path}, in which {finding.reason}"
            walk.findings.append(finding._replace(reason=reason, run=self._outer))
        for fault in reading.faults:
            reason = f"{_shown(run)} runs {path}, which could not be read whole ({fault.kind})"
            self._find(FORGOTTEN, reason)
        walk.stack.append(path)
        walk.go(reading, command, self._outer)
        walk.stack.pop()

    def _report(self, path: str, mark: Downloaded) -> None:
        rule = STAGED if mark.strength is Strength.STRONG else STAGED_UNSURE
        reason = f"{_shown(self.run)} runs {path}, which came from {mark.source}"
        if mark.why:
            reason = f"{reason}; {mark.why}"
        self._find(rule, reason, f"cat {quote(path)}")

    def _find(self, rule: Rule, reason: str, suggestion: str | None = None) -> None:
        self._walk.findings.append(Finding(rule, rule.action, reason, suggestion, self._outer))


def _mark_of(fetch: Fetch) -> Downloaded:
    return Downloaded(fetch.source, fetch.strength, fetch.why, fetch.folder)


def _counts_for_guess(mark: Mark) -> bool:
    """Return whether a folder's mark counts for a file that the command does not name."""
    return isinstance(mark, Downloaded) and mark.why != UNPACKED


def _filtered(mark: Written, filters: list[str]) -> Written:
    if filters == ["cat"]:
        return mark
    return mark._replace(text=here_document("cat", mark.text).replace("\n", f" | {' | '.join(filters)} | sh\n", 1))


def _shown(run: Run) -> str:
    return f"`{show(run)}`"
