"""Which files a run writes to."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.grammar import Flags, Grammar, grammar, read_flags
from ostiary.shield.places import Target
from ostiary.shield.scene import Scene

_COPY: Final = grammar(
    "t=target-directory S=suffix m=mode o=owner g=group Z=context d=directory",
    long="target-directory no-target-directory backup update",
    valued="target-directory suffix m mode o owner g group",
)
_TEE: Final = grammar("a=append i=ignore-interrupts p=output-error")
_SED: Final = grammar(
    "i=in-place e=expression f=file n=quiet E=regexp-extended r=regexp-extended l=line-length",
    valued="expression file line-length",
)
_OUTPUT: Final = grammar("o=output O=output-document", valued="output output-document out outfile")
_CURL: Final = grammar(
    "o=output d=data H=header u=user A=user-agent e=referer X=request F=form T=upload-file "
    "b=cookie c=cookie-jar K=config m=max-time x=proxy w=write-out E=cert r=range U=proxy-user "
    "C=continue-at D=dump-header y=speed-time Y=speed-limit z=time-cond Q=quote P=ftp-port",
    long="output-dir data-binary data-raw data-urlencode json cacert key url resolve retry",
    valued="output data header user user-agent referer request form upload-file cookie "
    "cookie-jar config max-time proxy write-out cert range proxy-user continue-at dump-header "
    "speed-time speed-limit time-cond quote ftp-port output-dir data-binary data-raw "
    "data-urlencode data-ascii json cacert capath key url resolve retry connect-timeout "
    "form-string limit-rate retry-delay retry-max-time noproxy interface",
)
_WGET: Final = grammar(
    "O=output-document P=directory-prefix o=output-file a=append-output i=input-file t=tries "
    "T=timeout U=user-agent Q=quota w=wait e=execute l=level A=accept R=reject D=domains",
    long="post-data post-file header method body-data body-file quiet continue recursive",
    valued="output-document directory-prefix output-file append-output input-file tries timeout "
    "user-agent quota wait execute level accept reject domains post-data post-file header method "
    "body-data body-file user password referer",
)

FETCH: Final[Mapping[str, Grammar]] = {"curl": _CURL, "wget": _WGET}
"""How the flags of `curl` and `wget` are written."""


def written(scene: Scene) -> Iterator[tuple[Target, bool]]:
    """Yield the files that a run writes to, and whether what was in them stays.

    Redirections count too; a file that is only made newer (`touch`) does not.
    """
    for redirect in scene.run.redirects:
        if redirect.op != "<":
            yield scene.path(redirect.target, redirect.mark), redirect.op != ">"
    writer = WRITERS.get(scene.run.program)
    if writer is not None:
        yield from writer(scene)


def _copied(scene: Scene) -> Iterator[tuple[Target, bool]]:
    """Yield where `cp`, `mv`, `ln`, `install` and `rsync` put what they take."""
    options = read_flags(scene.run.args, _COPY)
    args, operands = scene.run.args, options.operands
    folder = options.value("target-directory")
    if folder is not None:
        goal, sources = scene.path(folder), operands
    elif len(operands) > 1:
        goal, sources = scene.target(operands[-1]), operands[:-1]
    else:
        return
    yield goal, False
    for arg in sources[:_MOST_SOURCES]:
        name = args[arg].rstrip("/").rpartition("/")[2]
        mark = scene.mark(arg) & (bits.GLOB | bits.UNKNOWN)
        if name and not mark:
            yield scene.path(f"{goal.word.rstrip('/')}/{name}", goal_mark(goal)), False


_MOST_SOURCES: Final = 64
"""Names of sources that are looked for below the goal."""


def goal_mark(goal: Target) -> int:
    """Return the `Mark` bits that a target's word had, as far as its path needs them."""
    return bits.UNKNOWN if goal.path is None else 0


def _teed(scene: Scene) -> Iterator[tuple[Target, bool]]:
    options = read_flags(scene.run.args, _TEE)
    for arg in options.operands:
        yield scene.target(arg), options.has("append")


def _sed_in_place(scene: Scene) -> Iterator[tuple[Target, bool]]:
    options = read_flags(scene.run.args, _SED)
    if not options.has("in-place"):
        return
    operands = options.operands if options.has("expression", "file") else options.operands[1:]
    for arg in operands:
        if not scene.mark(arg) & bits.FOUND:
            yield scene.target(arg), True


def _dd(scene: Scene) -> Iterator[tuple[Target, bool]]:
    for arg, word in enumerate(scene.run.args):
        if word.startswith("of="):
            yield scene.path(word[3:], scene.mark(arg)), False


def _output_flag(scene: Scene) -> Iterator[tuple[Target, bool]]:
    form = FETCH.get(scene.run.program, _OUTPUT)
    for _name, value, _ in _of_output(read_flags(scene.run.args, form)):
        yield scene.path(value), False
    yield from _extracted(scene)


def _of_output(options: Flags) -> Iterator[tuple[str, str, int]]:
    names = {"output", "output-document", "out", "outfile", "dump-header", "cookie-jar"}
    return (one for one in options.values if one[0] in names and one[1] != "-")


def _into(folder: str) -> str:
    """Return the name of some file in a folder; the root stays, for what is in it is anywhere."""
    return f"{folder}/.new" if folder.strip("/") else folder


def _archive(scene: Scene) -> Iterator[tuple[Target, bool]]:
    args = scene.run.args
    letters = args[0].lstrip("-") if args and not args[0].startswith("--") else ""
    if "x" in letters[:12] or "--extract" in args:
        folder = read_flags(args, _TAR).value("directory")
        if folder is not None:
            yield scene.path(_into(folder)), True
    if "c" in letters[:12] or "--create" in args:
        options = read_flags(args, _TAR)
        for name, value, arg in options.values:
            if name == "file" and value != "-":
                yield scene.path(value, scene.mark(arg)), False
        if "f" in letters and args[0][:1] != "-" and len(args) > 1 and args[1] != "-":
            yield scene.target(1), False


def _extracted(scene: Scene) -> Iterator[tuple[Target, bool]]:
    """Yield the folder into which `unzip -d` or `wget -P` puts what it takes."""
    form = FETCH.get(scene.run.program, _UNZIP)
    for name, value, arg in read_flags(scene.run.args, form).values:
        if name in {"d", "directory-prefix"}:
            yield scene.path(_into(value), scene.mark(arg)), True


_UNZIP: Final = grammar(valued="d")
_TAR: Final = grammar("f=file C=directory", valued="file directory exclude T X")


def _operands(scene: Scene) -> Iterator[tuple[Target, bool]]:
    for arg in read_flags(scene.run.args).operands:
        yield scene.target(arg), True


WRITERS: Final[Mapping[str, Callable[[Scene], Iterator[tuple[Target, bool]]]]] = {
    "cp": _copied, "mv": _copied, "ln": _copied, "install": _copied, "rsync": _copied,
    "scp": _copied, "gcp": _copied, "ditto": _copied, "tee": _teed, "sponge": _teed,
    "sed": _sed_in_place, "gsed": _sed_in_place, "perl": _sed_in_place, "dd": _dd, "dcfldd": _dd,
    "curl": _output_flag, "wget": _output_flag, "sort": _output_flag, "openssl": _output_flag,
    "unzip": _extracted,
    "gpg": _output_flag, "tar": _archive, "bsdtar": _archive, "ed": _operands, "ex": _operands,
    "patch": _operands,
}  # fmt: skip
