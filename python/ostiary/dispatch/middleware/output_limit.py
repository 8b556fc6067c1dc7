"""Cuts the middle out of a long output."""

import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult, ToolOutput
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.values import text_of

_JOINER = "\u200d"
_SKIN_TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))  # two of them make a flag
_MAX_STEPS = 32


class OutputLimitMiddleware:
    """Keeps the head and the tail of an output, and says between them how much was cut.

    The limit counts characters of text, over all text blocks together; the notice of the cut is not
    counted. Blocks that are no text stay whole. A letter is not parted from its accents.
    """

    name: Final = "output_limit"

    def __init__(self, max_chars: int) -> None:
        """Let so many characters of text through.

        Raises:
            ValueError: `max_chars` is negative.
        """
        if max_chars < 0:
            raise ValueError(f"a limit is a number of characters, not {max_chars}")
        self._max_chars = max_chars

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call, and shorten what comes of it."""
        result = await next.dispatch(ctx)
        output = limit_output(result.output, self._max_chars)
        return result if output is result.output else replace(result, output=output)


def limit_output(output: ToolOutput, max_chars: int) -> ToolOutput:
    """Return an output of at most so many characters of text; the same object where it fits."""
    tail = max_chars // 2
    head = max_chars - tail
    if isinstance(output, str):
        total = len(output)
        return output if total <= max_chars else _cut(output, head, total - tail, total)
    total = sum(len(text_of(block) or "") for block in output)
    if total <= max_chars:
        return output
    return list(_cut_blocks(output, head, total - tail, total))


def _cut_blocks(blocks: list[Any], head: int, tail: int, total: int) -> Iterator[Any]:
    """Yield the blocks without the texts between the positions `head` and `tail`."""
    start = 0
    for block in blocks:
        text = text_of(block)
        if not text:
            yield block
            continue
        end = start + len(text)
        if end <= head or start >= tail:
            yield block
        else:
            short = _cut(text, max(head - start, 0), min(tail - start, len(text)), total)
            yield {**block, "text": short}
        start = end


def _cut(text: str, head: int, tail: int, total: int) -> str:
    """Return the text up to `head`, a notice, and the text from `tail`."""
    head, tail = _boundary(text, head, -1), _boundary(text, tail, 1)
    notice = f"[{tail - head:,} of {total:,} characters cut]"
    before = f"{text[:head]}\n" if head else ""
    after = f"\n{text[tail:]}" if tail < len(text) else ""
    return f"{before}{notice}{after}"


def _boundary(text: str, at: int, step: int) -> int:
    """Return the next position in that direction that lies between two characters as people see."""
    for _ in range(_MAX_STEPS):
        if not 0 < at < len(text) or not _joins(text, at):
            break
        at += step
    return at


def _joins(text: str, at: int) -> bool:
    """Return whether the code point at a position belongs to the one before it."""
    before, here = text[at - 1], text[at]
    if _JOINER in {before, here} or here in _SKIN_TONES:
        return True
    if here in _FLAG_LETTERS and before in _FLAG_LETTERS:
        run = text[max(at - 2 * _MAX_STEPS, 0) : at]
        return (len(run) - len(run.rstrip(_FLAG_LETTERS))) % 2 == 1
    return unicodedata.category(here).startswith("M") or (before == "\r" and here == "\n")
