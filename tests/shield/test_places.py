"""Where a path lies decides what its loss would mean."""

# ruff: noqa: S108 - names of folders: nothing is written there

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostiary.shield.places import Place, Places
from ostiary.shield.reading import UNKNOWN, Mark

HOME = "/home/user"
WORK = "/home/user/code/work"
PLACES = Places(HOME, WORK, ("/tmp", "/var/tmp"), (f"{WORK}/vault", "/data/keep"))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", Place.ROOT),
        ("/etc", Place.SYSTEM),
        ("/etc/passwd", Place.SYSTEM),
        ("/usr/lib/x", Place.SYSTEM),
        ("/home", Place.SYSTEM),
        ("/Users", Place.SYSTEM),
        ("/System/Library", Place.SYSTEM),
        ("/mnt/c", Place.SYSTEM),
        ("/mnt/c/Windows/x", Place.SYSTEM),
        ("/mnt/c/work", Place.OUTSIDE),
        ("/mnt/disk", Place.OUTSIDE),
        ("/opt", Place.SYSTEM),
        ("/opt/app", Place.OUTSIDE),
        ("/var/www/site", Place.OUTSIDE),
        ("/var/log/x", Place.SYSTEM),
        ("/var/lib/app", Place.LOCAL),
        ("/var/lib/dpkg/status", Place.SYSTEM),
        ("/usr/local/bin/x", Place.LOCAL),
        ("/var", Place.SYSTEM),
        (HOME, Place.HOME),
        ("/root", Place.HOME),
        ("/Users/me", Place.HOME),
        ("/home/user/.ssh/id_rsa", Place.HOME_CRITICAL),
        ("/root/.bashrc", Place.HOME_CRITICAL),
        ("/Users/me/Library/Keychains/x", Place.HOME_CRITICAL),
        ("/home/other/.aws", Place.HOME_CRITICAL),
        ("/home/user/.cache/pip", Place.SCRATCH),
        ("/home/user/notes", Place.OUTSIDE),
        ("/home/other/notes", Place.OUTSIDE),
        ("/home/user/code", Place.ABOVE),
        (WORK, Place.WORKSPACE),
        (f"{WORK}/src", Place.INSIDE),
        (f"{WORK}/.git", Place.REPOSITORY),
        (f"{WORK}/.git/config", Place.REPOSITORY),
        (f"{WORK}/.gitignore", Place.INSIDE),
        (f"{WORK}/vault/a", Place.PROTECTED),
        ("/data/keep", Place.PROTECTED),
        ("/tmp", Place.SCRATCH_ROOT),
        ("/tmp/x", Place.SCRATCH),
        ("/dev/sda", Place.DEVICE),
        ("/dev/null", Place.STREAM),
        ("/dev/pts/1", Place.STREAM),
        ("/dev/shm/x", Place.OUTSIDE),
        ("/srv/x", Place.OUTSIDE),
        (None, Place.UNKNOWN),
    ],
)
def test_a_path_has_its_place(path: str | None, place: Place) -> None:
    assert PLACES.place(path) is place


@pytest.mark.parametrize(
    ("workspace", "path", "place"),
    [
        ("/usr/src/app", "/usr/src/app/x", Place.INSIDE),
        ("/usr/src/app", "/usr/lib", Place.SYSTEM),
        ("/", "/etc/passwd", Place.SYSTEM),
        ("/", "/build", Place.INSIDE),
        ("/", "/home/user/.ssh", Place.HOME_CRITICAL),
        (HOME, "/home/user/.bashrc", Place.HOME_CRITICAL),
        (HOME, "/home/user/x", Place.INSIDE),
        (HOME, "/home/user/.git/config", Place.REPOSITORY),
        ("/tmp/work", "/tmp/work/x", Place.INSIDE),
        ("/tmp/work", "/tmp/other", Place.SCRATCH),
        ("/tmp/work", "/tmp", Place.ABOVE),
        ("/etc", "/etc/passwd", Place.SYSTEM),
    ],
)
def test_the_longest_folder_decides(workspace: str, path: str, place: Place) -> None:
    assert Places(HOME, workspace).place(path) is place


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("a/../b", f"{WORK}/b"),
        ("../..", HOME),
        ("//etc", "/etc"),
        ("/private/etc/x", "/etc/x"),
        ("/private/x", "/private/x"),
        ("/proc/self/root/etc", "/etc"),
        ("/proc/1/root", "/"),
        ("/proc/1/maps", "/proc/1/maps"),
        ("/proc/self/fd/1", "/dev/fd/1"),
        ("~", HOME),
        ("~/x", f"{HOME}/x"),
        ("~root/x", "/root/x"),
        ("~other", "/home/other"),
        ("C:\\Windows", "/mnt/c/Windows"),
        ("", None),
        (f"a{UNKNOWN}", None),
    ],
)
def test_a_word_becomes_a_path(word: str, path: str | None) -> None:
    assert PLACES.resolve(word, WORK) == path


