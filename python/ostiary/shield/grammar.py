"""How programs' flags are written, and arguments read by that."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

_LONGEST_CLUSTER: Final = 64
"""Letters of `-abc…` that are read; no program has more flags."""


class Grammar(NamedTuple):
    """How a program's flags are written.

    Attributes:
        short: Letters to the names of their flags; a letter that is missing is its own name.
        long: Names of long flags, which may be abbreviated.
        valued: Names, long or letters, of flags that take a value.
    """

    short: Mapping[str, str]
    long: tuple[str, ...]
    valued: frozenset[str]


class Flags(NamedTuple):
    """Arguments, sorted.

    Attributes:
        names: The flags that are set, by their long names where the grammar has one.
        values: `(name, value, index)` of each flag with a value, in order; the index is of the
            argument that holds the value.
        operands: Indexes of the arguments that are no flags.
    """

    names: frozenset[str]
    values: tuple[tuple[str, str, int], ...]
    operands: tuple[int, ...]

    def has(self, *names: str) -> bool:
        """Return whether one of the flags is set."""
        return not self.names.isdisjoint(names)

    def value(self, name: str) -> str | None:
        """Return the last value of a flag, or None."""
        return next((value for one, value, _ in reversed(self.values) if one == name), None)


def grammar(flags: str = "", *, long: str = "", valued: str = "") -> Grammar:
    """Return a grammar from lists of words.

    Args:
        flags: `r=recursive R=recursive`: letters that have a long name.
        long: Other long names.
        valued: Names of flags that take a value, long or letters.
    """
    short = dict(pair.split("=") for pair in flags.split())
    takes = frozenset(valued.split())
    names = dict.fromkeys((*short.values(), *long.split(), *takes))
    return Grammar(short, tuple(name for name in names if name[1:]), takes)


PLAIN: Final = grammar()
"""A program none of whose flags takes a value."""


def read_flags(args: tuple[str, ...], form: Grammar = PLAIN) -> Flags:
    """Sort arguments into flags, values and operands.

    Args:
        args: The arguments; `--` ends the flags.
        form: How the program's flags are written.
    """
    names: set[str] = set()
    values: list[tuple[str, str, int]] = []
    operands: list[int] = []
    index, count = 0, len(args)
    while index < count:
        word = args[index]
        if len(word) < 2 or word[0] != "-":  # noqa: PLR2004 - `-` is an operand
            operands.append(index)
        elif word == "--":
            operands.extend(range(index + 1, count))
            break
        else:
            for name, value in _flags_of(word, form):
                names.add(name)
                if value is not None:
                    values.append((name, value, index))
                elif name in form.valued and index + 1 < count:
                    index += 1
                    values.append((name, args[index], index))
        index += 1
    return Flags(frozenset(names), tuple(values), tuple(operands))


def _flags_of(word: str, form: Grammar) -> Iterable[tuple[str, str | None]]:
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        return ((_whole_name(name, form), value if equals else None),)
    found: list[tuple[str, str | None]] = []
    for at, letter in enumerate(word[1 : _LONGEST_CLUSTER + 1]):
        name = form.short.get(letter, letter)
        if name in form.valued:
            found.append((name, word[at + 2 :] or None))
            break
        found.append((name, None))
    return found


def _whole_name(name: str, form: Grammar) -> str:
    """Return a long flag's name, which may be abbreviated as far as it is the only such one."""
    if name in form.long or not name:
        return name
    fits = [one for one in form.long if one.startswith(name)]
    return fits[0] if len(fits) == 1 else name
