"""What flows between the runs of a command."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ostiary.shield.reading import Run, Source

_FARTHEST: Final = 64
"""Runs after which `upstream` ends: nobody writes such a pipeline, and many would be quadratic."""


class Flow:
    """The runs of a command, with the answers to what reaches which of them.

    Attributes:
        runs: The runs.
    """

    __slots__ = ("_once", "_origins", "runs")

    def __init__(self, runs: tuple[Run, ...]) -> None:
        """Make the flow of a command's runs; nothing is worked out before it is asked for."""
        self.runs = runs
        self._once: dict[str, Mapping[str, str]] = {}
        self._origins: dict[str, _Origins] = {}

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
                        if len(seen) > _FARTHEST:
                            return
                        if one not in seen:
                            seen.add(one)
                            after.append(one)
                            yield one
            wave = after

    def reached(self, name: str, test: Callable[[Run], bool], index: int, slot: int) -> int | None:
        """Return a run of a kind whose output flows into a slot, directly or not; or None.

        Args:
            name: The test's name, under which answers are kept.
            test: Whether a run is of that kind.
            index: The run.
            slot: The slot.
        """
        origins = self._origins.get(name)
        if origins is None:
            origins = self._origins[name] = _Origins(self.runs, test)
        for source in self.runs[index].sources:
            if source.slot == slot:
                origin = origins.of(source)
                if origin is not None:
                    return origin
        return None


class _Origins:
    """For one kind of run, which runs carry the output of one, and of which.

    Sources are ranges, and those of a long pipeline overlap: to look into every run of every range
    would be quadratic. `_last` says for every index the nearest carrier at or before it.
    """

    __slots__ = ("_last", "_origin")

    def __init__(self, runs: tuple[Run, ...], test: Callable[[Run], bool]) -> None:
        self._origin = [index if test(run) else None for index, run in enumerate(runs)]
        self._last = [-1] * len(runs)
        for _ in range(_MOST_PASSES):
            changed = False
            for index, run in enumerate(runs):
                if self._origin[index] is None:
                    self._origin[index] = self._first_of(run)
                carries = self._origin[index] is not None
                last = index if carries else (self._last[index - 1] if index else -1)
                changed = changed or last != self._last[index]
                self._last[index] = last
            if not changed:
                return

    def _first_of(self, run: Run) -> int | None:
        origins = (self.of(source) for source in run.sources)
        return next((origin for origin in origins if origin is not None), None)

    def of(self, source: Source) -> int | None:
        """Return the run of the kind that flows into what has a source, or None."""
        if source.last <= source.first:
            return None
        carrier = self._last[source.last - 1]
        return self._origin[carrier] if carrier >= source.first else None


_MOST_PASSES: Final = 4
"""A run's sources mostly stand before it; a pass more finds what flows backwards."""
