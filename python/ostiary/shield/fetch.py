"""One thing that a run gets from elsewhere."""

from collections.abc import Sequence
from posixpath import basename
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from ostiary.shield.marks import Strength
from ostiary.shield.options import Options, take_apart
from ostiary.shield.reading import Run

OUTPUT: Final = "-"
"""The target of a fetch that goes to the standard output."""

_LONGEST_SOURCE: Final = 120
_LOOPBACK: Final = ("localhost", "127.", "[::1]", "0.0.0.0")  # noqa: S104 # named, not bound


class Fetch(NamedTuple):
    """One thing that a run gets from elsewhere.

    Attributes:
        source: Where from.
        target: The file or folder as a word, or `OUTPUT`.
        strength: How sure it is that the content is foreign.
        why: What makes it weak.
        folder: Whether the target is a folder whose files are not named.
        only: Whether it is all that the run gets, so that the run fails where it fails.
    """

    source: str
    target: str
    strength: Strength = Strength.STRONG
    why: str = ""
    folder: bool = False
    only: bool = False


def fetched(source: str, target: str, *, only: bool = False) -> Fetch:
    """Return one file that a run gets; what this machine serves is only half foreign."""
    shown = source[:_LONGEST_SOURCE]
    if host_of(source).startswith(_LOOPBACK):
        return Fetch(shown, target, Strength.WEAK, "this machine serves it", only=only)
    return Fetch(shown, target, only=only)


def folder_of(source: str, target: str, why: str) -> Fetch:
    """Return a folder whose files a run gets, which it does not name."""
    return Fetch(source[:_LONGEST_SOURCE], target, Strength.WEAK, why, folder=True)


def host_of(address: str) -> str:
    """Return the host of an address, with its port."""
    try:
        return urlsplit(address if "//" in address else "//" + address).netloc.rpartition("@")[2]
    except ValueError:  # brackets that hold no address
        return address


def name_of(address: str) -> str:
    """Return the last name in an address, without its query."""
    return basename(address.partition("?")[0].partition("#")[0].rstrip("/"))


def words_of_run(run: Run, options: Options) -> list[str]:
    """Return the operands of a run."""
    return [run.args[at] for at in options.operands]


def words_of(args: Sequence[str], valued: frozenset[str]) -> list[str]:
    """Return the operands among arguments."""
    return [args[at] for at in take_apart(args, valued).operands]
