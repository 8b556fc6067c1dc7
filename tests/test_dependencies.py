"""Nothing that compiles or links C is built into the wheel."""

import tomllib
from pathlib import Path

C_BUILDERS = {"bindgen", "cc", "cmake", "pkg-config", "vcpkg"}


def test_no_crate_that_builds_or_links_c_is_in_the_lock_file() -> None:
    lock = tomllib.loads((Path(__file__).parent.parent / "Cargo.lock").read_text())
    names = {package["name"] for package in lock["package"]}
    assert "png" in names
    assert not names & C_BUILDERS
    assert not [name for name in names if name.endswith("-sys")]
