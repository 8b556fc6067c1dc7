"""Fixtures that every test may ask for."""

import csv
import os
from pathlib import Path
from typing import NamedTuple

import pytest


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class CorpusRow(NamedTuple):
    """One file of the corpus and what its admission with a `RustDownsampler` should say."""

    path: Path
    claimed_type: str
    should_be: str
    decodes: bool


@pytest.fixture(scope="session")
def corpus() -> list[CorpusRow]:
    folder = os.environ.get("OSTIARY_CORPUS")
    if folder is None:
        pytest.skip("OSTIARY_CORPUS names no folder of real files with a MANIFEST.tsv")
    with (Path(folder) / "MANIFEST.tsv").open(newline="") as manifest:
        return [
            CorpusRow(
                Path(folder) / row["file"],
                row["claimed_type"],
                row["should_be"],
                row["pillow_decodes"] == "yes",
            )
            for row in csv.DictReader(manifest, delimiter="\t")
        ]
