"""The memory of `CommandShield`: bounded, and right under every order of calls and outcomes."""

import threading
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from ostiary import (
    CallOutcome,
    Change,
    Changes,
    Downloaded,
    InMemoryFileHistory,
    SessionFiles,
    Strength,
    Written,
)
from ostiary.shield import file_history
from ostiary.shield.marks import MAX_FILE_TEXT

D = Downloaded("https://x.example/f", Strength.STRONG)
W = Written("ls")


def history_of(*files: Change, outcome: CallOutcome = CallOutcome.SUCCEEDED) -> InMemoryFileHistory:
    history = InMemoryFileHistory()
    history.settle(history.reserve("s", Changes(files)), outcome)
    return history


def test_a_history_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one session"):
        InMemoryFileHistory(0)


def test_a_token_of_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match="a token of reserve, not str"):
        InMemoryFileHistory().settle("token", CallOutcome.FAILED)


def test_nothing_is_known_of_a_new_session() -> None:
    assert InMemoryFileHistory().files("s") == SessionFiles({})


def test_marks_count_from_the_reservation_on() -> None:
    history = InMemoryFileHistory()
    history.reserve("s", Changes((Change("/f", D),)))
    assert history.files("s").marks == {"/f": (D,)}


def test_the_view_that_was_given_never_changes() -> None:
    history = history_of(Change("/f", D))
    before = history.files("s")
    history.reserve("s", Changes((Change("/g", W),)))
    assert before.marks == {"/f": (D,)}


def test_the_oldest_session_is_forgotten_beyond_the_bound() -> None:
    history = InMemoryFileHistory(2)
    for session in ("a", "b", "a", "c"):
        history.reserve(session, Changes((Change("/f", D),)))
    assert len(history) == 2
    assert not history.files("b").marks
    assert history.files("a").marks


def test_a_forgotten_session_starts_anew() -> None:
    history = InMemoryFileHistory()
    token = history.reserve("s", Changes((Change("/f", D, fails=True),)))
    history.forget("s")
    history.forget("s")
    history.settle(token, CallOutcome.FAILED)
    assert history.files("s") == SessionFiles({})


def test_texts_are_forgotten_before_downloads() -> None:
    files = [Change(f"/d{at}", D) for at in range(file_history.MAX_FILES - 1)]
    history = history_of(*files, Change("/w", W), Change("/d", D))
    marks = history.files("s").marks
    assert len(marks) == file_history.MAX_FILES
    assert "/w" not in marks
    assert "/d0" in marks


def test_of_downloads_the_weak_and_the_old_are_forgotten_first() -> None:
    files = [Change(f"/d{at}", D) for at in range(file_history.MAX_FILES - 1)]
    history = history_of(*files, Change("/weak", D.weak("checked")), Change("/d", D))
    history.reserve("s", Changes((Change("/e", D),)))
    marks = history.files("s").marks
    assert "/weak" not in marks
    assert "/d0" not in marks


def test_what_a_bound_forgot_does_not_come_back() -> None:
    history = InMemoryFileHistory()
    token = history.reserve("s", Changes((Change("/w", W),)))
    history.reserve("s", Changes(tuple(Change(f"/d{at}", D) for at in range(600))))
    history.settle(token, CallOutcome.SUCCEEDED)
    assert "/w" not in history.files("s").marks


def test_a_long_text_is_cut() -> None:
    text = "x" * (MAX_FILE_TEXT + 1)
    (mark,) = history_of(Change("/f", Written(text))).files("s").marks["/f"]
    assert mark == Written(text[:-1], kept=False)


def test_the_oldest_texts_of_a_full_session_are_dropped_and_their_files_kept() -> None:
    text = "x" * MAX_FILE_TEXT
    full = file_history.MAX_SESSION_TEXT // MAX_FILE_TEXT
    history = history_of(*(Change(f"/f{at}", Written(text)) for at in range(full + 1)))
    marks = history.files("s").marks
    assert marks["/f0"] == (Written("", kept=False),)
    assert marks["/f1"] == (Written(text),)


def test_many_texts_of_one_file_are_folded_and_never_lost_in_silence() -> None:
    history = InMemoryFileHistory()
    for at in range(file_history.MAX_MARKS + 1):
        history.reserve("s", Changes((Change("/f", Written(str(at)), fails=True),)))
    marks = history.files("s").marks["/f"]
    assert len(marks) == file_history.MAX_MARKS
    assert marks[0] == Written("", kept=False)
    assert marks[-1] == Written(str(file_history.MAX_MARKS))


