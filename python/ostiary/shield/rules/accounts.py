"""Users, groups and passwords."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import STDIN
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.verbs import Verb, checks, verb
from ostiary.shield.scene import Check, Scene

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

ACCOUNT: Final = Rule(
    "system.account", "privilege", _WARN, "Makes, changes or deletes users, groups or passwords.",
    "Look at them: `getent passwd`.",
)  # fmt: skip


ADMIN: Final = Rule(
    "system.grant_root", "privilege", _BLOCK, "Gives a user the rights of root.",
    "Look at what a user may do: `groups`.",
)  # fmt: skip

RULES: Final = (ACCOUNT, ADMIN)

_GROUPS: Final = frozenset({"sudo", "wheel", "admin", "root", "docker", "lxd", "disk", "shadow"})


def check_user(scene: Scene) -> Iterator[Finding]:
    """Yield users that are made or changed, and those that become root."""
    args, program = scene.run.args, scene.run.program
    groups = {part for word in args[:_MOST_WORDS] for part in word.split(",")} & _GROUPS
    adds = program in {"adduser", "gpasswd"} or any(word.startswith(_JOINS) for word in args)
    zero = any(args[at : at + 2] in {("-u", "0"), ("--uid", "0")} for at in range(len(args)))
    if zero or (program != "passwd" and adds and groups):
        yield ADMIN.finding(scene.at, f"{scene.shown()} gives a user the rights of root")
    elif program == "passwd" and args[:1] == ("root",):
        yield ADMIN.finding(scene.at, f"{scene.shown()} changes root's password")
    elif args and _LOOKS.isdisjoint(args):
        yield ACCOUNT.finding(scene.at, f"{scene.shown()} changes who may log in")


_MOST_WORDS: Final = 64
_JOINS: Final = ("-aG", "-G", "-a", "--groups", "--append", "-Ga", "-g", "--ingroup")
_LOOKS: Final = frozenset({"-S", "--status", "--help", "-h", "-D", "-l"})


def check_chpasswd(scene: Scene) -> Iterator[Finding]:
    """Yield passwords that are set from standard input."""
    given = scene.run.stdin or next((r.output for r in scene.feeds(STDIN) if r.output), None) or ""
    rule = ADMIN if given.startswith("root:") else ACCOUNT
    yield rule.finding(scene.at, f"{scene.shown()} sets passwords")


def check_dseditgroup(scene: Scene) -> Iterator[Finding]:
    """Yield members that macOS groups get."""
    if "-a" in scene.run.args:
        rule = ADMIN if "admin" in scene.run.args else ACCOUNT
        yield rule.finding(scene.at, f"{scene.shown()} puts a user into a group")


_TABLE: Final[Mapping[str, tuple[Verb, ...]]] = {
    "groupadd groupdel groupmod addgroup delgroup userdel deluser newusers": (
        verb(ACCOUNT, "", "changes who is known to the system"),),
    "sysadminctl": (verb(ACCOUNT, "", "changes who is known to the system",
                         flags="-addUser -deleteUser -guestAccount -resetPasswordFor"),),
    "dscl": (verb(ACCOUNT, "", "makes or changes a user",
                  flags="-create -append -passwd -delete"),),
    "pw": (verb(ACCOUNT, "useradd", "makes a user"), verb(ACCOUNT, "usermod", "changes a user"),
           verb(ACCOUNT, "userdel", "deletes a user")),
}  # fmt: skip
CHECKS: Final[Mapping[str, Check]] = {
    **checks(_TABLE),
    **dict.fromkeys(("useradd", "usermod", "adduser", "passwd", "gpasswd"), check_user),
    "chpasswd": check_chpasswd,
    "dseditgroup": check_dseditgroup,
}
