"""The shield to use: reads a command as a shell does, and remembers files by their paths."""

import threading
from os import PathLike
from typing import Any, Self

from ostiary.shield.decision import CallOutcome, SafetyDecision, ShieldContext
from ostiary.shield.explain import Explanation, explain
from ostiary.shield.file_history import FileHistory, InMemoryFileHistory
from ostiary.shield.judgement import Judge, changes_together, decision_of
from ostiary.shield.policy import CommandPolicy
from ostiary.shield.policy_file import load_policy


class CommandShield:
    """Judges commands by what they do to what, and files that run by where they came from.

    `evaluate` changes nothing; `reserve` judges a call and remembers what it may leave behind in
    one step, and `settle` says how it ended. Safe under threads and tasks.
    """

    __slots__ = ("_history", "_judge", "_lock", "_watched")

    def __init__(
        self, policy: CommandPolicy | None = None, *, history: FileHistory | None = None
    ) -> None:
        """Judge by a policy.

        Args:
            policy: The settings; None: `CommandPolicy()`.
            history: What each session's calls did to files; None: a new one in this process.
        """
        self._judge = Judge(CommandPolicy() if policy is None else policy)
        self._history: FileHistory = InMemoryFileHistory() if history is None else history
        self._watched = frozenset(self._judge.policy.tools)
        self._lock = threading.Lock()

    @classmethod
    def from_toml(cls, path: str | PathLike[str], *, history: FileHistory | None = None) -> Self:
        """Return a shield with the policy of a file: `ostiary.toml`, or a pyproject.

        Raises:
            OSError: the file cannot be read.
            PolicyError: something in it is wrong; the message names the key.
        """
        return cls(load_policy(path), history=history)

    @property
    def policy(self) -> CommandPolicy:
        """The policy that it judges by."""
        return self._judge.policy

    def watched_tools(self) -> frozenset[str]:
        """Return the tools of the policy."""
        return self._watched

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        """Judge a call by its command and by what its session is known to have left behind."""
        files = self._history.files(ctx.session_id)
        return decision_of(self._judge.readings(ctx, files))

    def explain(self, ctx: ShieldContext) -> Explanation:
        """Say how a call is read and which rule decides; changes nothing."""
        return explain(self._judge, ctx, self._history.files(ctx.session_id))

    def reserve(self, ctx: ShieldContext) -> tuple[SafetyDecision, object]:
        """Judge a call and, unless it is blocked, remember what it may leave behind.

        Returns:
            The decision, and the token for `settle`; None where the call is blocked.
        """
        with self._lock:
            judgements = self._judge.readings(ctx, self._history.files(ctx.session_id))
            decision = decision_of(judgements)
            if decision.is_blocked or not judgements:
                return decision, None
            return decision, self._history.reserve(ctx.session_id, changes_together(judgements))

    def settle(self, token: object, outcome: CallOutcome) -> None:
        """Hear how a call ended; of several outcomes the last counts.

        What a call deleted or overwrote goes where it succeeded, and what it was to download where
        it failed by that. A call that was cancelled, or whose end is not known, counts as run.
        """
        if token is not None:
            self._history.settle(token, outcome)

    def record_invocation(
        self, tool_name: str, input: Any, success: bool, *, session_id: str | None = None
    ) -> None:
        """Remember a call that ran, under the name and the input that were judged."""
        ctx = ShieldContext(tool_name, input, session_id=session_id)
        with self._lock:
            judgements = self._judge.readings(ctx, self._history.files(session_id))
            if judgements:
                token = self._history.reserve(session_id, changes_together(judgements))
                outcome = CallOutcome.SUCCEEDED if success else CallOutcome.FAILED
                self._history.settle(token, outcome)
