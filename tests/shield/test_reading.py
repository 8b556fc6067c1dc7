"""A command line is read as bash reads it."""

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ostiary.shield import limits
from ostiary.shield.reading import STDIN, UNKNOWN, How, Mark, Reading, Run, read_command
from reading_table import READINGS

CWD, HOME = "/home/u/project", "/home/u"
BASH = shutil.which("bash")


def read(text: str) -> Reading:
    return read_command(text, CWD, HOME)


def shown(run: Run) -> str:
    """A run in one line: `program arg arg @cwd <stdin >file`, `?` for what is not known."""
    words = [run.program or ":", *run.args]
    words += [f"{one.op}{one.target}" for one in run.redirects]
    if run.cwd != CWD:
        words.append("@" + (run.cwd or "?"))
    return " ".join(words).replace(UNKNOWN, "?")


@pytest.mark.parametrize(("command", "expected"), READINGS, ids=[row[0] for row in READINGS])
def test_a_command_becomes_the_runs_that_bash_would_make_of_it(
    command: str, expected: list[str]
) -> None:
    reading = read(command)
    assert [shown(run) for run in reading.runs] == expected
    assert reading.faults == ()


def test_carriers_stand_in_via_and_the_program_behind_them_is_the_run() -> None:
    (run,) = read("FOO=1 sudo -u root env A=b nice -n 5 timeout 3 /bin/rm -rf x").runs
    assert run.via == ("sudo", "env", "nice", "timeout")
    assert (run.program, run.path) == ("rm", "/bin/rm")
    assert run.env == (("FOO", "1"), ("A", "b"))


def test_what_flows_in_is_named_by_its_runs() -> None:
    runs = read("curl -s u | tee f | sh").runs
    assert [(one.slot, one.first, one.last) for one in runs[2].sources] == [(STDIN, 0, 2)]
    runs = read('X=$(curl -s u); eval "$X"').runs
    assert (1, 0, 1) in {(one.slot, one.first, one.last) for one in runs[2].sources}


def test_marks_say_how_sure_a_word_is() -> None:
    (run,) = read('rm -rf *.o "$A" $B "${C:?}" $((1+1))').runs
    known = [Mark(bits) for bits in run.marks]
    assert known[0] == Mark(0)
    assert known[2] == Mark.GLOB
    assert known[3] == Mark.UNKNOWN
    assert known[4] == Mark.UNKNOWN | Mark.UNQUOTED
    assert known[5] == Mark.UNKNOWN | Mark.PRESENT
    assert Mark.PRESENT in known[6]


def test_how_a_run_stands_in_its_command_is_told() -> None:
    assert read("a & b").runs[0].how & How.BACKGROUND
    assert read("a || b").runs[1].how & How.MAYBE
    assert read("f() { f | f & }; f").runs[1].how & (How.RECURSIVE | How.PIPED | How.BACKGROUND)
    assert read("ssh host ls").runs[1].how & How.REMOTE
    assert read("python3 -c 'import os; os.remove(\"x\")'").runs[1].how & How.INLINE
    assert read("sh -c ls").runs[0].how & How.OPENED
    assert read("f() { ls; }; f").runs[0].how & How.DEFINED
    assert read("a | b").runs[0].how & How.PIPED
    assert read("a $(b)").runs[0].how & How.CAPTURED


def test_a_variable_that_may_be_set_is_read_both_ways() -> None:
    reading = read_command("rm -rf $D/x", CWD, HOME, (("D", "/etc"),))
    assert [run.args[1] for run in reading.runs] == ["/etc/x", f"{UNKNOWN}/x"]


def test_a_branch_adds_to_what_a_variable_may_be() -> None:
    runs = read("D=a; if x; then D=/; fi; rm -rf $D").runs
    assert {run.args[1] for run in runs if run.program == "rm"} == {"a", "/"}


def test_the_folder_and_the_variables_after_a_command_are_told() -> None:
    reading = read("A=1; cd /tmp && cd x")
    assert reading.cwd == "/tmp/x"  # noqa: S108 # a name, no file
    assert reading.assigned == (("A", "1"),)
    assert read("cd $SOMEWHERE").cwd == ""


def test_half_a_character_is_no_reason_to_fail() -> None:
    assert [run.program for run in read("echo \ud800; rm x").runs] == ["echo", "rm"]


