"""Git's global options and settings, of which some run programs."""

import shlex
from collections.abc import Iterator
from typing import Final, NamedTuple

from ostiary.shield.decision import SafetyAction
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

ALIAS: Final = Rule(
    "git.alias_runs", "code_execution", _BLOCK,
    "Runs shell code that stands in a git alias or a transport.", "Run the command itself: `ls`.",
)  # fmt: skip
SETTING: Final = Rule(
    "git.setting_runs", "persistence", _WARN,
    "Sets something in git that runs a program or turns a check off.",
    "Look at the settings: `git config --list`.",
)  # fmt: skip
NO_VERIFY: Final = Rule(
    "guard.no_verify", "guard.off", _WARN, "Skips the checks of a repository's hooks.",
    "Let the hooks run: `git commit -m 'message'`.",
)  # fmt: skip
RULES: Final = (ALIAS, SETTING, NO_VERIFY)

_VALUED: Final = frozenset({
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env",
    "--super-prefix", "--attr-source", "--list-cmds",
})  # fmt: skip
_RUNS: Final = frozenset({
    "core.sshcommand", "core.hookspath", "core.fsmonitor", "core.askpass", "core.gitproxy",
    "diff.external", "sequence.editor", "gpg.program", "gpg.ssh.program", "init.templatedir",
    "uploadpack.packobjectshook", "protocol.ext.allow", "http.sslverify", "http.proxy",
    "credential.helper", "core.attributesfile", "core.worktree",
})  # fmt: skip
_HARMLESS_VALUES: Final = frozenset({
    "", "true", "false", "cache", "store", "osxkeychain", "manager", "manager-core", "libsecret",
})  # fmt: skip
_LONGEST_ALIAS: Final = 1_000
"""Characters of an alias that are read."""


class Head(NamedTuple):
    """A git command line.

    Attributes:
        verb: The command, an alias of the same line replaced; None where there is none.
        rest: What follows it.
        settings: What `-c` sets: `(name, value)`.
    """

    verb: str | None
    rest: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]


def read_head(args: tuple[str, ...]) -> Head:
    """Return the verb of a git command line, past the global options."""
    settings: list[tuple[str, str]] = []
    index = 0
    while index < len(args):
        word = args[index]
        if word in _VALUED and index + 1 < len(args):
            if word == "-c":
                name, _, value = args[index + 1].partition("=")
                settings.append((name.lower(), value))
            index += 2
        elif word.startswith("-"):
            index += 1
        else:
            return _replaced(word, args[index + 1 :], settings)
    return Head(None, (), tuple(settings))


def _replaced(verb: str, rest: tuple[str, ...], settings: list[tuple[str, str]]) -> Head:
    for name, value in settings:
        if name == f"alias.{verb.lower()}" and not value.startswith("!"):
            try:
                words = shlex.split(value[:_LONGEST_ALIAS])
            except ValueError:  # an open quote: git refuses it too
                break
            if words:
                return Head(words[0], (*words[1:], *rest), tuple(settings))
    return Head(verb, rest, tuple(settings))


def judge_settings(scene: Scene, head: Head) -> Iterator[Finding]:
    """Yield the settings and addresses of a git command that run something."""
    shown = scene.shown()
    for name, value in head.settings:
        yield from _judge_setting(scene, shown, name, value)
    if head.verb == "config":
        words = [word for word in head.rest if not word.startswith("-") and word != "set"]
        if len(words) > 1:
            yield from _judge_setting(scene, shown, words[0].lower(), words[1])
    if head.verb in {"clone", "fetch", "pull", "ls-remote", "remote", "submodule"} and any(
        word.startswith("ext::") for word in head.rest
    ):
        yield ALIAS.finding(scene.at, f"{shown} runs the program in its address")
    skips = "--no-verify" in head.rest and head.verb in _HOOKED
    if skips or (head.verb == "commit" and any(map(_has_n, head.rest))):
        yield NO_VERIFY.finding(scene.at, f"{shown} skips the checks of the hooks")


_HOOKED: Final = frozenset({"commit", "push", "merge", "am", "rebase", "cherry-pick", "revert"})


def _has_n(word: str) -> bool:
    """Return whether `n` is among a cluster of letters, before one that takes a value."""
    if len(word) < 2 or word[0] != "-" or word[1] == "-":  # noqa: PLR2004 - `-` and a letter
        return False
    for letter in word[1:]:
        if letter == "n":
            return True
        if letter in "mFCctSu":
            return False
    return False


def _judge_setting(scene: Scene, shown: str, name: str, value: str) -> Iterator[Finding]:
    if name.startswith("alias."):
        if value.startswith("!"):
            yield ALIAS.finding(
                scene.at, f"{shown} gives git the alias `{shorten(name[6:])}`, which runs "
                f"`{shorten(value[1:])}`",
            )  # fmt: skip
    elif (name in _RUNS and value.lower() not in _harmless(name)) or (
        name.startswith("filter.") and name.endswith((".clean", ".smudge", ".process"))
        and "git-lfs" not in value and "git lfs" not in value
    ) or name.endswith(".insteadof"):  # fmt: skip
        yield SETTING.finding(
            scene.at, f"{shown} sets `{shorten(name)}` to `{shorten(value)}`, which git obeys"
        )


def _harmless(name: str) -> frozenset[str]:
    if name == "http.sslverify":
        return frozenset({"", "true", "1", "yes"})
    if name == "protocol.ext.allow":
        return frozenset({"never"})
    return _HARMLESS_VALUES
