"""Where a path lies: what a command touches there, and how much of it."""

import posixpath
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from ostiary.shield import bits, system_paths
from ostiary.shield.reading import UNKNOWN


class Place(StrEnum):
    """What kind of place a path is, as far as its loss or change would hurt."""

    ROOT = "root"
    SYSTEM = "system"
    LOCAL = "local"
    """In a folder of the system into which people and packages put their own: `/usr/local`."""
    HOME = "home"
    """A home folder itself."""
    HOME_CRITICAL = "home_critical"
    """Keys, credentials and start-up files of a home."""
    ABOVE = "above"
    """A folder that holds the workspace or a home."""
    WORKSPACE = "workspace"
    """The workspace's root."""
    INSIDE = "inside"
    """In the workspace."""
    REPOSITORY = "repository"
    """A `.git` folder of the workspace, or in it."""
    SCRATCH = "scratch"
    """In a temporary folder or a cache."""
    SCRATCH_ROOT = "scratch_root"
    PROTECTED = "protected"
    """Protected by policy."""
    DEVICE = "device"
    STREAM = "stream"
    """`/dev/null`, a terminal and the like: nothing is lost there."""
    OUTSIDE = "outside"
    SOMEWHERE = "somewhere"
    """A named file or folder below one that is not known: `$DIR/build`."""
    UNKNOWN = "unknown"


class Target(NamedTuple):
    """What a word of a command names.

    Attributes:
        word: The word, as it was written.
        path: The absolute path; up to a pattern, where there is one; None where it is not known.
        place: Where that is.
        whole: Whether a pattern takes everything in `path`: `/*`, `*`, `.*`.
        pattern: The first part that is a pattern, or "".
        unset: Whether it is the root if an unknown value is empty: `$DIR/`, `$DIR/*`, `/$DIR`.
    """

    word: str
    path: str | None
    place: Place
    whole: bool = False
    pattern: str = ""
    unset: bool = False


