"""Deletes, by what they do to what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import PLAIN, Flags, Grammar, grammar, read_flags
from ostiary.shield.places import Place, Target
from ostiary.shield.reading import STDIN, Mark
from ostiary.shield.reading import UNKNOWN as NAMELESS
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import found_names
from ostiary.shield.scene import Check, Scene, shorten

_CATEGORY: Final = "destructive.filesystem"
_INSIDE: Final = "Delete by name, in the workspace: `rm -rf build`."

ROOT: Final = Rule(
    "filesystem.delete_root", _CATEGORY, SafetyAction.BLOCK,
    "Deletes the root of the filesystem, or what becomes it when a variable is empty.", _INSIDE,
)  # fmt: skip
SYSTEM: Final = Rule(
    "filesystem.delete_system", _CATEGORY, SafetyAction.BLOCK,
    "Deletes a file or folder of the operating system.", _INSIDE,
)  # fmt: skip
HOME: Final = Rule(
    "filesystem.delete_home", _CATEGORY, SafetyAction.BLOCK,
    "Deletes a home folder, or its keys, credentials and settings.", _INSIDE,
)  # fmt: skip
ABOVE: Final = Rule(
    "filesystem.delete_above", _CATEGORY, SafetyAction.BLOCK,
    "Deletes a folder that holds the workspace or a home.", _INSIDE,
)  # fmt: skip
WORKSPACE: Final = Rule(
    "filesystem.delete_workspace", _CATEGORY, SafetyAction.BLOCK,
    "Deletes the whole workspace.", _INSIDE,
)  # fmt: skip
REPOSITORY: Final = Rule(
    "filesystem.delete_repository", _CATEGORY, SafetyAction.BLOCK,
    "Deletes a repository's history: its `.git` folder.",
    "Keep the history; start a branch of its own: `git switch -c fresh`.",
)  # fmt: skip
PROTECTED: Final = Rule(
    "filesystem.delete_protected", _CATEGORY, SafetyAction.BLOCK,
    "Deletes a path that the policy protects.", _INSIDE,
)  # fmt: skip
OUTSIDE: Final = Rule(
    "filesystem.delete_outside", _CATEGORY, SafetyAction.BLOCK,
    "Deletes a folder outside the workspace and the scratch folders.", _INSIDE,
)  # fmt: skip
SCRATCH: Final = Rule(
    "filesystem.delete_scratch", _CATEGORY, SafetyAction.WARN,
    "Deletes a whole scratch folder, with what others keep there.",
    "Delete what is yours, by name: `rm -rf /tmp/build`.",
)  # fmt: skip
UNKNOWN: Final = Rule(
    "filesystem.delete_unknown", _CATEGORY, SafetyAction.WARN,
    "Deletes folders whose names are not known before it runs.", _INSIDE,
)  # fmt: skip
FOUND: Final = Rule(
    "filesystem.delete_found", _CATEGORY, SafetyAction.WARN,
    "Deletes what a search finds outside the workspace.", "Look first: `find . -name '*.tmp'`.",
)  # fmt: skip
RULES: Final = (
    ROOT, SYSTEM, HOME, ABOVE, WORKSPACE, REPOSITORY, PROTECTED, OUTSIDE, SCRATCH, UNKNOWN, FOUND,
)  # fmt: skip

_BY_PLACE: Final[Mapping[Place, tuple[Rule, str]]] = {
    Place.ROOT: (ROOT, "the root of the filesystem"),
    Place.SYSTEM: (SYSTEM, "a part of the operating system"),
    Place.HOME: (HOME, "a home folder"),
    Place.HOME_CRITICAL: (HOME, "keys or settings of a home"),
    Place.ABOVE: (ABOVE, "a folder that holds the workspace or a home"),
    Place.WORKSPACE: (WORKSPACE, "the workspace's root"),
    Place.PROTECTED: (PROTECTED, "protected by policy"),
}
_HOLDS_OTHERS: Final = frozenset({Place.OUTSIDE, Place.LOCAL})
_WHOLE_TREES: Final = frozenset({Place.ROOT, Place.SYSTEM, Place.HOME, Place.ABOVE})
_LOCKS: Final = (".lock", ".orig", ".swp", "/gc.log", "/MERGE_MSG", "/ORIG_HEAD", "known_hosts",
                 "known_hosts.old")  # fmt: skip
"""Files in `.git` and `.ssh` that may go."""

_RM: Final = grammar("r=recursive R=recursive f=force i=interactive I=interactive d=dir v=verbose",
                     long="no-preserve-root preserve-root one-file-system help version")  # fmt: skip
_SHRED: Final = grammar("u=remove z=zero n=iterations", valued="iterations n s size random-source")
_TRUNCATE: Final = grammar("s=size r=reference c=no-create o=io-blocks", valued="size reference")
_RSYNC: Final = grammar(
    "e=rsh f=filter n=dry-run",
    long="delete delete-before delete-during delete-after delete-excluded delete-delay del dry-run",
    valued="rsh filter exclude include files-from exclude-from include-from port backup-dir "
           "temp-dir compare-dest link-dest password-file bwlimit out-format log-file",
)  # fmt: skip
_TAR: Final = grammar("C=directory f=file", long="remove-files",
                      valued="directory file exclude transform X T")  # fmt: skip


def judge_delete(
    scene: Scene, target: Target, *, recursive: bool, asks: bool = False
) -> Iterator[Finding]:
    """Yield what is wrong with deleting a target.

    Args:
        scene: The run that deletes.
        target: What it deletes.
        recursive: Whether folders go with all that is in them.
        asks: Whether it asks before it deletes what is write-protected: `rm -r` without `-f`.
    """
    shown = scene.shown()
    word = shorten(target.word)
    if target.unset:
        yield from _delete_of_unset(scene, target, recursive=recursive)
    elif target.place in _BY_PLACE:
        rule, what = _BY_PLACE[target.place]
        weak = target.whole and target.place is Place.WORKSPACE and not recursive
        known = target.place is Place.HOME_CRITICAL and target.word.endswith(_LOCKS)
        if known:
            return
        if scene.is_remote and target.place not in _WHOLE_TREES:
            rule, what = OUTSIDE, "a folder of another machine"
            weak = True
        took = f"everything in `{word}`: {what}" if target.whole else f"`{word}`: {what}"
        yield scene_finding(scene, rule, f"{shown} deletes {took}", weak=weak)
    elif target.place is Place.REPOSITORY:
        if not target.word.endswith(_LOCKS):
            path = target.path or ""
            weak = not path.endswith("/.git")
            yield scene_finding(
                scene, REPOSITORY, f"{shown} deletes `{word}`: the repository's history", weak=weak
            )
    elif recursive:
        yield from _recursive(scene, target, shown, word, asks=asks)
    elif target.place is Place.LOCAL:
        yield scene_finding(scene, SYSTEM, f"{shown} deletes `{word}`, which others use", weak=True)


def _delete_of_unset(scene: Scene, target: Target, *, recursive: bool) -> Iterator[Finding]:
    reason = (
        f"{scene.shown()} deletes `{shorten(target.word)}`, which is the root of the filesystem "
        "when the value is empty"
    )
    if recursive:
        made = any(source.slot > 0 for source in scene.run.sources)
        yield scene_finding(scene, ROOT, reason, weak=made)
    elif target.whole:
        yield scene_finding(scene, ROOT, reason, weak=True)


def _recursive(
    scene: Scene, target: Target, shown: str, word: str, *, asks: bool
) -> Iterator[Finding]:
    """Yield what is wrong with deleting a folder that is none of the great ones."""
    if target.place in _HOLDS_OTHERS:
        vague = NAMELESS in target.word or (target.pattern != "" and not target.whole)
        weak = scene.is_remote or asks or vague
        where = "of another machine" if scene.is_remote else "outside the workspace"
        yield scene_finding(scene, OUTSIDE, f"{shown} deletes `{word}`, {where}", weak=weak)
    elif target.place is Place.SCRATCH_ROOT:
        yield SCRATCH.finding(scene.index, f"{shown} deletes the whole of `{word}`")
    elif target.place is Place.UNKNOWN:
        yield UNKNOWN.finding(scene.index, f"{shown} deletes `{word}`, which is not known")


def scene_finding(scene: Scene, rule: Rule, reason: str, *, weak: bool = False) -> Finding:
    """Return a finding, as a warning where the case is weak."""
    return rule.finding(scene.index, reason, SafetyAction.WARN if weak else None)


def _operands(scene: Scene, options: Flags) -> Iterator[Target]:
    for arg in options.operands:
        if not _is_found(scene, arg):
            yield scene.target(arg)


def _is_found(scene: Scene, arg: int) -> bool:
    """Return whether an argument is what a search gives: by `xargs`, `-exec` or `$(find …)`."""
    mark = scene.mark(arg)
    if mark & Mark.FOUND:
        return True
    return bool(mark & Mark.UNKNOWN and scene.run.args[arg] == NAMELESS) and any(
        source.slot == arg + 1 for source in scene.run.sources
    )


def check_rm(scene: Scene) -> Iterator[Finding]:
    """Yield what `rm` and its like delete."""
    options = read_flags(scene.run.args, _RM)
    if options.has("help", "version"):
        return
    recursive = options.has("recursive") or scene.run.program not in {"rm", "unlink", "srm"}
    asks = not options.has("force") and scene.run.program == "rm"
    for target in _operands(scene, options):
        yield from judge_delete(scene, target, recursive=recursive, asks=asks)
    yield from _delete_of_found(scene, options, recursive=recursive)


def _delete_of_found(scene: Scene, options: Flags, *, recursive: bool) -> Iterator[Finding]:
    """Yield what is wrong with deleting names that `find`, `xargs` or the like put there."""
    for arg in options.operands:
        if _is_found(scene, arg):
            search = found_names.search_of(scene, arg + 1)
            yield from judge_found(scene, search, recursive=recursive)
            return
    if options.has("recursive", "force") and not options.operands and _is_fed(scene):
        search = found_names.search_of(scene, STDIN)
        yield from judge_found(scene, search, recursive=recursive)


def _is_fed(scene: Scene) -> bool:
    return any(carrier.startswith(("xargs", "parallel")) for carrier in scene.run.via)


def judge_found(scene: Scene, search: found_names.Search, *, recursive: bool) -> Iterator[Finding]:
    """Yield what is wrong with deleting what a search finds.

    Args:
        scene: The run that deletes.
        search: Where it searches, and how far what it finds is filtered.
        recursive: Whether folders go with all that is in them.
    """
    shown = scene.shown()
    if not search.starts:
        if recursive:
            yield UNKNOWN.finding(scene.index, f"{shown} deletes names that are not known")
        return
    for start in search.starts:
        word = shorten(start.word)
        if search.filtered is found_names.Filter.SOME:
            yield from _delete_of_some(scene, start, f"{shown} deletes what it finds in `{word}`")
            continue
        weak = search.filtered is found_names.Filter.MOST
        asks = scene.run.program == "rm" and not any("f" in w[:8] for w in _short(scene.run.args))
        for finding in judge_delete(scene, start, recursive=True, asks=asks):
            says = f"{shown} deletes all that it finds in `{word}`: {finding.rule.summary}"
            action = SafetyAction.WARN if weak else finding.action
            yield finding.rule.finding(scene.index, says, action)


def _short(args: tuple[str, ...]) -> Iterator[str]:
    return (word for word in args if word[:1] == "-")


def _delete_of_some(scene: Scene, start: Target, says: str) -> Iterator[Finding]:
    if start.place is Place.PROTECTED:
        yield PROTECTED.finding(scene.index, f"{says}, protected by policy")
    elif start.place in {Place.ROOT, Place.SYSTEM, Place.HOME, Place.HOME_CRITICAL, Place.ABOVE,
                         Place.OUTSIDE, Place.LOCAL}:  # fmt: skip
        yield FOUND.finding(scene.index, f"{says}, outside the workspace")


def check_find(scene: Scene) -> Iterator[Finding]:
    """Yield what `find … -delete` deletes."""
    args = scene.run.args
    if "-delete" in args:
        yield from judge_found(scene, found_names.find_search(scene), recursive=False)


def check_single(scene: Scene) -> Iterator[Finding]:
    """Yield what programs destroy that take single files: `unlink`, `shred`, `truncate`."""
    form = _TRUNCATE if scene.run.program == "truncate" else _SHRED
    options = read_flags(scene.run.args, form)
    if (options.value("size") or "").startswith("+"):
        return
    for target in _operands(scene, options):
        if target.place not in {Place.STREAM, Place.DEVICE}:  # devices: see disks
            yield from judge_delete(scene, target, recursive=False)
    yield from _delete_of_found(scene, options, recursive=False)


def check_rmdir(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with `rmdir`, which deletes only what is empty."""
    for target in _operands(scene, read_flags(scene.run.args, PLAIN)):
        if target.place in _WHOLE_TREES and not target.whole:
            for finding in judge_delete(scene, target, recursive=False):
                yield finding._replace(action=SafetyAction.WARN)


