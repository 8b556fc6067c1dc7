"""What flows between the runs of a command."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ostiary.shield.reading import Run

_FARTHEST: Final = 64
"""Runs after which `upstream` ends: nobody writes such a pipeline, and many would be quadratic."""


class Flow:
    """The runs of a command, with the answers to what reaches which of them.

    Attributes:
        runs: The runs.
    """

    __slots__ = ("_known", "_once", "runs")

    def __init__(self, runs: tuple[Run, ...]) -> None:
        """Make the flow of a command's runs; nothing is worked out before it is asked for."""
        self.runs = runs
        self._once: dict[str, Mapping[str, str]] = {}
        self._known: dict[str, dict[int, int | None]] = {}

    def once(
        self, name: str, work: Callable[[tuple[Run, ...]], Mapping[str, str]]
    ) -> Mapping[str, str]:
        """Return what a function makes of the runs; it is asked once for a command."""
        if name not in self._once:
            self._once[name] = work(self.runs)
        return self._once[name]

    def upstream(self, index: int, slot: int | None = None) -> Iterator[int]:
        """Yield the runs whose output flows into a run, nearest first, each once.

        Args:
            index: The run.
            slot: Only what flows into this slot; None: into any.
        """
        seen: set[int] = {index}
        wave = [index]
        while wave:
            after: list[int] = []
            for at in wave:
                for source in self.runs[at].sources:
                    if at == index and slot is not None and source.slot != slot:
                        continue
                    for one in range(source.first, source.last):
                        if one not in seen:
                            seen.add(one)
                            after.append(one)
                            yield one
            wave = after if len(seen) <= _FARTHEST else []

    def reached(self, name: str, test: Callable[[Run], bool], index: int, slot: int) -> int | None:
        """Return a run of a kind whose output flows into a slot, directly or not; or None.

        Args:
            name: The test's name, under which answers are kept.
            test: Whether a run is of that kind.
            index: The run.
            slot: The slot.
        """
        for source in self.runs[index].sources:
            if source.slot != slot:
                continue
            for one in range(source.first, source.last):
                origin = self._origin(name, test, one)
                if origin is not None:
                    return origin
        return None

    def _origin(self, name: str, test: Callable[[Run], bool], start: int) -> int | None:
        """Return the run of a kind that a run's output comes from, itself first.

        Every run is looked at once for a kind, whatever asks: long pipelines stay linear.
        """
        known = self._known.setdefault(name, {})
        stack = [(start, False)]
        while stack:
            index, done = stack.pop()
            if done:
                origins = (known.get(one) for one in _sources_of(self.runs[index]))
                known[index] = next((one for one in origins if one is not None), None)
            elif index not in known:
                known[index] = index if test(self.runs[index]) else None
                if known[index] is None:
                    stack.append((index, True))
                    stack.extend((one, False) for one in _sources_of(self.runs[index]))
        return known[start]


def _sources_of(run: Run) -> Iterator[int]:
    for source in run.sources:
        yield from range(source.first, source.last)
