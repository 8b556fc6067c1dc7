"""The command line: verdicts, exit codes, and what it writes."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import ostiary.cli
import samples
from ostiary.cli import main

PNG = samples.encoded(samples.photo(40, 30), "image/png")


def run(*arguments: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["admit", *map(str, arguments)], input=stdin)


def rows(result: Result) -> Any:
    return json.loads(result.stdout)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    file = tmp_path / "picture.png"
    file.write_bytes(PNG)
    return file


@pytest.fixture(autouse=True)
def _short_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_admitted_files_make_a_table_and_exit_code_0(picture: Path) -> None:
    result = run(picture)
    assert result.exit_code == 0
    for cell in ("picture.png", "image/png", f"{len(PNG):,}", "admitted"):
        assert cell in result.stdout


def test_a_refused_file_is_named_and_makes_exit_code_1(picture: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.png"
    page.write_text("<!DOCTYPE html>")
    result = run(picture, page)
    assert result.exit_code == 1
    assert "magic_mismatch" in result.stdout
    assert "unknown" in result.stdout


@pytest.mark.parametrize("arguments", [(), ("no-such-file",), ("--nonsense", "-")])
def test_misuse_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_json_states_every_fact(picture: Path) -> None:
    assert rows(run(picture, "--json", "--downsample")) == [
        {
            "file": str(picture),
            "claimed_type": "image/png",
            "true_type": "image/png",
            "verdict": "admitted",
            "raw_bytes": len(PNG),
            "base64_length": len(samples.b64(PNG)),
            "limit": None,
            "admitted_type": "image/png",
            "dimensions": {
                "original_width": 40,
                "original_height": 30,
                "display_width": 40,
                "display_height": 30,
            },
            "written": None,
        }
    ]


def test_the_signature_outranks_the_name_both_ways(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pdf"
    wrong.write_bytes(PNG)
    pdf = tmp_path / "pdf.png"
    pdf.write_bytes(samples.PDF)
    result = run(wrong, pdf, "--json")
    assert result.exit_code == 0
    assert [row["admitted_type"] for row in rows(result)] == ["image/png", "application/pdf"]
    assert [row["claimed_type"] for row in rows(result)] == ["application/pdf", "image/png"]


def test_a_stated_type_is_a_claim_that_the_signature_must_match(picture: Path) -> None:
    result = run(picture, "--type", "image/jpeg", "--json")
    assert result.exit_code == 1
    assert rows(result)[0]["verdict"] == "magic_mismatch"


def test_a_dash_is_the_standard_input() -> None:
    result = run("-", "--json", stdin=PNG)
    assert result.exit_code == 0
    assert rows(result)[0]["true_type"] == "image/png"
    assert rows(run("-", "--json"))[0]["verdict"] == "mime_unsupported"


def test_a_downsample_shows_both_sizes_and_the_new_type(tmp_path: Path) -> None:
    big = tmp_path / "big.png"
    big.write_bytes(samples.encoded(samples.photo(2400, 1200), "image/png"))
    result = run(big, "--downsample")
    assert "2400x1200 -> 2000x1000" in result.stdout
    assert "admitted as image/jpeg" in result.stdout


def test_a_limit_is_shown_beside_the_refusal_that_it_caused(tmp_path: Path) -> None:
    large = tmp_path / "large.png"
    large.write_bytes(samples.SIGNATURES["image/png"].ljust(4_000_000, b"\0"))
    assert "base64_too_large (limit 5,242,880)" in run(large).stdout


def test_out_writes_admitted_bytes_under_their_own_type_and_replaces_nothing(
    picture: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    other = tmp_path / "other"
    other.mkdir()
    twin = other / "picture.gif"
    twin.write_bytes(PNG)
    result = run(picture, twin, "-", "--out", out, "--json", stdin=b"%PDF-")
    assert result.exit_code == 0
    written = ["picture.png", "picture-2.png", "stdin.pdf"]
    assert [row["written"] for row in rows(result)] == [str(out / name) for name in written]
    assert (out / "picture-2.png").read_bytes() == PNG
    assert (out / "stdin.pdf").read_bytes() == b"%PDF-"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.png"
    empty.touch()
    assert rows(run(empty, "--json"))[0]["verdict"] == "magic_mismatch"


def test_markup_in_a_name_is_shown_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "[red]x.png"
    file.write_bytes(PNG)
    assert "[red]x.png" in run(file).stdout


def test_a_name_cannot_command_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "\x1b[31mred.png"
    file.write_bytes(PNG)
    shown = run(file).stdout
    assert "red.png" in shown
    assert "\x1b" not in shown


def test_one_file_that_cannot_be_read_does_not_lose_the_others(
    picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = click.open_file

    def open_file(name: str, mode: str) -> Any:
        if name == "-":
            raise OSError(5, "Input/output error")
        return real(name, mode)

    monkeypatch.setattr(click, "open_file", open_file)
    result = run(picture, "-", "--json")
    assert result.exit_code == 1
    verdicts = [row["verdict"] for row in rows(result)]
    assert verdicts == ["admitted", "unreadable: Input/output error"]
    assert "unreadable: Input/output error" in run(picture, "-").stdout


def test_a_folder_that_cannot_be_written_to_is_a_misuse(picture: Path) -> None:
    result = run(picture, "--out", picture / "below")
    assert result.exit_code == 2
    assert "cannot be written to" in result.stderr


def test_the_version_is_told() -> None:
    assert "0.1.0" in CliRunner().invoke(main, ["--version"]).stdout


def test_without_its_libraries_the_command_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    with pytest.raises(SystemExit) as left:
        runpy.run_path(ostiary.cli.__file__)
    assert left.value.code == 2
    assert "pip install 'ostiary[cli]'" in capsys.readouterr().err
