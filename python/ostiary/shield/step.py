"""One run on its way through a session's files."""

from collections.abc import Callable, Iterator
from posixpath import basename
from typing import Final

from ostiary.shield.certainty import Certainty
from ostiary.shield.marks import Change, Downloaded, Mark
from ostiary.shield.outputs import Outputs
from ostiary.shield.overlay import NOWHERE, Overlay
from ostiary.shield.places import Place, Places
from ostiary.shield.reading import STDIN, UNKNOWN, Reading, Run
from ostiary.shield.reading import Mark as WordMark
from ostiary.shield.rule import Finding, Rule

MAX_LOOKUPS: Final = 1_024
"""Words that are looked up among a session's files for one call."""

MAX_SEARCHES: Final = 32
"""Times that all of a session's files are searched for one call."""

MAX_CHANGES: Final = 1_024
"""Changes of files that are followed in one call: twice what a session remembers."""

MAX_FINDINGS: Final = 64
"""Findings about one call that are kept; the first one blocks or warns already."""

MAX_SCRIPTS: Final = 8
"""Scripts that are read for one call."""

LONGEST_PATH: Final = 4096
"""Bytes of a path on Linux, its PATH_MAX; longer ones cannot be opened."""


_GLOB: Final = int(WordMark.GLOB)


class Scope:
    """What the runs of one call share, those of the scripts that it executes among them.

    Attributes:
        files: What every file can be by now.
        places: The folders that count.
        follow: Goes through the runs of a script, for the run that executes it.
        findings: What is wrong with what is executed.
        changes: What the runs do to files, each with the index of the run.
        scripts: How many scripts may still be read.
        lookups: How many words may still be looked up.
        searches: How often all files may still be searched.
        exhausted: Whether one of these numbers, or of the changes, was not enough.
        stack: The scripts that are being read, outermost first.
    """

    __slots__ = (
        "changes", "exhausted", "files", "findings", "follow", "lookups", "places", "scripts",
        "searches", "stack",
    )  # fmt: skip

    def __init__(
        self, files: Overlay, places: Places, follow: Callable[["Scope", Reading, int], None]
    ) -> None:
        """Start before the first run."""
        self.files = files
        self.places = places
        self.follow = follow
        self.findings: list[Finding] = []
        self.changes: list[tuple[int, Change]] = []
        self.scripts = MAX_SCRIPTS
        self.lookups = MAX_LOOKUPS
        self.searches = MAX_SEARCHES
        self.exhausted = False
        self.stack: list[str] = []


