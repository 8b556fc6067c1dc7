"""What is got from other machines, stores and repositories."""

from collections.abc import Iterator, Sequence
from posixpath import basename, join
from typing import Final

from ostiary.shield.fetch import (
    OUTPUT,
    Fetch,
    fetched,
    folder_of,
    name_of,
    words_of,
    words_of_run,
)
from ostiary.shield.options import names, take_apart
from ostiary.shield.reading import Run

# Copies from other machines

_SCP_VALUED: Final = names("-P -i -o -F -c -J -l -S -D -X")
_RSYNC_VALUED: Final = names(
    """-e -f -B -T -M --rsh --exclude --include --exclude-from --include-from --files-from
    --filter --rsync-path --bwlimit --timeout --port --password-file --chmod --chown
    --log-file --temp-dir --compare-dest --copy-dest --link-dest --backup-dir --suffix
    --max-size --min-size --out-format --partial-dir"""
)


def is_remote(word: str) -> bool:
    """Return whether scp or rsync would take a word for a file on another machine."""
    if "://" in word:
        return not word.startswith("file://")
    host, colon, _ = word.partition(":")
    return bool(colon) and "/" not in host


def scp(run: Run) -> Iterator[Fetch]:
    """Yield what `scp` gets from other machines."""
    options = take_apart(run.args, _SCP_VALUED)
    return _copied(words_of_run(run, options), many=options.has("-r"))


def rsync(run: Run) -> Iterator[Fetch]:
    """Yield what `rsync` gets from other machines."""
    options = take_apart(run.args, _RSYNC_VALUED)
    return _copied(
        words_of_run(run, options), many=options.has("-r", "-a", "--recursive", "--archive")
    )


def _copied(words: Sequence[str], *, many: bool) -> Iterator[Fetch]:
    if len(words) < 2 or is_remote(words[-1]):  # noqa: PLR2004 # sources and a target
        return
    sources = [word for word in words[:-1] if is_remote(word)]
    for source in sources:
        yield from _beside(source, words[-1], basename(source.rpartition(":")[2].rstrip("/")))
        if many:
            yield folder_of(source, words[-1], "it stands among files from another machine")


def _beside(source: str, target: str, name: str) -> Iterator[Fetch]:
    """Yield a file at its target, which can be the folder that it goes into."""
    if not target.endswith(("/", ".")):
        yield fetched(source, target)
    if name:
        yield fetched(source, join(target, name))


def sftp(run: Run) -> Iterator[Fetch]:
    """Yield what `sftp` gets."""
    words = words_of_run(run, take_apart(run.args, _SCP_VALUED | {"-b", "-R", "-s", "-B"}))
    if words and is_remote(words[0]):
        return _beside(words[0], words[1] if len(words) > 1 else ".", name_of(words[0]))
    return iter(())


def cloud(run: Run) -> Iterator[Fetch]:
    """`aws s3 cp`, `gsutil cp`, `gcloud storage cp`, `rclone copy`."""
    words = [word for word in run.args if not word.startswith("-") or word == OUTPUT]
    verbs = {"cp", "mv", "sync", "copy", "copyto", "rsync", "get", "mirror"}
    at = next((at for at, word in enumerate(words) if word in verbs), None)
    if (
        at is None
        or len(words) < at + 3
        or not is_remote(words[at + 1])
        or is_remote(words[at + 2])
    ):
        return
    source, target = words[at + 1 : at + 3]
    if target in {OUTPUT, "/dev/stdout"}:
        yield fetched(source, OUTPUT)
        return
    yield from _beside(source, target, name_of(source))
    if words[at] not in {"cp", "mv", "copyto"} or "--recursive" in run.args or "-r" in run.args:
        yield folder_of(source, target, "it stands among files from a store")


# Repositories

_GIT_VALUED: Final = frozenset(["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
_CLONE_VALUED: Final = names(
    """-b -o -u -c -j --branch --origin --depth --reference --config --jobs --template --filter
    --shallow-since --separate-git-dir --upload-pack --bundle-uri"""
)
_CLONED = "it stands in a repository that was cloned"


def git(run: Run) -> Iterator[Fetch]:
    """Yield what `git clone` gets."""
    if "clone" not in run.args:
        return
    options = take_apart(run.args, _GIT_VALUED, stop_at_operand=True)
    words = words_of_run(run, options)
    if words[:1] != ["clone"]:
        return
    operands = words_of(words[1:], _CLONE_VALUED)
    if operands and (is_remote(operands[0]) or "*" in operands[0]):
        yield _clone(operands, options.value("-C") or "")


def gh(run: Run) -> Iterator[Fetch]:
    """Yield what GitHub's command line gets."""
    words = words_of(run.args, names("-R --repo -p --pattern -D --dir -O"))
    match words:
        case ["repo", "clone", *operands] if operands:
            yield _clone(operands, "")
        case ["release" | "run", "download", *_]:
            options = take_apart(run.args, frozenset(["-D", "--dir", "-O", "--output", "-p", "-R"]))
            source = "a release on GitHub"
            name = options.value("-O", "--output")
            if name is not None:
                yield fetched(source, OUTPUT if name == "-" else name)
            else:
                folder = options.value("-D", "--dir") or "."
                yield folder_of(source, folder, "it stands among files of a release")
        case ["api" | "gist", *_]:
            yield fetched("GitHub", OUTPUT)


def _clone(operands: Sequence[str], folder: str) -> Fetch:
    named = operands[1] if len(operands) > 1 else name_of(operands[0].rpartition(":")[2])
    return folder_of(operands[0], join(folder, named.removesuffix(".git") or named), _CLONED)


def hg_or_svn(run: Run) -> Iterator[Fetch]:
    """Yield what `hg clone`, `svn checkout` and the like get."""
    words = [word for word in run.args if not word.startswith("-")]
    if len(words) > 1 and words[0] in {"clone", "checkout", "co", "export"} and is_remote(words[1]):
        yield _clone(words[1:], "")
