"""A policy says what it means, and every mistake in it is named."""

from pathlib import Path

import pytest

from ostiary import (
    CommandPolicy,
    CommandShield,
    OwnRule,
    PolicyError,
    Rule,
    SafetyAction,
    ShieldContext,
)

ALL = """
workspace = "app"
home = "/home/user"
scratch = ["scratch", "~/tmp"]
protected = ["data/live.db", "/srv/www"]

[tools]
Run = "line"
Exec = ["program", "args"]
Save.path = "to"
Save.content = "body"
Insert = { path = "to", content = "body", edits = true }
Sh.command = "line"
Any = {}
Edit = false

[rules]
git.reset_hard = "off"
"destructive.git" = "warn"
filesystem.delete_outside = "warn"

[unreadable]
syntax = "block"

[[own]]
id = "own.deploy"
program = ["make", "just"]
args = ["deploy*", "prod"]
action = "warn"
category = "deploy"
reason = "deploys"
suggestion = "make staging"
match = ["make deploy prod", "cd x && just -v deploy-all prod"]
not_match = ["make prod deploy", "make deploy", "echo make deploy prod"]

[[own]]
id = "own.force"
program = "tool"
flags = ["-f", "--all"]
match = ["tool --all=x -vf", "sudo tool -f --all"]
not_match = ["tool -f", "tool --all", "tool() { ls; }; tool() { ls; }"]
"""


def loaded(tmp_path: Path, text: str, name: str = "ostiary.toml") -> CommandShield:
    file = tmp_path / name
    file.write_text(text)
    return CommandShield.from_toml(file)


def action(shield: CommandShield, command: str, tool: str = "Bash", field: str = "command") -> str:
    return shield.evaluate(ShieldContext(tool, {field: command})).action


def test_every_key_of_a_policy_is_heeded(tmp_path: Path) -> None:
    shield = loaded(tmp_path, ALL)
    policy = shield.policy
    folder = str(tmp_path.resolve())
    assert (policy.workspace, policy.home) == (f"{folder}/app", "/home/user")
    assert policy.scratch[-2:] == (f"{folder}/scratch", "/home/user/tmp")
    assert policy.protected == (f"{folder}/data/live.db", "/srv/www")
    assert {"Run", "Exec", "Save", "Insert", "Sh", "Any", "Bash"} < shield.watched_tools()
    assert "Edit" not in shield.watched_tools()
    assert action(shield, "rm -rf ~", "Run", "line") == "block"
    assert action(shield, "rm -rf ~", "Sh", "line") == "block"
    assert action(shield, "rm -rf ~", "Any", "cmd") == "block"
    for tool in ("Save", "Insert"):
        given = {"to": "/etc/passwd", "body": "x"}
        assert shield.evaluate(ShieldContext(tool, given)).is_blocked
    assert action(shield, "git reset --hard") == "allow"
    assert action(shield, "git clean -fdx") == "warn"
    assert action(shield, "rm -rf /srv/other") == "warn"
    assert action(shield, "echo 'unclosed") == "block"
    assert action(shield, "rm ../data/live.db") == "block"
    decision = shield.evaluate(ShieldContext("Bash", {"command": "make deploy prod"}))
    assert (decision.action, decision.category) == ("warn", "deploy")
    assert decision.reason == "`make deploy prod` deploys"
    assert decision.suggestion == "make staging"
    assert action(shield, "tool -f --all") == "block"


def test_a_pyproject_holds_a_policy_in_its_table(tmp_path: Path) -> None:
    text = '[tool.ostiary.rules]\n"git.reset_hard" = "off"\n'
    assert action(loaded(tmp_path, text, "pyproject.toml"), "git reset --hard") == "allow"
    assert action(loaded(tmp_path, "[tool.other]", "pyproject.toml"), "git reset --hard") != "allow"


def test_without_a_word_the_folder_of_the_file_is_the_workspace(tmp_path: Path) -> None:
    assert loaded(tmp_path, "").policy.workspace == str(tmp_path.resolve())


