"""Recorded calls, judged again: what another policy would say."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ostiary.shield.command import CommandShield
from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext


class LogError(ValueError):
    """A line of a log that is no call; the message names its number."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One call of a log.

    Attributes:
        line: The number of its line, from 1.
        ctx: The call.
        before: What the first shield says.
        after: What the second one says; the same where there is none.
    """

    line: int
    ctx: ShieldContext
    before: SafetyDecision
    after: SafetyDecision

    @property
    def changed(self) -> bool:
        """Whether the two differ in what is done with the call."""
        return self.before.action is not self.after.action


def replay(
    lines: Iterable[str], shield: CommandShield, against: CommandShield | None = None
) -> Iterator[Replayed]:
    """Judge a log's calls in order; each shield remembers what it lets through itself.

    Args:
        lines: JSON objects: `tool`, `input`, `session`, and where known `cwd` and `failed`; or
            `command` alone. The names of Claude Code's hooks (`tool_name`, `tool_input`,
            `session_id`) are taken as well. Empty lines are left out.
        shield: The first shield.
        against: The second one.

    Raises:
        LogError: a line is no such object.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        ctx, outcome = _call(number, line)
        before = _run(shield, ctx, outcome)
        after = before if against is None else _run(against, ctx, outcome)
        yield Replayed(number, ctx, before, after)


def _run(shield: CommandShield, ctx: ShieldContext, outcome: CallOutcome) -> SafetyDecision:
    decision, token = shield.reserve(ctx)
    shield.settle(token, outcome)
    return decision


def _call(number: int, line: str) -> tuple[ShieldContext, CallOutcome]:
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LogError(f"line {number}: this is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise LogError(f"line {number}: expected an object, found {type(data).__name__}")
    tool = data.get("tool", data.get("tool_name", "Bash"))
    given = data.get("input", data.get("tool_input"))
    if given is None:
        if "command" not in data:
            raise LogError(f"line {number}: expected `tool` and `input`, or `command`")
        given = {"command": data["command"]}
    session, cwd = data.get("session", data.get("session_id")), data.get("cwd")
    if not isinstance(tool, str):
        raise LogError(f"line {number}: tool is a text, not {type(tool).__name__}")
    for name, value in (("session", session), ("cwd", cwd)):
        if value is not None and not isinstance(value, str):
            raise LogError(f"line {number}: {name} is a text, not {type(value).__name__}")
    outcome = CallOutcome.FAILED if data.get("failed") is True else CallOutcome.SUCCEEDED
    return ShieldContext(tool, given, session_id=session, cwd=cwd), outcome
