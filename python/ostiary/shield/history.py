"""The memory that shields and their middleware share: a few records of each session."""

import threading
from collections import OrderedDict, deque
from typing import Final, Generic, TypeVar

T = TypeVar("T")

HISTORY_LENGTH: Final = 20
"""Records that count in a session: the reference shield's number (loopctl 0.3)."""

MAX_SESSIONS: Final = 1024
"""Sessions that are remembered at once."""


class SessionHistory(Generic[T]):
    """The last records of each session, safe under threads and tasks.

    Bounded twice: `length` records a session, the oldest go first, and `max_sessions` sessions;
    beyond them the session that was written to least recently is forgotten whole. None is a session
    like any other.
    """

    __slots__ = ("_length", "_lock", "_max_sessions", "_sessions")

    def __init__(self, length: int = HISTORY_LENGTH, max_sessions: int = MAX_SESSIONS) -> None:
        """Start empty.

        Raises:
            ValueError: a bound is less than 1.
        """
        if length < 1 or max_sessions < 1:
            raise ValueError("a history needs room for at least one record and one session")
        self._length = length
        self._max_sessions = max_sessions
        self._sessions: OrderedDict[str | None, deque[T]] = OrderedDict()
        self._lock = threading.Lock()

    def append(self, session_id: str | None, record: T) -> None:
        """Add a session's newest record."""
        with self._lock:
            records = self._sessions.get(session_id)
            if records is None:
                records = self._sessions[session_id] = deque(maxlen=self._length)
                if len(self._sessions) > self._max_sessions:
                    self._sessions.popitem(last=False)
            else:
                self._sessions.move_to_end(session_id)
            records.append(record)

    def snapshot(self, session_id: str | None) -> tuple[T, ...]:
        """Return a session's records, oldest first."""
        with self._lock:
            records = self._sessions.get(session_id)
            return () if records is None else tuple(records)

    def forget(self, session_id: str | None) -> None:
        """Drop all that is known of a session, known or not."""
        with self._lock:
            self._sessions.pop(session_id, None)

    def __len__(self) -> int:
        return len(self._sessions)
