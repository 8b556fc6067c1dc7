"""Programs that send, and what they send."""

from collections.abc import Iterator
from typing import Final

from ostiary.shield import bits
from ostiary.shield.grammar import grammar, read_flags
from ostiary.shield.reading import STDIN, Run
from ostiary.shield.rules.written_files import FETCH
from ostiary.shield.scene import Scene

SENDERS: Final = frozenset({
    "curl", "wget", "nc", "ncat", "netcat", "socat", "telnet", "scp", "rsync", "sftp", "ftp",
    "lftp", "tftp", "ssh", "mail", "mailx", "mutt", "sendmail", "msmtp", "swaks", "dig", "nslookup",
    "host", "ping", "http", "https", "httpie", "xh", "aws", "gsutil", "gcloud", "rclone", "s3cmd",
    "openssl", "websocat", "croc", "wormhole", "smbclient", "transfer", "azcopy", "mc", "logger",
    "ncftpput", "curlie", "aria2c", "gh", "hub", "magic-wormhole", "mosquitto_pub", "nsupdate",
    "busybox", "whois", "finger", "bitsadmin", "certutil",
})  # fmt: skip
_DATA: Final = frozenset({
    "data", "data-binary", "data-urlencode", "data-ascii", "form", "upload-file", "json",
    "post-file", "body-file", "post-data", "body-data", "header", "cookie", "user", "d",
})  # fmt: skip
_FILES: Final = frozenset({"upload-file", "post-file", "body-file"})
_SCP: Final = grammar(valued="i P o F c l S e J rsh exclude include files-from f filter port")
_COPIERS: Final = frozenset({
    "scp", "rsync", "sftp", "rclone", "gsutil", "aws", "s3cmd", "mc", "azcopy", "smbclient", "croc",
    "wormhole", "lftp", "ftp", "gcloud",
})  # fmt: skip
_POSTERS: Final = frozenset({
    "http", "https", "httpie", "xh", "mail", "mailx", "mutt", "swaks", "gh", "hub", "socat",
    "mosquitto_pub", "curlie", "ncftpput", "certutil",
})  # fmt: skip


def sends(run: Run) -> bool:
    """Return whether a run can send what it reads to another machine."""
    return run.program in SENDERS or any(
        one.target.startswith(("/dev/tcp/", "/dev/udp/")) and one.op != "<" for one in run.redirects
    )


def is_local(run: Run) -> bool:
    """Return whether a run talks to this machine alone."""
    hosts = [word for word in run.args if "//" in word or word in {"localhost", "127.0.0.1"}]
    return bool(hosts) and all(
        word.partition("//")[2].startswith(("localhost", "127.", "[::1]"))
        or word in {"localhost", "127.0.0.1"}
        for word in hosts
    )


def payloads(scene: Scene) -> Iterator[tuple[str, int]]:
    """Yield the words that name files which a run sends, with their marks."""
    run = scene.run
    for redirect in run.redirects:
        if redirect.op == "<":
            yield redirect.target, redirect.mark
    if run.program in FETCH:
        yield from _of_flags(scene)
    elif run.program in _COPIERS:
        yield from _copied(scene)
        if run.program in _TALKERS:
            yield from _said(scene)
    elif run.program in _POSTERS and not (run.program == "gh" and run.args[1:2] == ("set",)):
        # `gh secret set` gives a repository what it is to have.
        for arg, word in enumerate(run.args):
            yield _file_part(word), scene.mark(arg)


_TALKERS: Final = frozenset({"sftp", "ftp", "lftp", "smbclient"})
"""Programs that take commands on their standard input."""


def _of_flags(scene: Scene) -> Iterator[tuple[str, int]]:
    run = scene.run
    for name, value, arg in read_flags(run.args, FETCH[run.program]).values:
        if name in _DATA:
            yield from _of_flag(name, value, scene.mark(arg))


def _said(scene: Scene) -> Iterator[tuple[str, int]]:
    """Yield the files that the commands on the standard input of `sftp` or `ftp` send."""
    text = scene.run.stdin
    if text is None:
        text = next((run.output for run in scene.feeds(STDIN) if run.output), None) or ""
    for line in text[:_LONGEST_SCRIPT].splitlines():
        words = line.split()
        if len(words) > 1 and words[0].lower() in {"put", "mput", "reput", "send"}:
            yield from ((word, 0) for word in words[1:] if word[:1] != "-")


_LONGEST_SCRIPT: Final = 10_000
"""Characters of commands for `sftp` that are read."""


def _of_flag(name: str, value: str, mark: int) -> Iterator[tuple[str, int]]:
    if name in _FILES:
        yield value, mark
    elif name in {"form", "data-urlencode"}:
        sign = max(value.find("=@"), value.find("=<"))
        if sign >= 0:
            yield value[sign + 2 :].partition(";")[0], mark
        elif value[:1] in {"@", "<"}:
            yield value[1:], mark
        elif name == "data-urlencode" and "@" in value and "=" not in value:
            yield value.partition("@")[2], mark
    elif value[:1] == "@":
        yield value[1:], mark


def _file_part(word: str) -> str:
    """Return the path in `name=@FILE`, `file=@FILE`, `FILE:path` or `<FILE`."""
    for sign in ("=@", "@/", "@.", "FILE:", "file:", "OPEN:"):
        at = word.find(sign)
        if at >= 0:
            return word[at + len(sign) - (sign[0] == "@") :]
    return word.lstrip("@<")


def _copied(scene: Scene) -> Iterator[tuple[str, int]]:
    """Yield the sources of a copy whose goal is another machine or a bucket."""
    options = read_flags(scene.run.args, _SCP)
    words = [(scene.run.args[arg], scene.mark(arg)) for arg in options.operands]
    if scene.run.program in {"scp", "rsync"}:
        if not words or ":" not in words[-1][0]:
            return
        words = words[:-1]
    for word, mark in words:
        if "://" not in word and not (":" in word.partition("/")[0] and not mark & bits.GLOB):
            yield word, mark
