"""Code from elsewhere that runs at once, and text that runs unseen."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import STDIN, UNKNOWN, Run
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import interpreters
from ostiary.shield.scene import Check, Scene, shorten, show

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
_SAVE: Final = (
    "Save it, read it, then ask for it to be run: `curl -o install.sh https://example.com`."
)

PIPE: Final = Rule(
    "remote_code.pipe", "remote_code.pipe", _BLOCK,
    "Runs text that it fetches from another machine, unseen.", _SAVE,
)  # fmt: skip
DECODED: Final = Rule(
    "remote_code.decoded", "remote_code.decoded", _BLOCK,
    "Runs text that it decodes, so that nobody could read it before.",
    "Decode it and read it: `base64 -d payload.b64`.",
)  # fmt: skip
UNSEEN: Final = Rule(
    "code.unseen", "code_execution", _WARN,
    "Runs text as code that is not known before the command runs.",
    'Print it first: `echo "$CODE"`.',
)  # fmt: skip
ADDRESS: Final = Rule(
    "remote_code.address", "remote_code.address", _WARN,
    "Runs a program or applies a file straight from an address.", _SAVE,
)  # fmt: skip
OPTION: Final = Rule(
    "code.in_option", "code_execution", _WARN,
    "Runs a command that stands in an option of another program.", "Run the command itself: `ls`.",
)  # fmt: skip
RULES: Final = (PIPE, DECODED, UNSEEN, ADDRESS, OPTION)

_FETCHERS: Final = frozenset({
    "curl", "wget", "fetch", "aria2c", "http", "https", "httpie", "xh", "lynx", "w3m", "links",
    "elinks", "nc", "ncat", "netcat", "telnet", "ftp", "lftp", "tftp", "socat", "websocat",
    "curlie", "lwp-request", "GET", "axel", "wget2", "iwr", "Invoke-WebRequest", "dig", "nslookup",
})  # fmt: skip
_BUCKETS: Final = frozenset({"aws", "gsutil", "gcloud", "s3cmd", "rclone", "az"})
_DECODERS: Final = frozenset({"base64", "base32", "basenc", "xxd", "openssl", "uudecode", "gpg",
                              "b64decode", "unbase64"})  # fmt: skip
_FILTERS: Final = frozenset({"rev", "tr", "gunzip", "zcat", "bzcat", "xzcat", "gzip", "xz"})
_DECODES: Final = ("-d", "-D", "--decode", "-r", "-di", "--decrypt", "-id", "-ps", "-p", "-rp")


def fetches(run: Run) -> bool:
    """Return whether a run's output is what another machine sends."""
    program = run.program
    if program in _FETCHERS:
        return True
    if program == "openssl":
        return "s_client" in run.args[:1]
    if program in _BUCKETS:
        return run.args[-1:] == ("-",) or "cat" in run.args[:3]
    if program == "gh":
        return "gist" in run.args[:1] or "api" in run.args[:1]
    return any(one.target.startswith("/dev/tcp/") and one.op[0] == "<" for one in run.redirects)


def _decodes(run: Run) -> bool:
    return run.program in _DECODERS and any(word.startswith(_DECODES) for word in run.args)