def test_of_many_downloads_to_one_file_the_strong_ones_stay() -> None:
    history = InMemoryFileHistory()
    weak = D.weak("checked")
    marks = [weak, *[D] * file_history.MAX_MARKS]
    for mark in marks:
        history.reserve("s", Changes((Change("/f", mark),)))
    assert history.files("s").marks["/f"] == (D,) * file_history.MAX_MARKS


def test_a_call_under_way_keeps_its_mark_when_another_deletes_the_file() -> None:
    history = InMemoryFileHistory()
    under_way = history.reserve("s", Changes((Change("/f", D),)))
    deleted = history.reserve("s", Changes((Change("/f", None, replaces=True),)))
    history.settle(deleted, CallOutcome.SUCCEEDED)
    history.settle(under_way, CallOutcome.SUCCEEDED)
    assert history.files("s").marks == {"/f": (D,)}


def test_a_folder_goes_with_everything_below_it() -> None:
    history = history_of(Change("/d", D), Change("/d/a/b", D), Change("/dd", D))
    token = history.reserve("s", Changes((Change("/d", None, replaces=True, tree=True),)))
    history.settle(token, CallOutcome.SUCCEEDED)
    assert list(history.files("s").marks) == ["/dd"]


def test_the_folder_and_the_newest_variables_are_remembered() -> None:
    history = InMemoryFileHistory()
    history.reserve("s", Changes(cwd="/a", assigned=(("A", "1"), ("B", "2"))))
    history.reserve("s", Changes(cwd="/b", assigned=(("A", "3"), ("C", "x" * 2000))))
    files = history.files("s")
    assert (files.cwd, files.variables) == ("/b", (("B", "2"), ("A", "3")))
    history.reserve("s", Changes(assigned=tuple((f"V{at}", "") for at in range(99))))
    assert len(history.files("s").variables) == file_history.MAX_VARIABLES


def test_threads_lose_no_mark_and_no_outcome() -> None:
    history = InMemoryFileHistory()

    def work(name: int) -> None:
        for at in range(100):
            path = f"/{name}/{at}"
            kept = history.reserve("s", Changes((Change(path, D, fails=True),)))
            history.settle(kept, CallOutcome.FAILED if at else CallOutcome.SUCCEEDED)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert history.files("s").marks == {f"/{name}/0": (D,) for name in range(8)}


class Interleavings(RuleBasedStateMachine):
    """Calls and outcomes in any order, beside a model that knows every call by heart."""

    tokens: Bundle[Any] = Bundle("tokens")

    def __init__(self) -> None:
        super().__init__()
        self.history = InMemoryFileHistory()
        self.calls: list[dict[str, Any]] = []

    @rule(
        target=tokens,
        path=st.sampled_from("abc"),
        adds=st.booleans(),
        replaces=st.booleans(),
        fails=st.booleans(),
    )
    def call(self, path: str, adds: bool, replaces: bool, fails: bool) -> tuple[object, int]:
        number = len(self.calls)
        mark = Downloaded(str(number), Strength.STRONG) if adds else None
        token = self.history.reserve("s", Changes((Change(path, mark, replaces, False, fails),)))
        before = [
            at
            for at, other in enumerate(self.calls)
            if other["outcome"] is not None and other["path"] == path and self.lives(at)
        ]
        self.calls.append(
            {"path": path, "mark": mark, "outcome": None, "fails": fails}
            | {"replaced": before if replaces else []}
        )
        return token, number

    @rule(token=tokens, outcome=st.sampled_from(CallOutcome))
    def end(self, token: tuple[object, int], outcome: CallOutcome) -> None:
        self.history.settle(token[0], outcome)
        self.calls[token[1]]["outcome"] = outcome

    def lives(self, at: int) -> bool:
        lost = self.calls[at]["fails"] and self.calls[at]["outcome"] is CallOutcome.FAILED
        return not lost and not any(
            at in other["replaced"] and other["outcome"] is CallOutcome.SUCCEEDED
            for other in self.calls
        )

    @invariant()
    def knows_what_the_model_knows(self) -> None:
        if max([sum(call["path"] == path for call in self.calls) for path in "abc"]) > 8:
            return  # beyond the bound of a file
        expected: dict[str, set[str]] = {}
        for at, call in enumerate(self.calls):
            if call["mark"] is not None and self.lives(at):
                expected.setdefault(call["path"], set()).add(call["mark"].source)
        marks = self.history.files("s").marks
        found = {path: {mark.source for mark in each} for path, each in marks.items()}  # type: ignore[union-attr]
        assert found == expected


TestInterleavings = Interleavings.TestCase
TestInterleavings.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
