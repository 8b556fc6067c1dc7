"""What foreign content the runs of a command print."""

from bisect import bisect_left

from ostiary.shield.marks import Downloaded, Strength
from ostiary.shield.reading import Run


class Outputs:
    """What foreign content the runs print, as far as the walk has come."""

    __slots__ = ("_marks", "_runs", "_strong", "_weak")

    def __init__(self, runs: tuple[Run, ...]) -> None:
        """Start before the first run."""
        self._runs = runs
        self._strong: list[int] = []
        self._weak: list[int] = []
        self._marks: dict[int, tuple[Downloaded, str | None]] = {}

    def __bool__(self) -> bool:
        return bool(self._marks)

    def put(self, index: int, mark: Downloaded, path: str | None) -> None:
        """Have a run print what came from elsewhere, by way of a file or not."""
        self._marks[index] = (mark, path)
        (self._strong if mark.strength is Strength.STRONG else self._weak).append(index)

    def of(self, index: int) -> Downloaded | None:
        """Return what foreign content a run prints."""
        found = self._marks.get(index)
        return None if found is None else found[0]

    def into(self, index: int, slot: int | None = None) -> tuple[Downloaded, str | None] | None:
        """Return the foreign content that flows into a run's slot, None for any slot."""
        for source in self._runs[index].sources:
            if slot is not None and source.slot != slot:
                continue
            for found in (self._strong, self._weak):
                at = bisect_left(found, source.first)
                if at < len(found) and found[at] < source.last:
                    return self._marks[found[at]]
        return None