def check_interpreter(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with the code that an interpreter is given."""
    run = scene.run
    if run.how & bits.DEFINED:
        return
    if any(map(_decodes_and_runs, run.args)):
        yield DECODED.finding(scene.at, f"{scene.shown()} runs what it decodes itself")
        return
    for slot in interpreters.code_slots(run):
        origin = scene.flow.reached("fetch", fetches, scene.at, slot)
        if origin is not None:
            given = shorten(show(scene.flow.runs[origin]))
            yield PIPE.finding(scene.at, f"{scene.shown()} runs what `{given}` fetches")
            return
        if not run.how & bits.OPENED:
            yield from _unseen(scene, slot)


_DECODERS_OF_CODE: Final = ("b64decode", "decode_base64", "base64_decode", "unhexlify", "atob(")
_RUNNERS_OF_CODE: Final = ("exec(", "eval(", "eval ", "system(", "Function(")


def _decodes_and_runs(code: str) -> bool:
    """Return whether code in another language decodes text and runs it."""
    return any(name in code for name in _DECODERS_OF_CODE) and any(
        name in code for name in _RUNNERS_OF_CODE
    )


def _unseen(scene: Scene, slot: int) -> Iterator[Finding]:
    """Yield what is wrong with code that nobody could read."""
    run = scene.run
    origin = scene.flow.reached("decode", _decodes, scene.at, slot)
    if origin is not None:
        given = shorten(show(scene.flow.runs[origin]))
        yield DECODED.finding(scene.at, f"{scene.shown()} runs what `{given}` decodes")
        return
    if slot == STDIN:
        if run.program in interpreters.SHELLS and _made_up(scene):
            yield UNSEEN.finding(scene.at, f"{scene.shown()} runs text that is made on the way")
    elif interpreters.is_code_text(run, slot):
        word = run.args[slot - 1]
        variable = word.strip().strip(UNKNOWN).strip() == "" and not _from_program(run, slot)
        if variable and word:
            yield UNSEEN.finding(scene.at, f"{scene.shown()} runs text that is not known")


def _from_program(run: Run, slot: int) -> bool:
    """Return whether a word is the output of a program: `eval "$(ssh-agent)"`, not by `xargs`."""
    return not run.marks[slot] & bits.FOUND and any(source.slot == slot for source in run.sources)


def _made_up(scene: Scene) -> bool:
    """Return whether standard input is made by a filter out of unknown text, not a file."""
    return any(run.program in _FILTERS for run in scene.feeds(STDIN))


def check_nameless(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with a program whose name is fetched or decoded."""
    origin = scene.flow.reached("fetch", fetches, scene.at, 0)
    if origin is not None:
        given = shorten(show(scene.flow.runs[origin]))
        yield PIPE.finding(scene.at, f"{scene.shown()} runs what `{given}` fetches")
        return
    origin = scene.flow.reached("decode", _decodes, scene.at, 0)
    if origin is not None:
        given = shorten(show(scene.flow.runs[origin]))
        yield DECODED.finding(scene.at, f"{scene.shown()} runs what `{given}` decodes")


def check_address(scene: Scene) -> Iterator[Finding]:
    """Yield programs that are given an address whose content they run or apply."""
    args = scene.run.args
    for word in args:
        if word.startswith(("http://", "https://", "ftp://", "//")) and not _is_local(word):
            yield ADDRESS.finding(scene.at, f"{scene.shown()} runs what is at `{shorten(word)}`")
            return


def _is_local(word: str) -> bool:
    return word.partition("//")[2].startswith(("localhost", "127.", "[::1]"))


def check_encoded(scene: Scene) -> Iterator[Finding]:
    """Yield PowerShell's encoded commands."""
    for word in scene.run.args:
        text = word[:_LONGEST_OPTION].lower()
        if ("iex" in text or "invoke-expression" in text) and any(
            one in text for one in ("iwr", "invoke-webrequest", "downloadstring", "irm ")
        ):
            yield PIPE.finding(scene.at, f"{scene.shown()} runs what it fetches")
            return
        if word.lower().startswith(("-enc", "-ec", "-encodedcommand")) or word.lower() == "-e":
            yield DECODED.finding(scene.at, f"{scene.shown()} runs an encoded command")
            return
    yield from check_interpreter(scene)


_HARMLESS_COMMANDS: Final = ("ssh ", "nc ", "none", "cloudflared ", "aws ", "gzip", "pigz", "zstd",
                             "xz", "bzip2", "lz4", "pbzip2", "lbzip2", "sleep", "echo", "dot",
                             "bell",
                             "corkscrew ", "connect ", "ncat ", "gcloud ", "totals")  # fmt: skip
_OPTIONS: Final = ("proxycommand", "localcommand", "--checkpoint-action", "--to-command",
                   "--use-compress-program", "--unzip-command", "--rsh-command",
                   "knownhostscommand",
                   "--info-script", "--new-volume-script", "--pre")  # fmt: skip
_LONGEST_OPTION: Final = 2_000


def check_option(scene: Scene) -> Iterator[Finding]:
    """Yield commands in the options of programs that are not known for running any."""
    for word in scene.run.args:
        name, equals, value = word[:_LONGEST_OPTION].partition("=")
        if equals and name.lower().lstrip("o-").lstrip("-").endswith(_BARE) and value:
            value = value.removeprefix("exec=").lstrip()
            if not value.startswith(_HARMLESS_COMMANDS):
                yield OPTION.finding(scene.at, f"{scene.shown()} runs `{shorten(value)}`")
                return


_BARE: Final = tuple(option.lstrip("-") for option in _OPTIONS)


def check_cron_like(scene: Scene) -> Iterator[Finding]:
    """Yield code for `at`, `crontab -` or `make -f -` that is fetched."""
    origin = scene.flow.reached("fetch", fetches, scene.at, STDIN)
    if origin is not None:
        given = shorten(show(scene.flow.runs[origin]))
        yield PIPE.finding(scene.at, f"{scene.shown()} runs what `{given}` fetches")


def check_parallel(scene: Scene) -> Iterator[Finding]:
    """Yield lines for `parallel` to run, where it is given no command of its own."""
    if all(word[:1] == "-" for word in scene.run.args):
        yield from check_cron_like(scene)


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(interpreters.ALL, check_interpreter),
    **dict.fromkeys(("at", "batch", "crontab"), check_cron_like),
    **dict.fromkeys(("ssh", "scp", "sftp", "tar", "gtar", "bsdtar", "zip", "rg"), check_option),
    "parallel": check_parallel,
    "deno": check_address, "bun": check_address, "mshta": check_address,
    "pwsh": check_encoded, "powershell": check_encoded, "powershell.exe": check_encoded,
    UNKNOWN: check_nameless,
}  # fmt: skip