class Step:
    """One run, with what flows into it and the files as they are before it.

    Attributes:
        run: The run.
        runs: All runs of its command or script.
        index: Its index among them.
        outputs: What the runs before it print.
        scope: What the whole call shares.
        outer: The run of the command that it counts for.
    """

    __slots__ = ("_certainty", "index", "outer", "outputs", "run", "runs", "scope")

    def __init__(  # noqa: PLR0913, PLR0917 # one call, in `files`
        self,
        scope: Scope,
        runs: tuple[Run, ...],
        index: int,
        outputs: Outputs,
        certainty: Certainty | None,
        outer: int,
    ) -> None:
        """Take one run; without a certainty nothing is sure, as in a script."""
        self.scope = scope
        self.runs = runs
        self.index = index
        self.outputs = outputs
        self._certainty = certainty
        self.outer = outer
        run = runs[index]
        if len(run.args) > MAX_LOOKUPS:
            scope.exhausted = scope.exhausted or bool(scope.files)
            run = run._replace(args=run.args[:MAX_LOOKUPS], marks=run.marks[: MAX_LOOKUPS + 1])
        self.run = run

    @property
    def sure(self) -> bool:
        """Whether the run has run if the command has succeeded."""
        return self._certainty is not None and self._certainty.sure(self.index)

    @property
    def proven(self) -> bool:
        """Whether the run has succeeded if the command has, or if what follows it runs."""
        return self._certainty is not None and self._certainty.proven(self.index)

    @property
    def decides(self) -> bool:
        """Whether the command fails exactly if the run fails."""
        return self._certainty is not None and self._certainty.decides(self.index)

    def beside(self, index: int) -> "Step":
        """Return another run of the same command, of which nothing is sure."""
        return Step(self.scope, self.runs, index, self.outputs, None, self.outer)

    def paths(self, word: str, slot: int) -> list[str]:
        """Return the paths that a word names: one, or the marked files that its pattern matches.

        Args:
            word: The word.
            slot: Which word of the run it is, as `Source` counts; `STDIN` for a part of a word.
        """
        scope = self.scope
        if not word or len(word) > LONGEST_PATH:
            return []
        scope.lookups -= 1
        if scope.lookups < 0:
            scope.exhausted = True
            return []
        path = scope.places.resolve(word, self.run.cwd)
        if path is not None:
            return self.matching(path) if self.mark(slot) & _GLOB else [path]
        name = basename(word)
        return [NOWHERE + name] if name and UNKNOWN not in name else []

    def mark(self, slot: int) -> int:
        """Return the reader's bits of a word, by its slot."""
        marks = self.run.marks
        return marks[slot] if 0 <= slot < len(marks) else 0

    def place(self, path: str) -> Place:
        """Return where a path lies."""
        return self.scope.places.place(path)

    def marks(self, path: str) -> tuple[Mark, ...]:
        """Return what a file can be, each as a mark of its own."""
        files = self.scope.files
        return files.exact(path) or tuple(
            mark._replace(folder=False) if isinstance(mark, Downloaded) else mark
            for mark in files.marks(path)
        )

    def below(self, folder: str) -> list[tuple[str, tuple[Mark, ...]]]:
        """Return the marked files in a folder."""
        return self.scope.files.below(folder) if self._may_search() else []

    def matching(self, pattern: str) -> list[str]:
        """Return the marked files that a pattern of the shell matches."""
        return self.scope.files.matching(pattern) if self._may_search() else []

    def _may_search(self) -> bool:
        scope = self.scope
        if scope.searches <= 0 or len(scope.changes) >= MAX_CHANGES:
            scope.exhausted = True
            return False
        scope.searches -= 1
        return True

    def foreign(self, word: str, slot: int) -> Iterator[tuple[Downloaded, str]]:
        """Yield what a word's files came from, with their paths."""
        for path in self.paths(word, slot):
            for mark in self.marks(path):
                if isinstance(mark, Downloaded):
                    yield mark, path

    def incoming(self, slot: int | None = STDIN) -> tuple[Downloaded, str | None] | None:
        """Return what foreign content flows into a slot, and the file that it comes out of."""
        found = self.outputs.into(self.index, slot)
        if found is None and self.scope.files:
            for redirect in self.run.redirects:
                if redirect.fd == 0:
                    found = next(self.foreign(redirect.target, STDIN), found)
        return found

    def add(self, path: str, mark: Mark) -> None:
        """Have a file be something more."""
        self.apply(Change(path, mark))

    def replace(
        self, path: str, mark: Mark | None, *, tree: bool = False, fails: bool = False
    ) -> None:
        """Have a file be something else, None for nothing that is known.

        Args:
            path: The file.
            mark: What it is.
            tree: Whether everything below it goes.
            fails: Whether it is not there where the run fails.
        """
        sure = self.sure
        if mark is not None:
            fails = fails and self.decides
            self.apply(Change(path, mark, replaces=sure, tree=tree and sure, fails=fails))
        elif sure and not path.startswith(NOWHERE):
            self.apply(Change(path, None, replaces=True, tree=tree))

    def apply(self, change: Change) -> None:
        """Have one more thing happen to a file."""
        scope = self.scope
        if len(scope.changes) >= MAX_CHANGES:
            scope.exhausted = True
            return
        if change.tree and not self._may_search():
            change = change._replace(tree=False)
        scope.files.apply(change)
        scope.changes.append((self.outer, change))

    def find(self, rule: Rule, reason: str, suggestion: str | None = None) -> None:
        """Report what is wrong with the run."""
        found = Finding(rule, rule.action, reason, suggestion, self.outer)
        if len(self.scope.findings) < MAX_FINDINGS:
            self.scope.findings.append(found)
