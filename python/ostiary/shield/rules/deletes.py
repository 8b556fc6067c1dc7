"""Deletes, by what they do to what."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.places import Place, Target
from ostiary.shield.reading import UNKNOWN as NAMELESS
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import found_names
from ostiary.shield.scene import Scene, shorten

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

BY_PLACE: Final[Mapping[Place, tuple[Rule, str]]] = {
    Place.ROOT: (ROOT, "the root of the filesystem"),
    Place.SYSTEM: (SYSTEM, "a part of the operating system"),
    Place.HOME: (HOME, "a home folder"),
    Place.HOME_CRITICAL: (HOME, "keys or settings of a home"),
    Place.ABOVE: (ABOVE, "a folder that holds the workspace or a home"),
    Place.WORKSPACE: (WORKSPACE, "the workspace's root"),
    Place.PROTECTED: (PROTECTED, "protected by policy"),
}
_HOLDS_OTHERS: Final = frozenset({Place.OUTSIDE, Place.LOCAL})
WHOLE_TREES: Final = frozenset({Place.ROOT, Place.SYSTEM, Place.HOME, Place.ABOVE})
_LOCKS: Final = (".lock", ".orig", ".swp", "/gc.log", "/MERGE_MSG", "/ORIG_HEAD", "known_hosts",
                 "known_hosts.old")  # fmt: skip
"""Files in `.git` and `.ssh` that may go."""


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
    elif target.place in BY_PLACE:
        rule, what = BY_PLACE[target.place]
        weak = target.whole and target.place is Place.WORKSPACE and not recursive
        known = target.place is Place.HOME_CRITICAL and target.word.endswith(_LOCKS)
        if known:
            return
        if scene.is_remote and target.place not in WHOLE_TREES:
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
        yield SCRATCH.finding(scene.at, f"{shown} deletes the whole of `{word}`")
    elif target.place is Place.UNKNOWN:
        yield UNKNOWN.finding(scene.at, f"{shown} deletes `{word}`, which is not known")


def scene_finding(scene: Scene, rule: Rule, reason: str, *, weak: bool = False) -> Finding:
    """Return a finding, as a warning where the case is weak."""
    return rule.finding(scene.at, reason, SafetyAction.WARN if weak else None)


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
            yield UNKNOWN.finding(scene.at, f"{shown} deletes names that are not known")
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
            yield finding.rule.finding(scene.at, says, action)


def _short(args: tuple[str, ...]) -> Iterator[str]:
    return (word for word in args if word[:1] == "-")


def _delete_of_some(scene: Scene, start: Target, says: str) -> Iterator[Finding]:
    if start.place is Place.PROTECTED:
        yield PROTECTED.finding(scene.at, f"{says}, protected by policy")
    elif start.place in {Place.ROOT, Place.SYSTEM, Place.HOME, Place.HOME_CRITICAL, Place.ABOVE,
                         Place.OUTSIDE, Place.LOCAL}:  # fmt: skip
        yield FOUND.finding(scene.at, f"{says}, outside the workspace")
