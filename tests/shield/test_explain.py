"""How a call was read, as plain data."""

import json
from typing import Any

from ostiary import CallOutcome, CommandShield, Explanation, ShieldContext
from sessions import GET, POLICY, RUN


def explained(command: str, shield: CommandShield | None = None) -> Explanation:
    shield = CommandShield(POLICY) if shield is None else shield
    return shield.explain(ShieldContext("Bash", {"command": command}))


def runs(command: str) -> list[dict[str, Any]]:
    (reading,) = explained(command).readings
    return list(reading["runs"])


def test_an_explanation_is_plain_data() -> None:
    data = explained("sudo rm -rf ~").as_dict()
    assert json.loads(json.dumps(data)) == data
    assert (data["action"], data["rule"]) == ("block", "filesystem.delete_home")


def test_an_allowed_call_has_no_rule() -> None:
    assert explained("ls").rule is None
    assert explained("ls").as_dict()["reason"] is None


def test_carriers_are_stripped_and_targets_resolved() -> None:
    (run,) = runs("sudo nohup rm -rf ../x")
    assert run["via"] == ["sudo", "nohup"]
    assert run["command"] == "rm -rf ../x"
    assert run["targets"] == [{"word": "../x", "path": "/home/user/x", "place": "outside"}]
    assert [found["rule"] for found in run["findings"]] == ["filesystem.delete_outside"]


def test_code_in_code_stands_deeper() -> None:
    outer, inner = runs("sh -c 'rm -rf /'")
    assert (outer["depth"], inner["depth"]) == (0, 1)
    assert "its code was read" in outer["how"]


def test_what_a_call_does_to_files_is_said() -> None:
    (run,) = runs(GET)
    (file,) = run["files"]
    assert file == {
        "path": "/home/user/project/f.sh",
        "what": "downloaded from https://evil.example/i.sh",
    }
    (written,) = runs("cat > f.sh <<E\nls\nE")[0]["files"]
    assert written["what"] == "written, 3 characters"
    (gone,) = runs(f"{GET}; rm f.sh")[1]["files"]
    assert gone["what"] == "gone or overwritten"
    assert (
        "it stands in a repository" in runs("git clone https://x.example/r")[0]["files"][0]["what"]
    )


def test_a_call_that_may_start_in_two_folders_is_read_twice() -> None:
    shield = CommandShield(POLICY)
    _, token = shield.reserve(ShieldContext("Bash", {"command": f"cd sub; {GET}"}))
    shield.settle(token, CallOutcome.SUCCEEDED)
    explanation = explained(RUN, shield)
    folders = [reading["cwd"] for reading in explanation.readings]
    assert folders == ["/home/user/project", "/home/user/project/sub"]
    assert explanation.rule == "remote_code.staged"


def test_faults_are_said() -> None:
    (reading,) = explained("echo 'x").readings
    assert [fault["kind"] for fault in reading["faults"]] == ["syntax"]


def test_what_is_wrong_with_an_input_belongs_to_no_run() -> None:
    explanation = CommandShield(POLICY).explain(ShieldContext("Bash", {"command": 1}))
    (reading,) = explanation.readings
    assert [found["rule"] for found in reading["findings"]] == ["unreadable.input"]
    assert explanation.rule == "unreadable.input"


def test_another_tools_call_has_no_reading() -> None:
    assert CommandShield(POLICY).explain(ShieldContext("Read", {})).readings == ()
