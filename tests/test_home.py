"""Where Lightboard keeps what a person adds to runs."""

import pathlib
import stat
import sys

import pytest

from lightboard.home import create_private, own_folder


def test_a_folder_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """LIGHTBOARD_HOME, also as people type it."""
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("LIGHTBOARD_HOME", "~/board")

    assert own_folder() == "/home/me/board"


def test_otherwise_it_is_the_systems_folder_for_data(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """Where other programs of this person keep theirs."""
    monkeypatch.delenv("LIGHTBOARD_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    usual = {"darwin": "Library/Application Support/lightboard"}.get(sys.platform, ".local/share/lightboard")

    assert own_folder() == str(tmp_path / usual)


def test_who_has_no_folder_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a folder called ~ in the folder that happens to be the current one."""

    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("LIGHTBOARD_HOME")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)

    assert own_folder() == ""


def test_folders_that_are_made_are_private_all_the_way(tmp_path: pathlib.Path) -> None:
    """Also those between one that was there and the one that is wanted; that one stays as it is."""
    tmp_path.chmod(0o755)

    create_private(str(tmp_path / "lightboard" / "boards"))
    create_private(str(tmp_path / "lightboard" / "boards"))

    made = [tmp_path, tmp_path / "lightboard", tmp_path / "lightboard" / "boards"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o755, 0o700, 0o700]


def test_a_file_where_a_folder_should_be_is_an_error(tmp_path: pathlib.Path) -> None:
    """It is not taken for one."""
    (tmp_path / "lightboard").touch()

    with pytest.raises(OSError):
        create_private(str(tmp_path / "lightboard"))