def check_mv(scene: Scene) -> Iterator[Finding]:
    """Yield what `mv` takes away: whole trees, and what it moves to nowhere."""
    options = read_flags(scene.run.args, _MV)
    operands = options.operands
    moved = operands if options.has("target-directory") else operands[:-1]
    nowhere = bool(operands) and scene.run.args[operands[-1]] == "/dev/null"
    for arg in moved:
        target = scene.target(arg)
        if scene.mark(arg) & Mark.FOUND:
            continue
        if nowhere or target.place in _MOVED_AWAY or (target.place is Place.WORKSPACE and not target.whole):
            yield from judge_delete(scene, target, recursive=True)


_MV: Final = grammar("t=target-directory S=suffix", valued="target-directory suffix")
_MOVED_AWAY: Final = _WHOLE_TREES | {Place.PROTECTED}


def check_rsync(scene: Scene) -> Iterator[Finding]:
    """Yield what `rsync --delete` empties."""
    options = read_flags(scene.run.args, _RSYNC)
    deletes = any(name.startswith("del") for name in options.names)
    if not deletes or options.has("dry-run") or not options.operands:
        return
    last = options.operands[-1]
    if ":" in scene.run.args[last].partition("/")[0]:
        return
    target = scene.target(last)
    weak = target.place is Place.OUTSIDE
    for finding in judge_delete(scene, target, recursive=True):
        yield finding._replace(action=SafetyAction.WARN) if weak else finding


