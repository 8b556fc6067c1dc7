"""Names that a search found: where it looked, and how far it was filtered."""

from enum import IntEnum
from itertools import pairwise
from typing import Final, NamedTuple

from ostiary.shield import bits
from ostiary.shield.places import Target
from ostiary.shield.reading import UNKNOWN, Run
from ostiary.shield.scene import Scene


class Filter(IntEnum):
    """How much of what is there a search leaves out."""

    NONE = 0
    """Finds all of it, or all files of it."""
    MOST = 1
    """Finds all but what is named."""
    SOME = 2
    """Finds only what is named, is old, is large …"""


class Search(NamedTuple):
    """A search.

    Attributes:
        starts: Where it looks; none where that is not known.
        filtered: How much of it it finds.
    """

    starts: tuple[Target, ...]
    filtered: Filter


_UNKNOWN: Final = Search((), Filter.SOME)
_LISTERS: Final = frozenset({"ls", "dir", "fd", "fdfind", "tree", "du"})
_PASSERS: Final = frozenset(
    {"sort", "uniq", "tee", "cat", "tr", "xargs", "rev", "nl", "echo", "shuf", "parallel", "pv"}
)
"""Programs that pass every name on; any other between is a filter."""
_TESTS: Final = frozenset({
    "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex",
    "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-newer", "-anewer", "-cnewer",
    "-size", "-empty", "-perm", "-user", "-group", "-uid", "-gid", "-nouser", "-nogroup", "-inum",
    "-samefile", "-lname", "-ilname", "-links", "-executable", "-writable", "-readable", "-used",
    "-xtype", "-context", "-fstype", "-newermt", "-newerat", "-newerct", "-newermm", "-newerma",
    "-Bmin", "-Btime", "-false",
})  # fmt: skip
_WIDE: Final = frozenset({("f",), ("d",), ("f,d",), ("d,f",)})
"""What `-type` takes that leaves next to nothing."""
_RUNS: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_ASKERS: Final = frozenset({"grep", "egrep", "fgrep", "test", "[", "file", "sh", "bash", "false"})
"""Programs that `-exec` asks whether to go on with a file."""
_ALL_NAMES: Final = frozenset({"*", "**", "*.*", ".*", "?*", "./*", ".*/.*"})


def search_of(scene: Scene, slot: int) -> Search:
    """Return the search whose finds flow into a slot of a run."""
    flow, places = scene.flow, scene.places
    origin = flow.reached("search", _searches, scene.at, slot)
    if origin is None:
        return _UNKNOWN
    run = flow.runs[origin]
    found = Scene(origin, run, flow, places)
    search = find_search(found) if run.program == "find" else _listed(found)
    between = (flow.runs[index] for index in flow.upstream(scene.at, slot) if index != origin)
    if _is_part(scene, slot) or any(one.program not in _PASSERS for one in between):
        return search._replace(filtered=Filter.SOME)
    return search


def _searches(run: Run) -> bool:
    if run.program == "git":
        return run.args[:1] == ("ls-files",)
    return run.program == "find" or run.program in _LISTERS


def _is_part(scene: Scene, slot: int) -> bool:
    """Return whether a word is made of a found name and more: `{}.bak`."""
    return slot > 0 and scene.run.args[slot - 1].strip(UNKNOWN + "/.*") != ""


def _listed(scene: Scene) -> Search:
    words = [
        arg for arg, word in enumerate(scene.run.args) if word[:1] != "-" and word != "ls-files"
    ]
    starts = tuple(map(scene.target, words)) or (scene.path("."),)
    return Search(starts, Filter.NONE if _shows_all(scene.run) else Filter.MOST)


def _shows_all(run: Run) -> bool:
    """Return whether a listing names hidden files too."""
    return any(word[:1] == "-" and ("a" in word[1:8] or "A" in word[1:8]) for word in run.args)


def find_search(scene: Scene) -> Search:
    """Return where a `find` looks, and how much of that it finds before it acts."""
    args = scene.run.args
    at = _first_start(args)
    starts: list[Target] = []
    while at < len(args) and not args[at].startswith(("-", "(", "!")):
        if scene.mark(at) & bits.FOUND:
            return _UNKNOWN
        starts.append(scene.target(at))
        at += 1
    if not starts:
        starts.append(scene.path("."))
    return Search(tuple(starts), _filter_of(scene.run, at))


def _first_start(args: tuple[str, ...]) -> int:
    at = 0
    while at < len(args) and (args[at] in {"-H", "-L", "-P", "-D", "--"} or args[at][:2] == "-O"):
        at += 2 if args[at] == "-D" else 1
    return at


def _filter_of(run: Run, first: int) -> Filter:
    """Return how much a search finds before it deletes, or gives to what deletes."""
    ways = _ways(run.args, first)
    for at, way in enumerate(ways):
        if any(_deletes(way, index) for index in range(len(way))):
            strength = _strength(way)
            return Filter.MOST if at and strength is Filter.NONE else strength
    kept = [_strength(way) for way in ways if "-prune" not in way]
    weakest = min(kept, default=Filter.SOME)
    return Filter.MOST if weakest is Filter.NONE and len(kept) < len(ways) else weakest


def _ways(args: tuple[str, ...], first: int) -> list[tuple[str, ...]]:
    """Return the ways that `-o` and `,` make through a search, outside of its groups."""
    ways, depth, inside, start = [], 0, False, first
    for at in range(first, len(args)):
        word = args[at]
        if inside:
            inside = word not in {";", "+"}
        elif word in _RUNS:
            inside = True
        elif word in {"(", ")"}:
            depth += 1 if word == "(" else -1
        elif depth <= 0 and word in {"-o", "-or", ","}:
            ways.append(args[start:at])
            start = at + 1
    ways.append(args[start:])
    return ways


def _deletes(way: tuple[str, ...], at: int) -> bool:
    """Return whether a word deletes, or runs a program that is no test."""
    if way[at] in {"-exec", "-execdir"}:
        return not _ASKERS.intersection(way[at + 1 : at + 2])
    return way[at] == "-delete"


def _strength(way: tuple[str, ...]) -> Filter:
    """Return how much passes the tests of a way, before it deletes."""
    best, negated, group = Filter.NONE, False, False
    for at, word in enumerate(way):
        if _deletes(way, at):
            return Filter.SOME if word == "-delete" and ("-type", "d") in _pairs(way) else best
        if word in {"!", "-not"}:
            negated = True
        elif word in {"(", ")"}:
            group = negated and word == "("
            negated = group
        elif _tests(way, at):
            if not negated:
                return Filter.SOME
            best, negated = Filter.MOST, group
    return best


def _pairs(way: tuple[str, ...]) -> set[tuple[str, str]]:
    """Return neighbours; after `-type d`, `-delete` takes the empty folders alone."""
    return set(pairwise(way))


def _tests(way: tuple[str, ...], at: int) -> bool:
    """Return whether a word is a test that leaves something out."""
    word = way[at]
    if word == "-type":
        return way[at + 1 : at + 2] not in _WIDE
    if word in _RUNS:  # `-ok` asks a person, `-exec grep` asks a program
        return True
    return word in _TESTS and not _takes_all(word, "".join(way[at + 1 : at + 2]))


def _takes_all(test: str, value: str) -> bool:
    return test.endswith(("name", "path", "regex")) and value in _ALL_NAMES
