"""Shells for somebody else, and processes without end."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import STDIN, UNKNOWN, Run
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.interpreters import SHELLS
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

SHELL: Final = Rule(
    "remote_shell.open", "remote_code.shell", _BLOCK,
    "Gives a shell on this machine to whoever is at the other end of a connection.",
    "See whether a port answers: `nc -z localhost 8080`.",
)  # fmt: skip
SOCKET: Final = Rule(
    "remote_shell.raw_socket", "network.raw", _WARN,
    "Talks to another machine through the shell's own sockets.",
    "Use a program that says what it does: `curl https://example.com`.",
)  # fmt: skip
BOMB: Final = Rule(
    "process.fork_bomb", "denial_of_service", _BLOCK,
    "Starts copies of itself without end.", "Start one, and look at it: `sleep 1`.",
)  # fmt: skip
RULES: Final = (SHELL, SOCKET, BOMB)

_SOCKETS: Final = ("/dev/tcp/", "/dev/udp/")
_SHELL_PATHS: Final = (
    *(f"{folder}{shell}" for folder in ("/bin/", "/usr/bin/", "") for shell in sorted(SHELLS)),
    "cmd.exe", "cmd", "powershell", "powershell.exe",
)  # fmt: skip
_EXECUTES: Final = ("-e", "-c", "--exec", "--sh-exec", "--lua-exec")


def _is_shell(run: Run) -> bool:
    return run.program in SHELLS


def check_redirects(scene: Scene) -> Iterator[Finding]:
    """Yield connections that the shell itself opens."""
    run = scene.run
    sockets = [one for one in run.redirects if one.target.startswith(_SOCKETS)]
    if not sockets:
        return
    word = shorten(sockets[0].target)
    if run.program in SHELLS or run.program in {UNKNOWN, "script"}:
        yield SHELL.finding(scene.at, f"{scene.shown()} gives a shell to `{word}`")
    elif run.program not in {"", "echo", "true", ":", "printf", "exec"}:
        yield SOCKET.finding(scene.at, f"{scene.shown()} talks to `{word}`")
    elif any(one.op == "<>" for one in sockets):
        others = scene.flow.runs
        obeys = any(
            UNKNOWN in other.program or other.program in SHELLS or other.program == "eval"
            for other in others
            if other is not run and not other.how & bits.OPENED
        )
        rule, says = (SHELL, "obeys") if obeys else (SOCKET, "talks to")
        yield rule.finding(scene.at, f"{scene.shown()} {says} `{word}`")


def check_netcat(scene: Scene) -> Iterator[Finding]:
    """Yield `nc` with a shell behind or before it."""
    args = scene.run.args
    for at, word in enumerate(args):
        flag = word in _EXECUTES or (
            word[:1] == "-" and word[1:2] != "-" and word[-1:] in {"e", "c"} and len(word) < 8  # noqa: PLR2004
        )  # fmt: skip
        if flag and at + 1 < len(args) and _names_shell(args[at + 1]):
            yield SHELL.finding(scene.at, f"{scene.shown()} gives a shell to the other end")
            return
        if word.startswith(("--exec=", "--sh-exec=")):
            yield SHELL.finding(scene.at, f"{scene.shown()} gives a shell to the other end")
            return
    if scene.flow.reached("shell", _is_shell, scene.at, STDIN) is not None:
        origin = scene.flow.reached("shell", _is_shell, scene.at, STDIN)
        assert origin is not None
        shell = scene.flow.runs[origin]
        if not shell.how & bits.OPENED:
            yield SHELL.finding(scene.at, f"{scene.shown()} sends out what a shell answers")


def _names_shell(word: str) -> bool:
    return word.startswith(_SHELL_PATHS) or any(f"/{shell}" in word for shell in SHELLS)


def check_socat(scene: Scene) -> Iterator[Finding]:
    """Yield `socat` between a network and a shell."""
    words = [word.lower() for word in scene.run.args]
    runs = any(word.startswith(("exec:", "system:", "shell:")) for word in words)
    net = any(
        word.startswith(("tcp", "udp", "openssl", "ssl", "sctp", "vsock", "proxy"))
        for word in words
    )
    if runs and net:
        yield SHELL.finding(scene.at, f"{scene.shown()} gives a program to the other end")


def check_awk(scene: Scene) -> Iterator[Finding]:
    """Yield `awk` that talks over the network."""
    for word in scene.run.args:
        if "/inet/" in word:
            rule = SHELL if "|&" in word and "getline" in word else SOCKET
            yield rule.finding(scene.at, f"{scene.shown()} talks to another machine")
            return


def check_tunnel(scene: Scene) -> Iterator[Finding]:
    """Yield services that give a shell of this machine to strangers."""
    if {"-h", "--help", "-v", "--version"} & set(scene.run.args):
        return
    yield SHELL.finding(scene.at, f"{scene.shown()} lets strangers use this machine", _WARN)


def check_code_tunnel(scene: Scene) -> Iterator[Finding]:
    """Yield tunnels through which others reach this machine."""
    if {"tunnel", "host"} & set(scene.run.args[:2]):
        yield SHELL.finding(scene.at, f"{scene.shown()} lets others reach this machine", _WARN)


def is_fork_bomb(run: Run) -> bool:
    """Return whether a run starts copies of its own function beside itself."""
    return bool(run.how & bits.RECURSIVE and run.how & (bits.BACKGROUND | bits.PIPED))


def check_bomb(scene: Scene) -> Iterator[Finding]:
    """Yield functions that start copies of themselves."""
    if is_fork_bomb(scene.run):
        yield BOMB.finding(scene.at, f"{scene.shown()} starts copies of itself without end")


CHECKS: Final[Mapping[str, Check]] = {
    "nc": check_netcat, "ncat": check_netcat, "netcat": check_netcat, "telnet": check_netcat,
    "awk": check_awk, "gawk": check_awk, "ngrok": check_tunnel, "cloudflared": check_code_tunnel,
    "code": check_code_tunnel,
    "devtunnel": check_code_tunnel, "openssl": check_netcat, "socat": check_socat,
    "tmate": check_tunnel, "gotty": check_tunnel,
    "ttyd": check_tunnel, "gsocket": check_tunnel, "gs-netcat": check_tunnel,
}  # fmt: skip
EVERY_REDIRECT: Final[Check] = check_redirects
"""Looks at every run that has redirections."""
EVERY_RECURSIVE: Final[Check] = check_bomb
"""Looks at every run of a function that calls itself."""
