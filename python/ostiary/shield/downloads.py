"""Which files, folders and outputs of a run come from elsewhere."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, join
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from ostiary.shield.marks import Strength
from ostiary.shield.options import Options, names, take_apart
from ostiary.shield.reading import Run

OUTPUT: Final = "-"
"""The target of a fetch that goes to the standard output."""

_LONGEST_SOURCE = 120
_LOOPBACK = ("localhost", "127.", "[::1]", "::1", "0.0.0.0")  # noqa: S104 # named, not bound


class Fetch(NamedTuple):
    """One thing that a run gets from elsewhere.

    Attributes:
        source: Where from.
        target: The file or folder as a word, or `OUTPUT`.
        strength: How sure it is that the content is foreign.
        why: What makes it weak.
        folder: Whether the target is a folder whose files are not named.
        only: Whether it is all that the run gets, so that the run fails where it fails.
    """

    source: str
    target: str
    strength: Strength = Strength.STRONG
    why: str = ""
    folder: bool = False
    only: bool = False


def fetches(run: Run) -> tuple[Fetch, ...]:
    """Return what a run gets from elsewhere, most often nothing."""
    find = FETCHERS.get(run.program)
    if find is not None:
        return tuple(find(run))
    for redirect in run.redirects:
        if redirect.target.startswith(("/dev/tcp/", "/dev/udp/")):
            return (Fetch(redirect.target, OUTPUT),)
    return ()


def _fetch(source: str, target: str, *, only: bool = False) -> Fetch:
    shown = source[:_LONGEST_SOURCE]
    if _host(source).startswith(_LOOPBACK):
        return Fetch(shown, target, Strength.WEAK, "this machine serves it", only=only)
    return Fetch(shown, target, only=only)


def _folder(source: str, target: str, why: str) -> Fetch:
    return Fetch(source[:_LONGEST_SOURCE], target, Strength.WEAK, why, folder=True)


def _host(address: str) -> str:
    try:
        return urlsplit(address if "//" in address else "//" + address).netloc.rpartition("@")[2]
    except ValueError:  # brackets that hold no address
        return address


def _name_of(address: str) -> str:
    return basename(address.partition("?")[0].partition("#")[0].rstrip("/"))


def _words(run: Run, options: Options) -> list[str]:
    return [run.args[at] for at in options.operands]


# curl

_CURL_VALUED: Final = names(
    """-o -d -H -X -u -A -e -b -c -F -T -x -m -w -K -E -r -z -C -D -P -Q -t -U -y -Y --output
    --output-dir --data --data-raw --data-binary --data-ascii --data-urlencode --json --header
    --request --user --user-agent --referer --cookie --cookie-jar --form --form-string
    --upload-file --proxy --proxy-user --max-time --connect-timeout --retry --retry-delay
    --retry-max-time --write-out --config --cert --key --cacert --capath --range --continue-at
    --url --resolve --interface --limit-rate --max-redirs --max-filesize --ciphers --proto
    --proto-redir --proto-default --tls-max --oauth2-bearer --unix-socket --connect-to
    --time-cond --dump-header --trace --trace-ascii --stderr --aws-sigv4 --noproxy
    --netrc-file --dns-servers --socks5 --socks5-hostname --parallel-max --speed-limit
    --speed-time --keepalive-time --variable --url-query --pinnedpubkey --pass --local-port
    --ftp-port --quote --telnet-option --rate"""
)


def _curl(run: Run) -> Iterator[Fetch]:
    options = take_apart(run.args, _CURL_VALUED)
    addresses = [*options.values("--url"), *_words(run, options)]
    targets = list(_curl_targets(options))
    folder = options.value("--output-dir") or ""
    named_by_server = options.has("-J", "--remote-header-name")
    for at, address in enumerate(addresses):
        target = targets[at] if at < len(targets) else None
        if target is None and not (at >= len(targets) and options.has("--remote-name-all")):
            yield _fetch(address, OUTPUT)
            continue
        name = target or _name_of(address)
        target = OUTPUT if name in {"-", "/dev/stdout"} else join(folder, name)
        if named_by_server:
            yield _folder(address, folder or ".", "the server chose the file's name")
        yield _fetch(address, target, only=len(addresses) == 1)
    if addresses:
        for beside in options.values("-D", "--dump-header", "--trace", "--trace-ascii"):
            yield _fetch(addresses[0], beside)


def _curl_targets(options: Options) -> Iterator[str | None]:
    """Yield a file for each address in turn; "" is one that is named after its address."""
    for name, value in options.given:
        if name in {"-o", "--output"}:
            yield value
        elif name in {"-O", "--remote-name"}:
            yield ""


# wget

_WGET_VALUED: Final = names(
    """-O -P -o -a -i -e -t -T -w -Q -U -l -A -R -D -I -X -B --output-document --directory-prefix
    --output-file --append-output --input-file --execute --tries --timeout --wait --quota
    --user-agent --level --accept --reject --domains --header --user --password --post-data
    --post-file --body-data --body-file --method --referer --limit-rate --load-cookies
    --save-cookies --ca-certificate --certificate --private-key --secure-protocol --base
    --cut-dirs --default-page --dns-timeout --connect-timeout --read-timeout --waitretry
    --bind-address --http-user --http-password --max-redirect"""
)


def _wget(run: Run) -> Iterator[Fetch]:
    options = take_apart(run.args, _WGET_VALUED)
    addresses = _words(run, options)
    folder = options.value("-P", "--directory-prefix") or ""
    if options.has(
        "-r", "-m", "-p", "-i", "--recursive", "--mirror", "--page-requisites", "--input-file"
    ):
        source = addresses[0] if addresses else "a list of addresses"
        yield _folder(source, folder or ".", "it stands among files that wget fetched")
    whole = options.value("-O", "--output-document")
    for address in addresses:
        if whole is None:
            name = basename(urlsplit_path(address)) or "index.html"
            target = join(folder, name)
        else:
            target = OUTPUT if whole in {"-", "/dev/stdout"} else whole
        yield _fetch(address, target, only=len(addresses) == 1)
    if options.has("--content-disposition", "--trust-server-names") and addresses:
        yield _folder(addresses[0], folder or ".", "the server chose the file's name")


def urlsplit_path(address: str) -> str:
    """Return the path of an address with its query, as wget names the file: `/a/f?x=1`."""
    after = address.partition("://")[2] or address
    return after.partition("#")[0].partition("/")[2]


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


def _scp(run: Run) -> Iterator[Fetch]:
    options = take_apart(run.args, _SCP_VALUED)
    return _copied(_words(run, options), many=options.has("-r"))


def _rsync(run: Run) -> Iterator[Fetch]:
    options = take_apart(run.args, _RSYNC_VALUED)
    return _copied(_words(run, options), many=options.has("-r", "-a", "--recursive", "--archive"))


def _copied(words: Sequence[str], *, many: bool) -> Iterator[Fetch]:
    if len(words) < 2 or is_remote(words[-1]):  # noqa: PLR2004 # sources and a target
        return
    sources = [word for word in words[:-1] if is_remote(word)]
    for source in sources:
        yield from _beside(source, words[-1], basename(source.rpartition(":")[2].rstrip("/")))
        if many:
            yield _folder(source, words[-1], "it stands among files from another machine")


def _beside(source: str, target: str, name: str) -> Iterator[Fetch]:
    """Yield a file at its target, which can be the folder that it goes into."""
    if not target.endswith(("/", ".")):
        yield _fetch(source, target)
    if name:
        yield _fetch(source, join(target, name))


def _sftp(run: Run) -> Iterator[Fetch]:
    words = _words(run, take_apart(run.args, _SCP_VALUED | {"-b", "-R", "-s", "-B"}))
    if words and is_remote(words[0]):
        return _beside(words[0], words[1] if len(words) > 1 else ".", _name_of(words[0]))
    return iter(())


def _cloud(run: Run) -> Iterator[Fetch]:
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
        yield _fetch(source, OUTPUT)
        return
    yield from _beside(source, target, _name_of(source))
    if words[at] not in {"cp", "mv", "copyto"} or "--recursive" in run.args or "-r" in run.args:
        yield _folder(source, target, "it stands among files from a store")


# Repositories

_GIT_VALUED: Final = frozenset(["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
_CLONE_VALUED: Final = names(
    """-b -o -u -c -j --branch --origin --depth --reference --config --jobs --template --filter
    --shallow-since --separate-git-dir --upload-pack --bundle-uri"""
)
_CLONED = "it stands in a repository that was cloned"


def _git(run: Run) -> Iterator[Fetch]:
    if "clone" not in run.args:
        return
    options = take_apart(run.args, _GIT_VALUED, stop_at_operand=True)
    words = _words(run, options)
    if words[:1] != ["clone"]:
        return
    operands = _words_of(words[1:], _CLONE_VALUED)
    if operands and (is_remote(operands[0]) or "*" in operands[0]):
        yield _clone(operands, options.value("-C") or "")


def _gh(run: Run) -> Iterator[Fetch]:
    words = _words_of(run.args, names("-R --repo -p --pattern -D --dir -O"))
    match words:
        case ["repo", "clone", *operands] if operands:
            yield _clone(operands, "")
        case ["release" | "run", "download", *_]:
            options = take_apart(run.args, frozenset(["-D", "--dir", "-O", "--output", "-p", "-R"]))
            source = "a release on GitHub"
            name = options.value("-O", "--output")
            if name is not None:
                yield _fetch(source, OUTPUT if name == "-" else name)
            else:
                folder = options.value("-D", "--dir") or "."
                yield _folder(source, folder, "it stands among files of a release")
        case ["api" | "gist", *_]:
            yield _fetch("GitHub", OUTPUT)


def _clone(operands: Sequence[str], folder: str) -> Fetch:
    named = operands[1] if len(operands) > 1 else _name_of(operands[0].rpartition(":")[2])
    return _folder(operands[0], join(folder, named.removesuffix(".git") or named), _CLONED)


def _hg_or_svn(run: Run) -> Iterator[Fetch]:
    words = [word for word in run.args if not word.startswith("-")]
    if len(words) > 1 and words[0] in {"clone", "checkout", "co", "export"} and is_remote(words[1]):
        yield _clone(words[1:], "")


def _words_of(args: Sequence[str], valued: frozenset[str]) -> list[str]:
    return [args[at] for at in take_apart(args, valued).operands]


# The rest


def _aria2c(run: Run) -> Iterator[Fetch]:
    options = take_apart(
        run.args,
        names("-d -o -x -s -j -k -i -l --dir --out --input-file --checksum --header"),
    )
    folder = options.value("-d", "--dir") or ""
    for address in _words(run, options):
        yield _fetch(address, join(folder, options.value("-o", "--out") or _name_of(address)))
    if options.has("-i", "--input-file"):
        yield _folder("a list of addresses", folder or ".", "it stands among fetched files")


def _to_file(*outputs: str, valued: str = "") -> Callable[[Run], Iterator[Fetch]]:
    """Return a finder for programs that print unless one option names a file."""
    takes = frozenset([*outputs, *valued.split()])

    def find(run: Run) -> Iterator[Fetch]:
        options = take_apart(run.args, takes)
        words = _words(run, options)
        address = next((word for word in words if "." in word or ":" in word), run.program)
        yield _fetch(address, options.value(*outputs) or OUTPUT)

    return find


def _named(run: Run) -> Iterator[Fetch]:
    """`axel`, `lwp-download`: a file named after the address, or by the next word."""
    options = take_apart(run.args, frozenset(["-o", "--output", "-n", "-s"]))
    words = _words(run, options)
    if words:
        second = words[1] if len(words) > 1 else _name_of(words[0])
        yield _fetch(words[0], options.value("-o", "--output") or second)


def _printed(run: Run) -> Iterator[Fetch]:
    yield _fetch(next((w for w in run.args if not w.startswith("-")), run.program), OUTPUT)


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
        yield _folder("a package index", folder, "it stands among downloaded packages")


FETCHERS: Final[Mapping[str, Callable[[Run], Iterable[Fetch]]]] = {
    "aria2c": _aria2c,
    "aws": _cloud,
    "axel": _named,
    "curl": _curl,
    "dig": _printed,
    "fetch": _to_file("-o", "--output"),
    "ftp": _to_file("-o"),
    "gcloud": _cloud,
    "gh": _gh,
    "git": _git,
    "gsutil": _cloud,
    "hg": _hg_or_svn,
    "host": _printed,
    "http": _to_file("-o", "--output", valued="-a --auth -A"),
    "https": _to_file("-o", "--output", valued="-a --auth -A"),
    "links": _browser,
    "lwp-download": _named,
    "lwp-request": _printed,
    "lynx": _browser,
    "mc": _cloud,
    "nc": _printed,
    "ncat": _printed,
    "netcat": _printed,
    "nslookup": _printed,
    "openssl": _openssl,
    "pip": _pip,
    "pip3": _pip,
    "rclone": _cloud,
    "rsync": _rsync,
    "scp": _scp,
    "sftp": _sftp,
    "socat": _socat,
    "ssh": _printed,
    "svn": _hg_or_svn,
    "telnet": _printed,
    "w3m": _browser,
    "wget": _wget,
    "wget2": _wget,
    "xh": _to_file("-o", "--output", valued="-a --auth -A"),
}
"""How a program's downloads are found, by its name."""


def folder_of(path: str) -> str:
    """Return the folder of a path, `/` for the root."""
    return dirname(path) or "/"
