"""Which known name somebody meant who wrote another one."""

from collections.abc import Iterable, Sequence
from typing import Final

SUGGESTION_THRESHOLD: Final = 0.4
"""Similarity from which a name is suggested (loopctl 0.3)."""

_PREFIX_BONUS = 0.1
_MAX_LENGTH = 128
_MAX_SUGGESTIONS = 3
_MAX_LISTED = 10


def similarity(left: str, right: str) -> float:
    """Return how alike two names are: 0 for nothing in common, 1 or little more for the same.

    The longest common subsequence and a tenth of the common prefix, over the longer name; case
    does not count, nor do characters after the 128th.
    """
    left, right = left[:_MAX_LENGTH].lower(), right[:_MAX_LENGTH].lower()
    if left == right:
        return 1.0
    if not left or not right:
        return 0.0
    prefix = next(
        (at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b),
        min(len(left), len(right)),
    )
    return (_common(left, right) + _PREFIX_BONUS * prefix) / max(len(left), len(right))


def closest(name: str, known: Iterable[str], threshold: float = SUGGESTION_THRESHOLD) -> list[str]:
    """Return up to three known names that are at least so similar, the most similar first."""
    scored = [(similarity(name, each), each) for each in known]
    found = sorted((-score, each) for score, each in scored if score >= threshold)
    return [each for _, each in found[:_MAX_SUGGESTIONS]]


def not_found_text(name: str, known: Sequence[str]) -> str:
    """Return the sentence for a model that asked for a tool that there is not."""
    text = f"Tool {shown(name)} not found."
    near = closest(name, known)
    if near:
        return f"{text} Did you mean {' or '.join(map(shown, near))}?"
    if not known:
        return f"{text} There are no tools."
    more = len(known) - _MAX_LISTED
    tail = f" and {more} more" if more > 0 else ""
    return f"{text} Known tools: {', '.join(map(shown, known[:_MAX_LISTED]))}{tail}."


def shown(name: str) -> str:
    """Return a name in quotes, on one line, without invisible characters, at a sane length."""
    clean = "".join(char for char in name[:_MAX_LENGTH] if char.isprintable())
    return f"'{clean}{'…' if len(name) > _MAX_LENGTH else ''}'"


def _common(left: str, right: str) -> int:
    """Return the length of the longest common subsequence."""
    above = [0] * (len(right) + 1)
    for a in left:
        row = [0]
        for at, b in enumerate(right):
            row.append(above[at] + 1 if a == b else max(above[at + 1], row[at]))
        above = row
    return above[-1]
