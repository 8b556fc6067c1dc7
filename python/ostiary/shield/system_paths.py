"""The names of folders and files that a machine and a home depend on."""

from typing import Final

TOP: Final = (
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "media", "mnt", "opt",
    "proc", "root", "run", "sbin", "snap", "srv", "sys", "usr", "var",
    "Applications", "Library", "Network", "System", "Users", "Volumes", "cores", "private",
    "nix",
)  # fmt: skip
"""Folders below the root of Linux (FHS 3.0) and macOS."""

_TOP_PATHS: Final = frozenset(f"/{name}" for name in TOP)
_SYSTEM: Final = frozenset({
    "bin", "boot", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "usr",
    "var", "Applications", "Library", "System", "private", "nix", "snap",
})  # fmt: skip
"""Top folders whose content is the system's too; those of the others is the users'."""
_LOCAL: Final = (
    "/usr/local", "/var", "/usr/lib/node_modules", "/usr/lib/python", "/usr/lib/ruby", "/nix/store",
    "/usr/ports", "/snap", "/Library/Caches", "/lib/modules", "/usr/lib/jvm", "/usr/share/nginx",
)  # fmt: skip
"""Folders of the system into which people and packages put their own."""
_NOT_LOCAL: Final = (
    "/var/log", "/var/run", "/var/lib/dpkg", "/var/lib/rpm", "/var/lib/pam", "/var/lib/systemd",
    "/var/lib/apt", "/var/lib/docker", "/var/lib/kubelet", "/var/lib/etcd", "/var/mail",
    "/var/spool/cron", "/var/db", "/var/lib/sudo",
)  # fmt: skip
"""Folders of those that are the system's own."""
_USERS: Final = ("/var/www", "/var/tmp", "/usr/src", "/usr/local/src", "/run/user")  # noqa: S108
"""Folders below them whose content is the users'."""
_WINDOWS: Final = ("", "Windows", "Program Files", "Program Files (x86)", "ProgramData", "Users")

CRITICAL: Final = (
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".local", ".gcloud",
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile",
    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc",
    ".inputrc", ".xinitrc", ".xsession", ".xprofile", ".gitconfig", ".git-credentials", ".netrc",
    ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".password-store", ".mozilla", ".thunderbird",
    ".claude", ".claude.json", ".codex", ".gemini", ".cursor", ".vault-token", ".terraform.d",
    "Library", "Documents", "Desktop", "Pictures",
)  # fmt: skip
"""Names in a home whose loss locks people out or loses what only they have."""
_CRITICAL: Final = frozenset(CRITICAL)
_CRITICAL_FOLDERS: Final = frozenset({
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".gcloud", ".password-store", ".vault-token",
})  # fmt: skip
"""Those of which every file counts."""
_CRITICAL_PATHS: Final = (
    ".config/gcloud", ".config/gh", ".config/fish", ".config/systemd", ".config/autostart",
    ".config/git", ".docker/config.json", "Library/Keychains", "Library/LaunchAgents",
    "Library/Application Support", ".local/share/keyrings", ".claude/settings",
)  # fmt: skip
_CACHES: Final = (
    ".cache", ".npm", ".pnpm-store", ".gradle/caches", ".m2/repository", ".cargo/registry",
    ".cargo/git", "Library/Caches", "Library/Developer/Xcode/DerivedData", ".local/share/Trash",
    ".Trash", ".nuget/packages", ".ivy2/cache", ".terraform.d/plugin-cache",
)  # fmt: skip
"""Folders of a home that their programs fill again."""

_STREAMS: Final = frozenset(
    f"/dev/{name}"
    for name in ("null", "zero", "full", "stdin", "stdout", "stderr", "tty", "random", "urandom",
                 "ptmx", "console", "fd", "log", "clipboard")
)  # fmt: skip
_STREAM_FOLDERS: Final = ("/dev/fd/", "/dev/pts/", "/dev/tty", "/dev/tcp/", "/dev/udp/")


def is_stream(path: str) -> bool:
    """Return whether a path in `/dev` is a stream in which nothing is lost."""
    return path in _STREAMS or path.startswith(_STREAM_FOLDERS)


def is_home(path: str) -> bool:
    """Return whether a path is somebody's home folder."""
    if path in {"/root", "/var/root"}:
        return True
    return path.startswith(("/home/", "/Users/")) and path.count("/") == 2  # noqa: PLR2004


def below_home(path: str) -> str | None:
    """Return the part of a path below the home that holds it, or None."""
    if path.startswith("/root/"):
        return path[6:]
    if path.startswith(("/home/", "/Users/")):
        return path.split("/", 3)[3] if path.count("/") > 2 else None  # noqa: PLR2004
    return None


def is_top(path: str) -> bool:
    """Return whether a path is the root or a folder below it that is the system's."""
    return path == "/" or (path.count("/") == 1 and path[1:] in _SYSTEM)


def is_system(path: str) -> bool:
    """Return whether an absolute path is the system's: a top folder, or in one that it needs."""
    if path in _TOP_PATHS:
        return True
    if path.startswith("/mnt/") and len(path.partition("/mnt/")[2].split("/", 1)[0]) == 1:
        return path[7:].partition("/")[0] in _WINDOWS
    return path[1:].partition("/")[0] in _SYSTEM and not path.startswith(_USERS)


def is_local(path: str) -> bool:
    """Return whether a path of the system is in a folder into which people put their own."""
    return path.startswith(_LOCAL) and path != "/var" and not path.startswith(_NOT_LOCAL)


def is_critical(rest: str) -> bool:
    """Return whether a path below a home is one of its critical files or folders."""
    head = rest.partition("/")[0]
    if rest == head:
        return rest in _CRITICAL
    return head in _CRITICAL_FOLDERS or rest.startswith(_CRITICAL_PATHS)


def is_cache(rest: str) -> bool:
    """Return whether a path below a home is a cache, or in one."""
    return any(rest == one or rest.startswith(one + "/") for one in _CACHES)
