"""Programs that delete, and what they delete."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import PLAIN, Flags, grammar, read_flags
from ostiary.shield.places import Place, Target
from ostiary.shield.reading import STDIN
from ostiary.shield.reading import UNKNOWN as NAMELESS
from ostiary.shield.rule import Finding
from ostiary.shield.rules import deletes, found_names
from ostiary.shield.rules.deletes import BY_PLACE, WHOLE_TREES, judge_delete, judge_found
from ostiary.shield.scene import Check, Scene

RULES: Final = deletes.RULES


_RM: Final = grammar("r=recursive R=recursive f=force i=interactive I=interactive d=dir v=verbose",
                     long="no-preserve-root preserve-root one-file-system help version",
               )  # fmt: skip


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


def _operands(scene: Scene, options: Flags) -> Iterator[Target]:
    for arg in options.operands:
        if not _is_found(scene, arg):
            yield scene.target(arg)


def _is_found(scene: Scene, arg: int) -> bool:
    """Return whether an argument is what a search gives: by `xargs`, `-exec` or `$(find …)`."""
    mark = scene.mark(arg)
    if mark & bits.FOUND:
        return True
    return bool(mark & bits.UNKNOWN and scene.run.args[arg] == NAMELESS) and any(
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
        if target.place in WHOLE_TREES and not target.whole:
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
        if scene.mark(arg) & bits.FOUND:
            continue
        workspace = target.place is Place.WORKSPACE and not target.whole
        if nowhere or workspace or target.place in _MOVED_AWAY:
            yield from judge_delete(scene, target, recursive=True)


_MV: Final = grammar("t=target-directory S=suffix", valued="target-directory suffix")


_MOVED_AWAY: Final = WHOLE_TREES | {Place.PROTECTED}


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
        if target.place in WHOLE_TREES:
            yield from judge_delete(scene, target, recursive=True)


def check_trash(scene: Scene) -> Iterator[Finding]:
    """Yield what is moved to a trash: it can be had back, so only whole trees count."""
    for target in _operands(scene, read_flags(scene.run.args)):
        if target.place in BY_PLACE:
            yield from judge_delete(scene, target, recursive=True)


CHECKS: Final[Mapping[str, Check]] = {
    "rm": check_rm, "srm": check_rm, "rimraf": check_rm, "wipe": check_rm, "del-cli": check_rm,
    "unlink": check_single, "shred": check_single, "truncate": check_single,
    "rmdir": check_rmdir, "find": check_find, "mv": check_mv, "rsync": check_rsync,
    "tar": check_tar, "gtar": check_tar, "bsdtar": check_tar, "zip": check_tar,
    "trash": check_trash, "trash-put": check_trash,
    NAMELESS: check_program_unknown,
}  # fmt: skip
