"""What runs by itself later: start-up files, keys that let in, jobs, services, hooks."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.places import Place
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import Check, Scene

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
HERE: Final = "Write it in the workspace and let a person put it there: `tee ./proposal.txt`."

STARTUP: Final = Rule(
    "persistence.startup_file", "persistence", _BLOCK,
    "Writes to a file that every new shell runs.", HERE,
)  # fmt: skip


AUTHORIZED_KEYS: Final = Rule(
    "persistence.ssh_access", "persistence", _BLOCK,
    "Writes to `authorized_keys` or another file that decides who may log in by SSH.", HERE,
)  # fmt: skip


CRON: Final = Rule(
    "persistence.cron", "persistence", _BLOCK,
    "Makes, replaces or deletes jobs that run by the clock.", "Look at them: `crontab -l`.",
)  # fmt: skip


SERVICE: Final = Rule(
    "persistence.service", "persistence", _BLOCK,
    "Writes a file by which a service or program starts by itself.", HERE,
)  # fmt: skip


HOOK: Final = Rule(
    "persistence.git_hook", "persistence", _WARN,
    "Writes a hook or the settings of a git repository, which git runs.", HERE,
)  # fmt: skip

RULES: Final = (STARTUP, AUTHORIZED_KEYS, CRON, SERVICE, HOOK)

_STARTUP: Final = frozenset({
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc",
    ".xinitrc", ".xsession", ".xprofile", "config.fish", ".shrc", ".mkshrc", ".login", ".logout",
    ".xsessionrc", ".pam_environment",
})  # fmt: skip


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


_PLAIN_LINE: Final = re.compile(
    r"\s*(#.*|export\s+[A-Z_a-z0-9]+=[^;&|`]*|[A-Z_a-z0-9]+=[^;&|`(]*|(source|\.)\s+\S+|"
    r"alias\s+(?!sudo|su|ls|cd|rm|ssh|git|cat|cp|mv|grep|find|chmod|chown|passwd)[\w.-]+="
    r"[^;&|`$]*|"
    r"""eval\s+"?\$\([\w./-]+(\s+[\w./-]+){0,4}\)"?|set\s+-o\s+\w+|shopt\s+-s\s+\w+)?\s*"""
)
"""A line of a start-up file that sets something and does nothing."""


_TELLERS: Final = frozenset({"echo", "printf", "cat", "tee", "curl", "wget", "base64", "",
                             "sponge", "dd", "ed", "ex", "nc"})  # fmt: skip
"""Programs that write what they are told to; others write settings of their own."""


_LONGEST_LINE: Final = 400


_RISKY_NAMES: Final = ("LD_PRELOAD", "PROMPT_COMMAND", "BASH_ENV", "curl", "wget", "/dev/tcp",
                       "HISTFILE", "HISTSIZE", "$(cat ", "nc ", "alias sudo")  # fmt: skip


def judge_path(scene: Scene, path: str, says: str, *, keeps: bool) -> Finding | None:
    """Return what is wrong with writing to a file that something runs or obeys later.

    Args:
        scene: The run that writes.
        path: The file, absolute.
        says: "`…` overwrites `…`".
        keeps: Whether what was in the file stays.
    """
    name = path.rpartition("/")[2]
    if "/.ssh/" in path:
        return _of_ssh(scene, name, says)
    if path.startswith(_SHELL_WIDE) or (name in _STARTUP and _is_at_home(scene, path)):
        plain = _is_plain(scene)
        weak = _WARN if keeps and plain else None
        return STARTUP.finding(scene.at, f"{says}, which every new shell runs", weak)
    if path.startswith(_CRON):
        return CRON.finding(scene.at, f"{says}, which runs by the clock")
    if path.startswith(_SERVICES) or any(part in path for part in _SERVICES_AT_HOME):
        return SERVICE.finding(scene.at, f"{says}, which starts by itself")
    return None


def _is_at_home(scene: Scene, path: str) -> bool:
    """Return whether a file stands where a shell looks for it, not in a copy: `.bashrc.bak`."""
    folder = path.rpartition("/")[0]
    return scene.places.place(folder) is Place.HOME or folder.endswith("/.config/fish")


def _is_plain(scene: Scene) -> bool:
    """Return whether what is added is a setting; of an edit, its script tells."""
    if scene.run.program in {"sed", "gsed", "perl"}:
        return not any(name in word for name in _RISKY_NAMES for word in scene.run.args)
    return scene.run.program not in _TELLERS or is_plain_setting(text_written(scene))


def _of_ssh(scene: Scene, name: str, says: str) -> Finding | None:
    if name.startswith("authorized_keys") or name in {"rc", "environment"}:
        return AUTHORIZED_KEYS.finding(scene.at, f"{says}, which decides who may log in")
    if name == "config":
        return AUTHORIZED_KEYS.finding(scene.at, f"{says}, which SSH obeys", _WARN)
    return None


def judge_repository(scene: Scene, path: str, says: str) -> Finding | None:
    """Return what is wrong with writing to a file of a repository, or None."""
    if "/.git/hooks" in path or path.endswith("/.git/config"):
        return HOOK.finding(scene.at, f"{says}, which git runs or obeys")
    return None


def text_written(scene: Scene) -> str | None:
    """Return the text that a run writes, or None where that is not known."""
    run = scene.run
    return run.stdin if run.program in {"tee", "sponge"} else run.output


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
        yield CRON.finding(scene.at, f"{scene.shown()} deletes all jobs that run by the clock")
    elif args and not any(word.startswith(("-l", "-e")) for word in args):
        yield CRON.finding(
            scene.at, f"{scene.shown()} replaces the jobs that run by the clock", _WARN
        )


def check_scheduled(scene: Scene) -> Iterator[Finding]:
    """Yield jobs that `at` puts off."""
    args = scene.run.args
    if not args or {"-l", "-c", "-V", "-r", "-d"} & set(args):
        return
    yield CRON.finding(scene.at, f"{scene.shown()} leaves something to run later", _WARN)


def check_login_hook(scene: Scene) -> Iterator[Finding]:
    """Yield programs that macOS is told to start at every login."""
    if scene.run.args[:1] == ("write",) and {"LoginHook", "LogoutHook"} & set(scene.run.args):
        yield SERVICE.finding(scene.at, f"{scene.shown()} starts a program at every login")


CHECKS: Final[Mapping[str, Check]] = {
    "at": check_scheduled,
    "batch": check_scheduled,
    "crontab": check_crontab,
    "defaults": check_login_hook,
}
