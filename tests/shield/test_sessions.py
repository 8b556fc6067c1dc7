"""What comes from elsewhere is followed to where it runs."""

import json
import os
from pathlib import Path

import pytest

from sessions import CARRIED, DOWNLOADS, EXECUTED, HARMLESS, SESSIONS, Session, decisions


@pytest.mark.parametrize("way", DOWNLOADS)
def test_a_download_is_blocked_when_it_runs(way: str) -> None:
    *_, last = decisions((DOWNLOADS[way], "bash f.sh"))
    assert (last.action, last.category) == ("block", "remote_code.staged")


@pytest.mark.parametrize("way", CARRIED)
def test_a_copy_is_what_it_was_copied_from(way: str) -> None:
    *_, last = decisions((DOWNLOADS["curl -o"], CARRIED[way], "bash g.sh"))
    assert (last.action, last.category) == ("block", "remote_code.staged")


@pytest.mark.parametrize("way", EXECUTED)
def test_a_download_is_blocked_however_it_runs(way: str) -> None:
    *_, last = decisions((DOWNLOADS["curl -o"], EXECUTED[way]))
    assert last.is_blocked, last


@pytest.mark.parametrize("way", EXECUTED)
def test_a_download_is_blocked_however_it_runs_in_the_same_call(way: str) -> None:
    (only,) = decisions((f"{DOWNLOADS['curl -o']} && {EXECUTED[way]}",))
    assert only.is_blocked, only


@pytest.mark.parametrize("command", HARMLESS)
def test_what_only_looks_at_a_download_is_allowed(command: str) -> None:
    *_, last = decisions((DOWNLOADS["curl -o"], command))
    assert last.is_allowed, last


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
def test_a_session_ends_as_it_deserves(session: Session) -> None:
    *_, last = decisions(session.calls)
    assert last.action == session.last, last


def test_the_public_sessions_end_as_they_deserve() -> None:
    folder = os.environ.get("OSTIARY_COMMANDS")
    if folder is None:
        pytest.skip("OSTIARY_COMMANDS names no folder")
    for line in (Path(folder) / "sessions.jsonl").read_text().splitlines():
        row = json.loads(line)
        made = decisions(tuple(row["calls"]))
        if row["expected"] == "block_last":
            assert not made[-1].is_allowed, row
        else:
            assert not any(one.is_blocked for one in made), row


def test_what_a_staged_run_is_told_to_do_instead_is_allowed() -> None:
    made = decisions((DOWNLOADS["curl -o"], EXECUTED["by bash"]))
    assert made[-1].suggestion == "cat /home/user/project/f.sh"
    *_, last = decisions((DOWNLOADS["curl -o"], made[-1].suggestion))
    assert last.is_allowed


def test_more_words_than_are_followed_are_never_just_allowed() -> None:
    *_, last = decisions((DOWNLOADS["curl -o"], "cat " + "x " * 1500 + "f.sh > g.sh"))
    assert not last.is_allowed
