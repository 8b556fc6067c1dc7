"""The command line of the call door: `ostiary shield check`, `replay`, `rules`."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from ostiary.shield.command import CommandShield
from ostiary.shield.decision import CallOutcome, SafetyAction, SafetyDecision, ShieldContext
from ostiary.shield.explain import Explanation
from ostiary.shield.policy_file import PolicyError
from ostiary.shield.replay import LogError, Replayed, replay
from ostiary.shield.rule_table import RULES

MISUSE = 3
"""The exit code of a wrong use; 2 says that a command is blocked."""

_CODES = {SafetyAction.ALLOW: 0, SafetyAction.WARN: 1, SafetyAction.BLOCK: 2}
_COLOURS = {"allow": "green", "warn": "yellow", "block": "red"}
_PIPE_WIDTH = 160
_LONGEST_SHOWN = 100


class _ShieldGroup(click.Group):
    """A group whose misuse has an exit code of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _misuse():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _misuse():
            return super().invoke(ctx)


@contextmanager
def _misuse() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        error.show()
        sys.exit(MISUSE)
    except (PolicyError, LogError, UnicodeDecodeError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(MISUSE)


@click.group(cls=_ShieldGroup)
def shield() -> None:
    """Judge commands before they run.

    The exit code is 0 for allow, 1 for warn, 2 for block, 3 when the command was misused.
    """


_policy = click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A policy: ostiary.toml, or a pyproject with [tool.ostiary].",
)
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@shield.command()
@click.argument("commands", nargs=-1, required=True)
@click.option("--cwd", metavar="DIR", help="The folder that the command starts in.")
@_policy
@_as_json
def check(commands: tuple[str, ...], cwd: str | None, policy: str | None, *, as_json: bool) -> None:
    """Judge each COMMAND and draw how it was read.

    Several commands are the calls of one session, in order; each that is not blocked counts as
    run. The exit code is the gravest one's.
    """
    judge = _shield(policy)
    shown: list[Any] = []
    worst = 0
    for command in commands:
        ctx = ShieldContext("Bash", {"command": command}, cwd=cwd)
        explanation = judge.explain(ctx)
        _, token = judge.reserve(ctx)
        judge.settle(token, CallOutcome.SUCCEEDED)
        worst = max(worst, _CODES[explanation.decision.action])
        if as_json:
            shown.append({"command": command, **explanation.as_dict()})
        else:
            _console().print(_drawn(command, explanation))
    if as_json:
        click.echo(json.dumps(shown[0] if len(shown) == 1 else shown, indent=2))
    sys.exit(worst)


@shield.command("replay")
@click.argument("log", type=click.File(encoding="utf-8"))
@_policy
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A second policy: only calls whose verdict it changes are listed.",
)
@_as_json
def replay_log(log: TextIO, policy: str | None, against: str | None, *, as_json: bool) -> None:
    """Judge the recorded calls of LOG, a JSON object a line, and list those that are not allowed.

    A line has `tool`, `input`, `session`, and where known `cwd` and `failed`; or `command` alone.
    With --against the calls are listed whose verdict changes. The exit code is the gravest listed
    one's.
    """
    other = None if against is None else _shield(against)
    calls = [0]
    rows = [
        one
        for one in _counted(replay(log, _shield(policy), other), calls)
        if (one.changed if other else not one.after.is_allowed)
    ]
    if as_json:
        click.echo(json.dumps([_row(one) for one in rows], indent=2))
    else:
        _print_rows(rows, calls[0], both=other is not None)
    sys.exit(max((_CODES[one.after.action] for one in rows), default=0))


@shield.command()
@_as_json
def rules(*, as_json: bool) -> None:
    """List every built-in rule: id, category, what it says, what it looks for."""
    rows = [(one.id, one.category, one.action.value, one.summary) for one in RULES.values()]
    titles = ("id", "category", "action", "summary")
    if as_json:
        click.echo(json.dumps([dict(zip(titles, row, strict=True)) for row in rows], indent=2))
        return
    table = _table(*titles)
    for id_, category, action, summary in rows:
        table.add_row(id_, category, _coloured(action), escape(summary))
    _console().print(table)


