"""Which files a call touches, as far as its input says so."""

import posixpath
import shlex
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

_PATH_FIELDS = ("path", "file_path", "filename", "filepath")
_COMMAND_FIELDS = ("command", "cmd")
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh"))
_REDIRECTIONS = frozenset((">", ">>", ">|", "&>", "&>>", ">&", "<>"))


def touched_paths(tool_name: str, input: Any) -> list[str]:  # noqa: ARG001 # a PathExtractor
    """Return the path that the input names, or the files that its shell command redirects into.

    A command is read one level of `sh -c` deep. A command that only reads names no file here, so
    its answer lasts until it expires: leave shells out of the memoizer's tools.
    """
    if not isinstance(input, Mapping):
        return []
    command = _first_text(input, _COMMAND_FIELDS)
    if command is not None:
        words = _words(command)
        return _targets(words) + _targets(_payload(words))
    path = _first_text(input, _PATH_FIELDS)
    return [] if path is None else [path]


def anchored(path: str, cwd: str | None) -> str:
    """Return a path as one spelling of it, a relative one below the directory."""
    return posixpath.normpath(posixpath.join(cwd or "", path))


def _first_text(input: Mapping[Any, Any], fields: tuple[str, ...]) -> str | None:
    return next((input[each] for each in fields if isinstance(input.get(each), str)), None)


def _words(command: str) -> list[str]:
    """Return the words and operators; none where a quote is left open."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        return []


def _payload(words: list[str]) -> list[str]:
    match words:
        case [shell, "-c", script, *_] if posixpath.basename(shell) in _SHELLS:
            return _words(script)
        case _:
            return []


def _targets(words: list[str]) -> list[str]:
    """Return what stands behind a redirection, but for numbers: these are open descriptors."""
    return [
        target
        for operator, target in pairwise(words)
        if operator in _REDIRECTIONS and not target.isdigit()
    ]
