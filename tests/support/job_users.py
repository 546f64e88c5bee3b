"""System users of jobs on this machine: ids that nobody has, and folders that they can reach."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.system_users import find_system_users

FIRST, EACH, HUBS = 100_000, 30, 20_000


def working_job_users(folder: Path) -> str:
    """A range for `--job-users` of this process alone. Skips the test if the machine lets no job have a user."""
    first = FIRST + os.getpid() % HUBS * EACH
    top = folder / "home" / "hub"
    top.mkdir(mode=0o700, parents=True)
    found, problem = find_system_users(range(first, first + EACH), top)
    if found is None:
        pytest.skip(f"no users of their own for jobs here: {problem}")
    found.close()
    return f"{first}-{first + EACH - 1}"


@contextlib.contextmanager
def passable_folder() -> Iterator[Path]:
    """A new folder that all users can reach, until the end: that of pytest is closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="lightboard-jobs-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        remove_tree(folder)
