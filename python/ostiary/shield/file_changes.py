"""What a run does to files and what it prints, as far as these come from elsewhere or are known."""

from typing import Final

from ostiary.shield.downloads import FETCHERS, fetches
from ostiary.shield.effects import EFFECTS
from ostiary.shield.fetch import OUTPUT, Fetch
from ostiary.shield.marks import Change, Downloaded, Written
from ostiary.shield.options import names
from ostiary.shield.overlay import known_text
from ostiary.shield.reading import STDIN, Run
from ostiary.shield.step import Step

_PRINTERS: Final = names(
    """awk base32 base64 brotli bunzip2 bzcat bzip2 cat cut dos2unix envsubst expand fold gawk
    gpg grep gunzip gzip head iconv jq lz4 lz4cat nl openssl pr rev sed shuf sort strings tac
    tail tar tr uniq unxz unzip uudecode xmllint xxd xz xzcat yq zcat zstd zstdcat"""
)
"""Programs that print what the files hold that they are given."""

_TEES: Final = frozenset(("tee", "sponge"))
_DIGESTERS: Final = names(
    """[ b2sum cksum cmp comm diff file md5sum sha1sum sha224sum sha256sum sha384sum sha512sum
    shasum sum test wc"""
)
"""Programs that print something about their input, and nothing of it."""


def changes_files(run: Run) -> bool:
    """Return whether a run can do something to files where none is marked yet."""
    return run.program in FETCHERS or run.program in _TEES


def change(step: Step) -> None:
    """Note what a run does to files, and what it prints."""
    run, scope = step.run, step.scope
    fetched = fetches(run)
    effect = EFFECTS.get(run.program)
    if effect is not None and (scope.files or run.sources):
        effect(step)
    printed = next((each for each in fetched if each.target == OUTPUT), None)
    if printed is not None:
        step.outputs.put(step.index, _mark_of(printed), None)
    elif not fetched and (scope.files or run.sources):
        _pass_on(step)
    for fetch in fetched:
        if fetch.target != OUTPUT:
            _fetch(step, fetch)
    if run.program in _TEES:
        _tee(step)
    for redirect in run.redirects:
        if redirect.fd == 1 and redirect.op in {">", ">>"}:
            _write(step, redirect.target, run.output, append=redirect.op == ">>")


def _tee(step: Step) -> None:
    args = step.run.args
    append = any(word in {"-a", "--append"} for word in args)
    for word in args:
        if not word.startswith("-"):
            _write(step, word, step.run.stdin, append=append)


def _mark_of(fetch: Fetch) -> Downloaded:
    return Downloaded(fetch.source, fetch.strength, fetch.why, fetch.folder)


def _fetch(step: Step, fetch: Fetch) -> None:
    for path in step.paths(fetch.target, STDIN):
        if fetch.folder:
            step.add(path, _mark_of(fetch))
        else:
            step.replace(path, _mark_of(fetch), fails=fetch.only)


def _pass_on(step: Step) -> None:
    """Note what foreign content a run prints that it was given."""
    run = step.run
    if run.program in _DIGESTERS:
        return
    found = step.incoming(None)
    if found is None and run.program in _PRINTERS:
        for at, word in enumerate(run.args, 1):
            found = next(step.foreign(word, at), None)
            if found is not None:
                break
    if found is not None:
        step.outputs.put(step.index, *found)


def _write(step: Step, word: str, text: str | None, *, append: bool) -> None:
    """Have a file hold what a run prints: foreign content, a known text, or anything."""
    if word.startswith("/dev/"):
        return
    foreign = step.outputs.of(step.index)
    for path in step.paths(word, STDIN):
        if foreign is not None and append:
            step.add(path, foreign)
        elif foreign is not None:
            step.replace(path, foreign, fails=True)
        elif text is not None and append:
            _append(step, path, text)
        elif text is not None:
            step.replace(path, Written(text))
        elif not append:
            step.replace(path, None)


def _append(step: Step, path: str, text: str) -> None:
    """Have a file hold a text more; what came from elsewhere stays in it."""
    marks = step.scope.files.exact(path)
    known = known_text(marks)
    if known is not None:
        step.replace(path, Written(known.text + text).cut())
        return
    texts = [mark for mark in marks if isinstance(mark, Written)]
    before = "".join(mark.text for mark in texts)
    kept = all(mark.kept for mark in texts)
    foreign = [mark for mark in marks if isinstance(mark, Downloaded)]
    step.replace(path, Written(before + text, kept=kept, whole=False).cut())
    for mark in foreign:
        step.apply(Change(path, mark))
