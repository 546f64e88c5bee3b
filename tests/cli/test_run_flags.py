"""Flags of Neu.ro's `run` as settings of jobs."""

import pathlib
import subprocess

import pytest

from lightboard.cli.run_flags import (
    ENDLESS_RETRIES,
    Restart,
    in_folder,
    refuse_sharing,
    retries_of,
    with_entrypoint,
)
from lightboard.errors import UsageError


@pytest.mark.parametrize(
    ("entrypoint", "command", "words"),
    [
        ("", ["ls", "-l"], ["ls", "-l"]),
        ("python -u", ["train.py"], ["python", "-u", "train.py"]),
        ("sh -c", ["echo a; echo b"], ["sh", "-c", "echo a; echo b"]),
        ("'my program'", ["x"], ["my program", "x"]),
    ],
)
def test_an_entry_point_precedes_the_command(entrypoint: str, command: list[str], words: list[str]) -> None:
    """In words, as a shell would read it."""
    assert with_entrypoint(entrypoint, command) == words


@pytest.mark.parametrize("command", [["pwd"], ["sh", "-c", "pwd"], ["cd . && pwd"]])
def test_a_command_starts_in_its_folder(command: list[str], tmp_path: pathlib.Path) -> None:
    """Whether it is a program or a line. Names may have spaces."""
    folder = tmp_path / "my results"
    folder.mkdir()
    words = in_folder(f"/{folder}/", command)

    assert subprocess.check_output(words, text=True) == f"{folder}\n"


def test_without_a_folder_a_command_is_as_it_was() -> None:
    """A line is one, for the shell."""
    assert [in_folder("", ["ls", "-l"]), in_folder("", ["ls -l"])] == [["ls", "-l"], "ls -l"]


@pytest.mark.parametrize(("restart", "retries"), [("never", 0), ("on-failure", ENDLESS_RETRIES)])
def test_restarts_are_retries(restart: str, retries: int) -> None:
    """As many as the hub allows."""
    assert retries_of(Restart(restart)) == retries


def test_sharing_with_one_account_is_refused() -> None:
    """With what to do instead."""
    with pytest.raises(UsageError) as caught:
        refuse_sharing(["bob"])

    assert (caught.value.message, caught.value.hint) == (
        "nothing is shared with bob alone: all members of a project see its jobs",
        "lightboard project add PROJECT bob --role viewer",
    )
