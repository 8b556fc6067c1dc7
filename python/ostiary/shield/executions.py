"""Which files a run executes, and in which language."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from ostiary.shield.options import names, take_apart
from ostiary.shield.reading import STDIN, How, Run

PROGRAM: Final = 0
"""The slot of a run's own program, as `Source` counts words."""


_NO_PROGRAM: Final = int(How.DEFINED | How.INLINE)


class Execution(NamedTuple):
    """One word of a run that names a file which runs, or a slot whose content runs.

    Attributes:
        word: The file as a word; "" where what flows into `slot` runs.
        slot: The slot: 0 the program, 1 the first argument, `STDIN`.
        language: How its text is read; "" where its first line tells.
        guess: Whether the run does not name the file, and only takes it where it is there.
    """

    word: str
    slot: int
    language: str = ""
    guess: bool = False


def executions(run: Run) -> Iterator[Execution]:
    """Yield what a run executes, beside a program that is found by its name alone."""
    if run.how & _NO_PROGRAM:
        return
    if run.path:
        yield Execution(run.path, PROGRAM)
    for name, value in run.env:
        if name in _LOADING_VARIABLES:
            for word in value.replace(":", " ").split():
                yield Execution(word, PROGRAM, _LOADING_VARIABLES[name])
    name = run.program
    interpreter = _interpreter(name)
    if interpreter is not None:
        yield from _interpreted(run, run.args, 0, interpreter)
    elif name in _EXECUTORS:
        yield from _EXECUTORS[name](run)


_LOADING_VARIABLES: Final[Mapping[str, str]] = {
    "BASH_ENV": "sh",
    "DYLD_INSERT_LIBRARIES": "binary",
    "ENV": "sh",
    "LD_AUDIT": "binary",
    "LD_PRELOAD": "binary",
    "PYTHONSTARTUP": "python",
}
"""Variables whose value is a file that a program loads, and its language."""


# Interpreters


class _Interpreter(NamedTuple):
    """How a program is told which file to run.

    Attributes:
        language: What it runs.
        valued: Options with a value.
        inline: Options of `valued` after which no file follows, because the value is the code.
        files: Options of `valued` whose value is a file that runs too.
        verbs: Words that stand before the file.
    """

    language: str
    valued: frozenset[str]
    inline: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()


def _of(
    language: str, plain: str = "", inline: str = "", files: str = "", verbs: str = ""
) -> _Interpreter:
    sets = [frozenset(words.split()) for words in (inline, files, verbs)]
    return _Interpreter(language, frozenset(plain.split()).union(*sets[:2]), *sets)