def test_without_a_folder_to_start_from_only_absolute_words_are_known() -> None:
    assert PLACES.resolve("x", "") is None
    assert PLACES.resolve("/x", "") == "/x"
    assert PLACES.target("build", 0, "").place is Place.SOMEWHERE
    assert PLACES.target("..", 0, "").place is Place.UNKNOWN
    assert PLACES.target("*", Mark.GLOB, "").place is Place.UNKNOWN


@pytest.mark.parametrize(
    ("word", "place", "whole"),
    [
        ("*", Place.WORKSPACE, True),
        (".*", Place.WORKSPACE, True),
        ("[!.]*", Place.WORKSPACE, True),
        ("**/*", Place.WORKSPACE, True),
        ("*.pyc", Place.INSIDE, False),
        (".g*", Place.REPOSITORY, False),
        ("*/x", Place.INSIDE, False),
        ("[x", Place.INSIDE, False),
        ("x[", Place.INSIDE, False),
        ("/*", Place.ROOT, True),
        ("/e*", Place.SYSTEM, False),
        ("/zz*", Place.OUTSIDE, False),
        ("/*/bin", Place.SYSTEM, False),
        ("/etc/*.conf", Place.SYSTEM, False),
        ("~/*", Place.HOME, True),
        ("~/.s*", Place.HOME_CRITICAL, False),
        ("~/x*", Place.OUTSIDE, False),
        ("/tmp/*", Place.SCRATCH_ROOT, True),
        ("/tmp/x*", Place.SCRATCH, False),
        ("../w*", Place.ABOVE, False),
        ("../x*", Place.OUTSIDE, False),
        ("build/*", Place.INSIDE, True),
        ("x" * 300 + "*", Place.INSIDE, False),
    ],
)
def test_a_pattern_is_the_worst_that_it_can_take(word: str, place: Place, whole: bool) -> None:
    target = PLACES.target(word, Mark.GLOB, WORK)
    assert (target.place, target.whole) == (place, whole)


def test_a_sign_that_was_quoted_is_no_pattern() -> None:
    target = PLACES.target("/etc", Mark.GLOB, WORK)
    assert target.place is Place.SYSTEM
    assert not target.pattern


@pytest.mark.parametrize(
    ("word", "place", "unset"),
    [
        (UNKNOWN, Place.UNKNOWN, False),
        (f"{UNKNOWN}/", Place.UNKNOWN, True),
        (f"{UNKNOWN}/*", Place.UNKNOWN, True),
        (f"{UNKNOWN}/build", Place.SOMEWHERE, False),
        (f"{UNKNOWN}/usr", Place.UNKNOWN, False),
        (f"{UNKNOWN}/../x", Place.UNKNOWN, False),
        (f"/{UNKNOWN}", Place.UNKNOWN, True),
        (f"/usr/{UNKNOWN}", Place.SYSTEM, False),
        (f"/home/{UNKNOWN}", Place.SYSTEM, False),
        (f"~/{UNKNOWN}", Place.UNKNOWN, False),
        (f"build/{UNKNOWN}", Place.INSIDE, False),
        (f"./{UNKNOWN}", Place.INSIDE, False),
        (f"build-{UNKNOWN}", Place.INSIDE, False),
        (f"/tmp/{UNKNOWN}", Place.SCRATCH, False),
    ],
)
def test_a_word_with_an_unknown_part_lies_where_its_known_part_is(
    word: str, place: Place, unset: bool
) -> None:
    target = PLACES.target(word, Mark.UNKNOWN, WORK)
    assert (target.place, target.unset) == (place, unset)


def test_a_value_that_is_never_empty_does_not_make_the_root() -> None:
    assert not PLACES.target(f"{UNKNOWN}/", Mark.UNKNOWN | Mark.PRESENT, WORK).unset
    assert not PLACES.target(f"/{UNKNOWN}", Mark.UNKNOWN | Mark.PRESENT, WORK).unset


@given(st.text("/.~ab-g:i t", max_size=30))
def test_a_short_way_to_a_place_leads_where_the_long_one_does(word: str) -> None:
    places = Places(HOME, WORK)
    path = places.resolve(word, WORK)
    target = places.target(word, 0, WORK)
    if target.place is not Place.SOMEWHERE:
        assert (target.path, target.place) == (path, places.place(path))


@given(st.text("/.~ab*?[]-" + UNKNOWN, max_size=60), st.integers(0, 31))
def test_every_word_has_a_place(word: str, mark: int) -> None:
    assert PLACES.target(word, mark, WORK).place in Place


@given(st.text("/.ab", max_size=40))
def test_detours_change_nothing(word: str) -> None:
    path = PLACES.resolve(word, WORK)
    assert PLACES.resolve(f"/usr/../{word}", WORK) == PLACES.resolve(f"/{word}", WORK)
    if path is not None:
        assert PLACES.resolve(path, "/") == path
