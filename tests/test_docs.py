"""Every Python block of the README and the docs runs."""

import re
from pathlib import Path

import pytest

import samples

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photo.jpg").write_bytes(
        samples.encoded(samples.photo(2400, 1600), "image/jpeg", quality=95)
    )
    (tmp_path / "report.pdf").write_bytes(samples.PDF)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in BLOCK.findall(page.read_text()):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102 # our own pages


def test_some_page_has_a_block() -> None:
    assert any(BLOCK.search(page.read_text()) for page in PAGES)