_SHELL: Final = _of("sh", "-o +o -O +O", "-c", "--rcfile --init-file")
_NODE: Final = _of(
    "node", "-C --env-file --inspect-port", "-e -p --eval --print", "-r --require --import --loader"
)
_INTERPRETERS: Final[Mapping[str, _Interpreter]] = {
    **dict.fromkeys(
        ["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "yash", "zsh"],
        _SHELL,
    ),
    **dict.fromkeys(("python", "pypy"), _of("python", "-W -X", "-c -m")),
    "bun": _of("node", "--cwd", "-e -p --eval --print", "-r --preload", "run"),
    "deno": _of("node", "--config -c --import-map", "eval", "", "run test"),
    "elixir": _of("elixir", "", "-e", "-r"),
    "expect": _of("expect", "", "-c", "-f"),
    "groovy": _of("groovy", "-cp", "-e"),
    "guile": _of("guile", "-L", "-c -e", "-s -l"),
    "julia": _of("julia", "-p -t", "-e -E", "-L"),
    "lua": _of("lua", "", "-e", "-l"),
    "luajit": _of("lua", "", "-e", "-l"),
    "node": _NODE,
    "nodejs": _NODE,
    "osascript": _of("osascript", "-l -s", "-e"),
    "perl": _of("perl", "-I -M -m -F -i", "-e -E"),
    "php": _of("php", "-d -c -z -S -t", "-r -R -B -E", "-f -F"),
    "pwsh": _of("pwsh", "", "-c -Command -EncodedCommand -e", "-f -File"),
    "Rscript": _of("r", "", "-e"),
    "ruby": _of("ruby", "-I -E -F -K", "-e", "-r"),
    "tclsh": _of("tcl", ""),
    "ts-node": _of("node", "-P -O", "-e -p", "-r"),
    "tsx": _of("node", "", "-e -p"),
}


def _interpreter(name: str) -> _Interpreter | None:
    found = _INTERPRETERS.get(name)
    if found is None and name[-1:].isdigit():  # python3.12, perl5.36
        found = _INTERPRETERS.get(name.rstrip("0123456789."))
    return found


def _interpreted(
    run: Run, args: tuple[str, ...], offset: int, how: _Interpreter
) -> Iterator[Execution]:
    """Yield what an interpreter executes.

    Args:
        run: The run.
        args: Its arguments, or the last of them.
        offset: How many are left out before them.
        how: The interpreter.
    """
    options = take_apart(args, how.valued, stop_at_operand=True)
    operands = options.operands
    for value in options.values(*how.files):
        yield Execution(
            value, offset + args.index(value) + 1 if value in args else STDIN, how.language
        )
    module = options.value("-m") if how.language == "python" else None
    if module is not None:
        yield from _module(run, args, offset, module)
        return
    if operands and args[operands[0]] in how.verbs:
        rest = operands[0] + 1
        yield from _interpreted(run, args[rest:], offset + rest, how._replace(verbs=frozenset()))
        return
    if options.has(*how.inline):
        for source in run.sources:  # `sh -c "$(cat FILE)"`
            if source.slot > 0:
                yield Execution("", source.slot, how.language)
        return
    if not operands or args[operands[0]] == "-" or (how is _SHELL and options.has("-s")):
        yield from _standard_input(run, how.language)
        return
    at = operands[0]
    yield Execution(args[at], offset + at + 1, how.language)


def _module(run: Run, args: tuple[str, ...], offset: int, module: str) -> Iterator[Execution]:
    """`python -m pip install ./f`, `python -m tool` with a `tool.py` beside."""
    rest = args.index(module) + 1 if module in args else len(args)
    if module in {"pip", "pipx", "uv"}:
        inner = run._replace(program=module, args=args[rest:])
        for one in _EXECUTORS[module](inner):
            yield one._replace(slot=one.slot + offset + rest)
    else:
        yield Execution(module.replace(".", "/") + ".py", STDIN, "python", guess=True)


def _standard_input(run: Run, language: str) -> Iterator[Execution]:
    """Yield what runs because it is the standard input."""
    for redirect in run.redirects:
        if redirect.fd == 0 and redirect.op in {"<", "<>"}:
            yield Execution(redirect.target, STDIN, language)
    if any(source.slot == STDIN for source in run.sources):
        yield Execution("", STDIN, language)


# Programs that are told a file to run


def _first(run: Run, language: str, valued: str = "") -> Iterator[Execution]:
    options = take_apart(run.args, frozenset(valued.split()), stop_at_operand=True)
    for at in options.operands[:1]:
        yield Execution(run.args[at], at + 1, language)


def _runs_first(language: str, valued: str = "") -> Callable[[Run], Iterator[Execution]]:
    return lambda run: _first(run, language, valued)


def _runs_option(*names: str, language: str = "") -> Callable[[Run], Iterator[Execution]]:
    def find(run: Run) -> Iterator[Execution]:
        options = take_apart(run.args, frozenset(names))
        for value in options.values(*names):
            yield Execution(value, STDIN, language)

    return find


def _sourced(run: Run) -> Iterator[Execution]:
    for at, word in enumerate(run.args[:1]):
        yield Execution(word, at + 1, "sh")


def _evaluated(run: Run) -> Iterator[Execution]:
    for source in run.sources:
        if source.slot > 0:
            yield Execution("", source.slot, "sh")


def _made(run: Run) -> Iterator[Execution]:
    options = take_apart(run.args, names("-f -C -j -o -W -I --file"))
    folder = options.value("-C")
    named = list(options.values("-f", "--file", "--makefile"))
    for word in named or ["GNUmakefile", "makefile", "Makefile"]:
        path = f"{folder}/{word}" if folder else word
        yield Execution(path, STDIN, "make", guess=not named)


def _java(run: Run) -> Iterator[Execution]:
    options = take_apart(run.args, frozenset(["-jar", "-cp", "-classpath", "--class-path"]))
    for value in options.values("-jar", "-cp", "-classpath", "--class-path"):
        for word in value.split(":"):
            yield Execution(word, STDIN, "binary")


def _crontab(run: Run) -> Iterator[Execution]:
    options = take_apart(run.args, frozenset(["-u"]))
    if options.has("-l", "-r", "-e"):
        return
    if not options.operands or run.args[options.operands[0]] == "-":
        yield from _standard_input(run, "cron")
    for at in options.operands[:1]:
        yield Execution(run.args[at], at + 1, "cron")


def _at(run: Run) -> Iterator[Execution]:
    yield from _runs_option("-f", language="sh")(run)
    yield from _standard_input(run, "sh")


def _systemctl(run: Run) -> Iterator[Execution]:
    options = take_apart(run.args, frozenset(["-t", "-H", "-M", "--type", "--host"]))
    words = [(run.args[at], at + 1) for at in options.operands]
    if words and words[0][0] in {"start", "restart", "enable", "reenable", "link", "reload"}:
        for unit, slot in words[1:]:
            name = unit if "." in unit else unit + ".service"
            yield Execution(name, slot, "unit", guess=True)
            for folder in ("/etc/systemd/system", "~/.config/systemd/user", "/lib/systemd/system"):
                yield Execution(f"{folder}/{name}", slot, "unit", guess=True)


# Installers: a file that they install runs code of its own


def _installs(verbs: str, here: str = "") -> Callable[[Run], Iterator[Execution]]:
    """Return a finder for installers.

    Args:
        verbs: Sub-commands that install; an option among them counts with all its letters.
        here: The file in the current folder that is run where no other is named.
    """
    wanted = frozenset(verbs.split())

    def find(run: Run) -> Iterator[Execution]:
        if not any(word in wanted or word[:2] in wanted for word in run.args):
            return
        words = [(at, word) for at, word in enumerate(run.args) if not word.startswith("-")]
        for at, word in words:
            yield Execution(word.removeprefix("file:"), at + 1, "package")
        if here and all(word in wanted for _, word in words):
            yield Execution(here, STDIN, "package", guess=True)

    return find


_NPM: Final = _installs("i install add ci exec x run run-script start test t", "package.json")
_PIP: Final = _installs("install")
_APT: Final = _installs("install reinstall localinstall")

_EXECUTORS: Final[Mapping[str, Callable[[Run], Iterator[Execution]]]] = {
    ".": _sourced,
    "ansible-playbook": _runs_first("ansible", "-i -e -u -l -t --inventory --extra-vars"),
    "apk": _installs("add"),
    "apt": _APT,
    "apt-get": _APT,
    "at": _at,
    "awk": _runs_option("-f", "--file", language="awk"),
    "batch": _at,
    "brew": _APT,
    "cargo": _installs("install run build"),
    "code": _installs("--install-extension"),
    "conda": _APT,
    "crontab": _crontab,
    "dnf": _APT,
    "dpkg": _installs("-i --install --unpack"),
    "eval": _evaluated,
    "flatpak": _APT,
    "gawk": _runs_option("-f", "--file", language="awk"),
    "gdb": _runs_option("-x", "--command", language="gdb"),
    "gem": _APT,
    "gmake": _made,
    "go": _installs("run install build"),
    "insmod": _runs_first("binary"),
    "installer": _installs("-pkg"),
    "java": _java,
    "launchctl": _installs("load bootstrap"),
    "make": _made,
    "mawk": _runs_option("-f", "--file", language="awk"),
    "npm": _NPM,
    "npx": _runs_first("package"),
    "open": _runs_first("", "-a -b"),
    "pacman": _installs("-U --upgrade"),
    "pip": _PIP,
    "pip3": _PIP,
    "pipx": _installs("install run"),
    "pnpm": _NPM,
    "rpm": _installs("-i -U -F --install --upgrade --freshen"),
    "snap": _APT,
    "source": _sourced,
    "systemctl": _systemctl,
    "tmux": _runs_option("-f", language="tmux"),
    "uv": _installs("run install add"),
    "vi": _runs_option("-S", "-u", language="vim"),
    "vim": _runs_option("-S", "-u", language="vim"),
    "yarn": _NPM,
    "yum": _APT,
    "zypper": _APT,
}