def _shield(policy: str | None) -> CommandShield:
    return CommandShield() if policy is None else CommandShield.from_toml(policy)


def _counted(calls: Iterator[Replayed], count: list[int]) -> Iterator[Replayed]:
    for one in calls:
        count[0] += 1
        yield one


# Pictures


def _drawn(command: str, explanation: Explanation) -> Tree:
    tree = Tree(f"[bold]{_shown(command)}[/]")
    for reading in explanation.readings:
        top = tree
        if len(explanation.readings) > 1:
            top = tree.add(f"[dim]read from[/] {_shown(reading['cwd'])}")
        branches = [top]
        for run in reading["runs"]:
            del branches[run["depth"] + 1 :]
            branches.append(_draw_run(branches[-1], run))
        for found in reading["findings"]:
            top.add(_found(found))
        for fault in reading["faults"]:
            top.add(f"[yellow]not read: {fault['kind']}[/] from byte {fault['offset']} on")
    tree.add(_verdict(explanation.decision, explanation.rule))
    return tree


def _draw_run(above: Tree, run: dict[str, Any]) -> Tree:
    via = "".join(f"[dim]{_shown(word)} ▸ [/]" for word in run["via"])
    how = f" [dim]({', '.join(run['how'])})[/]" if run["how"] else ""
    branch = above.add(f"{via}{_shown(run['command'])}{how}")
    for target in run["targets"]:
        path = "not known" if target["path"] is None else _shown(target["path"])
        branch.add(f"[dim]{_shown(target['word'])} → {path}, {target['place']}[/]")
    for change in run["files"]:
        branch.add(f"[cyan]{_shown(change['path'])}[/]: {_shown(change['what'])}")
    for found in run["findings"]:
        branch.add(_found(found))
    return branch


def _found(found: dict[str, Any]) -> str:
    return f"{_coloured(found['action'])} {found['rule']}: {_shown(found['reason'])}"


def _verdict(decision: SafetyDecision, rule: str | None) -> str:
    text = f"[bold]{_coloured(decision.action.value)}[/]"
    if rule is not None:
        text += f" by {rule} ({decision.category}): {_shown(decision.reason or '')}"
    if decision.suggestion:
        text += f"\ninstead: {_shown(decision.suggestion)}"
    return text


def _row(one: Replayed) -> dict[str, Any]:
    return {
        "line": one.line,
        "tool": one.ctx.tool_name,
        "input": one.ctx.input,
        "session": one.ctx.session_id,
        "before": one.before.action.value,
        "after": one.after.action.value,
        "category": one.after.category or one.before.category,
        "reason": one.after.reason or one.before.reason,
    }


def _print_rows(rows: list[Replayed], calls: int, *, both: bool) -> None:
    table = _table("line", "call", "verdict", "reason")
    for one in rows:
        row = _row(one)
        given = one.ctx.input
        call = given.get("command", given) if isinstance(given, dict) else given
        verdict = _coloured(row["after"])
        if both:
            verdict = f"{_coloured(row['before'])} → {verdict}"
        reason = f"{_shown(row['reason'] or '')} ({row['category']})"
        table.add_row(str(one.line), _shown(str(call)[:_LONGEST_SHOWN]), verdict, reason)
    if rows:
        _console().print(table)
    what = "change" if both else "are not allowed"
    click.echo(f"{calls:,} calls, of which {len(rows):,} {what}")


def _table(*titles: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in titles:
        table.add_column(title, overflow="fold")
    return table


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)


def _coloured(action: str) -> str:
    return f"[{_COLOURS[action]}]{action}[/]"


def _shown(text: str) -> str:
    """Return a text from outside with nothing in it that a terminal obeys."""
    kept = (char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
    return escape("".join(kept))
