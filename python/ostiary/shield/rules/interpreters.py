"""Programs that run code, and where in their words the code stands."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.reading import STDIN, Run

SHELLS: Final = frozenset({
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "mksh", "rbash", "yash",
    "elvish",
    "nu", "rc", "busybox",
})  # fmt: skip
_SCRIPTS: Final = frozenset({
    "python", "python2", "python3", "pypy", "pypy3", "perl", "ruby", "node", "nodejs", "php", "lua",
    "Rscript", "osascript", "tclsh", "expect", "julia", "guile", "jshell", "scala", "groovy",
    "swift", "irb", "ipython", "R", "awk", "gawk", "luajit", "elixir", "ghci", "runghc",
    *(f"python3.{minor}" for minor in range(6, 20)), "python2.7",
})  # fmt: skip
_BUILTINS: Final = frozenset({"eval", "source", "."})
ALL: Final = SHELLS | _SCRIPTS | _BUILTINS

_CODE_LETTERS: Final[Mapping[str, str]] = {
    "python": "c", "pypy": "c", "ipython": "c", "php": "r", "node": "ep", "nodejs": "ep",
    "perl": "eE",
}  # fmt: skip
"""Letters before the code, by the program without its version; the others take `-e`."""
_NO_STDIN: Final = frozenset({"awk", "gawk", "busybox"})
"""Programs that run nothing from their standard input."""
_STDIN_NAMES: Final = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_VALUED: Final = frozenset({
    "-o", "-O", "-W", "-X", "-I", "-r", "--rcfile", "--init-file", "--require", "-S", "-D", "+o",
    "-Q", "--check-hash-based-pycs",
})  # fmt: skip


def code_slots(run: Run) -> Iterator[int]:
    """Yield the slots through which an interpreter gets its code.

    That is the word after `-c`; or else the script's name, where it is what another run gives
    (`bash <(curl …)`); or else the standard input.
    """
    program, args = run.program, run.args
    if program == "eval":
        yield from range(1, len(args) + 1)
        return
    if program in _BUILTINS:
        yield 1
        if args[:1] in {("/dev/stdin",), ("-",)}:
            yield STDIN
        return
    at, inline = _code_word(run)
    if at is not None:
        yield at + 1
        if _runs_stdin(args[at]) if inline else args[at] in _STDIN_NAMES:
            yield STDIN
    elif program not in _NO_STDIN:
        yield STDIN


def _code_word(run: Run) -> tuple[int | None, bool]:
    """Return the argument that is the code or the script, and whether it is code."""
    args, shell = run.args, run.program in SHELLS
    index = 0
    while index < len(args):
        word = args[index]
        if word == "--":
            index += 1
            break
        if len(word) > 1 and word[0] in "-+":
            if word.startswith("-m") and not shell:
                return index, False
            if (
                word.startswith("-")
                and not word.startswith("--")
                and _is_code_flag(run.program, word)
            ):
                following = index + 1
                while shell and following < len(args) and args[following][:1] == "-":
                    following += 1
                return (following, True) if following < len(args) else (None, False)
            if shell and word in {"-s", "--stdin"}:
                return None, False
            if word in {"--eval", "--command", "--print"}:
                return (index + 1, True) if index + 1 < len(args) else (None, False)
            index += 2 if word in _VALUED and not (shell and word == "-r") else 1
            continue
        break
    return (index, False) if index < len(args) else (None, False)


def _is_code_flag(program: str, word: str) -> bool:
    if program in SHELLS:
        return "c" in word[1:8]
    return word[-1] in _CODE_LETTERS.get(program.rstrip("0123456789."), "e")


def is_code_text(run: Run, slot: int) -> bool:
    """Return whether a slot holds code itself, not the name of a script."""
    if run.program == "eval":
        return True
    at, inline = _code_word(run)
    return inline and at == slot - 1


def _runs_stdin(code: str) -> bool:
    """Return whether inline code runs what it reads: `exec(sys.stdin.read())`."""
    return ("stdin" in code or "STDIN" in code or "readFileSync(0" in code or "<>" in code) and (
        "exec" in code or "eval" in code or "system" in code or "compile" in code
    )
