"""The instance file lies in a folder that everybody may write, so links are not followed."""

import json
import os
import pathlib
import stat

import pytest

from lightboard.board.instance import remove_instance_file, write_instance_file
from lightboard.config import BoardSettings


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Where the file belongs; the folder itself is not there yet."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / ".tensorboard-info"


@pytest.fixture
def precious(tmp_path: pathlib.Path) -> pathlib.Path:
    """A private folder with a file that nobody means to touch."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    (private / "file").write_text("precious")
    (private / "file").chmod(0o600)
    return private


def announce() -> None:
    """This process says that it is a board."""
    write_instance_file(BoardSettings(logdir="runs"), 6006, ["--logdir", "runs"])


def state(private: pathlib.Path) -> object:
    """All that must stay as it is."""
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (private, private / "file")]
    return [path.name for path in private.iterdir()], (private / "file").read_text(), modes


def test_a_symlink_in_place_of_the_file_is_replaced(folder: pathlib.Path, precious: pathlib.Path) -> None:
    """Its target is not written."""
    folder.mkdir()
    file = folder / f"pid-{os.getpid()}.info"
    file.symlink_to(precious / "file")
    before = state(precious)

    announce()

    assert state(precious) == before
    assert not file.is_symlink()
    assert json.loads(file.read_text())["port"] == 6006


def test_a_symlink_in_place_of_the_folder_is_not_followed(folder: pathlib.Path, precious: pathlib.Path) -> None:
    """Its target is not changed."""
    folder.symlink_to(precious)
    before = state(precious)

    announce()
    remove_instance_file()

    assert state(precious) == before


def test_a_hard_link_in_place_of_the_file_is_replaced(folder: pathlib.Path, precious: pathlib.Path) -> None:
    """Its other name keeps the content."""
    folder.mkdir()
    os.link(precious / "file", folder / f"pid-{os.getpid()}.info")
    before = state(precious)

    announce()

    assert state(precious) == before


def test_the_folder_is_shared_and_sticky(folder: pathlib.Path) -> None:
    """The file is readable, and removed at the end."""
    announce()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    remove_instance_file()

    assert modes == {folder.name: 0o1777, f"pid-{os.getpid()}.info": 0o644}
    assert list(folder.iterdir()) == []
    assert list(folder.parent.iterdir()) == [folder]
