"""Writes to files that others run, trust or depend on."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import grammar, read_flags
from ostiary.shield.places import Place, Target
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import persistence
from ostiary.shield.rules.persistence import HERE
from ostiary.shield.rules.written_files import WRITERS, written
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

IDENTITY: Final = Rule(
    "system.write_identity", "system.integrity", _BLOCK,
    "Writes to a file that decides who may do what on this machine.", HERE,
)  # fmt: skip
SYSTEM: Final = Rule(
    "system.write_file", "system.integrity", _BLOCK,
    "Writes to a file of the operating system.", HERE,
)  # fmt: skip
LOGS: Final = Rule(
    "system.wipe_log", "system.traces", _BLOCK,
    "Empties a log or a shell's history.", "Look at it: `tail -n 50 /var/log/syslog`.",
)  # fmt: skip
KEYS: Final = Rule(
    "secrets.overwrite", "destructive.filesystem", _BLOCK,
    "Overwrites a key or credential of a home.", HERE,
)  # fmt: skip
PROTECTED: Final = Rule(
    "filesystem.write_protected", "destructive.filesystem", _BLOCK,
    "Writes to a path that the policy protects.", HERE,
)  # fmt: skip
GUARD: Final = Rule(
    "guard.settings", "guard.off", _BLOCK,
    "Changes the settings of the guard, or of the agent that it watches.",
    "Ask the person who runs the guard; look at its rules: `ostiary shield rules`.",
)  # fmt: skip
RULES: Final = (
    IDENTITY, SYSTEM, LOGS, KEYS, PROTECTED, GUARD,
)  # fmt: skip

_HISTORIES: Final = frozenset({
    ".bash_history", ".zsh_history", ".history", ".sh_history", "fish_history", ".ash_history",
    ".python_history", ".mysql_history", ".psql_history",
})  # fmt: skip
_IDENTITY: Final = frozenset({
    "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/doas.conf",
    "/etc/ld.so.preload", "/etc/master.passwd", "/etc/hosts", "/etc/nsswitch.conf",
    "/etc/subuid", "/etc/subgid", "/etc/crypttab", "/etc/fstab", "/etc/resolv.conf",
})  # fmt: skip
_ADDED_TO: Final = frozenset({"/etc/hosts", "/etc/fstab", "/etc/resolv.conf"})
"""Files to which people add lines."""
_IDENTITY_FOLDERS: Final = ("/etc/sudoers.d/", "/etc/pam.d/", "/etc/security/", "/etc/ssh/",
                            "/etc/ssl/", "/etc/polkit-1/", "/etc/ca-certificates")  # fmt: skip
_GUARDS: Final = ("/.claude/settings", "/.claude/hooks/", "/.codex/config.toml", "/ostiary.toml",
                  "/.gemini/settings.json", "/.cursor/hooks.json", "/.claude.json")  # fmt: skip
_LIGHT: Final = (
    "/proc/sys/", "/sys/", "/run/", "/usr/include/", "/usr/share/", "/etc/apt/sources.list",
    "/etc/apt/keyrings/", "/etc/yum.repos.d/",
)  # fmt: skip
"""Below these, packages and people put files of their own."""


def check_writes(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with the files that a run writes to."""
    for target, keeps in written(scene):
        finding = judge_write(scene, target, keeps=keeps)
        if finding is not None:
            yield finding


def judge_write(scene: Scene, target: Target, *, keeps: bool) -> Finding | None:
    """Return what is wrong with writing to a file, or None.

    Args:
        scene: The run that writes.
        target: The file.
        keeps: Whether what was in the file stays.
    """
    path = target.path
    if path is None:
        return None
    if target.place in _HARMLESS and not path.endswith(_GUARD_ENDS):
        return None
    word = shorten(target.word)
    says = f"{scene.shown()} {'adds to' if keeps else 'overwrites'} `{word}`"
    if target.place is Place.PROTECTED:
        return PROTECTED.finding(scene.at, f"{says}, which the policy protects")
    if any(guard in path for guard in _GUARDS) and not scene.is_remote:
        return GUARD.finding(scene.at, f"{says}: the settings of the guard or the agent")
    if target.place is Place.REPOSITORY:
        return persistence.judge_repository(scene, path, says)
    return (
        persistence.judge_path(scene, path, says, keeps=keeps)
        or _of_home(scene, path, says, keeps=keeps)
        or _of_system(scene, target, path, says, keeps=keeps)
    )


_HARMLESS: Final = frozenset({Place.INSIDE, Place.SCRATCH, Place.STREAM})
_GUARD_ENDS: Final = ("/settings.json", "/settings.local.json", "/ostiary.toml", "/config.toml",
                      "/hooks.json", ".sh", ".py")  # fmt: skip
_CREDENTIALS: Final = frozenset({".netrc", ".git-credentials", ".pgpass", ".npmrc", ".pypirc"})


def _of_home(scene: Scene, path: str, says: str, *, keeps: bool) -> Finding | None:
    if keeps:
        return None
    name = path.rpartition("/")[2]
    if name in _HISTORIES:
        return LOGS.finding(scene.at, f"{says}: a history of commands")
    if "/.ssh/id_" in path:
        return KEYS.finding(scene.at, f"{says}: a key")
    if name in _CREDENTIALS:
        return KEYS.finding(scene.at, f"{says}: credentials of a home", _WARN)
    return None


def _of_system(
    scene: Scene, target: Target, path: str, says: str, *, keeps: bool
) -> Finding | None:
    if path in _IDENTITY or path.startswith(_IDENTITY_FOLDERS) or path.endswith("selinux/enforce"):
        weak = keeps and path in _ADDED_TO
        says = f"{says}, which decides who may do what"
        return IDENTITY.finding(scene.at, says, _WARN if weak else None)
    if path.startswith("/var/log/"):
        return None if keeps else LOGS.finding(scene.at, f"{says}: a log")
    if target.place is Place.LOCAL and not path.startswith("/var/"):
        return SYSTEM.finding(scene.at, f"{says}, which others use", _WARN)
    if target.place not in {Place.ROOT, Place.SYSTEM}:
        return None
    light = target.whole or scene.run.program == "ln" or path.count("/") == 1
    weak = light or path.startswith(_LIGHT)
    says = f"{says}, a part of the operating system"
    return SYSTEM.finding(scene.at, says, _WARN if weak else None)


def check_history_files(scene: Scene) -> Iterator[Finding]:
    """Yield histories of commands that are deleted or emptied."""
    for arg in read_flags(scene.run.args, _SIZES).operands:
        word = scene.run.args[arg]
        if word.rpartition("/")[2] in _HISTORIES:
            yield LOGS.finding(
                scene.at, f"{scene.shown()} deletes `{shorten(word)}`: a history of commands"
            )


_SIZES: Final = grammar("s=size", valued="size")


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(WRITERS, check_writes),
    **dict.fromkeys(("rm", "shred", "unlink", "truncate"), check_history_files),
}
EVERY_REDIRECT: Final[Check] = check_writes
"""Looks at runs that have redirections and are not among `CHECKS`."""