_PATTERN_SIGNS: Final = "*?["
_LONGEST_PATTERN: Final = 256
"""Characters of a pattern that are compared with names; names are shorter."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that a judgement depends on.

    Attributes:
        home: The user's home, absolute.
        workspace: The folder that the agent works in, absolute.
        scratch: Folders whose content may go, absolute.
        protected: Paths that policy protects, absolute.
    """

    home: str
    workspace: str
    scratch: tuple[str, ...] = ("/tmp", "/var/tmp")  # noqa: S108 - names, not files
    protected: tuple[str, ...] = ()

    def resolve(self, word: str, cwd: str) -> str | None:
        """Return a word's absolute path, normalised lexically; None where it is not known.

        Args:
            word: A path as a command has it.
            cwd: The directory that it starts from; "" where that is not known.
        """
        if UNKNOWN in word:
            return None
        if word.startswith("~"):
            word = self._home_of(word)
        elif word[1:3] in {":\\", ":/"}:
            word = f"/mnt/{word[0].lower()}/" + word[3:].replace("\\", "/")
        if word.startswith("/"):
            return _real(posixpath.normpath(word))
        if not cwd or not word:
            return None
        return _real(posixpath.normpath(f"{cwd}/{word}"))

    def _home_of(self, word: str) -> str:
        user, slash, rest = word[1:].partition("/")
        if not user:
            return self.home + slash + rest
        folder = "/root" if user == "root" else f"{posixpath.dirname(self.home)}/{user}"
        return folder + slash + rest

    def place(self, path: str | None) -> Place:
        """Return what kind of place an absolute, normalised path is.

        The longest of the folders that hold it decides: a workspace in a home is a workspace, a
        cache in a home is scratch.
        """
        if path is None or path == "/":
            return Place.UNKNOWN if path is None else Place.ROOT
        if self.protected and any(_within(path, one) for one in self.protected):
            return Place.PROTECTED
        if path.startswith("/dev/") and not path.startswith("/dev/shm"):  # noqa: S108
            return Place.STREAM if system_paths.is_stream(path) else Place.DEVICE
        if path == self.home or system_paths.is_home(path):
            return Place.HOME
        if path == self.workspace:
            return Place.WORKSPACE
        return self._holder(path) or self._held(path)

    def _holder(self, path: str) -> Place | None:
        """Return what kind of place a folder is for what it holds, or None."""
        if self.workspace.startswith(path + "/") or self.home.startswith(path + "/"):
            return Place.SYSTEM if system_paths.is_system(path) else Place.ABOVE
        return Place.SCRATCH_ROOT if path in self.scratch else None

    def _held(self, path: str) -> Place:
        """Return what kind of place a path below one of the folders is; the longest decides."""
        inside = _within(path, self.workspace)
        room = len(self.workspace) if inside and self._is_own_room() else 0
        folders = (*self.scratch, "/var/folders")  # macOS keeps each user's own there
        if any(len(one) > room and _within(path, one) for one in folders):
            return Place.SCRATCH
        rest = None if room else self._in_home(path)
        if rest is not None:
            if system_paths.is_cache(rest):
                return Place.SCRATCH
            if system_paths.is_critical(rest):
                return Place.HOME_CRITICAL
        elif not room and system_paths.is_system(path):
            return Place.LOCAL if system_paths.is_local(path) else Place.SYSTEM
        if not inside:
            return Place.OUTSIDE
        return Place.REPOSITORY if "/.git/" in path + "/" else Place.INSIDE

    def _is_own_room(self) -> bool:
        """Return whether the workspace is no home and no top folder of the system."""
        return not (_within(self.home, self.workspace) or system_paths.is_top(self.workspace))

    def _in_home(self, path: str) -> str | None:
        """Return a path's part below the home that holds it, or None."""
        if path.startswith(self.home + "/"):
            return path[len(self.home) + 1 :]
        return system_paths.below_home(path)

    def target(self, word: str, mark: int, cwd: str) -> Target:
        """Return what a word names.

        Args:
            word: A path as a command has it.
            mark: Its `Mark` bits.
            cwd: The directory that it starts from; "" where that is not known.
        """
        if not mark and self._is_plain(word, cwd):
            return Target(word, f"{cwd}/{word}", Place.INSIDE)
        if mark & bits.UNKNOWN:
            return self._half_known(word, cwd, present=bool(mark & bits.PRESENT))
        if mark & bits.GLOB:
            return self._pattern(word, cwd)
        path = self.resolve(word, cwd)
        if path is None and word.strip("./") and ".." not in word:
            return Target(word, None, Place.SOMEWHERE)
        return Target(word, path, self.place(path))

    def _is_plain(self, word: str, cwd: str) -> bool:
        """Return whether a word is a file below the workspace at first sight: most are."""
        return (
            cwd == self.workspace
            and word[:1] not in _DETOURS
            and "./" not in word
            and "//" not in word
            and ".git" not in word
            and word[-1] not in "/."
            and word[1:2] != ":"
            and not self.protected
            and self._is_own_room()
        )

    def _half_known(self, word: str, cwd: str, *, present: bool) -> Target:
        """Return the target of a word with an unknown part: its folder, where that is known."""
        known, _, rest = word.partition(UNKNOWN)
        empties = rest.replace(UNKNOWN, "").strip("/")
        covers = bool(empties) and all(map(_takes_all, empties.split("/")))
        if not known:
            unset = rest.startswith("/") and (covers or not empties) and not present
            named = rest.startswith("/") and empties and not covers and ".." not in rest
            if named and self.place(self.resolve("/" + empties, "")) not in _GREAT:
                return Target(word, None, Place.SOMEWHERE)
            return Target(word, None, Place.UNKNOWN, whole=covers, unset=unset)
        folder, slash, _ = known.rpartition("/")
        path = self.resolve(folder + slash if slash else ".", cwd)
        place = self.place(path)
        if place is Place.ROOT:
            return Target(word, path, Place.UNKNOWN, unset=(not empties or covers) and not present)
        if place is Place.WORKSPACE:
            place = Place.INSIDE
        elif place is Place.SCRATCH_ROOT:
            place = Place.SCRATCH
        elif place in {Place.HOME, Place.ABOVE}:
            place = Place.UNKNOWN
        return Target(word, path, place)

    def _pattern(self, word: str, cwd: str) -> Target:
        parts = word.split("/")
        first = next((i for i, part in enumerate(parts) if _has_sign(part)), len(parts))
        if first == len(parts):  # the sign was quoted after all
            path = self.resolve(word, cwd)
            return Target(word, path, self.place(path))
        folder = "/".join(parts[:first])
        path = self.resolve(folder or ("/" if first else "."), cwd)
        pattern = parts[first]
        rest = [part for part in parts[first:] if part]
        if all(map(_takes_all, rest)):
            return Target(word, path, self.place(path), whole=True, pattern=pattern)
        return Target(word, path, self._among(path, pattern), pattern=pattern)

    def _among(self, path: str | None, pattern: str) -> Place:
        """Return the worst place among the names in a folder that a pattern can take."""
        place = self.place(path)
        if path is None or place not in _NAMES_COUNT:
            return place
        pattern = pattern[:_LONGEST_PATTERN]
        if place is Place.ROOT:
            return Place.SYSTEM if _takes(pattern, system_paths.TOP) else Place.OUTSIDE
        if place is Place.HOME:
            critical = _takes(pattern, system_paths.CRITICAL)
            return Place.HOME_CRITICAL if critical else Place.OUTSIDE
        if place is Place.WORKSPACE:
            return Place.REPOSITORY if _takes(pattern, (".git",)) else Place.INSIDE
        if place is Place.SCRATCH_ROOT:
            return Place.SCRATCH
        below = (self.workspace + "/")[len(path) + 1 :].partition("/")[0]
        return Place.ABOVE if _takes(pattern, (below,)) else Place.OUTSIDE


