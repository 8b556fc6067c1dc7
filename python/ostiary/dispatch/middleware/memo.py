"""The memoizer's memory: answers that were given, and calls that are under way."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

import anyio

from ostiary.dispatch.context import ToolDispatchResult

Key = tuple[str | None, str | None, str, str]
"""Session, directory, tool and canonical input."""


class _Entry(NamedTuple):
    result: ToolDispatchResult
    turn: int
    paths: frozenset[str]


@dataclass(slots=True)
class Flight:
    """A call that is under way, and that others may wait for.

    Attributes:
        turn: The turn in which it began.
        paths: The files that it touches.
        landed: Set when it is over.
        result: What came of it; None where it was cut short, and a waiting call must take over.
    """

    turn: int
    paths: frozenset[str]
    landed: anyio.Event = field(default_factory=anyio.Event)
    result: ToolDispatchResult | None = None


class Memo:
    """Answers by key, and flights by thread and key; the lock is never held over an await."""

    __slots__ = ("_entries", "_flights", "_lock", "_max_entries", "_ttl_turns")

    def __init__(self, ttl_turns: int, max_entries: int) -> None:
        """Start empty.

        Raises:
            ValueError: `max_entries` is less than 1.
        """
        if max_entries < 1:
            raise ValueError("a memory needs room for at least one answer")
        self._ttl_turns = ttl_turns
        self._max_entries = max_entries
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()
        # An event belongs to the event loop of its thread, so calls wait within one thread only.
        self._flights: dict[tuple[int, Key], Flight] = {}
        self._lock = threading.Lock()

    def answer(self, key: Key, turn: int) -> ToolDispatchResult | None:
        """Return the answer that is known and has not expired, else None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if max(0, turn - entry.turn) >= self._ttl_turns:
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return entry.result

    def join(self, key: Key, turn: int, paths: frozenset[str]) -> tuple[Flight, bool]:
        """Return the flight that is under way, else a new one, and whether the caller leads it."""
        place = threading.get_ident(), key
        with self._lock:
            flight = self._flights.get(place)
            if flight is not None:
                return flight, False
            flight = self._flights[place] = Flight(turn, paths)
            return flight, True

    def land(
        self,
        key: Key,
        flight: Flight,
        result: ToolDispatchResult | None,
        paths: frozenset[str] | None,
    ) -> None:
        """End a flight; keep its answer if it is a success and nobody wrote to its files.

        Args:
            key: What the flight is known by.
            flight: The flight.
            result: What came of it; None where it was cut short.
            paths: The files that it touched in the end; None where nobody can say.
        """
        place = threading.get_ident(), key
        with self._lock:
            current = self._flights.get(place) is flight
            if current:
                del self._flights[place]
            if result is not None and not result.is_error and current and paths is not None:
                self._entries[key] = _Entry(result, flight.turn, flight.paths | paths)
                self._entries.move_to_end(key)
                if len(self._entries) > self._max_entries:
                    self._entries.popitem(last=False)
        flight.result = result
        flight.landed.set()

    def drop(self, paths: frozenset[str] | None) -> None:
        """Forget every answer that shares a path, known or under way; None shares with all."""
        with self._lock:
            if paths is None:
                self._entries.clear()
                self._flights.clear()
                return
            for key in [key for key, entry in self._entries.items() if entry.paths & paths]:
                del self._entries[key]
            for place in [at for at, flight in self._flights.items() if flight.paths & paths]:
                del self._flights[place]
