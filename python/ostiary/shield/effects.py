"""What programs do to files that are marked: copy, rename, unpack, check, delete, overwrite."""

from collections.abc import Callable, Iterable, Mapping
from posixpath import basename, dirname
from typing import Final

from ostiary.shield.marks import Downloaded, Mark, Strength
from ostiary.shield.options import names, take_apart
from ostiary.shield.places import Place
from ostiary.shield.step import Step

Effect = Callable[[Step], None]

UNPACKED: Final = "it stands beside what a downloaded archive unpacked"
_CHECKED: Final = "its checksum or signature was checked"
_SHARED: Final = frozenset(
    {Place.ROOT, Place.SYSTEM, Place.HOME, Place.ABOVE, Place.WORKSPACE, Place.SCRATCH_ROOT}
)
_SHARED_NAMES: Final = frozenset({"bin", "sbin", "lib", "local", "opt", "src", "share"})
_SUFFIXES: Final = [
    ".tar.gz",
    ".tar.xz",
    ".tar.bz2",
    ".tar.zst",
    ".tar.lz",
    ".tgz",
    ".txz",
    ".tbz",
    ".tbz2",
    ".tzst",
    ".tar",
    ".zip",
    ".7z",
    ".rar",
    ".jar",
    ".whl",
    ".deb",
    ".rpm",
    ".gz",
    ".xz",
    ".bz2",
    ".zst",
    ".lz4",
    ".Z",
]


# Copies

_COPY_VALUED: Final = names(
    """-t --target-directory -S --suffix -m --mode -o --owner -g --group --backup"""
)


def _copied(step: Step) -> None:
    _transferred(step, moved=False)


def _moved(step: Step) -> None:
    _transferred(step, moved=True)


def _transferred(step: Step, *, moved: bool) -> None:
    args = step.run.args
    options = take_apart(args, _COPY_VALUED)
    operands = list(options.operands)
    folder = options.value("-t", "--target-directory")
    if folder is None:
        if len(operands) < 2:  # noqa: PLR2004 # `ln -s FILE` alone links into this folder
            targets, only_into = step.paths(".", -1), True
        else:
            at = operands.pop()
            targets, only_into = step.paths(args[at], at + 1), args[at].endswith(("/", "."))
    else:
        targets, only_into = step.paths(folder, -1), True
    into = only_into or len(operands) > 1
    for target in targets[:1]:
        for at in operands:
            for source in step.paths(args[at], at + 1):
                _transfer(step, source, target, moved=moved, only_into=into)


def _transfer(step: Step, source: str, target: str, *, moved: bool, only_into: bool) -> None:
    """Give what a file or folder is to its copy, which can lie in the target or be the target."""
    inside = f"{target.rstrip('/')}/{basename(source)}"
    targets = (inside,) if only_into else (target, inside)
    marks = step.marks(source)
    below = step.below(source)
    if not marks and not below:
        if not only_into:
            step.replace(target, None)
        step.replace(inside, None)
        return
    for path in targets:
        _give(step, path, marks)
        for name, inner in below:
            _give(step, path + name[len(source.rstrip("/")) :], inner)
    if moved:
        step.replace(source, None, tree=True)


def _give(step: Step, path: str, marks: Iterable[Mark]) -> None:
    first = True
    for mark in marks:
        if first:
            step.replace(path, mark)
        else:
            step.add(path, mark)
        first = False


# Deletes


def _removed(step: Step) -> None:
    options = take_apart(step.run.args, frozenset())
    if options.has("-i", "-I", "--interactive"):
        return
    tree = options.has("-r", "-R", "--recursive")
    for at in options.operands:
        word = step.run.args[at]
        if not word.endswith("/") or tree:  # rm refuses `FILE/`
            for path in step.paths(word, at + 1):
                step.replace(path, None, tree=tree)


# Archives


def _untarred(step: Step) -> None:
    args = list(step.run.args)
    if args and args[0][:1] != "-" and not args[0].startswith("/"):
        args[0] = "-" + args[0]  # the old way: `tar xzf FILE`
    valued = names(
        """-f -C -T -X -I -b --file --directory --exclude --strip-components --transform
        --use-compress-program --owner --group --mode"""
    )
    options = take_apart(args, valued)
    if not options.has("-x", "--extract", "--get"):
        return
    archive = options.value("-f", "--file")
    folder = options.value("-C", "--directory", "--one-top-level")
    members = [args[at] for at in options.operands]
    _unpacked(step, None if archive in {None, "-"} else archive, folder, members)