_DETOURS: Final = frozenset({"", "/", "~", "."})
_GREAT: Final = frozenset(
    {Place.ROOT, Place.SYSTEM, Place.HOME, Place.HOME_CRITICAL, Place.ABOVE, Place.WORKSPACE}
)
_NAMES_COUNT: Final = frozenset(
    {Place.ROOT, Place.HOME, Place.WORKSPACE, Place.SCRATCH_ROOT, Place.ABOVE}
)


def _real(path: str) -> str:
    """Return a path without the detours by which the same file has a second name."""
    if path.startswith("//"):
        path = path[1:]
    if path.startswith("/private/"):  # macOS: /etc, /tmp and /var are links into it
        head = path[9:].partition("/")[0]
        return path[8:] if head in {"etc", "tmp", "var"} else path
    if path.startswith("/proc/self/fd/"):
        return "/dev/fd/" + path[14:]
    if path.startswith("/proc/"):  # /proc/self/root is another name of /
        parts = path.split("/", 4)
        if len(parts) > 3 and parts[3] == "root":  # noqa: PLR2004 - "", proc, PID, root
            return "/" + (parts[4] if len(parts) > 4 else "")  # noqa: PLR2004
    return path


def _within(path: str, folder: str) -> bool:
    return folder in {path, "/"} or path.startswith(folder + "/")


def _has_sign(part: str) -> bool:
    return any(sign in part for sign in _PATTERN_SIGNS)


def _takes_all(part: str) -> bool:
    """Return whether a pattern takes every name, or every hidden one."""
    if len(part) > _LONGEST_PATTERN:
        return False
    if "[" in part:
        head, _, tail = part.partition("[")
        return "]" in tail and _takes_all(head + "?") and _takes_all(tail.partition("]")[2] + "?")
    return _has_sign(part) and not part.strip("*?.")


def _takes(pattern: str, names: tuple[str, ...]) -> bool:
    hidden = pattern.startswith(".")
    return any(fnmatchcase(name, pattern) for name in names if hidden or not name.startswith("."))