def check_tar(scene: Scene) -> Iterator[Finding]:
    """Yield what `tar --remove-files` and `zip -m` delete after they packed it."""
    if not any(word.startswith("--remove-f") or word == "-m" for word in scene.run.args):
        return
    if scene.run.program != "zip" and "-m" in scene.run.args:
        return
    options = read_flags(scene.run.args, _TAR)
    for target in _operands(scene, options):
        yield from judge_delete(scene, target, recursive=True)


def check_program_unknown(scene: Scene) -> Iterator[Finding]:
    """Yield what a program with an unknown name would delete, were it `rm`."""
    options = read_flags(scene.run.args, _RM)
    if not options.has("recursive") or not options.has("force"):
        return
    for target in _operands(scene, options):
        if target.place in _WHOLE_TREES:
            yield from judge_delete(scene, target, recursive=True)


_TRASH: Final[Grammar] = PLAIN


def check_trash(scene: Scene) -> Iterator[Finding]:
    """Yield what is moved to a trash: it can be had back, so only whole trees count."""
    for target in _operands(scene, read_flags(scene.run.args, _TRASH)):
        if target.place in _BY_PLACE:
            yield from judge_delete(scene, target, recursive=True)


CHECKS: Final[Mapping[str, Check]] = {
    "rm": check_rm, "srm": check_rm, "rimraf": check_rm, "wipe": check_rm, "del-cli": check_rm,
    "unlink": check_single, "shred": check_single, "truncate": check_single,
    "rmdir": check_rmdir, "find": check_find, "mv": check_mv, "rsync": check_rsync,
    "tar": check_tar, "gtar": check_tar, "bsdtar": check_tar, "zip": check_tar,
    "trash": check_trash, "trash-put": check_trash,
    NAMELESS: check_program_unknown,
}  # fmt: skip
