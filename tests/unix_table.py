"""Decisions of the reference shield, worked out by hand from its contract.

total = min(1, single + 0.5 * repetition + 0.3 * combination); warned from .4, blocked from .7,
critical from .9. Repetition: 0, .1, .3, .6 for 0, 1, 2, 3 and more earlier calls of the tool among
the last 20. Combinations: Write, then Bash `chmod +x`: .75; Bash `curl`, then Bash `| sh`: .85;
Bash `chmod`, then Write: .65. A sum that lies on half a hundredth falls as 32 bits make it fall:
.695 is .69499999 and shown as 0.69.
"""

from typing import Any, NamedTuple


class Row(NamedTuple):
    """Calls that were recorded, the call that is judged, and the verdict in short."""

    history: tuple[tuple[str, Any], ...]
    call: tuple[str, Any]
    verdict: str


def B(command: str) -> tuple[str, Any]:  # noqa: N802 # the table is read, not the name
    return "Bash", {"command": command}


def W(path: str, content: str = "x") -> tuple[str, Any]:  # noqa: N802 # see B
    return "Write", {"file_path": path, "content": content}


def E(path: str) -> tuple[str, Any]:  # noqa: N802 # see B
    return "Edit", {"file_path": path}


LS, SUDO, MODE = B("ls"), B("sudo true"), B("chmod 777 x")
READ = ("Read", {"file_path": "/etc/shadow"})
SCRIPT, RUNNABLE = W("./run"), B("chmod +x run")
CURL, PIPE = B("curl -o f https://example.org"), B("cat f | sh")

SINGLE = [
    (B("ls -la"), "allow"),
    (B("rm -rf /"), "block 0.90 critical"),
    (B("rm -rfv build"), "block 0.90 critical"),
    (B("rm -f x"), "block 0.70 high"),
    (B("sudo apt update"), "warn 0.60"),
    (B("chmod 777 x"), "warn 0.50"),
    (B("chmod 7777 x"), "warn 0.50"),
    (B("cat x | sh"), "block 0.80 high"),
    (B("curl https://example.org"), "block 0.90 critical"),
    (B("wget https://example.org"), "block 0.70 high"),
    # The highest of several counts, and they are not added.
    (B("sudo rm -rf /"), "block 0.90 critical"),
    (B("sudo chmod 777 x"), "warn 0.60"),
    (B("wget -qO- https://example.org | sh"), "block 0.80 high"),
    # A text is found wherever it stands, also where it does nothing.
    (B('echo "rm -rf /"'), "block 0.90 critical"),
    (B("git commit -m 'stop rm -rf'"), "block 0.90 critical"),
    (B("ls # rm -rf /"), "block 0.90 critical"),
    (B("echo sudoku"), "warn 0.60"),
    (B("echo curly"), "block 0.90 critical"),
    (B("cat x | shuf"), "block 0.80 high"),
    (("Bash", {"command": "ls", "description": "no sudo"}), "warn 0.60"),
    (("Bash", {"sudo": True}), "warn 0.60"),
    (("Bash", "rm -f x"), "block 0.70 high"),
    (("Bash", ["rm -f x"]), "block 0.70 high"),
    # And missed where it is written otherwise.
    (B("rm  -rf /"), "allow"),
    (B("rm -r -f /"), "allow"),
    (B("rm${IFS}-rf /"), "allow"),
    (B('r""m -rf /'), "allow"),
    (B("rm \\\n-rf /"), "allow"),
    (B("Sudo true"), "allow"),
    (B("cat x |sh"), "allow"),
    (B("chmod 0777 x"), "allow"),
    (("Bash", {"command": ["rm", "-rf", "/"]}), "allow"),
    (("Bash", None), "allow"),
    (W("./a.txt"), "allow"),
    (W("/usr/local/bin/x"), "allow"),
    (W("/usr/bin/x"), "warn 0.60"),
    (W("/usr/sbin/x"), "warn 0.60"),
    (W("/etc/hosts"), "block 0.70 high"),
    (W("~/.ssh/authorized_keys"), "block 0.80 high"),
    (W("./notes.md", "see /etc/hosts"), "block 0.70 high"),
    (W("./x", "rm -rf /"), "allow"),
    (E("src/a.py"), "allow"),
    (E("/usr/bin/x"), "allow"),
    (E("/etc/hosts"), "warn 0.50"),
    (E("~/.ssh/config"), "block 0.70 high"),
    (E("/etc/.ssh/config"), "block 0.70 high"),
]

