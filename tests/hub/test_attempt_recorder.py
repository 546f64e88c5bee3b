"""What an attempt of a job is said to have started with."""

import pathlib
import sys

import pytest

from lightboard.hub.attempt_recorder import SearchPath, interpreter_of


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """One with an interpreter and a script."""
    for name in ("python3", "train"):
        (tmp_path / name).touch(mode=0o755)
    return tmp_path


def test_the_interpreter_is_the_program_itself(folder: pathlib.Path) -> None:
    """Of folders that the administrator has chosen, and of the hub."""
    search_path = SearchPath.of("/usr/bin", str(folder), "")

    assert interpreter_of(f"{folder}/python3", search_path) == f"{folder}/python3"
    assert interpreter_of(f"{sys.prefix}/bin/python", search_path) == f"{sys.prefix}/bin/python"


def test_an_interpreter_that_the_job_brings_is_not_known(folder: pathlib.Path) -> None:
    """It is not taken for another one, which has other packages."""
    search_path = SearchPath.of(str(folder), str(folder), "")

    assert interpreter_of("/nosuch/bin/python3", search_path) == ""


def test_other_programs_use_the_first_interpreter_that_is_found(folder: pathlib.Path) -> None:
    """As scripts that say `/usr/bin/env python3`."""
    search_path = SearchPath.of(f"{folder}:/usr/bin", f"{folder}:/usr/bin", "")

    assert interpreter_of(f"{folder}/train", search_path) == f"{folder}/python3"
