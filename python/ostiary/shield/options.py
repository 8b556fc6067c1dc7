"""A program's arguments, taken apart: options with their values, and operands."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Options(NamedTuple):
    """Arguments, taken apart.

    Attributes:
        given: Every option in order with its value, None where it has none: `("-o", "FILE")`.
        operands: Indexes of the arguments that are no options.
    """

    given: tuple[tuple[str, str | None], ...]
    operands: tuple[int, ...]

    def has(self, *names: str) -> bool:
        """Return whether one of these options is given."""
        return any(name in names for name, _ in self.given)

    def value(self, *names: str) -> str | None:
        """Return the last value of these options, None where there is none."""
        values = [value for name, value in self.given if name in names and value is not None]
        return values[-1] if values else None

    def values(self, *names: str) -> Iterator[str]:
        """Return every value of these options, in order."""
        return (value for name, value in self.given if name in names and value is not None)


def take_apart(
    args: Sequence[str], valued: frozenset[str], *, stop_at_operand: bool = False
) -> Options:
    """Take arguments apart as getopt does: `-ab`, `-oFILE`, `-o FILE`, `--name=value`, `--`.

    Args:
        args: The arguments.
        valued: Options that take a value, with their dashes.
        stop_at_operand: Whether everything after the first operand belongs to it.
    """
    given: list[tuple[str, str | None]] = []
    operands: list[int] = []
    at, end = 0, len(args)
    while at < end:
        word = args[at]
        if word == "--":
            operands.extend(range(at + 1, end))
            break
        if len(word) < 2 or word[0] != "-":  # noqa: PLR2004 # a dash alone is an operand
            if stop_at_operand:
                operands.extend(range(at, end))
                break
            operands.append(at)
        elif word.startswith("--") or word in valued:
            name, equals, value = word.partition("=")
            if equals:
                given.append((name, value))
            elif name in valued and at + 1 < end:
                at += 1
                given.append((name, args[at]))
            else:
                given.append((name, None))
        else:
            at += _bundle(args, at, valued, given)
        at += 1
    return Options(tuple(given), tuple(operands))


def _bundle(
    args: Sequence[str], at: int, valued: frozenset[str], given: list[tuple[str, str | None]]
) -> int:
    """Take `-abc` apart, and return how many further arguments it took."""
    word = args[at]
    for place, letter in enumerate(word[1:], 2):
        name = f"-{letter}"
        if name not in valued:
            given.append((name, None))
        elif place < len(word):
            given.append((name, word[place:]))
            return 0
        elif at + 1 < len(args):
            given.append((name, args[at + 1]))
            return 1
        else:
            given.append((name, None))
    return 0


def names(text: str) -> frozenset[str]:
    """Return the words of a text, in which a table of many reads best."""
    return frozenset(text.split())
