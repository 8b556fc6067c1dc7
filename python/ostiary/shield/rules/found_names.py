"""Names that a search found: where it looked, and how far it was filtered."""

from enum import Enum
from typing import Final, NamedTuple

from ostiary.shield.places import Target
from ostiary.shield.reading import UNKNOWN, Mark, Run
from ostiary.shield.scene import Scene


class Filter(Enum):
    """How much of what is there a search finds."""

    NONE = "none"
    """All of it, or all files of it."""
    MOST = "most"
    """All but what is named."""
    SOME = "some"


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
_ACTIONS: Final = frozenset({"-exec", "-execdir"})
_ASKERS: Final = frozenset({"grep", "egrep", "fgrep", "test", "[", "file", "sh", "bash", "false"})
"""Programs that `-exec` asks whether to go on with a file."""
_ALL_NAMES: Final = frozenset({"*", "**", "*.*", ".*", "?*", "./*"})


def search_of(scene: Scene, slot: int) -> Search:
    """Return the search whose finds flow into a slot of a run."""
    flow, places = scene.flow, scene.places
    filtered, search = _is_part(scene, slot), _UNKNOWN
    for index in flow.upstream(scene.index, slot):
        run = flow.runs[index]
        if run.program == "find" and not search.starts:
            search = find_search(Scene(index, run, flow, places))
        elif not search.starts and (
            run.program in _LISTERS or (run.program == "git" and run.args[:1] == ("ls-files",))
        ):
            search = _listed(Scene(index, run, flow, places))
        elif run.program not in _PASSERS:
            filtered = True
    return search._replace(filtered=Filter.SOME) if filtered else search


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
        if scene.mark(at) & Mark.FOUND:
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
    """Return how much passes the tests before the first deletion; `-o` makes a way round them."""
    args = run.args
    best, negated, group = Filter.NONE, False, False
    for at in range(first, len(args)):
        word = args[at]
        if word in _ACTIONS and args[at + 1 : at + 2] and args[at + 1] in _ASKERS:
            return Filter.SOME
        if word in {"-ok", "-okdir"} or (word == "-type" and args[at + 1 : at + 2] not in _WIDE):
            return Filter.SOME
        if word == "-delete":
            return Filter.SOME if _only_folders(args, first, at) else best
        if word in _ACTIONS:
            break
        if word in {"!", "-not"}:
            negated = True
        elif word == "(":
            group = negated
        elif word == ")":
            negated = group = False
        elif word in _TESTS:
            if not _takes_all(word, args[at + 1] if at + 1 < len(args) else ""):
                if not negated:
                    return Filter.SOME
                best = Filter.MOST
            negated = group
    return best


def _only_folders(args: tuple[str, ...], first: int, last: int) -> bool:
    """Return whether `-delete` gets folders alone: it deletes those that are empty."""
    return any(args[at : at + 2] == ("-type", "d") for at in range(first, last))


def _takes_all(test: str, value: str) -> bool:
    return test.endswith(("name", "path")) and value in _ALL_NAMES
