"""Recorded calls, judged again."""

import json
from typing import Any

import pytest

from ostiary import CommandPolicy, CommandShield, SafetyAction
from ostiary.shield.replay import LogError, replay
from sessions import GET, POLICY, RUN


def log(*lines: Any) -> list[str]:
    return [json.dumps(line) for line in lines]


def test_calls_are_judged_in_order_and_by_session() -> None:
    lines = log(
        {"command": GET, "session": "a"},
        {"tool": "Bash", "input": {"command": RUN}, "session": "a"},
        {"tool_name": "Bash", "tool_input": {"command": RUN}, "session_id": "b"},
        {"command": GET, "session": "c", "failed": True},
        {"command": RUN, "session": "c"},
        {"command": "rm -rf x", "cwd": "/srv"},
    )
    found = list(replay([*lines[:2], "\n", *lines[2:]], CommandShield(POLICY)))
    assert [one.after.action.value for one in found] == [
        "allow",
        "block",
        "allow",
        "allow",
        "allow",
        "block",
    ]
    assert [one.line for one in found] == [1, 2, 4, 5, 6, 7]
    assert not any(one.changed for one in found)


def test_two_policies_are_compared() -> None:
    rules = {"git.reset_hard": SafetyAction.ALLOW}
    other = CommandShield(CommandPolicy(rules=rules))
    found = list(
        replay(log({"command": "git reset --hard"}, {"command": "ls"}), CommandShield(), other)
    )
    assert [one.changed for one in found] == [True, False]
    assert found[0].after.is_allowed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "^line 1: this is no JSON"),
        ("[" * 100_000, "^line 1: this is no JSON"),
        ("[]", "^line 1: expected an object, found list"),
        ("{}", "^line 1: expected `tool` and `input`, or `command`"),
        ('{"command": "x", "tool": 1}', "^line 1: tool is a text, not int"),
        ('{"command": "x", "session": 1}', "^line 1: session is a text, not int"),
        ('{"command": "x", "cwd": []}', "^line 1: cwd is a text, not list"),
    ],
)
def test_a_line_that_is_no_call_is_named(line: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        list(replay([line], CommandShield()))
