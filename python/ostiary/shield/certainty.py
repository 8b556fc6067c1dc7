"""Which runs of a command are sure to have run, once the command has succeeded."""

import re
from typing import Final

from ostiary.shield.reading import How, Run

_UNSURE_CHAIN: Final = re.compile(
    r"\|\||!|\(\s*\)|\b(?:if|while|until|for|case|select|function|exit|return|exec|trap|set)\b"
)
_LONGEST_TEXT: Final = 64 * 1024
"""Characters of a command that are searched for such words; of longer ones little is sure."""

_MAX_DOCUMENTS: Final = 8
"""Here-documents that are left out where a command is searched for words that steer it."""

_UNSURE: Final = int(How.BACKGROUND | How.INLINE | How.DEFINED)
_MAYBE: Final = int(How.MAYBE)
_ENDS: Final = frozenset(["exit", "return", "exec", "set", "trap", "kill", "break", "continue"])


class Certainty:
    """Which runs of a command are sure to have run, where the command succeeded."""

    __slots__ = ("_end", "_last_plain", "_runs", "_text", "_unsure")

    def __init__(self, runs: tuple[Run, ...], text: str) -> None:
        """Look at a command's runs; its text tells what joins them."""
        self._runs = runs
        self._text = text
        self._last_plain: int | None = None
        self._end = len(runs)
        self._unsure = False

    def sure(self, index: int) -> bool:
        """Return whether a run has run if the whole command succeeded."""
        if self._last_plain is None:
            self._look()
        run = self._runs[index]
        if index > self._end or run.how & _UNSURE:
            return False
        if not run.how & _MAYBE:
            return True
        return not self._unsure and index > (self._last_plain or 0)

    def proven(self, index: int) -> bool:
        """Return whether a run has succeeded if the whole command has, or if a later run runs."""
        return self.sure(index) and not self._unsure and index >= (self._last_plain or 0)

    def decides(self, index: int) -> bool:
        """Return whether the command fails exactly if this run fails."""
        run = self._runs[index]
        return (
            index == len(self._runs) - 1
            and run.depth == 0
            and not run.how
            and self.sure(index)
            and not self._unsure
        )

    def _look(self) -> None:
        self._last_plain = -1
        text = self._text
        for index, run in enumerate(self._runs):
            if not run.how & _MAYBE:
                self._last_plain = index
            if run.program in _ENDS or "exec" in run.via:
                self._end = min(self._end, index)
        documents = [run.stdin for run in self._runs if run.stdin is not None and run.stdin.strip()]
        for document in documents[:_MAX_DOCUMENTS]:
            text = text.replace(document, "", 1)
        self._unsure = len(text) > _LONGEST_TEXT or _UNSURE_CHAIN.search(text) is not None
