"""What a job has left is given to the user of jobs before the next attempt, which only root can do."""

import os
from pathlib import Path

import pytest

from lightboard.hub.runners import remove_tree as remove_tree_module
from lightboard.hub.runners.ownership import change_owner
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.sandbox import JOB_USER_ID

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root gives files to others")
LEVELS = 3000
"""More than a process may open files or call functions in each other."""


def give(folder: Path) -> None:
    """Gives a folder to the user of jobs."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        change_owner(fd, JOB_USER_ID, JOB_USER_ID)
    finally:
        os.close(fd)


def test_all_of_a_folder_is_given_and_nothing_behind_its_links(tmp_path: Path) -> None:
    """Files, folders, pipes and the links themselves."""
    top, outside = tmp_path / "top", tmp_path / "outside"
    for each in (top / "a" / "b", top / "c", outside):
        each.mkdir(parents=True)
    for file in (top / "a" / "b" / "file", top / "c" / "file", outside / "file"):
        file.touch()
    os.mkfifo(top / "pipe")
    (top / "link").symlink_to(outside)
    give(top)
    names = ("", "a", "a/b", "a/b/file", "c", "c/file", "pipe", "link")

    assert {name: (top / name).lstat().st_uid for name in names} == dict.fromkeys(names, JOB_USER_ID)
    assert [path.stat().st_uid for path in (outside, outside / "file")] == [0, 0]


def test_folders_may_be_thousands_of_levels_deep(tmp_path: Path) -> None:
    """The job would not start again for ever, and the log of the hub have a long traceback for each try."""
    top = tmp_path / "top"
    top.mkdir()
    deepest = os.open(top, os.O_RDONLY)
    for _ in range(LEVELS):
        os.mkdir("deep", dir_fd=deepest)
        inner = os.open("deep", os.O_RDONLY, dir_fd=deepest)
        os.close(deepest)
        deepest = inner
    give(top)
    owner = os.fstat(deepest).st_uid
    os.close(deepest)
    remove_tree(top)

    assert owner == JOB_USER_ID


def test_a_tree_is_deleted_although_its_owner_changes_it_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that becomes a link, once its name has been read, is not followed; nobody can write to one after it is
    taken.
    """
    outside, top = tmp_path / "outside", tmp_path / "top"
    for each in (outside, top / "inner" / "deeper"):
        each.mkdir(parents=True)
    (outside / "file").touch()
    outside.chmod(0o755)
    give(top)
    owners, real = [], remove_tree_module.take

    def replace_first(name: str, above: int | None) -> None:
        if name == "deeper":
            owners.append((top / "inner").stat())
            (top / "inner" / "deeper").rmdir()
            (top / "inner" / "deeper").symlink_to(outside)
        real(name, above)

    monkeypatch.setattr(remove_tree_module, "take", replace_first)
    with pytest.raises(NotADirectoryError):
        remove_tree(top)

    assert [(each.st_uid, each.st_mode & 0o777) for each in owners] == [(0, 0o700)]
    assert (outside.stat().st_mode & 0o777, (outside / "file").exists()) == (0o755, True)
    remove_tree(top)
    assert not top.exists()
