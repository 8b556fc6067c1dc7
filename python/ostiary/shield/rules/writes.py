"""Writes to files that others run, trust or depend on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import grammar, read_flags
from ostiary.shield.places import Place, Target
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.written_files import WRITERS, written
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
_HERE: Final = "Write it in the workspace and let a person put it there: `tee ./proposal.txt`."

STARTUP: Final = Rule(
    "persistence.startup_file", "persistence", _BLOCK,
    "Writes to a file that every new shell runs.", _HERE,
)  # fmt: skip
AUTHORIZED_KEYS: Final = Rule(
    "persistence.ssh_access", "persistence", _BLOCK,
    "Writes to `authorized_keys` or another file that decides who may log in by SSH.", _HERE,
)  # fmt: skip
CRON: Final = Rule(
    "persistence.cron", "persistence", _BLOCK,
    "Makes, replaces or deletes jobs that run by the clock.", "Look at them: `crontab -l`.",
)  # fmt: skip
SERVICE: Final = Rule(
    "persistence.service", "persistence", _BLOCK,
    "Writes a file by which a service or program starts by itself.", _HERE,
)  # fmt: skip
HOOK: Final = Rule(
    "persistence.git_hook", "persistence", _WARN,
    "Writes a hook or the settings of a git repository, which git runs.", _HERE,
)  # fmt: skip
IDENTITY: Final = Rule(
    "system.write_identity", "system.integrity", _BLOCK,
    "Writes to a file that decides who may do what on this machine.", _HERE,
)  # fmt: skip
SYSTEM: Final = Rule(
    "system.write_file", "system.integrity", _BLOCK,
    "Writes to a file of the operating system.", _HERE,
)  # fmt: skip
LOGS: Final = Rule(
    "system.wipe_log", "system.traces", _BLOCK,
    "Empties a log or a shell's history.", "Look at it: `tail -n 50 /var/log/syslog`.",
)  # fmt: skip
KEYS: Final = Rule(
    "secrets.overwrite", "destructive.filesystem", _BLOCK,
    "Overwrites a key or credential of a home.", _HERE,
)  # fmt: skip
PROTECTED: Final = Rule(
    "filesystem.write_protected", "destructive.filesystem", _BLOCK,
    "Writes to a path that the policy protects.", _HERE,
)  # fmt: skip
GUARD: Final = Rule(
    "guard.settings", "guard.off", _BLOCK,
    "Changes the settings of the guard, or of the agent that it watches.",
    "Ask the person who runs the guard; look at its rules: `ostiary shield rules`.",
)  # fmt: skip
RULES: Final = (
    STARTUP, AUTHORIZED_KEYS, CRON, SERVICE, HOOK, IDENTITY, SYSTEM, LOGS, KEYS, PROTECTED, GUARD,
)  # fmt: skip

_STARTUP: Final = frozenset({
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc",
    ".xinitrc", ".xsession", ".xprofile", "config.fish", ".shrc", ".mkshrc", ".login", ".logout", ".xsessionrc", ".pam_environment",
})  # fmt: skip
_HISTORIES: Final = frozenset({
    ".bash_history", ".zsh_history", ".history", ".sh_history", "fish_history", ".ash_history",
    ".python_history", ".mysql_history", ".psql_history",
})  # fmt: skip
_IDENTITY: Final = frozenset({
    "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/doas.conf",
    "/etc/ld.so.preload", "/etc/master.passwd", "/etc/hosts", "/etc/nsswitch.conf",
    "/etc/subuid", "/etc/subgid", "/etc/crypttab", "/etc/fstab", "/etc/resolv.conf",
})  # fmt: skip
_IDENTITY_FOLDERS: Final = ("/etc/sudoers.d/", "/etc/pam.d/", "/etc/security/", "/etc/ssh/",
                            "/etc/ssl/", "/etc/polkit-1/", "/etc/ca-certificates")  # fmt: skip
_CRON: Final = ("/etc/cron", "/etc/anacrontab", "/var/spool/cron", "/var/spool/at", "/var/at/",
                "/usr/lib/cron/")  # fmt: skip
_SERVICES: Final = (
    "/etc/systemd/", "/lib/systemd/", "/usr/lib/systemd/", "/usr/local/lib/systemd/", "/etc/init",
    "/etc/rc", "/etc/xdg/autostart/", "/Library/LaunchDaemons/", "/Library/LaunchAgents/",
    "/run/systemd/", "/System/Library/Launch", "/Library/StartupItems/", "/etc/emond.d/",
    "/etc/udev/rules.d/", "/etc/update-motd.d/", "/etc/apt/apt.conf.d/", "/etc/modules",
)  # fmt: skip
_SERVICES_AT_HOME: Final = (
    "/.config/systemd/user/", "/.config/autostart/", "/Library/LaunchAgents/",
    "/.local/share/systemd/", "/.config/environment.d/",
)  # fmt: skip
_SHELL_WIDE: Final = ("/etc/profile", "/etc/bash", "/etc/zsh", "/etc/environment", "/etc/csh")
_GUARDS: Final = ("/.claude/settings", "/.claude/hooks/", "/.codex/config.toml", "/ostiary.toml",
                  "/.gemini/settings.json", "/.cursor/hooks.json", "/.claude.json")  # fmt: skip
_LIGHT: Final = ("/proc/sys/", "/sys/", "/run/", "/etc/apt/sources.list", "/etc/apt/keyrings/",
                 "/usr/share/keyrings/", "/etc/yum.repos.d/")  # fmt: skip
"""Below these, packages and people put files of their own."""
_PLAIN_LINE: Final = re.compile(
    r"\s*(#.*|export\s+[A-Z_a-z0-9]+=[^;&|`]*|[A-Z_a-z0-9]+=[^;&|`(]*|(source|\.)\s+\S+|"
    r"alias\s+(?!sudo|su|ls|cd|rm|ssh|git|cat|cp|mv|grep|find|chmod|chown|passwd)[\w.-]+="
    r"[^;&|`$]*|"
    r"""eval\s+"?\$\([\w./-]+(\s+[\w./-]+){0,4}\)"?|set\s+-o\s+\w+|shopt\s+-s\s+\w+)?\s*"""
)
"""A line of a start-up file that sets something and does nothing."""
_TELLERS: Final = frozenset({"echo", "printf", "cat", "tee", "curl", "wget", "base64", "", "sed",
                             "sponge", "dd", "ed", "ex", "nc"})  # fmt: skip
"""Programs that write what they are told to; others write settings of their own."""
_LONGEST_LINE: Final = 400
_RISKY_NAMES: Final = ("LD_PRELOAD", "PROMPT_COMMAND", "BASH_ENV", "curl", "wget", "/dev/tcp",
                       "HISTFILE", "HISTSIZE", "$(cat ", "nc ")  # fmt: skip


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
    if path is None or target.place in {Place.INSIDE, Place.SCRATCH, Place.STREAM}:
        if path is None or not path.endswith(_GUARD_ENDS):
            return None
    word = shorten(target.word)
    says = f"{scene.shown()} {'adds to' if keeps else 'overwrites'} `{word}`"
    if target.place is Place.PROTECTED:
        return PROTECTED.finding(scene.index, f"{says}, which the policy protects")
    if any(guard in path for guard in _GUARDS) and not scene.is_remote:
        return GUARD.finding(scene.index, f"{says}: the settings of the guard or the agent")
    if target.place is Place.REPOSITORY:
        if "/.git/hooks" in path or path.endswith("/.git/config"):
            return HOOK.finding(scene.index, f"{says}, which git runs or obeys")
        return None
    return _of_home(scene, path, says, keeps=keeps) or _of_system(
        scene, target, path, says, keeps=keeps
    )


_GUARD_ENDS: Final = ("/settings.json", "/settings.local.json", "/ostiary.toml", "/config.toml",
                      "/hooks.json", ".sh", ".py")  # fmt: skip


def _of_home(scene: Scene, path: str, says: str, *, keeps: bool) -> Finding | None:
    name = path.rpartition("/")[2]
    if "/.ssh/" in path:
        return _of_ssh(scene, name, says, keeps=keeps)
    if name in _STARTUP or path.startswith(_SHELL_WIDE):
        weak = keeps and (
            scene.run.program not in _TELLERS or is_plain_setting(text_written(scene))
        )
        return STARTUP.finding(
            scene.index, f"{says}, which every new shell runs", _WARN if weak else None
        )
    if name in _HISTORIES:
        return None if keeps else LOGS.finding(scene.index, f"{says}: a history of commands")
    if any(part in path for part in _SERVICES_AT_HOME):
        return SERVICE.finding(scene.index, f"{says}, which starts by itself")
    if name in {".netrc", ".git-credentials", ".pgpass", ".npmrc", ".pypirc"} and not keeps:
        return KEYS.finding(scene.index, f"{says}: credentials of a home", _WARN)
    return None


def _of_ssh(scene: Scene, name: str, says: str, *, keeps: bool) -> Finding | None:
    if name.startswith("authorized_keys") or name in {"rc", "environment"}:
        return AUTHORIZED_KEYS.finding(scene.index, f"{says}, which decides who may log in")
    if name == "config":
        return AUTHORIZED_KEYS.finding(scene.index, f"{says}, which SSH obeys", _WARN)
    if name.startswith("id_") and not keeps and scene.run.program != "ssh-keygen":
        return KEYS.finding(scene.index, f"{says}: a key")
    return None


def _of_system(
    scene: Scene, target: Target, path: str, says: str, *, keeps: bool
) -> Finding | None:
    if path.startswith(_CRON):
        return CRON.finding(scene.index, f"{says}, which runs by the clock")
    if path.startswith(_SERVICES):
        return SERVICE.finding(scene.index, f"{says}, which starts by itself")
    if path in _IDENTITY or path.startswith(_IDENTITY_FOLDERS):
        return IDENTITY.finding(scene.index, f"{says}, which decides who may do what")
    if path.startswith("/var/log/"):
        return None if keeps else LOGS.finding(scene.index, f"{says}: a log")
    if path.startswith("/proc/sysrq") or (path.startswith("/sys/firmware") and not keeps):
        return SYSTEM.finding(scene.index, f"{says}: the kernel obeys at once")
    if target.place is Place.LOCAL and not path.startswith("/var/"):
        return SYSTEM.finding(scene.index, f"{says}, which others use", _WARN)
    if target.place in {Place.ROOT, Place.SYSTEM}:
        light = target.whole or scene.run.program == "ln" or path.count("/") == 1
        if light or path.startswith(_LIGHT):
            return SYSTEM.finding(scene.index, f"{says}, a part of the operating system", _WARN)
        return SYSTEM.finding(scene.index, f"{says}, a part of the operating system")
    return None


def text_written(scene: Scene) -> str | None:
    """Return the text that a run writes, or None where that is not known."""
    run = scene.run
    if run.program in {"tee", "sponge", "cat", ""}:
        if run.stdin is not None:
            return run.stdin
        if run.output is not None:
            return run.output
        for source in run.sources:
            if source.slot == -1 and source.last - source.first == 1:
                return scene.flow.runs[source.first].output
        return None
    return run.output


def is_plain_setting(text: str | None) -> bool:
    """Return whether text for a start-up file only sets variables, paths and plain aliases."""
    if text is None or any(name in text for name in _RISKY_NAMES):
        return False
    return all(
        len(line) <= _LONGEST_LINE and _PLAIN_LINE.fullmatch(line) for line in text.splitlines()
    )


def check_crontab(scene: Scene) -> Iterator[Finding]:
    """Yield what `crontab` does: only `-l` changes nothing, `-e` asks a person."""
    args = scene.run.args
    if "-r" in args or any(a.startswith("-") and "r" in a[1:] and a[1] != "-" for a in args if a):
        yield CRON.finding(scene.index, f"{scene.shown()} deletes all jobs that run by the clock")
    elif args and not any(word.startswith(("-l", "-e")) for word in args):
        yield CRON.finding(
            scene.index, f"{scene.shown()} replaces the jobs that run by the clock", _WARN
        )


def check_history_files(scene: Scene) -> Iterator[Finding]:
    """Yield histories of commands that are deleted or emptied."""
    for arg in read_flags(scene.run.args, _SIZES).operands:
        word = scene.run.args[arg]
        if word.rpartition("/")[2] in _HISTORIES:
            yield LOGS.finding(
                scene.index, f"{scene.shown()} deletes `{shorten(word)}`: a history of commands"
            )


_SIZES: Final = grammar("s=size", valued="size")


def check_scheduled(scene: Scene) -> Iterator[Finding]:
    """Yield jobs that `at` puts off."""
    args = scene.run.args
    if not args or {"-l", "-c", "-V", "-r", "-d"} & set(args):
        return
    yield CRON.finding(scene.index, f"{scene.shown()} leaves something to run later", _WARN)


def check_login_hook(scene: Scene) -> Iterator[Finding]:
    """Yield programs that macOS is told to start at every login."""
    if scene.run.args[:1] == ("write",) and {"LoginHook", "LogoutHook"} & set(scene.run.args):
        yield SERVICE.finding(scene.index, f"{scene.shown()} starts a program at every login")


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(WRITERS, check_writes),
    **dict.fromkeys(("rm", "shred", "unlink", "truncate"), check_history_files),
    **dict.fromkeys(("at", "batch"), check_scheduled),
    "crontab": check_crontab,
    "defaults": check_login_hook,
}
EVERY_REDIRECT: Final[Check] = check_writes
"""Looks at runs that have redirections and are not among `CHECKS`."""
