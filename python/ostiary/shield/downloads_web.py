"""What `curl` and `wget` get, and the files it goes to."""

from collections.abc import Iterator
from posixpath import basename, join
from typing import Final

from ostiary.shield.fetch import OUTPUT, Fetch, fetched, folder_of, name_of, words_of_run
from ostiary.shield.options import Options, names, take_apart
from ostiary.shield.reading import Run

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


def curl(run: Run) -> Iterator[Fetch]:
    """Yield what `curl` gets."""
    options = take_apart(run.args, _CURL_VALUED)
    addresses = [*options.values("--url"), *words_of_run(run, options)]
    targets = list(_curl_targets(options))
    folder = options.value("--output-dir") or ""
    named_by_server = options.has("-J", "--remote-header-name")
    for at, address in enumerate(addresses):
        target = targets[at] if at < len(targets) else None
        if target is None and not (at >= len(targets) and options.has("--remote-name-all")):
            yield fetched(address, OUTPUT)
            continue
        name = target or name_of(address)
        target = OUTPUT if name in {"-", "/dev/stdout"} else join(folder, name)
        if named_by_server:
            yield folder_of(address, folder or ".", "the server chose the file's name")
        yield fetched(address, target, only=len(addresses) == 1)
    if addresses:
        for beside in options.values("-D", "--dump-header", "--trace", "--trace-ascii"):
            yield fetched(addresses[0], beside)


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


def wget(run: Run) -> Iterator[Fetch]:
    """Yield what `wget` gets."""
    options = take_apart(run.args, _WGET_VALUED)
    addresses = words_of_run(run, options)
    folder = options.value("-P", "--directory-prefix") or ""
    if options.has(
        "-r", "-m", "-p", "-i", "--recursive", "--mirror", "--page-requisites", "--input-file"
    ):
        source = addresses[0] if addresses else "a list of addresses"
        yield folder_of(source, folder or ".", "it stands among files that wget fetched")
    whole = options.value("-O", "--output-document")
    for address in addresses:
        if whole is None:
            name = basename(_path_of(address)) or "index.html"
            target = join(folder, name)
        else:
            target = OUTPUT if whole in {"-", "/dev/stdout"} else whole
        yield fetched(address, target, only=len(addresses) == 1)
    if options.has("--content-disposition", "--trust-server-names") and addresses:
        yield folder_of(addresses[0], folder or ".", "the server chose the file's name")


def _path_of(address: str) -> str:
    """Return the path of an address with its query, as wget names the file: `/a/f?x=1`."""
    after = address.partition("://")[2] or address
    return after.partition("#")[0].partition("/")[2]
