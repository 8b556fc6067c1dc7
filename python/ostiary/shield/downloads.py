"""Which files, folders and outputs of a run come from elsewhere."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import join
from typing import Final

from ostiary.shield.downloads_hosts import cloud, gh, git, hg_or_svn, rsync, scp, sftp
from ostiary.shield.downloads_web import curl, wget
from ostiary.shield.fetch import (
    OUTPUT,
    Fetch,
    fetched,
    folder_of,
    name_of,
    words_of_run,
)
from ostiary.shield.options import names, take_apart
from ostiary.shield.reading import Run


def fetches(run: Run) -> tuple[Fetch, ...]:
    """Return what a run gets from elsewhere, most often nothing."""
    find = FETCHERS.get(run.program)
    if find is not None:
        return tuple(find(run))
    for redirect in run.redirects:
        if redirect.target.startswith(("/dev/tcp/", "/dev/udp/")):
            return (Fetch(redirect.target, OUTPUT),)
    return ()


def _aria2c(run: Run) -> Iterator[Fetch]:
    options = take_apart(
        run.args,
        names("-d -o -x -s -j -k -i -l --dir --out --input-file --checksum --header"),
    )
    folder = options.value("-d", "--dir") or ""
    for address in words_of_run(run, options):
        yield fetched(address, join(folder, options.value("-o", "--out") or name_of(address)))
    if options.has("-i", "--input-file"):
        yield folder_of("a list of addresses", folder or ".", "it stands among fetched files")


def _to_file(*outputs: str, valued: str = "") -> Callable[[Run], Iterator[Fetch]]:
    """Return a finder for programs that print unless one option names a file."""
    takes = frozenset([*outputs, *valued.split()])

    def find(run: Run) -> Iterator[Fetch]:
        options = take_apart(run.args, takes)
        words = words_of_run(run, options)
        address = next((word for word in words if "." in word or ":" in word), run.program)
        yield fetched(address, options.value(*outputs) or OUTPUT)

    return find


def _named(run: Run) -> Iterator[Fetch]:
    """`axel`, `lwp-download`: a file named after the address, or by the next word."""
    options = take_apart(run.args, frozenset(["-o", "--output", "-n", "-s"]))
    words = words_of_run(run, options)
    if words:
        second = words[1] if len(words) > 1 else name_of(words[0])
        yield fetched(words[0], options.value("-o", "--output") or second)


def _printed(run: Run) -> Iterator[Fetch]:
    yield fetched(next((w for w in run.args if not w.startswith("-")), run.program), OUTPUT)


def _socat(run: Run) -> Iterator[Fetch]:
    if any(":" in word for word in run.args):
        yield Fetch("a network connection", OUTPUT)


def _openssl(run: Run) -> Iterator[Fetch]:
    if run.args[:1] == ("s_client",):
        yield Fetch("a network connection", OUTPUT)


def _browser(run: Run) -> Iterator[Fetch]:
    if any(word.startswith(("-dump", "--dump", "-source", "--source")) for word in run.args):
        yield from _printed(run)


def _pip(run: Run) -> Iterator[Fetch]:
    if run.args[:1] == ("download",):
        folder = take_apart(run.args, frozenset(["-d", "--dest"])).value("-d", "--dest") or "."
        yield folder_of("a package index", folder, "it stands among downloaded packages")


FETCHERS: Final[Mapping[str, Callable[[Run], Iterable[Fetch]]]] = {
    "aria2c": _aria2c,
    "aws": cloud,
    "axel": _named,
    "curl": curl,
    "dig": _printed,
    "fetch": _to_file("-o", "--output"),
    "ftp": _to_file("-o"),
    "gcloud": cloud,
    "gh": gh,
    "git": git,
    "gsutil": cloud,
    "hg": hg_or_svn,
    "host": _printed,
    "http": _to_file("-o", "--output", valued="-a --auth -A"),
    "https": _to_file("-o", "--output", valued="-a --auth -A"),
    "links": _browser,
    "lwp-download": _named,
    "lwp-request": _printed,
    "lynx": _browser,
    "mc": cloud,
    "nc": _printed,
    "ncat": _printed,
    "netcat": _printed,
    "nslookup": _printed,
    "openssl": _openssl,
    "pip": _pip,
    "pip3": _pip,
    "rclone": cloud,
    "rsync": rsync,
    "scp": scp,
    "sftp": sftp,
    "socat": _socat,
    "ssh": _printed,
    "svn": hg_or_svn,
    "telnet": _printed,
    "w3m": _browser,
    "wget": wget,
    "wget2": wget,
    "xh": _to_file("-o", "--output", valued="-a --auth -A"),
}
"""How a program's downloads are found, by its name."""
