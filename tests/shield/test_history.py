"""The bounded memory of sessions."""

import threading

import pytest

from ostiary import NullShield, SessionHistory, ShieldContext


def test_a_session_keeps_its_last_records() -> None:
    history: SessionHistory[int] = SessionHistory(length=3)
    for number in range(5):
        history.append("a", number)
    assert history.snapshot("a") == (2, 3, 4)


def test_sessions_do_not_see_each_other_and_none_is_one_of_them() -> None:
    history: SessionHistory[int] = SessionHistory()
    history.append("a", 1)
    history.append(None, 2)
    assert (history.snapshot("a"), history.snapshot(None), history.snapshot("b")) == (
        (1,),
        (2,),
        (),
    )


def test_the_session_written_to_least_recently_is_forgotten_first() -> None:
    history: SessionHistory[int] = SessionHistory(max_sessions=2)
    for session in ("a", "b", "a", "c"):
        history.append(session, 1)
    assert (len(history), history.snapshot("b")) == (2, ())
    assert history.snapshot("a") == (1, 1)


def test_a_session_can_be_forgotten_on_request() -> None:
    history: SessionHistory[int] = SessionHistory()
    history.append("a", 1)
    history.forget("a")
    history.forget("never seen")
    assert history.snapshot("a") == ()


@pytest.mark.parametrize("bounds", [(0, 1), (1, 0)])
def test_a_history_without_room_is_refused(bounds: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="room"):
        SessionHistory(*bounds)


def test_threads_lose_no_record() -> None:
    history: SessionHistory[int] = SessionHistory(length=4000, max_sessions=8)

    def write(number: int) -> None:
        for at in range(500):
            history.append(str(at % 2), number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(history.snapshot("0")) + len(history.snapshot("1")) == 4000


def test_the_null_shield_watches_nothing_and_allows_all() -> None:
    shield = NullShield()
    shield.record_invocation("Bash", {}, True)
    assert shield.watched_tools() == frozenset()
    assert shield.evaluate(ShieldContext("Bash", "rm -rf /")).is_allowed
