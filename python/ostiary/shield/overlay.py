"""A session's files in the middle of a call: the marks before it and its own changes."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from posixpath import basename, dirname

from ostiary.shield.marks import Change, Downloaded, Mark, SessionFiles, Written

NOWHERE = "?/"
"""Begins the path of a file whose folder is not known."""

_ELSEWHERE = "a file of this name was downloaded to a folder that is not known"
_MAX_MATCHES = 16


class Overlay:
    """What every file can be at one point of a call."""

    __slots__ = ("_before", "_now")

    def __init__(self, files: SessionFiles) -> None:
        """Start before the call."""
        self._before = files.marks
        self._now: dict[str, tuple[Mark, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self._now or self._before)

    def exact(self, path: str) -> tuple[Mark, ...]:
        """Return the marks of a path itself."""
        found = self._now.get(path)
        return self._before.get(path, ()) if found is None else found

    def marks(self, path: str) -> tuple[Mark, ...]:
        """Return what a file can be: by its own marks, else by those of a folder or of its name."""
        found = self.exact(path)
        if found:
            return found
        found = tuple(self._of_folders(path))
        if not found:
            name = NOWHERE + basename(path)
            found = tuple(
                mark.weak(_ELSEWHERE) if isinstance(mark, Downloaded) else mark
                for mark in self.exact(name)
            )
        return found

    def below(self, folder: str) -> list[tuple[str, tuple[Mark, ...]]]:
        """Return the marked files in a folder, at any depth."""
        start = folder.rstrip("/") + "/"
        return [(path, marks) for path, marks in self._all() if path.startswith(start)]

    def matching(self, pattern: str) -> list[str]:
        """Return the marked files that a pattern of the shell matches, some of them at most."""
        found = (path for path, marks in self._all() if marks and fnmatchcase(path, pattern))
        return [path for path, _ in zip(found, range(_MAX_MATCHES), strict=False)]

    def apply(self, change: Change) -> None:
        """Have one more thing happen to a file."""
        path, mark = change.path, change.mark
        kept = () if change.replaces else self.exact(path)
        self._now[path] = kept if mark is None or mark in kept else (*kept, mark)
        if change.tree:
            for below, _ in self.below(path):
                self._now[below] = ()

    def _of_folders(self, path: str) -> Iterator[Mark]:
        above = path
        while len(above) > 1:
            above = dirname(above)
            for mark in self.exact(above):
                if isinstance(mark, Downloaded) and mark.folder:
                    yield mark

    def _all(self) -> list[tuple[str, tuple[Mark, ...]]]:
        return [(path, self.exact(path)) for path in {**self._before, **self._now}]


def known_text(marks: tuple[Mark, ...]) -> Written | None:
    """Return the text that a file holds where there is no doubt about it."""
    if len(marks) == 1 and isinstance(marks[0], Written) and marks[0].whole and marks[0].kept:
        return marks[0]
    return None
