"""Secrets that are sent out."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.places import Place
from ostiary.shield.reading import STDIN, Run
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.secret_files import secrets_read, word_secrecy
from ostiary.shield.rules.secrets import DUMPERS, secrets_found
from ostiary.shield.rules.senders import SENDERS, is_local, payloads, sends
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

SEND: Final = Rule(
    "secrets.exfiltration", "secrets.exfiltration", _BLOCK,
    "Sends secrets, account files, the environment or a whole home to another machine.",
    "Send a file that holds no secrets: `curl -d @report.json https://example.com`.",
)  # fmt: skip


UPLOAD: Final = Rule(
    "secrets.upload", "secrets.exfiltration", _WARN,
    "Sends a file of the system, or anything to a host that is known for drops and hooks.",
    "Leave it in the workspace: `ls -la`.",
)  # fmt: skip

RULES: Final = (SEND, UPLOAD)


def check_sent(scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong with what a sender sends, and with where."""
    yield from check_sends(scene)
    yield from check_upload(scene)


def check_sends(scene: Scene) -> Iterator[Finding]:
    """Yield the secrets among what a run sends to another machine."""
    if not sends(scene.run):
        return
    run = scene.run
    yield from _files_sent(scene)
    if run.program not in SENDERS and _gives_secrets(run):
        yield _sent(scene, f"what {_shown(run)} gives")
    for word, _how in secrets_found(scene):
        yield _sent(scene, f"what it finds as `{shorten(word)}`")
    for source in run.sources:
        origin = scene.flow.reached("secret", _gives_secrets, scene.at, source.slot)
        if origin is not None and (source.slot == STDIN or not is_local(run)):
            given = scene.flow.runs[origin]
            yield _sent(scene, f"what {_shown(given)} gives")
            return


def _files_sent(scene: Scene) -> Iterator[Finding]:
    """Yield the files that a run sends and should not, by their names or by what was put there."""
    staged = scene.flow.once("staged", _staged)
    for word, mark in payloads(scene):
        target = scene.path(word, mark)
        how = word_secrecy(target.path or word, mark)
        if how or target.place in _WHOLE_HOMES:
            yield _sent(scene, f"`{shorten(word)}`")
        elif word in staged:
            yield _sent(scene, f"`{shorten(word)}`, which holds `{shorten(staged[word])}`")
        elif target.place is Place.SYSTEM:
            says = f"{scene.shown()} sends `{shorten(word)}`, a file of the system"
            yield UPLOAD.finding(scene.at, f"{says}, to another machine")


def _sent(scene: Scene, what: str) -> Finding:
    weak = is_local(scene.run)
    return SEND.finding(
        scene.at, f"{scene.shown()} sends {what} to another machine", _WARN if weak else None
    )


_WHOLE_HOMES: Final = frozenset({Place.HOME, Place.HOME_CRITICAL, Place.ROOT})


def _shown(run: Run) -> str:
    words = " ".join((run.program, *run.args[:4]))
    return f"`{shorten(words)}`"


_ENVIRONMENT: Final = frozenset({"env", "printenv", "set", "export", "declare"})


_LOOKS_OUTSIDE: Final = frozenset({"ls", "stat", "test", "[", "echo", "printf", "cd", "find", "wc"})


def _gives_secrets(run: Run) -> bool:
    """Return whether a run's output holds a secret, as far as its words tell."""
    program = run.program
    if program in _ENVIRONMENT:
        return not run.args or run.args in {("-p",), ("-x",), ("-0",)}
    if program in _LOOKS_OUTSIDE and not run.redirects:
        return False
    if program in {"tar", "zip"}:
        return any(how for _, how in secrets_read(run)) or any(
            word in {"/root", "/etc", "/home"} or (word.startswith(("/home/", "/Users/"))
            and word.rstrip("/").count("/") == 2) for word in run.args  # noqa: PLR2004
        )  # fmt: skip
    if program in {"gpg", "security", "history", "secret-tool", "pbpaste"}:
        return program == "history" or any(
            all(word in run.args for word in words) for words in DUMPERS.get(program, ())
        )
    return any(word[:1] != "-" for word, _ in secrets_read(run))


_STORES: Final = frozenset({"tar", "zip", "cp", "mv", "7z", "gpg", "openssl", "base64", "install"})


def _staged(runs: tuple[Run, ...]) -> dict[str, str]:
    """Return the files that runs put secrets into, with the secrets' names."""
    staged: dict[str, str] = {}
    for run in runs:
        outs = [one.target for one in run.redirects if one.op[0] == ">"]
        if run.program in _STORES:
            outs += run.args
        if not outs:
            continue
        secret = next((word for word, _ in secrets_read(run)), None)
        if secret is None and run.program in _ENVIRONMENT and not run.args:
            secret = run.program
        if secret is not None:
            staged.update((out, secret) for out in outs if out != secret and out[:1] != "-")
    return staged


_DROPS: Final = re.compile(
    r"\b(webhook\.site|requestbin|pipedream\.net|ngrok|interact\.sh|oast\.|burpcollaborator|"
    r"transfer\.sh|file\.io|0x0\.st|pastebin\.com|paste\.ee|hastebin|ix\.io|termbin\.com|bashupload"
    r"|requestcatcher|beeceptor|dnslog|canarytokens|gofile\.io|anonfiles|temp\.sh|catbox\.moe)"
)
"""Hosts where anybody can leave what only the sender's counterpart picks up."""


_LONGEST_ADDRESS: Final = 2_000


def check_upload(scene: Scene) -> Iterator[Finding]:
    """Yield what is sent to a host that is known for drops and hooks."""
    run = scene.run
    if sends(run) and (any(True for _ in payloads(scene)) or run.sources):
        for word in run.args:
            if len(word) < _LONGEST_ADDRESS and _DROPS.search(word):
                yield UPLOAD.finding(
                    scene.at, f"{scene.shown()} sends to `{shorten(word)}`, a place for drops"
                )
                return


def check_opened(scene: Scene) -> Iterator[Finding]:
    """Yield secrets that go out through a redirection to a socket."""
    if scene.run.program not in SENDERS:
        yield from check_sends(scene)


CHECKS: Final[Mapping[str, Check]] = dict.fromkeys(SENDERS, check_sent)
EVERY_REDIRECT: Final[Check] = check_opened
"""Looks at every run that has redirections."""
