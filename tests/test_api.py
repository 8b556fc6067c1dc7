"""The public surface: sorted, whole, documented, and light."""

import inspect
import subprocess
import sys

import ostiary


def test_all_is_sorted_and_whole() -> None:
    names = ostiary.__all__
    constants, classes, functions = (
        [name for name in names if name.isupper()],
        [name for name in names if not name.isupper() and name[0].isupper()],
        [name for name in names if name[0].islower()],
    )
    assert names == sorted(constants) + sorted(classes) + sorted(functions)
    public = {
        name
        for name, value in vars(ostiary).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public == set(names)


def test_every_public_function_and_class_has_a_docstring() -> None:
    for name in ostiary.__all__:
        value = getattr(ostiary, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name


def test_the_base_install_imports_nothing_of_the_extras() -> None:
    extras = {"click", "kingfisher_sdk", "rich"}
    code = f"import sys, ostiary; print(sorted({extras} & set(sys.modules)))"
    child = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert child.stdout.strip() == "[]"
