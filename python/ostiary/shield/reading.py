"""What a command line would run: the facts that the rules of `CommandShield` look at."""

from __future__ import annotations

from enum import IntFlag
from typing import Any, Final, NamedTuple

from ostiary import _core
from ostiary.shield import limits

UNKNOWN: Final = "\ufffc"
"""Stands in a word's text for a part whose value is not known before the command runs."""

STDIN: Final = -1
"""The slot of a `Source` that is the standard input."""


class Mark(IntFlag):
    """How sure the text of a word is; a word without marks is exact."""

    GLOB = 1
    """An unquoted `*`, `?` or `[`: the shell puts file names here."""
    UNKNOWN = 2
    """The text holds `UNKNOWN` where a value is not known."""
    UNQUOTED = 4
    """The unknown part is not quoted: it can be several words, or none."""
    FOUND = 8
    """The unknown part is what `find`, `xargs` or the like put there; `sources` names the run."""
    PRESENT = 16
    """The unknown part is not empty: `${X:?}`, a number, a temporary file's name."""


class How(IntFlag):
    """In which way a run stands in its command."""

    BACKGROUND = 1
    MAYBE = 2
    """Runs only if something before it succeeds or fails: `&&`, `||`, `if`, a loop, a function."""
    RECURSIVE = 4
    """A function that calls itself."""
    REMOTE = 8
    """Runs on another machine or in a container: paths are not this machine's."""
    OPENED = 16
    """Its code (`sh -c CODE`, a script on standard input …) was read; the runs of it follow."""
    INLINE = 32
    """Not a command of the shell: what inline code of another language does, said as a command."""
    DEFINED = 64
    """The name is a function of this command; the runs of its body follow."""
    PIPED = 128
    """Its standard output goes into another run."""
    CAPTURED = 256
    """Its standard output becomes a word or a file descriptor of another run."""


class Source(NamedTuple):
    """Runs whose output flows into a run: `runs[first:last]`.

    Attributes:
        slot: `STDIN`, or the word that it becomes: 0 is the program, 1 the first argument.
        first: Index of the first run.
        last: Index after the last run.
    """

    slot: int
    first: int
    last: int


class Redirect(NamedTuple):
    """A file that the shell opens for a run.

    Attributes:
        op: `<`, `>`, `>>` or `<>`; the other forms (`>|`, `&>`, `>&FILE`) are said with these.
        fd: The file descriptor.
        target: The file, as a word.
        mark: The word's `Mark` bits.
    """

    op: str
    fd: int
    target: str
    mark: int


class Run(NamedTuple):
    """One program that would run, after quotes, variables, aliases and carriers are resolved.

    Attributes:
        program: Last part of the program's name: `rm` for `/bin/rm`; "" for redirections alone.
        path: The program as it was named, where that holds a `/`, else "".
        args: The arguments.
        marks: One byte of `Mark` bits a word; that of the program first.
        env: Variables that are set for this run alone: `(name, value)`.
        redirects: Files that the shell opens for it; here-documents are in `stdin`.
        cwd: The absolute directory that it runs in; "" where that is not known.
        stdin: Its whole standard input where that is known, else None.
        output: Its whole standard output where that is known, else None.
        sources: Runs whose output flows in.
        via: What it is wrapped in, outermost first: `sudo`, `timeout`, `sh -c`, `xargs`, `ssh` …
        how: `How` bits.
        depth: How many layers of code it stands in; 0 is the command itself.
    """

    program: str
    path: str
    args: tuple[str, ...]
    marks: bytes
    env: tuple[tuple[str, str], ...]
    redirects: tuple[Redirect, ...]
    cwd: str
    stdin: str | None
    output: str | None
    sources: tuple[Source, ...]
    via: tuple[str, ...]
    how: int
    depth: int


class Fault(NamedTuple):
    """Something that was not read.

    Attributes:
        kind: `syntax`, or the limit that was reached: `bytes`, `nodes`, `depth`, `runs`, `decoded`.
        offset: Byte of the text at which it was noticed.
        carrier: Whether the unread part could hold a command.
    """

    kind: str
    offset: int
    carrier: bool


class Reading(NamedTuple):
    """A command line, read.

    Attributes:
        runs: What would run, in the order in which it is written.
        faults: What was not read.
        cwd: The directory after the command; "" where that is not known.
        assigned: Variables that the command leaves behind: `(name, value)`, exact values only.
    """

    runs: tuple[Run, ...]
    faults: tuple[Fault, ...]
    cwd: str
    assigned: tuple[tuple[str, str], ...]


def read_command(
    text: str, cwd: str, home: str, variables: tuple[tuple[str, str], ...] = ()
) -> Reading:
    """Read a command line as bash would.

    Args:
        text: The command.
        cwd: The absolute directory that it starts in; "" where that is not known.
        home: The user's home directory.
        variables: What may be set already; each is read as set and as unknown.
    """
    try:
        read = _core.read_command(text, cwd, home, variables, limits.READING_LIMITS)
    except UnicodeEncodeError:  # half a character: no shell was ever given that
        return read_command(text.encode(errors="replace").decode(), cwd, home, variables)
    runs, faults, after, assigned = read
    return Reading(tuple(map(_run, runs)), tuple(map(Fault._make, faults)), after, assigned)


def _run(fields: tuple[Any, ...]) -> Run:
    run = Run._make(fields)
    if run.redirects or run.sources:
        redirects = tuple(map(Redirect._make, run.redirects))
        return run._replace(redirects=redirects, sources=tuple(map(Source._make, run.sources)))
    return run
