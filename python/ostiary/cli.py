"""The command line: `ostiary admit FILE…` for the media door, `ostiary shield` for the other."""

import json
import mmap
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ostiary.media.admission import (
    admit_document_bytes,
    admit_image_bytes_sync,
    sniff_media_type,
)
from ostiary.media.downsample import RustDownsampler
from ostiary.media.limits import ADMITTED_DOCUMENT_MIME_TYPES, MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES
from ostiary.media.outcome import DocumentAdmitted, ImageAdmitted, Refused

try:
    import click
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track
    from rich.table import Table
except ModuleNotFoundError as missing:
    sys.stderr.write(
        f"The ostiary command needs {missing.name}, which is not installed.\n"
        "Install it with: pip install 'ostiary[cli]'\n"
    )
    raise SystemExit(2) from None

# Below the check of the extra, without which there is no click to import.
from ostiary.cli_shield import shield

_STDIN = "-"
_SUFFIXES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".pdf": "application/pdf",
}
_UNKNOWN_TYPE = "application/octet-stream"
_MANY_FILES = 8
_PIPE_WIDTH = 160
_COLUMNS = ("file", "claimed", "true type", "raw bytes", "base64", "dimensions", "verdict")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ostiary")
def main() -> None:
    """The doorkeeper of an AI agent's tool traffic."""


main.add_command(shield)


@main.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@click.option("--type", "claimed", metavar="MIME", help="Claimed type of all files.")
@click.option("--downsample", is_flag=True, help="Make pictures that do not fit smaller.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array instead of a table.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each admitted file's bytes there.",
)
def admit(
    files: tuple[str, ...],
    claimed: str | None,
    out: Path | None,
    *,
    downsample: bool,
    as_json: bool,
) -> None:
    """Admit each FILE as an image or a PDF, and print the verdicts.

    A file's signature outranks its name; --type is a claim that the signature must match. FILE `-`
    is the standard input. The exit code is 0 when all are admitted, 1 when something was refused,
    2 when the command was misused.
    """
    downsampler = RustDownsampler() if downsample else None
    progress = track(
        files,
        description="Admitting",
        console=Console(stderr=True),
        transient=True,
        disable=len(files) < _MANY_FILES or not sys.stderr.isatty(),
    )
    rows = [_row(file, claimed, downsampler, out) for file in progress]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    else:
        _print_table(rows)
    sys.exit(0 if all(row["verdict"] == "admitted" for row in rows) else 1)


def _row(
    file: str, claimed: str | None, downsampler: RustDownsampler | None, out: Path | None
) -> dict[str, Any]:
    try:
        return _admit(file, claimed, downsampler, out)
    except OSError as error:  # one file that cannot be read must not lose the others' verdicts
        return {
            "file": file,
            "claimed_type": claimed,
            "true_type": None,
            "verdict": f"unreadable: {error.strerror}",
            "raw_bytes": None,
            "base64_length": None,
            "limit": None,
            "admitted_type": None,
            "dimensions": None,
            "written": None,
        }


def _admit(
    file: str, claimed: str | None, downsampler: RustDownsampler | None, out: Path | None
) -> dict[str, Any]:
    with _opened(file) as data:
        true_type = sniff_media_type(data)
        by_name = _SUFFIXES.get(Path(file).suffix.lower())
        claim = claimed or true_type or by_name or _UNKNOWN_TYPE
        outcome = (
            admit_document_bytes(data, claim)
            if claim in ADMITTED_DOCUMENT_MIME_TYPES
            else admit_image_bytes_sync(data, claim, downsampler)
        )
    written = None if out is None or isinstance(outcome, Refused) else _write(out, file, outcome)
    return {
        "file": file,
        "claimed_type": claimed or by_name,
        "true_type": true_type,
        **_facts(outcome),
        "written": written,
    }


def _facts(outcome: ImageAdmitted | DocumentAdmitted | Refused) -> dict[str, Any]:
    if isinstance(outcome, Refused):
        return {
            "verdict": outcome.reason,
            "raw_bytes": outcome.raw_bytes,
            "base64_length": outcome.base64_length,
            "limit": outcome.limit,
            "admitted_type": None,
            "dimensions": None,
        }
    return {
        "verdict": "admitted",
        "raw_bytes": outcome.original_size,
        "base64_length": len(outcome.block.data),
        "limit": None,
        "admitted_type": outcome.block.mime_type,
        "dimensions": _dimensions(outcome),
    }


def _dimensions(outcome: ImageAdmitted | DocumentAdmitted) -> dict[str, int] | None:
    measured = outcome.dimensions if isinstance(outcome, ImageAdmitted) else None
    return None if measured is None else asdict(measured)


@contextmanager
def _opened(file: str) -> Iterator[mmap.mmap | bytes]:
    """Give a file's bytes without reading more than an admission looks at."""
    with click.open_file(file, "rb") as stream:
        try:
            view = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # a pipe, or an empty file
            yield stream.read(MAX_IMAGE_DOWNSAMPLE_INPUT_BYTES + 1)
            return
        with view:
            yield view


def _write(out: Path, file: str, outcome: ImageAdmitted | DocumentAdmitted) -> str:
    """Write the admitted bytes under the file's name and their type's suffix; replace nothing."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        return str(_write_new(out, file, outcome))
    except OSError as error:
        message = f"{out} cannot be written to: {error.strerror}"
        raise click.BadParameter(message, param_hint="--out") from error


def _write_new(out: Path, file: str, outcome: ImageAdmitted | DocumentAdmitted) -> Path:
    stem = "stdin" if file == _STDIN else Path(file).stem
    suffix = next(end for end, kind in _SUFFIXES.items() if kind == outcome.block.mime_type)
    path, number = out / f"{stem}{suffix}", 1
    while True:
        try:
            with path.open("xb") as target:
                target.write(b64decode(outcome.block.data))
        except FileExistsError:
            number += 1
            path = out / f"{stem}-{number}{suffix}"
        else:
            return path


def _print_table(rows: list[dict[str, Any]]) -> None:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in _COLUMNS:
        table.add_column(title, overflow="fold")
    for row in rows:
        colour = "green" if row["verdict"] == "admitted" else "red"
        table.add_row(
            _shown(row["file"]),
            _shown(row["claimed_type"] or "-"),
            row["true_type"] or "unknown",
            _number(row["raw_bytes"]),
            _number(row["base64_length"]),
            _size(row["dimensions"]),
            f"[{colour}]{escape(_verdict(row))}[/]",
        )
    Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH).print(table)


def _shown(text: str) -> str:
    """Return a text from outside with nothing in it that a terminal obeys."""
    return escape("".join(char if char.isprintable() else "\ufffd" for char in text))


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _size(dimensions: dict[str, int] | None) -> str:
    if dimensions is None:
        return "-"
    before = f"{dimensions['original_width']}x{dimensions['original_height']}"
    after = f"{dimensions['display_width']}x{dimensions['display_height']}"
    return before if before == after else f"{before} -> {after}"


def _verdict(row: dict[str, Any]) -> str:
    if row["limit"] is not None:
        return f"{row['verdict']} (limit {row['limit']:,})"
    if row["admitted_type"] not in (None, row["true_type"]):
        return f"admitted as {row['admitted_type']}"
    return str(row["verdict"])
