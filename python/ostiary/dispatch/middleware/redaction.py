"""Takes secrets out of what a tool returned."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from anyio.to_thread import run_sync

from ostiary.dispatch.context import ToolDispatchContext, ToolDispatchResult
from ostiary.dispatch.pipeline import ToolPipeline
from ostiary.dispatch.values import map_texts, text_of

_log = logging.getLogger(__name__)

INLINE_CHARS: Final = 64 * 1024
"""Characters that are searched on the event loop's own thread: a fifth of a millisecond at the
speed of the default finder (`benches/call_figures.py`)."""

WITHHELD: Final = "[withheld: the search for secrets failed]"


class FoundSecret(NamedTuple):
    """A secret's place in a text.

    Attributes:
        kind: What it is, for the mark that stands in its place.
        start: Its first byte in the text's UTF-8.
        end: The byte behind its last.
    """

    kind: str
    start: int
    end: int


SecretFinder = Callable[[bytes], Iterable[FoundSecret]]
"""Finds the secrets in a text's UTF-8; called in worker threads too."""


class RedactionMiddleware:
    """Puts `[REDACTED:kind]` in the place of every secret in a result's text.

    A text that could not be searched is withheld whole. The result stays the success or the error
    that it was.
    """

    name: Final = "redaction"

    def __init__(self, finder: SecretFinder | None = None) -> None:
        """Find secrets with this.

        Args:
            finder: None for Kingfisher's rules, from the extra `ostiary[redaction]`; they are
                compiled here, which takes seconds the first time on a machine.

        Raises:
            ModuleNotFoundError: there is no finder, and the extra is not installed.
        """
        self._finder = kingfisher_finder() if finder is None else finder

    async def dispatch(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        """Run the call, and redact what comes of it."""
        result = await next.dispatch(ctx)
        redact = partial(map_texts, result.output, self._redact)
        blocks = [result.output] if isinstance(result.output, str) else result.output
        size = sum(len(each if isinstance(each, str) else text_of(each) or "") for each in blocks)
        output = redact() if size <= INLINE_CHARS else await run_sync(redact)
        return result if output == result.output else replace(result, output=output)

    def _redact(self, text: str) -> str:
        try:
            data = text.encode("utf-8", "surrogatepass")
            found = sorted(self._finder(data), key=lambda each: (each.start, -each.end))
            return _marked(data, found).decode("utf-8", "surrogatepass") if found else text
        except Exception:  # noqa: BLE001 # whatever it raises, the text was not searched
            _log.exception("redaction failed, so the text is withheld")
            return WITHHELD


def kingfisher_finder() -> SecretFinder:
    """Return a finder that knows the tokens of some hundred services, private keys, and more.

    Nothing is asked over the network. What is no known form of a secret (a password in a sentence,
    an opaque bearer token) is not found.

    Raises:
        ModuleNotFoundError: the extra `ostiary[redaction]` is not installed.
    """
    try:
        from kingfisher_sdk import Scanner  # noqa: PLC0415 # an extra
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "RedactionMiddleware without a finder of your own needs Kingfisher: "
            "pip install 'ostiary[redaction]'"
        ) from error
    scanner = Scanner()

    def find(data: bytes) -> Iterable[FoundSecret]:
        found = scanner.scan(data)
        # A finding that is not visible is half of a pair, such as the secret to an AWS key's id;
        # it counts where something else was found as well.
        if any(each.visible for each in found):
            for each in found:
                kind = each.rule_id.replace("/", ".").rpartition(".")[2]
                where = each.location
                yield FoundSecret(kind, where["start_offset"], where["end_offset"])

    return find


def _marked(data: bytes, found: list[FoundSecret]) -> bytes:
    """Return the text with marks for secrets; of two that overlap, the first names both."""
    parts, done = [], 0
    for kind, start, end in found:
        if start >= done:
            parts += [data[done:start], f"[REDACTED:{kind}]".encode()]
        done = max(done, end)
    return b"".join((*parts, data[done:]))