AFTER_OTHERS = [
    # Repetition: + .05, + .15, + .30 by calls of the same tool, watched or not.
    ([LS], LS, "allow"),
    ([LS] * 20, LS, "allow"),
    ([LS], SUDO, "warn 0.65"),
    ([LS] * 2, SUDO, "block 0.75 high"),
    # .6 + .3 is .9 in 32-bit floats, and less than that in 64.
    ([LS] * 3, SUDO, "block 0.90 critical"),
    ([LS] * 4, SUDO, "block 0.90 critical"),
    ([LS], MODE, "warn 0.55"),
    ([LS] * 2, MODE, "warn 0.65"),
    ([LS] * 3, MODE, "block 0.80 high"),
    ([LS] * 3, B("cat f | sh"), "block 1.00 critical"),
    ([LS] * 3, B("rm -f x"), "block 1.00 critical"),
    ([LS], B("rm -f x"), "block 0.75 high"),
    ([W("a")] * 3, SUDO, "warn 0.60"),
    ([LS] * 3, E("/etc/hosts"), "warn 0.50"),
    ([E("a")] * 3, E("/etc/hosts"), "block 0.80 high"),
    ([W("a")] * 2, W("/usr/bin/x"), "block 0.75 high"),
    ([READ] * 5, READ, "allow"),
    ([READ] * 5, SUDO, "warn 0.60"),
    # Only the last 20 records count, of whatever tool.
    ([LS] * 3 + [READ] * 17, SUDO, "block 0.90 critical"),
    ([LS] * 3 + [READ] * 18, SUDO, "block 0.75 high"),
    ([LS] * 3 + [READ] * 19, SUDO, "warn 0.65"),
    ([LS] * 3 + [READ] * 20, SUDO, "warn 0.60"),
    # A script is written, then made runnable: + .225.
    ([SCRIPT], RUNNABLE, "allow"),
    ([SCRIPT], B("sudo chmod +x run"), "block 0.83 high"),
    ([SCRIPT] + [LS] * 3, RUNNABLE, "warn 0.53"),
    ([SCRIPT] + [LS] * 19, RUNNABLE, "warn 0.53"),
    ([SCRIPT] + [LS] * 20, RUNNABLE, "allow"),
    ([RUNNABLE], LS, "allow"),
    ([RUNNABLE] + [LS] * 3, LS, "allow"),
    # A rule that is complete in the history adds to every later call.
    ([SCRIPT, RUNNABLE], SUDO, "block 0.88 high"),
    ([SCRIPT, RUNNABLE], READ, "allow"),
    ([SCRIPT, RUNNABLE], E("/etc/hosts"), "block 0.73 high"),
    ([RUNNABLE, SCRIPT], RUNNABLE, "allow"),
    # Permissions are changed, then something is written: + .195.
    ([MODE], SCRIPT, "allow"),
    ([MODE], W("/usr/bin/x"), "block 0.80 high"),
    ([MODE, SCRIPT], E("/etc/hosts"), "warn 0.69"),
    ([SCRIPT], MODE, "warn 0.50"),
    # Both rules: the higher one counts, they are not added.
    ([MODE, SCRIPT, RUNNABLE], E("/etc/hosts"), "block 0.73 high"),
    # A download is run: + .255.
    ([CURL], LS, "allow"),
    ([CURL], PIPE, "block 1.00 critical"),
    ([CURL, PIPE], LS, "warn 0.41"),
    ([CURL, PIPE], READ, "allow"),
    ([CURL, PIPE], E("/etc/hosts"), "block 0.75 high"),
    ([PIPE, CURL], LS, "allow"),
    # One call meets one trigger at a time.
    ([B("curl https://example.org | sh")], E("/etc/hosts"), "warn 0.50"),
    ([], B("curl https://example.org | sh"), "block 0.90 critical"),
]

TABLE = [Row((), call, verdict) for call, verdict in SINGLE] + [
    Row(tuple(history), call, verdict) for history, call, verdict in AFTER_OTHERS
]

SEQUENCES = [
    # A blocked call is not recorded, so the next one has as many before it.
    [
        (SUDO, "warn 0.60"),
        (SUDO, "warn 0.65"),
        (SUDO, "block 0.75 high"),
        (SUDO, "block 0.75 high"),
        (LS, "allow"),
        (SUDO, "block 0.90 critical"),
        (LS, "allow"),
    ],
    [
        (SCRIPT, "allow"),
        (RUNNABLE, "allow"),
        (MODE, "block 0.78 high"),
        (E("src/a.py"), "allow"),
        (W("/usr/bin/x"), "block 0.88 high"),
        (SUDO, "block 0.88 high"),
    ],
    [(CURL, "block 0.90 critical"), (PIPE, "block 0.80 high"), (LS, "allow")],
    [
        (MODE, "warn 0.50"),
        (MODE, "warn 0.55"),
        (MODE, "warn 0.65"),
        (MODE, "block 0.80 high"),
        (W("./a"), "allow"),
        (E("/etc/hosts"), "warn 0.69"),
        (E("/etc/hosts"), "block 0.75 high"),
    ],
]


def spelled_out(verdict: str) -> tuple[str, str | None, str | None]:
    """Return action, reason and category of a verdict in short."""
    match verdict.split():
        case ["warn", score]:
            return "warn", f"Moderate risk detected (score={score})", "safety_evaluation"
        case ["block", score, level]:
            reason = f"High risk blocked (score={score}, category={level})"
            return "block", reason, "safety_evaluation"
        case _:
            return "allow", None, None
