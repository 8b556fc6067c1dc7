"""What is known of a file that a call made, and what a call changes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

MAX_FILE_TEXT: Final = 64 * 1024
"""Characters of a file's text that are kept."""


class Strength(IntEnum):
    """How sure it is that a file came from elsewhere unchecked."""

    WEAK = 1
    STRONG = 2


class Downloaded(NamedTuple):
    """A file, or all files of a folder, that came from elsewhere.

    Attributes:
        source: Where from: an address, a host, an archive.
        strength: `WEAK` files are warned about when they run, `STRONG` ones blocked.
        why: What makes it weak, for people: "its checksum was compared".
        folder: Whether every file below the path is meant.
    """

    source: str
    strength: Strength
    why: str = ""
    folder: bool = False

    def weak(self, why: str) -> "Downloaded":
        """Return the mark as one that is only warned about."""
        return self._replace(strength=Strength.WEAK, why=self.why or why)


class Written(NamedTuple):
    """A file whose text a call gave.

    Attributes:
        text: The text.
        kept: Whether all of the text that was given is here; limits cut it.
        whole: Whether the file holds nothing else; an edit or an appended text is a part.
    """

    text: str
    kept: bool = True
    whole: bool = True

    def cut(self) -> "Written":
        """Return the mark with as much of the text as is kept."""
        if len(self.text) <= MAX_FILE_TEXT:
            return self
        return self._replace(text=self.text[:MAX_FILE_TEXT], kept=False)


Mark = Downloaded | Written


class Change(NamedTuple):
    """What a call does to one file.

    Attributes:
        path: The file, absolute and normalised; `?/NAME` where the folder is not known.
        mark: What it is now, as far as the call tells; None where it says nothing of the file.
        replaces: Whether its earlier marks go once the call has succeeded.
        tree: Whether everything below the path is replaced as well.
        fails: Whether the file is not there when the call fails.
    """

    path: str
    mark: Mark | None
    replaces: bool = False
    tree: bool = False
    fails: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """What a call does to a session.

    Attributes:
        files: In the order in which they happen.
        cwd: The folder that the call ends in; "" where that is not known.
        assigned: Variables that it leaves behind.
    """

    files: tuple[Change, ...] = ()
    cwd: str = ""
    assigned: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SessionFiles:
    """What a session's calls are known to have left behind; a value, never changed.

    Attributes:
        marks: By path: everything that the file can be by now, newest last.
        cwd: The folder that its last command ended in; "" where that is not known.
        variables: Variables that may still be set.
    """

    marks: Mapping[str, tuple[Mark, ...]]
    cwd: str = ""
    variables: tuple[tuple[str, str], ...] = ()


NO_FILES: Final = SessionFiles({})
"""A session of which nothing is known."""
