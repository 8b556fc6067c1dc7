"""Permissions and owners."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import grammar, read_flags
from ostiary.shield.places import Place, Target
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import found_names
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
_NAMED: Final = "Change the file that needs it, and no more than it needs: `chmod u+x run.sh`."

TREE: Final = Rule(
    "permissions.tree", "destructive.permissions", _BLOCK,
    "Changes permissions or owners of a home, a system folder or the root, with all in it.", _NAMED,
)  # fmt: skip
SYSTEM: Final = Rule(
    "permissions.system", "destructive.permissions", _BLOCK,
    "Opens or gives away a file of the system, or keys of a home.", _NAMED,
)  # fmt: skip
WORLD: Final = Rule(
    "permissions.world_writable", "permissions", _WARN, "Lets everybody write to files.", _NAMED
)
SETUID: Final = Rule(
    "permissions.setuid", "privilege", _WARN,
    "Lets a program run with the rights of its owner, or gives it capabilities.", _NAMED,
)  # fmt: skip
RULES: Final = (TREE, SYSTEM, WORLD, SETUID)

_CHMOD: Final = grammar("R=recursive", long="recursive reference preserve-root", valued="reference")
_GREAT: Final = frozenset({Place.ROOT, Place.SYSTEM, Place.HOME, Place.ABOVE, Place.PROTECTED})
_SHELLS: Final = ("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/")
_LONGEST_MODE: Final = 64
_MODES: Final = 4
"""Octal digits of a mode with its setuid digit."""


def _is_open(mode: str) -> bool:
    """Return whether a mode lets everybody write."""
    if mode.isdigit():
        return len(mode) <= _MODES + 1 and mode[-1] in "2367"
    return any(
        sign in part and "w" in part and (part[0] in "ao" or "o" in part.partition(sign)[0])
        for part in mode.split(",")
        for sign in ("+", "=")
        if part
    )


def _is_closed(mode: str) -> bool:
    """Return whether a mode takes the right to read, or all rights, from everybody."""
    if mode.isdigit():
        return not mode.strip("0")
    return (
        mode.startswith(("-r", "a-r", "-x", "a-x", "a=", "ugo-"))
        and len(mode.strip("ago-=rwx")) == 0
    )


def _is_setuid(mode: str) -> bool:
    if mode.isdigit():
        return len(mode) == _MODES and mode[0] in "24567"
    return any("s" in part.partition("+")[2] or "s" in part.partition("=")[2]
               for part in mode.split(","))  # fmt: skip


def _mode_at(scene: Scene, operands: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """Return the mode and the files; a mode can look like a flag: `chmod -w f`."""
    for word in scene.run.args:
        if word[:1] == "-" and word[1:2] in {"r", "w", "x"} and word.strip("-rwxXst") == "":
            return word, operands
    if not operands:
        return "", ()
    return scene.run.args[operands[0]], operands[1:]


def check_chmod(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with new permissions."""
    options = read_flags(scene.run.args, _CHMOD)
    recursive = options.has("recursive")
    if options.has("reference"):
        mode, files = "", options.operands
    else:
        mode, files = _mode_at(scene, options.operands)
    mode = mode[:_LONGEST_MODE]
    opens, lends, closes = _is_open(mode), _is_setuid(mode), _is_closed(mode)
    for arg in files:
        if scene.mark(arg) & bits.FOUND:
            yield from _found(scene, arg, opens=opens)
            continue
        target = scene.target(arg)
        if recursive or target.whole or (opens and target.place is Place.ROOT):
            yield from _tree(scene, target)
        yield from _single(scene, target, opens=opens, lends=lends, closes=closes)


def _tree(scene: Scene, target: Target) -> Iterator[Finding]:
    if target.place in _GREAT or target.place is Place.LOCAL or target.unset:
        weak = scene.is_remote or target.place is Place.LOCAL
        yield TREE.finding(
            scene.at, f"{scene.shown()} changes all of `{shorten(target.word)}`",
            _WARN if weak else None,
        )  # fmt: skip


def _single(
    scene: Scene, target: Target, *, opens: bool, lends: bool, closes: bool
) -> Iterator[Finding]:
    word = shorten(target.word)
    if lends:
        strong = (target.path or "").startswith(_SHELLS)
        yield SETUID.finding(
            scene.at, f"{scene.shown()} lets `{word}` run with its owner's rights",
            _BLOCK if strong else None,
        )  # fmt: skip
    elif opens and target.place in {Place.SYSTEM, Place.HOME_CRITICAL, Place.PROTECTED}:
        yield SYSTEM.finding(scene.at, f"{scene.shown()} lets everybody write to `{word}`")
    elif closes and target.place in {Place.SYSTEM, Place.PROTECTED}:
        yield SYSTEM.finding(scene.at, f"{scene.shown()} lets nobody use `{word}`")
    elif opens and target.place not in {Place.SCRATCH, Place.ROOT}:
        yield WORLD.finding(scene.at, f"{scene.shown()} lets everybody write to `{word}`")


def _found(scene: Scene, arg: int, *, opens: bool) -> Iterator[Finding]:
    search = found_names.search_of(scene, arg + 1)
    for start in search.starts:
        great = start.place in _GREAT and search.filtered is found_names.Filter.NONE
        if great:
            yield from _tree(scene, start)
        elif opens:
            word = shorten(start.word)
            yield WORLD.finding(scene.at, f"{scene.shown()} lets everybody write to what it "
                                f"finds in `{word}`")  # fmt: skip


def check_chown(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with new owners, groups, access lists or file flags."""
    program = scene.run.program
    options = read_flags(scene.run.args, _CHMOD)
    recursive = options.has("recursive")
    files = options.operands if options.has("reference") else options.operands[1:]
    if program == "setfacl":
        files = options.operands if options.has("m", "modify") else ()
    for arg in files:
        if scene.mark(arg) & bits.FOUND:
            yield from _found(scene, arg, opens=False)
            continue
        target = scene.target(arg)
        if recursive or target.whole:
            yield from _tree(scene, target)
        elif program == "setfacl" and target.place in {Place.SYSTEM, Place.HOME_CRITICAL}:
            yield SYSTEM.finding(scene.at, f"{scene.shown()} opens `{shorten(target.word)}`")
        elif program in {"chown", "chgrp"} and target.place in _GREAT - {Place.HOME, Place.ABOVE}:
            word = shorten(target.word)
            yield SYSTEM.finding(scene.at, f"{scene.shown()} gives `{word}` away", _WARN)


def check_setcap(scene: Scene) -> Iterator[Finding]:
    """Yield capabilities that are given to programs."""
    if scene.run.args and not {"-r", "-v", "-h"} & set(scene.run.args[:1]):
        yield SETUID.finding(scene.at, f"{scene.shown()} gives a program capabilities")


CHECKS: Final[Mapping[str, Check]] = {
    "chmod": check_chmod, "chown": check_chown, "chgrp": check_chown, "chflags": check_chown,
    "setfacl": check_chown, "chattr": check_chown, "setcap": check_setcap,
}  # fmt: skip
