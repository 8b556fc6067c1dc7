"""A run among the others: what the checks of the rules ask about it."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ostiary.shield import bits
from ostiary.shield.flow import Flow
from ostiary.shield.places import Places, Target
from ostiary.shield.reading import UNKNOWN, Run
from ostiary.shield.rule import Finding

_LONGEST_SHOWN: Final = 80
"""Characters of a command that a reason shows."""


class Scene(NamedTuple):
    """One run, and what it stands in.

    Attributes:
        at: Its index among the runs.
        run: The run.
        flow: All runs, and what flows between them.
        places: The folders that count.
    """

    at: int
    run: Run
    flow: Flow
    places: Places

    def mark(self, arg: int) -> int:
        """Return the `Mark` bits of an argument."""
        marks = self.run.marks
        return marks[arg + 1] if arg + 1 < len(marks) else 0

    def target(self, arg: int) -> Target:
        """Return what an argument names as a path."""
        return self.places.target(self.run.args[arg], self.mark(arg), self.run.cwd)

    def path(self, word: str, mark: int = 0) -> Target:
        """Return what a word names as a path, seen from where the run stands."""
        return self.places.target(word, mark, self.run.cwd)

    @property
    def is_remote(self) -> bool:
        """Whether the run's paths are another machine's."""
        return bool(self.run.how & bits.REMOTE)

    def feeds(self, slot: int) -> Iterator[Run]:
        """Yield the runs whose output flows into a slot, directly or through others."""
        for index in self.flow.upstream(self.at, slot):
            yield self.flow.runs[index]

    def feeds_all(self) -> Iterator[Run]:
        """Yield the runs whose output flows into the run, through whatever slot."""
        for index in self.flow.upstream(self.at):
            yield self.flow.runs[index]

    def shown(self) -> str:
        """Return the run as people write it, in backticks, shortened."""
        return f"`{show(self.run)}`"


Check = Callable[[Scene], Iterator[Finding]]
"""Looks at one run and yields what is wrong with it."""


def show(run: Run) -> str:
    """Return a run as people write it, shortened; `…` stands for what is not known."""
    words: list[str] = []
    room = _LONGEST_SHOWN
    for word in (run.path or run.program, *run.args[:_LONGEST_SHOWN]):
        text = word[: room + 1] or "''"
        words.append(text)
        room -= len(text) + 1
        if room <= 0:
            break
    words += [f"{one.op} {one.target[:_LONGEST_SHOWN]}" for one in run.redirects[:4]]
    return shorten(" ".join(words).strip())


def shorten(text: str) -> str:
    """Return text as a reason shows it: one line, without what a terminal could act on."""
    text = text[: _LONGEST_SHOWN + 1].replace(UNKNOWN, "…").replace("`", "'")
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
