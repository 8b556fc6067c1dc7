"""Text that runs later, said as a command line: scripts, makefiles, cron tables, units."""

import re
from collections.abc import Sequence
from posixpath import basename
from typing import Final

_SHELLS: Final = frozenset(("ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"))
_READ_AS: Final = {
    "node": "node",
    "perl": "perl",
    "php": "php",
    "python": "python3",
    "ruby": "ruby",
}
"""Languages whose code the reader knows, and the program that it is given to."""

_CRON_LINE: Final = re.compile(r"\s*(?:@\w+|(?:[\d*/,\-A-Za-z]+\s+){5})\s*(.+)")
_UNIT_LINE: Final = re.compile(r"Exec\w*=[-@+!:]*(.+)")
_LONGEST_LINE = 4096


def command_of(text: str, language: str) -> str | None:
    """Return the command line that does what a file's text does; None where nobody can read it.

    Args:
        text: The file's text.
        language: What runs it; "" where its first line tells.
    """
    if not language:
        language = _first_line_says(text)
    if language == "sh":
        return text
    if language in _READ_AS:
        return here_document(_READ_AS[language], text)
    if language == "make":
        lines = (line[1:].lstrip("@-+ ") for line in text.splitlines() if line.startswith("\t"))
        return "\n".join(lines)
    if language == "cron":
        return _matched(_CRON_LINE, text)
    if language == "unit":
        return _matched(_UNIT_LINE, text)
    return None


def here_document(program: str, text: str) -> str:
    """Return the command line that gives a text to a program: `PROGRAM <<'END' …`."""
    end = "END"
    lines = set(text.splitlines())
    while end in lines:
        end += "_"
    return f"{program} <<'{end}'\n{text}\n{end}\n"


def piped(text: str, filters: Sequence[str]) -> str:
    """Return the command line that gives a text through filters to a shell."""
    if list(filters) == ["cat"]:
        return text
    document = here_document(filters[0], text)
    head, newline, rest = document.partition("\n")
    return " | ".join([head, *filters[1:], "sh"]) + newline + rest


def _first_line_says(text: str) -> str:
    first = text[:_LONGEST_LINE].partition("\n")[0]
    if not first.startswith("#!"):
        return "sh"
    words = [basename(word) for word in first[2:].split() if not word.startswith("-")]
    words = [word for word in words if word != "env" and "=" not in word]
    name = words[0].rstrip("0123456789.") if words else "sh"
    return "sh" if name in _SHELLS else "node" if name == "nodejs" else name


def _matched(pattern: re.Pattern[str], text: str) -> str:
    found = (pattern.match(line[:_LONGEST_LINE]) for line in text.splitlines())
    return "\n".join(match[1] for match in found if match)
