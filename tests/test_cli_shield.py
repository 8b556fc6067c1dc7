"""The command line of the call door."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ostiary.cli import main
from ostiary.shield.rule_table import RULES
from sessions import GET, RUN


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["shield", *args])


def policy(tmp_path: Path, text: str) -> str:
    file = tmp_path / "ostiary.toml"
    file.write_text(text)
    return str(file)


@pytest.mark.parametrize(
    ("command", "code"), [("ls", 0), ("chmod 777 x", 1), ("rm -rf ~", 2), ("rm -rf ~ #", 2)]
)
def test_the_exit_code_is_the_verdict(command: str, code: int) -> None:
    assert run("check", command).exit_code == code


def test_a_check_draws_how_the_command_was_read() -> None:
    result = run("check", "sudo sh -c 'rm -rf ~'; curl -so f https://x.example/f; echo 'x")
    assert result.exit_code == 2
    for part in (
        "sudo ▸ sh -c rm -rf ~ (its code was read)",
        "block filesystem.delete_home",
        "downloaded from https://x.example/f",
        "not read: syntax from byte",
        "block by filesystem.delete_home (destructive.filesystem)",
        "instead:",
    ):
        assert part in result.output, part


def test_a_command_of_which_nothing_was_read_is_drawn() -> None:
    result = run("check", "(" * 500)
    assert result.exit_code == 2
    assert "block unreadable.depth" in result.output


def test_several_commands_are_calls_of_one_session() -> None:
    result = run("check", "cd sub; " + GET, RUN)
    assert result.exit_code == 2
    assert result.output.count("read from") == 2


def test_a_check_starts_where_it_is_told() -> None:
    assert run("check", "rm -rf x", "--cwd", "/srv").exit_code == 2
    assert run("check", "rm -rf x").exit_code == 0


def test_a_check_by_a_policy(tmp_path: Path) -> None:
    file = policy(tmp_path, 'rules = { "git.reset_hard" = "off" }')
    assert run("check", "git reset --hard", "--policy", file).exit_code == 0


def test_a_check_in_json() -> None:
    one = json.loads(run("check", "rm -rf ~", "--json").output)
    assert (one["command"], one["action"]) == ("rm -rf ~", "block")
    two = json.loads(run("check", "ls", "rm -rf ~", "--json").output)
    assert [each["action"] for each in two] == ["allow", "block"]


def test_nothing_in_a_command_reaches_the_terminal() -> None:
    result = run("check", "echo \x1b[31m [bold] /tmp/\x1b[2J")
    assert "\x1b" not in result.output
    assert "[bold]" in result.output


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["check"], "Missing argument"),
        (["bogus"], "No such command"),
        (["--bogus"], "No such option"),
        (["check", "ls", "--policy", "no.toml"], "does not exist"),
        (["replay", "no.jsonl"], "no.jsonl"),
    ],
)
def test_misuse_has_a_code_of_its_own(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 3
    assert message in result.output


def test_a_wrong_policy_and_a_wrong_log_are_misuse(tmp_path: Path) -> None:
    result = run("check", "ls", "--policy", policy(tmp_path, "rulez = 1"))
    assert result.exit_code == 3
    assert result.output == "Error: rulez: no such key; did you mean rules?\n"
    log = tmp_path / "log.jsonl"
    for content in (b"[]", b"\xff\xfe"):
        log.write_bytes(content)
        assert run("replay", str(log)).exit_code == 3


def test_a_replay_lists_what_is_not_allowed(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"command": "ls"}\n{"command": "chmod 777 x"}\n{"tool": "Bash", "input": 7}\n')
    result = run("replay", str(log))
    assert result.exit_code == 2
    assert "3 calls, of which 2 are not allowed" in result.output
    assert "chmod 777 x" in result.output
    rows = json.loads(run("replay", str(log), "--json").output)
    assert [(row["line"], row["after"]) for row in rows] == [(2, "warn"), (3, "block")]


def test_a_replay_of_allowed_calls_lists_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"command": "ls"}\n')
    result = run("replay", str(log))
    assert (result.exit_code, result.output) == (0, "1 calls, of which 0 are not allowed\n")


def test_a_replay_against_a_policy_lists_what_changes(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"command": "git reset --hard"}\n{"command": "rm -rf ~"}\n')
    file = policy(tmp_path, 'rules = { "git.reset_hard" = "off" }')
    result = run("replay", str(log), "--against", file)
    assert result.exit_code == 0
    assert "block → allow" in result.output
    assert "2 calls, of which 1 change" in result.output
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    back = run("replay", str(log), "--policy", file, "--against", str(empty))
    assert back.exit_code == 2


def test_the_rules_are_listed() -> None:
    table = run("rules")
    assert table.exit_code == 0
    assert "remote_code.staged" in table.output
    assert {row["id"] for row in json.loads(run("rules", "--json").output)} == set(RULES)
