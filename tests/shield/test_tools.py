"""What the inputs of many tools mean."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostiary import CommandPolicy, CommandShield, SafetyDecision, ShieldContext
from ostiary.shield.policy_file import policy_of
from ostiary.shield.tools import DEFAULT_TOOLS
from sessions import POLICY, WORKSPACE, decisions

HARM = "rm -rf ~"
NEITHER = "is neither a text nor a list of texts"


def said(tool: str, given: Any, policy: CommandPolicy = POLICY, **others: Any) -> SafetyDecision:
    return CommandShield(policy).evaluate(ShieldContext(tool, given, **others))


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": HARM}),
        ("bash", {"cmd": HARM}),
        ("shell", {"command": ["bash", "-lc", HARM]}),
        ("shell", {"command": ["rm", "-rf", "/home/user"]}),
        ("local_shell", {"action": {"type": "exec", "command": ["rm", "-rf", "/home/user"]}}),
        ("run_in_terminal", {"command": HARM}),
        ("execute_bash", {"script": HARM}),
        ("Bash", HARM),
        ("Bash", {"command": "rm -rf .", "cwd": "/home/user"}),
        ("Bash", {"command": "rm -rf .", "workdir": "../.."}),
        ("Write", {"file_path": "~/.bashrc", "content": "x"}),
        ("write_file", {"path": "/home/user/.ssh/authorized_keys", "content": "x"}),
        ("Edit", {"file_path": "/etc/passwd", "old_string": "a", "new_string": "b"}),
        (
            "MultiEdit",
            {"file_path": "/etc/passwd", "edits": [{"old_string": "a", "new_string": "b"}]},
        ),
        (
            "str_replace_based_edit_tool",
            {"command": "create", "path": "/etc/cron.d/x", "file_text": "x"},
        ),
        ("Write", {"file_path": ".git/hooks/pre-commit", "content": "x"}),
        ("apply_patch", {"input": "*** Add File: /etc/passwd\n+x\n"}),
        ("apply_patch", "*** Update File: /etc/passwd\n@@\n-x\n+y\n"),
        ("apply_patch", {"patch": "*** Delete File: /etc/shadow\n"}),
        (
            "download_file",
            {"url": "https://x.example/k", "path": "~/.ssh/authorized_keys"},
        ),
    ],
)
def test_harm_is_found_in_the_inputs_of_many_tools(tool: str, given: Any) -> None:
    assert not said(tool, given).is_allowed


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "ls"}),
        ("Bash", None),
        ("Bash", {}),
        ("Bash", {"restart": True}),
        ("Bash", {"command": "rm -rf build", "cwd": "sub"}),
        ("Write", {"file_path": "notes.md", "content": "never run rm -rf /"}),
        ("Write", {"path": "lines.txt", "content": ["a", 1, "b"]}),
        ("Write", {"content": "x"}),
        ("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}),
        ("Edit", {"file_path": "a.py", "edits": ["what is this"]}),
        ("str_replace_based_edit_tool", {"command": "view", "path": "/etc/passwd"}),
        ("WebFetch", {"url": "https://x.example"}),
        ("WebFetch", {"prompt": "x"}),
        ("apply_patch", {"input": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}),
        ("Read", {"file_path": "/etc/shadow"}),
    ],
)
def test_harmless_inputs_are_allowed(tool: str, given: Any) -> None:
    assert said(tool, given).is_allowed


@pytest.mark.parametrize(
    ("tool", "given", "action", "reason"),
    [
        ("Bash", 7, "block", "the input of Bash is no object with fields"),
        (
            "Bash",
            {"command": 7},
            "block",
            f"the command of Bash {NEITHER}: int",
        ),
        (
            "Bash",
            {"command": ["ls", 7]},
            "block",
            f"the command of Bash {NEITHER}: list",
        ),
        (
            "Bash",
            {"comand": "ls"},
            "block",
            "the input of Bash has none of the fields",
        ),
        ("Write", 7, "warn", "the input of Write is no object with fields"),
        ("Write", {"path": 7}, "warn", "Write names a file that is no text: int"),
        ("apply_patch", {"input": 7}, "warn", "the input of apply_patch has no patch as text"),
        (
            "joined",
            {"program": 7},
            "block",
            f"joined.program {NEITHER}: int",
        ),
        ("joined", {"x": 7}, "block", "the input of joined has none of the fields program, args"),
    ],
)
def test_an_input_without_a_command_is_answered_clearly(
    tool: str, given: Any, action: str, reason: str
) -> None:
    shield = CommandShield(policy(tools="joined = ['program', 'args']"))
    decision = shield.evaluate(ShieldContext(tool, given))
    assert decision.action == action
    assert decision.reason is not None
    assert decision.reason.startswith(reason)
    assert decision.category == "unreadable.input"
    _, token = shield.reserve(ShieldContext(tool, given))
    assert (token is None) == decision.is_blocked


def policy(**tables: str) -> CommandPolicy:
    text = "\n".join(f"[{name}]\n{body}" for name, body in tables.items())
    return policy_of({**tomllib.loads(text), "home": "/home/user"}, WORKSPACE)


def test_fields_that_a_policy_names_are_joined() -> None:
    joined = policy(tools="Exec = ['program', 'args']")
    assert said("Exec", {"program": "rm", "args": ["-rf", "/home/user"]}, joined).is_blocked
    assert said("Exec", {"program": "rm", "args": ["x y"]}, joined).is_allowed
    assert said("Exec", {"program": "rm"}, joined).is_allowed
    assert said("Exec", {}, joined).is_allowed


def test_an_unknown_tool_is_not_watched_and_its_calls_are_allowed() -> None:
    shield = CommandShield(POLICY)
    assert "Read" not in shield.watched_tools()
    decision, token = shield.reserve(ShieldContext("Read", {}))
    assert (decision.is_allowed, token) == (True, None)
    shield.record_invocation("Read", {}, True)


def test_every_default_tool_has_fields() -> None:
    assert {"Bash", "Shell", "Write", "Edit"} < set(DEFAULT_TOOLS)
    assert CommandShield(POLICY).watched_tools() == set(DEFAULT_TOOLS)


@pytest.mark.parametrize(
    "patch",
    [
        "*** Begin Patch\n*** Add File: a\n+rm -rf ~\n*** End Patch",
        "*** Update File: b\n*** Move to: a\n@@\n x\n+rm -rf ~\n",
        "--- a/a\n+++ b/a\t2026\n@@ -1 +1 @@\n+rm -rf ~\n",
        "+++ b/a\n@@ -1 +1 @@\n+rm -rf ~\n\\ No newline at end of file",
        "diff --git a/a b/a\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+rm -rf ~",
    ],
)
def test_a_patch_writes_what_it_adds(patch: str) -> None:
    *_, last = decisions((("apply_patch", {"input": patch}), "sh a"))
    assert last.is_blocked


def test_a_patch_takes_away_what_it_removes() -> None:
    *_, last = decisions(
        (
            ("Write", {"file_path": "a", "content": "ls\nrm -rf ~\n"}),
            ("apply_patch", {"input": "*** Update File: a\n@@\n ls\n-rm -rf ~\n+true\n"}),
            "sh a",
        )
    )
    assert last.is_allowed


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
fields = st.sampled_from(
    ["command", "cmd", "action", "path", "file_path", "content", "edits", "url", "input", "cwd"]
)


@given(
    tool=st.sampled_from(sorted(DEFAULT_TOOLS)),
    input=json_values | st.dictionaries(fields, json_values, max_size=4),
)
def test_no_input_raises(tool: str, input: Any) -> None:
    shield = CommandShield(POLICY)
    decision, token = shield.reserve(ShieldContext(tool, input))
    assert decision == CommandShield(POLICY).evaluate(ShieldContext(tool, input))
    assert token is None or not decision.is_blocked
