"""The command shield's figures, beside other guards: `make bench-shield OSTIARY_COMMANDS=DIR`.

`--peers DIR` holds agentbelay (`pip install --target DIR`) and cc-safety-net (`npm install --prefix
DIR`); a guard that is not there is left out, with the reason. Every guard judges every command of a
corpus on its own, from a project folder, warm, one call at a time.
"""

import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ostiary import CallOutcome, CommandPolicy, CommandShield, ShieldContext, UnixShield
from ostiary.shield.reading import read_command

HOME = "/home/user"
PROJECT = f"{HOME}/project"
POLICY = CommandPolicy(workspace=PROJECT, home=HOME)
CORPORA = ("battery", "rewrites", "dcg", "ccsn", "art", "redcode", "nl2bash", "tldr", "intercode")
HOSTILE = {
    "open parentheses": "(" * (1 << 20),
    "substitutions": "$(" * (1 << 19),
    "quotes": "\"'`" * (1 << 18),
    "groups": "{ " * (1 << 19),
    "operands": "rm " + "f " * (1 << 19),
    "runs": "rm f;" * (1 << 17),
    "a pipeline": "cat |" * (1 << 17),
    "here-documents": "cat <<E\nE\n" * (1 << 16),
}


class Judged(NamedTuple):
    """One command's verdict, and how long it took."""

    action: str
    us: float


Guard = Callable[[list[str]], list[Judged]]


class AbsentError(Exception):
    """A guard that cannot be run here; says why."""


def in_process(judge: Callable[[str], str]) -> Guard:
    def run(commands: list[str]) -> list[Judged]:
        found = []
        for command in commands:
            start = time.perf_counter()
            try:
                action = judge(command)
            except Exception:  # noqa: BLE001 # a peer that raises gives no verdict
                action = "error"
            found.append(Judged(action, (time.perf_counter() - start) * 1e6))
        return found

    return run


def command_shield() -> Guard:
    shield = CommandShield(POLICY)
    return in_process(lambda text: shield.evaluate(context(text)).action.value)


def unix_shield() -> Guard:
    shield = UnixShield()
    return in_process(lambda text: shield.evaluate(context(text)).action.value)


def context(command: str) -> ShieldContext:
    return ShieldContext("Bash", {"command": command})


def belay_guard(peers: Path | None) -> Guard:
    if peers is not None:
        sys.path.append(str(peers))
    try:
        agentbelay = importlib.import_module("agentbelay")
    except ImportError as error:
        raise AbsentError(f"agentbelay: {error}") from error
    belay: Any = agentbelay.Guard.from_pack("coding-agent")
    says = {"allow": "allow", "deny": "block", "ask": "warn"}
    return in_process(lambda text: says[belay.check("Bash", {"command": text}).action])


def cc_safety_net(peers: Path | None) -> Guard:
    node = shutil.which("node")
    entry = None if peers is None else peers / "node_modules/cc-safety-net/dist/api.js"
    if node is None or entry is None or not entry.exists():
        raise AbsentError("cc-safety-net: no node, or not installed under --peers")
    script = Path(__file__).with_name("peers_ccsn.mjs")

    def run(commands: list[str]) -> list[Judged]:
        lines = "".join(json.dumps({"command": command}) + "\n" for command in commands)
        with tempfile.TemporaryDirectory() as cwd:  # it refuses a folder that is not there
            child = subprocess.run(
                [node, script, entry, cwd], input=lines, text=True, capture_output=True, check=True
            )
        return [Judged(**json.loads(line)) for line in child.stdout.splitlines()]

    return run


def guards(peers: Path | None) -> dict[str, Guard]:
    makers: dict[str, Callable[[], Guard]] = {
        "CommandShield": command_shield,
        "UnixShield": unix_shield,
        "agentbelay 0.1.0": lambda: belay_guard(peers),
        "cc-safety-net 2.4.5": lambda: cc_safety_net(peers),
    }
    found = {}
    for name, make in makers.items():
        try:
            found[name] = make()
        except AbsentError as error:
            print(f"left out: {error}")
    return found