def test_a_home_that_is_not_named_is_the_users(tmp_path: Path) -> None:
    assert loaded(tmp_path, 'scratch = "~/x"').policy.home == CommandPolicy().home


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "this is no TOML"),
        ("workspce = 'x'", r"^workspce: no such key; did you mean workspace\?$"),
        ("qqqqq = 1", "^qqqqq: no such key; there are home, own, protected"),
        ("workspace = 3", "^workspace: expected a text, found a number$"),
        ("workspace = ''", "^workspace: expected a text, found nothing in it$"),
        ("scratch = [1]", "^scratch: expected a text or a list of texts, found a list$"),
        ("scratch = true", "^scratch: expected a text or a list of texts, found true or false$"),
        ("tools = 1", r"^\[tools\]: expected a table, found a number$"),
        ("[rules]\ngit.reset_hrd = 'off'", r"no such rule; did you mean git.reset_hard\?$"),
        ("[rules]\ngit.reset_hard = 'of'", r"^\[rules\] git.reset_hard: expected off, allow, warn"),
        ("[rules]\ngit.reset_hard = 1", "expected off, allow, warn, block, found 1"),
        (
            "[unreadable]\nsyntx = 'warn'",
            r"^\[unreadable\] syntx: no such cause; did you mean s",
        ),
        ("[tools]\nA = ''", r"^\[tools\] A: expected a text or a list of texts, found nothing"),
        ("[tools]\nA = []", r"^\[tools\] A: expected the field that holds the command$"),
        ("[tools.A]\nx = 1", r"^\[tools.A\] x: no such key"),
        ("[tools.A]\nedits = 'x'", r"^\[tools.A\] edits: expected true or false, found a text$"),
        ("own = 1", r"^own: expected \[\[own\]\] tables, found a number$"),
        ("[[own]]\nprogram = 'x'", r"^\[own\[0\]\] id: is missing$"),
        ("[[own]]\nid = 'a'", r"^\[own\[0\]\] program: is missing$"),
        (
            "[[own]]\nid = 'a'\nprogram = 'x'\naction = 'stop'",
            "warn or block, found 'stop'",
        ),
        ("[[own]]\nid = 'git.reset_hard'\nprogram = 'x'", "there is a rule git.reset_hard already"),
        ("[[own]]\nid = 'a'\nprogram = 'x'\n" * 2, r"^\[own\[1\]\] id: there is a rule a already$"),
        (
            "[[own]]\nid = 'a'\nprogram = 'x'\nmatch = 'y'",
            r"^\[own\[0\]\] match: 'y' is not found by the rule a$",
        ),
        (
            "[[own]]\nid = 'a'\nprogram = 'x'\nnot_match = 'sudo x'",
            r"^\[own\[0\]\] not_match: 'sudo x' is found by the rule a$",
        ),
    ],
)
def test_a_mistake_in_a_policy_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        loaded(tmp_path, text)


def test_a_mistake_in_a_pyproject_is_named_with_the_whole_path(tmp_path: Path) -> None:
    text = "[tool.ostiary.rules]\ngit.reset_hrd = 'off'"
    message = r"^\[tool.ostiary.rules\] git.reset_hrd: no such rule; did you mean git.reset_hard\?$"
    with pytest.raises(PolicyError, match=message):
        loaded(tmp_path, text, "pyproject.toml")
    with pytest.raises(PolicyError, match=r"^\[tool.ostiary\]: expected a table, found a number$"):
        loaded(tmp_path, "[tool]\nostiary = 1", "pyproject.toml")


def test_a_policy_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        CommandShield.from_toml(tmp_path / "no.toml")


@pytest.mark.parametrize("name", ["workspace", "home", "scratch", "protected"])
def test_folders_of_a_policy_are_absolute(name: str) -> None:
    value = "x" if name in {"workspace", "home"} else ("/a", "x")
    with pytest.raises(ValueError, match=f"^{name} is an absolute path, not 'x'$"):
        CommandPolicy(**{name: value})  # type: ignore[arg-type]


def test_a_home_that_nobody_knows_is_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "nowhere")
    assert CommandPolicy().home == "/root"


def test_a_rule_of_ones_own_needs_no_file() -> None:
    rule = OwnRule(Rule("a", "b", SafetyAction.WARN, "is watched"), ("ls",))
    shield = CommandShield(CommandPolicy(own=(rule,)))
    assert action(shield, "ls") == "warn"
    off = CommandShield(CommandPolicy(own=(rule,), rules={"a": SafetyAction.ALLOW}))
    assert action(off, "ls") == "allow"


def test_an_input_without_a_command_can_be_let_through() -> None:
    shield = CommandShield(CommandPolicy(unreadable={"input": SafetyAction.ALLOW}))
    assert shield.evaluate(ShieldContext("Bash", {"command": 1})).is_allowed
