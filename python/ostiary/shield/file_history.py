"""The memory of `CommandShield`: what each session's calls did to files, bounded."""

import threading
from collections import OrderedDict
from typing import Final, Protocol

from ostiary.shield.decision import CallOutcome
from ostiary.shield.history import MAX_SESSIONS
from ostiary.shield.marks import (
    NO_FILES,
    Change,
    Changes,
    Downloaded,
    Mark,
    SessionFiles,
    Written,
)

MAX_FILES: Final = 512
"""Files, or folders, that are remembered in a session."""

MAX_MARKS: Final = 8
"""Things that one file is remembered to be at once, while calls on it have not succeeded."""

MAX_SESSION_TEXT: Final = 1024 * 1024
"""Characters of all texts that are kept in a session."""

MAX_VARIABLES: Final = 32
"""Variables that are remembered in a session, the newest."""

MAX_VARIABLE: Final = 1024
"""Characters of a variable that is remembered; longer ones are not."""


class FileHistory(Protocol):
    """Where a `CommandShield` keeps what it knows of files.

    `CommandShield` holds a lock of its own from `files` to `reserve`; whatever else can reach the
    same store must be kept out by the store.
    """

    def files(self, session_id: str | None) -> SessionFiles:
        """Return what is known of a session."""
        ...

    def reserve(self, session_id: str | None, changes: Changes) -> object:
        """Add what a call may leave behind; nothing is taken away yet.

        Returns:
            The token that `settle` wants.
        """
        ...

    def settle(self, token: object, outcome: CallOutcome) -> None:
        """Hear how the call ended; the last outcome of a token counts.

        Marks that the call replaces go where it `SUCCEEDED`, its own where it `FAILED` and the
        change says that the file is not there then. What may have run changes nothing.
        """
        ...

    def forget(self, session_id: str | None) -> None:
        """Drop all that is known of a session, known or not."""
        ...


_UNKEPT: Final = Written("", kept=False)


class _Entry:
    """One mark of one file, with what is known of the call that made it."""

    __slots__ = ("fails", "forgotten", "gone", "lost", "mark", "path", "settled")

    def __init__(self, change: Change, mark: Mark) -> None:
        self.path = change.path
        self.mark = mark
        self.fails = change.fails
        self.settled = False
        self.lost = False  # its call failed
        self.gone = 0  # how many successful calls have replaced it
        self.forgotten = False  # a bound was reached

    @property
    def live(self) -> bool:
        return not (self.lost or self.gone or self.forgotten)


class _Token:
    """One call's part in a session."""

    __slots__ = ("made", "outcome", "replaced", "session")

    def __init__(self, session: "_Session") -> None:
        self.session = session
        self.made: list[_Entry] = []
        self.replaced: list[_Entry] = []
        self.outcome: CallOutcome | None = None


class _Session:
    """What is known of one session; its owner's lock is held around every method."""

    __slots__ = ("_files", "view")

    def __init__(self) -> None:
        self._files: OrderedDict[str, list[_Entry]] = OrderedDict()
        self.view = NO_FILES

    def reserve(self, changes: Changes) -> _Token:
        token = _Token(self)
        for change in changes.files:
            if change.replaces:
                token.replaced.extend(self._replaceable(change, token))
            if change.mark is not None:
                token.made.append(self._add(change, change.mark))
        touched = {entry.path for entry in token.made}
        touched |= self._forget_files()
        if any(isinstance(entry.mark, Written) for entry in token.made):
            touched |= self._forget_texts()
        self._show(touched, changes)
        return token

    def settle(self, token: _Token, outcome: CallOutcome) -> None:
        step = (outcome is CallOutcome.SUCCEEDED) - (token.outcome is CallOutcome.SUCCEEDED)
        token.outcome = outcome
        changed = []
        for entry in token.replaced if step else ():
            entry.gone += step
            changed.append(entry)
        for entry in token.made:
            entry.settled = True
            entry.lost = entry.fails and outcome is CallOutcome.FAILED
            changed.append(entry)
        for entry in changed:
            self._put_right(entry)
        self._show({entry.path for entry in changed})

    def _replaceable(self, change: Change, token: _Token) -> list[_Entry]:
        """Return what a change replaces: only what was there for certain before it.

        A call that is still under way may write its file after this one.
        """
        paths = [change.path]
        if change.tree:
            below = change.path.rstrip("/") + "/"
            paths = [path for path in self._files if path == change.path or path.startswith(below)]
        return [
            entry
            for path in paths
            for entry in self._files.get(path, ())
            if entry.settled or entry in token.made
        ]

    def _add(self, change: Change, mark: Mark) -> _Entry:
        if isinstance(mark, Written):
            mark = mark.cut()
        entry = _Entry(change, mark)
        entries = self._files.setdefault(change.path, [])
        if len(entries) == MAX_MARKS:
            _make_room(entries)
        entries.append(entry)
        self._files.move_to_end(change.path)
        return entry

    def _put_right(self, entry: _Entry) -> None:
        """Have an entry in the files if it is live, and not if it is not."""
        entries = self._files.get(entry.path, [])
        if entry.live and entry not in entries:
            self._files.setdefault(entry.path, entries).append(entry)
        elif not entry.live and entry in entries:
            entries.remove(entry)
            if not entries:
                del self._files[entry.path]

    def _forget_files(self) -> set[str]:
        """Forget files beyond the bound, and return their paths: texts first, then the oldest."""
        touched = set()
        while len(self._files) > MAX_FILES:
            path = min(self._files, key=self._worth)  # the first, so the oldest, among equals
            for entry in self._files.pop(path):
                entry.forgotten = True
            touched.add(path)
        return touched

    def _worth(self, path: str) -> int:
        return max(map(_strength, self._files[path]))

    def _forget_texts(self) -> set[str]:
        """Forget the oldest texts beyond the bound, and return their paths; the files stay."""
        texts = [
            (entry, len(entry.mark.text))
            for entries in self._files.values()
            for entry in entries
            if isinstance(entry.mark, Written)
        ]
        excess = sum(length for _, length in texts) - MAX_SESSION_TEXT
        touched = set()
        for entry, length in texts:
            if excess <= 0:
                break
            entry.mark = _UNKEPT
            excess -= length
            touched.add(entry.path)
        return touched

    def _show(self, paths: set[str], changes: Changes | None = None) -> None:
        """Make the view anew where something is different."""
        marks = self.view.marks
        if paths:
            marks = dict(marks)
            for path in paths:
                marks.pop(path, None)
                if path in self._files:
                    marks[path] = tuple(entry.mark for entry in self._files[path])
        cwd, variables = self.view.cwd, self.view.variables
        if changes is not None:
            cwd, variables = changes.cwd, _merged(variables, changes.assigned)
        self.view = SessionFiles(marks, cwd, variables)