def _unzipped(step: Step) -> None:
    options = take_apart(step.run.args, frozenset(["-d", "-x", "-P"]))
    if options.has("-p", "-c", "-l", "-t", "-Z") or not options.operands:
        return
    words = [step.run.args[at] for at in options.operands]
    _unpacked(step, words[0], options.value("-d"), words[1:])


def _unzipped_7z(step: Step) -> None:
    words = [word for word in step.run.args if not word.startswith("-")]
    folders = [word[2:] for word in step.run.args if word.startswith("-o")]
    if len(words) > 1 and words[0] in {"x", "e"}:
        _unpacked(step, words[1], folders[0] if folders else None, words[2:])


def _unpacked_by_dpkg(step: Step) -> None:
    words = [word for word in step.run.args if not word.startswith("-")]
    if words and any(word in {"-x", "-X", "--extract", "-R"} for word in step.run.args):
        _unpacked(step, words[0], words[1] if len(words) > 1 else None, [])


def _unpacked(step: Step, archive: str | None, folder: str | None, members: list[str]) -> None:
    """Mark what an archive that came from elsewhere unpacks.

    Args:
        step: The run.
        archive: The archive as a word; None for the standard input.
        folder: The folder that it is unpacked to, None for the current one.
        members: The only names that are unpacked.
    """
    mark = _incoming(step) if archive is None else _downloaded(step, archive)
    target = next(iter(step.paths(folder or ".", -1)), None)
    if mark is None or target is None:
        return
    own_room = folder is not None and _is_own_room(step, target)
    wide = mark if own_room else mark.weak(UNPACKED)
    step.add(target, wide._replace(folder=True))
    if archive is not None and not own_room:
        step.add(f"{target.rstrip('/')}/{_stem(archive)}", mark._replace(folder=True))
    for member in members:
        for path in step.paths(f"{target}/{member}", -1):
            step.add(path, mark)


def _is_own_room(step: Step, folder: str) -> bool:
    """Return whether a folder was most likely made for what is unpacked into it."""
    return step.place(folder) not in _SHARED and basename(folder) not in _SHARED_NAMES


def _downloaded(step: Step, word: str) -> Downloaded | None:
    """Return the strongest mark of a file that came from elsewhere."""
    found = [mark for mark, _ in step.foreign(word, -1)]
    return max(found, key=lambda mark: mark.strength, default=None)


def _incoming(step: Step) -> Downloaded | None:
    found = step.incoming()
    return None if found is None else found[0]


def _stem(archive: str) -> str:
    name = basename(archive)
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and len(name) > len(suffix):
            return name.removesuffix(suffix)
    return name


def _decompressed(step: Step) -> None:
    """`gunzip f.gz` makes `f`, `zstd -d f.zst -o g` makes `g`."""
    run = step.run
    options = take_apart(run.args, frozenset(["-o", "-S", "--suffix", "-T"]))
    decodes = run.program.startswith("un") or "un" in run.program[1:] or run.program == "lz4"
    if options.has("-c", "--stdout", "--to-stdout") or not (
        decodes or options.has("-d", "--decompress", "--uncompress")
    ):
        return
    named = options.value("-o")
    for at in options.operands:
        for path in step.paths(run.args[at], at + 1):
            plain = f"{dirname(path)}/{_stem(path)}"
            for target in step.paths(named or plain, -1):
                _give(step, target, step.marks(path))
            if not options.has("-k", "--keep"):
                step.replace(path, None)


def _named_output(*names: str) -> Effect:
    """Return the effect of a filter whose output file is an option's value: `base64 -d f -o g`."""

    def effect(step: Step) -> None:
        options = take_apart(step.run.args, frozenset([*names, "-in", "--input", "-i", "if", "-k"]))
        target = options.value(*names)
        if target is None:
            return
        words = [step.run.args[at] for at in options.operands]
        words += options.values("-in", "--input", "-i")
        marks = [mark for word in words if (mark := _downloaded(step, word)) is not None]
        mark = next(iter(marks), None) or _incoming(step)
        for path in step.paths(target, -1):
            step.replace(path, mark)

    return effect


