"""What a config names is read inside its own folder, and nowhere else."""

import pytest

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import Folder, open_file
from lightboard.storage.local import LocalStorage
from lightboard.storage.memory import MemoryStorage

FILES = {"run/a.tsv": b"1", "run/deep/b.tsv": b"2", "other/c.tsv": b"3", "run2/d.tsv": b"4", "top.tsv": b"5"}


def read(path: str) -> bytes:
    return open_file(Folder(MemoryStorage(FILES), "run"), path).all(100)


@pytest.mark.parametrize("path", ["a.tsv", "./a.tsv", ".//a.tsv"])
def test_files_of_the_folder_are_read(path: str) -> None:
    """However their names are written."""
    assert read(path) == b"1"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../top.tsv", "leads out of the folder"),
        ("deep/../../top.tsv", "leads out of the folder"),
        ("deep/../a.tsv", "leads out of the folder"),
        ("..\\top.tsv", "leads out of the folder"),
        ("/etc/passwd", "is an absolute path"),
        ("\\\\host\\share", "is an absolute path"),
        ("~/secret", "is an absolute path"),
        ("C:\\secret", "is an absolute path"),
        ("http://host/a.tsv", "is on another host"),
        ("s3://bucket/a.tsv", "is on another host"),
        ("file:///etc/passwd", "is on another host"),
        ("a.tsv\0.png", "is no path"),
        ("", "is no path"),
        ("none.tsv", "is not there"),
    ],
)
def test_everything_else_is_refused(path: str, why: str) -> None:
    """With the reason."""
    with pytest.raises(Unshowable, match=why):
        read(path)


def test_a_link_out_of_the_folder_is_refused(tmp_path) -> None:
    """Of a file, and of a folder on the way; a link to the inside is followed."""
    run = tmp_path / "logs" / "run"
    run.mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"secret")
    (run / "own").write_bytes(b"own")
    (run / "file").symlink_to(tmp_path / "secret")
    (run / "folder").symlink_to(tmp_path)
    (run / "inside").symlink_to("own")
    folder = Folder(LocalStorage(str(tmp_path / "logs")), "run")

    assert open_file(folder, "inside").all(100) == b"own"
    for path in ("file", "folder/secret"):
        with pytest.raises(Unshowable, match="is a link out of the folder"):
            open_file(folder, path)


def test_a_file_that_becomes_a_link_is_refused(tmp_path) -> None:
    """Between the first look at it and its bytes; so is one whose folder does."""
    run = tmp_path / "logs" / "run"
    for folder, text in ((run / "deep", b"own"), (tmp_path / "secret", b"key")):
        folder.mkdir(parents=True)
        (folder / "a").write_bytes(text)
    (run / "b").write_bytes(b"own")
    folder = Folder(LocalStorage(str(tmp_path / "logs")), "run")
    files = [open_file(folder, "deep/a"), open_file(folder, "b")]
    (run / "deep").rename(run / "kept")
    (run / "deep").symlink_to(tmp_path / "secret")
    (run / "b").unlink()
    (run / "b").symlink_to(tmp_path / "secret" / "a")

    for file in files:
        with pytest.raises(Unshowable):
            file.all(100)


def test_a_pipe_is_no_file(tmp_path) -> None:
    """Reading it would wait for ever."""
    import os

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unshowable, match="cannot be read: not a regular file"):
        open_file(Folder(LocalStorage(str(tmp_path)), ""), "pipe").read(0, 1)


def test_no_more_is_read_than_was_asked() -> None:
    """A file that is too large says so."""
    with pytest.raises(Unshowable, match="at most 0 MB are read"):
        open_file(Folder(MemoryStorage({"a": b"12345"}), ""), "a").all(4)
