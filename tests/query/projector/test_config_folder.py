"""Files named by a config are read only inside its own folder."""

import pytest

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import Folder, open_file
from lightboard.storage.local import LocalStorage
from lightboard.storage.memory import MemoryStorage

FILES = {"run/a.tsv": b"1", "run/deep/b.tsv": b"2", "other/c.tsv": b"3", "run2/d.tsv": b"4", "top.tsv": b"5"}


def read(path: str) -> bytes:
    return open_file(Folder(MemoryStorage(FILES), "run"), path).all(100)


@pytest.mark.parametrize("path", ["a.tsv", "./a.tsv", ".//a.tsv"])
def test_files_of_the_config_folder_are_read(path: str) -> None:
    """However their paths are written."""
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
        ("a.tsv\0.png", "is not a path"),
        ("", "is not a path"),
        ("none.tsv", "does not exist"),
    ],
)
def test_paths_out_of_the_config_folder_are_refused(path: str, why: str) -> None:
    """With the reason."""
    with pytest.raises(Unshowable, match=why):
        read(path)


def test_links_out_of_the_config_folder_are_refused(tmp_path) -> None:
    """To files and folders. Links to the inside are followed."""
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


def test_files_replaced_by_links_are_refused(tmp_path) -> None:
    """Between opening and reading; also if their folder is replaced."""
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


def test_pipes_in_the_config_folder_are_refused(tmp_path) -> None:
    """Reading one would block."""
    import os

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unshowable, match="cannot be read: not a regular file"):
        open_file(Folder(LocalStorage(str(tmp_path)), ""), "pipe").read(0, 1)


def test_oversized_files_are_refused() -> None:
    """The message names the limit."""
    with pytest.raises(Unshowable, match="at most 0 MB are read"):
        open_file(Folder(MemoryStorage({"a": b"12345"}), ""), "a").all(4)