def _dd(step: Step) -> None:
    values = dict(word.partition("=")[::2] for word in step.run.args)
    target = values.get("of")
    if target is not None:
        mark = _downloaded(step, values["if"]) if "if" in values else _incoming(step)
        for path in step.paths(target, -1):
            step.replace(path, mark)


def _last_is_output(step: Step) -> None:
    """`xxd -r in out`."""
    operands = take_apart(step.run.args, frozenset()).operands
    words = [step.run.args[at] for at in operands]
    if len(words) > 1:
        mark = _downloaded(step, words[0]) or _incoming(step)
        for path in step.paths(words[-1], -1):
            step.replace(path, mark)


# Checks


def _checked_sums(step: Step) -> None:
    run = step.run
    options = take_apart(run.args, frozenset(["-a", "--algorithm"]))
    if not options.has("-c", "--check"):
        return
    if run.stdin is not None:
        for line in run.stdin.splitlines()[:64]:
            name = line.rpartition(" ")[2].removeprefix("*")
            _lower(step, step.paths(name, -1))
    for at in options.operands:
        for path in step.paths(run.args[at], at + 1):
            named = path.rpartition(".")[0]  # `i.sh` of `i.sh.sha256`
            if step.marks(named):
                _lower(step, [named])
            else:
                _lower(step, [below for below, _ in step.below(dirname(path) or "/")])


def _checked_signature(step: Step) -> None:
    """`gpg --verify f.sig f`, `cosign verify-blob … f`, `minisign -Vm f`."""
    args = step.run.args
    if any(word.lower().startswith(("--verify", "verify", "-v")) for word in args) or (
        step.run.program == "gpgv"
    ):
        for at, word in enumerate(args):
            for path in step.paths(word, at + 1):
                _lower(step, [path, path.rpartition(".")[0]])


def _lower(step: Step, paths: Iterable[str]) -> None:
    if not step.proven:
        return
    for path in paths:
        marks = [
            mark.weak(_CHECKED) if isinstance(mark, Downloaded) else mark
            for mark in step.marks(path)
        ]
        if any(isinstance(mark, Downloaded) and mark.strength is Strength.WEAK for mark in marks):
            _give(step, path, marks)


def _git(step: Step) -> None:
    match step.run.args:
        case ["mv", *_]:
            inner = step.run.args[1:]
            words = [word for word in inner if not word.startswith("-")]
            if len(words) == 2:  # noqa: PLR2004 # a source and a target
                for source in step.paths(words[0], -1):
                    for target in step.paths(words[1], -1):
                        _transfer(step, source, target, moved=True, only_into=False)


EFFECTS: Final[Mapping[str, Effect]] = {
    "7z": _unzipped_7z,
    "7za": _unzipped_7z,
    "7zr": _unzipped_7z,
    "b2sum": _checked_sums,
    "base64": _named_output("-o", "--output"),
    "bsdtar": _untarred,
    "bunzip2": _decompressed,
    "bzip2": _decompressed,
    "cosign": _checked_signature,
    "cp": _copied,
    "dd": _dd,
    "dpkg-deb": _unpacked_by_dpkg,
    "git": _git,
    "gpg": _checked_signature,
    "gpg2": _checked_signature,
    "gpgv": _checked_signature,
    "gtar": _untarred,
    "gunzip": _decompressed,
    "gzip": _decompressed,
    "install": _copied,
    "link": _copied,
    "ln": _copied,
    "lz4": _decompressed,
    "md5sum": _checked_sums,
    "minisign": _checked_signature,
    "mv": _moved,
    "openssl": _named_output("-out"),
    "rm": _removed,
    "rsync": _copied,
    "sha1sum": _checked_sums,
    "sha224sum": _checked_sums,
    "sha256sum": _checked_sums,
    "sha384sum": _checked_sums,
    "sha512sum": _checked_sums,
    "shasum": _checked_sums,
    "shred": _removed,
    "sort": _named_output("-o", "--output"),
    "tar": _untarred,
    "uncompress": _decompressed,
    "unlink": _removed,
    "unlzma": _decompressed,
    "unrar": _unzipped_7z,
    "unxz": _decompressed,
    "unzip": _unzipped,
    "unzstd": _decompressed,
    "xxd": _last_is_output,
    "xz": _decompressed,
    "zstd": _decompressed,
}
"""What programs do to files, by their name."""