def test_a_text_that_no_shell_takes_is_a_fault_and_the_rest_is_read() -> None:
    reading = read("ls ) ; rm -rf x")
    assert [fault.kind for fault in reading.faults] == ["syntax"]
    assert [run.program for run in reading.runs] == ["ls", "rm"]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("$(" * 500_000, "depth"),
        ("(" * 1_000_000, "depth"),
        ("true;" * 200_000, "runs"),
        ("a " * 500_000, "nodes"),
        ("x=a;" + "x=$x$x;" * 1000, "decoded"),
        ("echo {" + "a,b" * 300_000, "decoded"),
        ("f(){ f1;f1; }; f1(){ f2;f2; }; f2(){ :;:; };" + "f;" * 10_000, "runs"),
        ("a" * 1_100_000 + ";rm -rf /", "bytes"),
    ],
)
def test_a_hostile_text_ends_at_a_limit_and_says_at_which(command: str, kind: str) -> None:
    reading = read(command)
    assert kind in {fault.kind for fault in reading.faults}
    assert len(reading.runs) <= limits.MAX_RUNS


def test_what_stands_before_a_limit_is_read() -> None:
    assert read("rm -rf /; " + "$(" * 1000).runs[0].args == ("-rf", "/")
    assert read("rm -rf /; " + "true;" * 100_000).runs[0].args == ("-rf", "/")


def test_another_thread_runs_while_a_long_text_is_read() -> None:
    done = threading.Event()
    advanced = 0

    def count() -> None:
        nonlocal advanced
        while not done.is_set():
            advanced += 1

    other = threading.Thread(target=count)
    other.start()
    try:
        for _ in range(20):
            read("echo '" + "x" * 900_000 + "'")
    finally:
        done.set()
        other.join()
    assert advanced > 0


TEXTS = st.lists(
    st.sampled_from([*"abrm /-~.*?{},;&|<>()[]!#=\\\"'`$\n\t ", "$(", "${", "\ufffc", "EOF"]),
    max_size=60,
).map("".join)


@given(TEXTS)
def test_any_text_is_read_without_a_fault_of_ours(text: str) -> None:
    reading = read(text)
    for run in reading.runs:
        assert len(run.marks) == len(run.args) + 1
        assert all(0 <= one.first < one.last <= len(reading.runs) for one in run.sources)


@given(TEXTS)
def test_a_quoted_text_is_data(text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    (run,) = read(f"echo {quoted}").runs
    assert run.args == (text,)
    (run,) = read(f"cat <<'A very special end'\n{text}\nA very special end").runs
    assert run.stdin == text + "\n"


# Words whose value follows from the text, and which touch nothing when a real bash expands them.
PLAIN = st.text(st.sampled_from("-./%:"), min_size=1, max_size=4)
PIECES = st.one_of(
    PLAIN,
    PLAIN.map(lambda text: f"'{text} $X'"),
    PLAIN.map(lambda text: f'"{text} $X"'),
    PLAIN.map(lambda text: f"\\{text}"),
    PLAIN.map(lambda text: f"$'\\x61\\t{text}'"),
    st.just('"$X"'),
    st.just("${X}"),
    st.just("${X#a}"),
    st.just("${X%b}"),
    st.just("${X/a/c}"),
    st.just("${X:1:2}"),
    st.just("${#X}"),
    st.just("${Y:-d}"),
    st.just("${X:+e}"),
    st.just("$(echo f g)"),
    st.just('"$(printf %s h)"'),
    st.just("`echo i`"),
    st.just("{j,k}"),
    st.just("{1..3}"),
    st.just("''"),
    st.just("${IFS}"),
    st.just('"${A[@]}"'),
    st.just("${A[@]}"),
)
WORDS = st.lists(st.lists(PIECES, min_size=1, max_size=4).map("".join), min_size=1, max_size=4)


@pytest.mark.skipif(BASH is None, reason="there is no bash to compare with")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(["ab", "a b", " a  b ", "", "a/b"]), WORDS)
def test_words_become_what_a_real_bash_makes_of_them(value: str, words: list[str]) -> None:
    command = f"X='{value}'; A=(p 'q r'); show() {{ printf '<%s>' \"$@\"; }}; show " + " ".join(
        words
    )
    assert BASH is not None
    done = subprocess.run(
        [BASH, "-fc", command], capture_output=True, text=True, check=True, cwd="/", env={}
    )
    (run,) = [run for run in read(command).runs if run.program == "show"]
    printed = "".join(f"<{arg}>" for arg in run.args) or "<>"  # printf prints its format once
    assert printed == done.stdout


@pytest.mark.skipif(BASH is None, reason="there is no bash to compare with")
def test_what_bash_takes_is_taken_on_everyday_commands() -> None:
    folder = os.environ.get("OSTIARY_COMMANDS")
    if folder is None:
        pytest.skip("OSTIARY_COMMANDS names no folder of commands")
    rows = (Path(folder) / "nl2bash.jsonl").read_text().splitlines()[::16]
    commands = [json.loads(row)["command"] for row in rows]
    assert BASH is not None
    different = [
        command
        for command in commands
        if (
            subprocess.run([BASH, "-nc", command], capture_output=True, check=False).returncode == 0
        )
        != all(fault.kind != "syntax" for fault in read(command).faults)
    ]
    assert len(different) * 200 <= len(commands), different