def rows_of(folder: Path, name: str, most: int) -> list[dict[str, Any]]:
    lines = (folder / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    step = max(1, len(rows) // most) if most else 1
    return rows[::step]


def share(found: list[Judged], *actions: str) -> str:
    if not found:
        return "-"
    part = sum(one.action in actions for one in found) / len(found)
    return f"{100 * part:.1f}"


def corpora(folder: Path, judges: dict[str, Guard], most: int) -> None:
    """Print what each guard says of each corpus."""
    print("\n| corpus | rows | guard | block % | warn % | errors | p50 µs | p99 µs |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in CORPORA:
        rows = rows_of(folder, name, most)
        expected = sorted({row["expected"] or "" for row in rows})
        for guard, judge in judges.items():
            judge([row["command"] for row in rows[:50]])  # warm
            found = judge([row["command"] for row in rows])
            for kind in expected:
                some = [
                    one
                    for one, row in zip(found, rows, strict=True)
                    if (row["expected"] or "") == kind
                ]
                title = f"{name}, to {kind}" if kind else name
                times = sorted(one.us for one in some)
                p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
                errors = sum(one.action == "error" for one in some)
                print(
                    f"| {title} | {len(some)} | {guard} | {share(some, 'block')} | "
                    f"{share(some, 'warn')} | {errors} | {p50:.0f} | {p99:.0f} |"
                )


def sessions(folder: Path) -> None:
    """Print how the sessions end."""
    right = 0
    rows = rows_of(folder, "sessions", 0)
    for row in rows:
        shield, actions = CommandShield(POLICY), []
        for call in row["calls"]:
            decision, token = shield.reserve(context(call.removeprefix("FAIL ")))
            failed = call.startswith("FAIL ")
            shield.settle(token, CallOutcome.FAILED if failed else CallOutcome.SUCCEEDED)
            actions.append(decision.action.value)
        wanted = row["expected"] == "block_last"
        good = actions[-1] != "allow" if wanted else "block" not in actions
        right += good
        if not good:
            print(f"wrong: {row['id']}: {actions}")
    print(f"\nsessions: {right} of {len(rows)} end as they should")


def grammar(folder: Path, most: int) -> None:
    """Print how often the reader and `bash -n` disagree about what is a command at all."""
    shell = shutil.which("bash")
    if shell is None:
        print("left out: bash -n: no bash")
        return
    rows = rows_of(folder, "nl2bash", most)
    stricter = looser = 0
    for row in rows:
        command = row["command"]
        child = subprocess.run(
            [shell, "-n"], input=command.encode(), capture_output=True, check=False
        )
        bash = child.returncode == 0
        faults = read_command(command, PROJECT, HOME).faults
        ours = not any(fault.kind == "syntax" for fault in faults)
        stricter += bash and not ours
        looser += ours and not bash
    total = len(rows)
    print(
        f"bash -n on nl2bash ({total}): {100 * (stricter + looser) / total:.2f} % disagree; "
        f"{stricter} that bash takes are not read whole, {looser} that bash refuses are read"
    )


def sizes() -> None:
    """Print what building a shield and judging 1 MiB of hostile text take."""
    start = time.perf_counter()
    for _ in range(1000):
        CommandShield()
    print(f"\nbuilding a CommandShield: {(time.perf_counter() - start) * 1e3:.1f} µs")
    shield = CommandShield(POLICY)
    for name, command in HOSTILE.items():
        times = []
        for _ in range(3):
            start = time.perf_counter()
            decision = shield.evaluate(context(command))
            times.append((time.perf_counter() - start) * 1e3)
        print(
            f"{len(command) / (1 << 20):.2f} MiB of {name}: {min(times):.1f} ms, "
            f"{decision.action.value} ({decision.category})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="where other guards are installed")
    parser.add_argument("--most", type=int, default=0, help="rows of a corpus at most; 0: all")
    given = parser.parse_args()
    sizes()
    folder = os.environ.get("OSTIARY_COMMANDS")
    if folder is None:
        print("left out: the corpora: OSTIARY_COMMANDS names no folder")
        return
    sessions(Path(folder))
    grammar(Path(folder), given.most)
    corpora(Path(folder), guards(given.peers), given.most)


if __name__ == "__main__":
    main()