class InMemoryFileHistory:
    """A `FileHistory` in this process, safe under threads and tasks.

    Bounded by files and bytes of kept text in a session, and by sessions: the session that was
    written to least recently is forgotten whole. Of the files, texts are forgotten before
    downloads.
    """

    __slots__ = ("_lock", "_max_sessions", "_sessions")

    def __init__(self, max_sessions: int = MAX_SESSIONS) -> None:
        """Start empty.

        Raises:
            ValueError: `max_sessions` is less than 1.
        """
        if max_sessions < 1:
            raise ValueError("a history needs room for at least one session")
        self._max_sessions = max_sessions
        self._sessions: OrderedDict[str | None, _Session] = OrderedDict()
        self._lock = threading.Lock()

    def files(self, session_id: str | None) -> SessionFiles:
        """Return what is known of a session."""
        with self._lock:
            session = self._sessions.get(session_id)
            return NO_FILES if session is None else session.view

    def reserve(self, session_id: str | None, changes: Changes) -> object:
        """Add what a call may leave behind."""
        with self._lock:
            session = self._sessions.get(session_id)
            if session is None:
                session = self._sessions[session_id] = _Session()
                if len(self._sessions) > self._max_sessions:
                    self._sessions.popitem(last=False)
            else:
                self._sessions.move_to_end(session_id)
            return session.reserve(changes)

    def settle(self, token: object, outcome: CallOutcome) -> None:
        """Hear how a call ended.

        Raises:
            TypeError: the token is none that `reserve` gave.
        """
        if not isinstance(token, _Token):
            raise TypeError(f"settle takes a token of reserve, not {type(token).__name__}")
        with self._lock:
            token.session.settle(token, outcome)

    def forget(self, session_id: str | None) -> None:
        """Drop all that is known of a session, known or not."""
        with self._lock:
            self._sessions.pop(session_id, None)

    def __len__(self) -> int:
        return len(self._sessions)


def _make_room(entries: list[_Entry]) -> None:
    """Take one entry of a file away, so that what it stood for is not forgotten in silence."""
    texts = [entry for entry in entries if isinstance(entry.mark, Written)]
    if len(texts) > 1:  # the older one says from now on that a text was not kept
        texts[0].mark, texts[0].fails = _UNKEPT, False
        dropped = texts[1]
    else:  # the strongest download says what the others say
        dropped = min((entry for entry in entries if entry not in texts), key=_strength)
    dropped.forgotten = True
    entries.remove(dropped)


def _strength(entry: _Entry) -> int:
    return entry.mark.strength if isinstance(entry.mark, Downloaded) else 0


def _merged(
    old: tuple[tuple[str, str], ...], new: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """Return the newest variables, each name once."""
    if not new:
        return old
    merged = dict(old)
    for name, value in new:
        merged.pop(name, None)
        if len(value) <= MAX_VARIABLE:
            merged[name] = value
    return tuple(merged.items())[-MAX_VARIABLES:]
