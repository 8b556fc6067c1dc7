"""What shuts the guard off, or slips code into other programs."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

STOP: Final = Rule(
    "guard.stop", "guard.off", _BLOCK, "Stops, uninstalls or deletes the guard.",
    "Ask the person who runs the guard; look at its rules: `ostiary shield rules`.",
)  # fmt: skip
BYPASS: Final = Rule(
    "guard.bypass", "guard.off", _BLOCK, "Starts an agent that asks nobody.",
    "Start it with its questions: `claude -p 'explain'`.",
)  # fmt: skip
VARIABLE: Final = Rule(
    "guard.variable", "guard.off", _BLOCK, "Sets a variable by which the guard is run.",
    "Look at it: `printenv OSTIARY_POLICY`.",
)  # fmt: skip
INJECTION: Final = Rule(
    "code.injection", "code_execution", _BLOCK,
    "Makes other programs load a library or start from another folder.",
    "Look where a program is: `command -v git`.",
)  # fmt: skip
RULES: Final = (STOP, BYPASS, VARIABLE, INJECTION)

_INSTALLERS: Final = frozenset(
    {"pip", "pip3", "uv", "pipx", "poetry", "pdm", "conda", "rye", "mamba"}
)
_REMOVES: Final = frozenset({"uninstall", "remove", "rm"})
_AGENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "claude": ("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions",
               "--permission-mode=bypassPermissions", "bypassPermissions"),
    "codex": ("--dangerously-bypass-approvals-and-sandbox", "--full-auto", "--yolo",
              "danger-full-access", "--sandbox=danger-full-access"),
    "gemini": ("--yolo", "-y", "--approval-mode=yolo"), "qwen": ("--yolo", "-y"),
    "cursor-agent": ("--force", "-f"), "aider": ("--yes-always",),
    "copilot": ("--allow-all-tools", "--yolo"),
    "amp": ("--dangerously-allow-all", ), "crush": ("--yolo", "-y"),
    "droid": ("--skip-permissions-unsafe", ),
}  # fmt: skip
_PRELOADS: Final = frozenset({
    "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "PERL5OPT", "RUBYOPT",
    "PYTHONSTARTUP", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "NODE_OPTIONS", "PROMPT_COMMAND",
    "LD_LIBRARY_PATH", "GIT_SSH", "PYTHONINSPECT",
})  # fmt: skip
_HARD: Final = frozenset({"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV"})
_ORDINARY_LIBRARIES: Final = ("jemalloc", "tcmalloc", "libasan", "libfaketime", "libSegFault",
                              "mimalloc", "libgomp", "libtsan", "libubsan", "libstdc++",
                              "libeatmydata", "libnss_wrapper", "proxychains")  # fmt: skip


def check_stop(scene: Scene) -> Iterator[Finding]:
    """Yield what stops or removes the guard."""
    args, program = scene.run.args, scene.run.program
    named = any(
        word.rpartition("/")[2] in {"ostiary", "ostiary.toml"} or word.startswith("ostiary==")
        for word in args
    )
    if program in {"kill", "xargs"}:
        named = any("ostiary" in given.args for given in scene.feeds_all())
    if not named:
        if program in {"rm", "mv"} and any(word.rstrip("/").endswith(".claude") for word in args):
            yield STOP.finding(scene.at, f"{scene.shown()} takes an agent's settings away", _WARN)
        return
    if program in _INSTALLERS and _REMOVES.isdisjoint(args[:4]):
        return
    yield STOP.finding(scene.at, f"{scene.shown()} takes the guard away")


def check_agent(scene: Scene) -> Iterator[Finding]:
    """Yield agents that are started without their questions."""
    for word in scene.run.args:
        if word in _AGENTS[scene.run.program]:
            yield BYPASS.finding(
                scene.at, f"{scene.shown()} starts an agent that asks nobody: `{word}`"
            )
            return


def check_environment(scene: Scene) -> Iterator[Finding]:
    """Yield variables, set for a run or exported, that the guard or other programs obey."""
    for name, value in scene.run.env:
        yield from judge_variable(scene.at, scene.shown(), name, value)


def check_export(scene: Scene) -> Iterator[Finding]:
    """Yield variables that `export` and its like set for all that follows."""
    for word in scene.run.args:
        name, equals, value = word.partition("=")
        if equals or scene.run.program == "unset":
            yield from judge_variable(scene.at, scene.shown(), name, value)


def judge_variable(run: int, shown: str, name: str, value: str) -> Iterator[Finding]:
    """Yield what is wrong with setting a variable.

    Args:
        run: Index of the run that it is set for.
        shown: The run, as people write it.
        name: The variable.
        value: Its value.
    """
    said = f"`{shorten(name)}={shorten(value)}`"
    if name.startswith("OSTIARY_"):
        yield VARIABLE.finding(run, f"{shown} sets {said}, which the guard obeys")
    elif name in _PRELOADS and value:
        if any(library in value for library in _ORDINARY_LIBRARIES):
            return
        if name in _HARD:
            weak = value.startswith("./") or value[:1] not in "./"
            yield INJECTION.finding(
                run, f"{shown} makes programs load {said}", _WARN if weak else None
            )
        elif name not in {"LD_LIBRARY_PATH", "NODE_OPTIONS"} and not _is_plain(name, value):
            yield INJECTION.finding(run, f"{shown} makes programs run {said}", _WARN)
    elif name == "PATH" and value.startswith((".:", ":", "/tmp", "./", "/dev/shm", "/var/tmp")):  # noqa: S108
        yield INJECTION.finding(run, f"{shown} looks for programs in {said} first", _WARN)


def _is_plain(name: str, value: str) -> bool:
    """Return whether the value of a variable that names a command is only `ssh` with flags."""
    return name.startswith("GIT_SSH") and value.startswith("ssh") and "ProxyCommand" not in value


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(
        (
            *_INSTALLERS,
            "rm",
            "mv",
            "kill",
            "pkill",
            "killall",
            "chmod",
            "truncate",
            "shred",
            "unlink",
        ),
        check_stop,
    ),
    **dict.fromkeys(_AGENTS, check_agent),
    **dict.fromkeys(("export", "declare", "typeset", "setenv", "unset"), check_export),
}
EVERY_ENVIRONMENT: Final[Check] = check_environment
