"""Local files: the storage suite, links, loops, odd names, pipes."""

import os
import tempfile
from pathlib import Path

import pytest

from lightboard.errors import OutsideRoot
from lightboard.storage.base import Storage, printable
from lightboard.storage.files import MAX_VISITS
from lightboard.storage.local import LocalStorage
from lightboard.testing.storage import StorageTests


class TestLocalStorage(StorageTests):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folder = tmp_path

    def make(self, files: dict[str, bytes]) -> Storage:
        for path, data in files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return LocalStorage(str(self.folder))

    def grow(self, storage: Storage, path: str, data: bytes) -> None:
        with (self.folder / path).open("ab") as file:
            file.write(data)

    def replace(self, storage: Storage, path: str, data: bytes) -> None:
        # Written beside it first, because the inode of a deleted file may be reused at once.
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(data)
        os.replace(file.name, self.folder / path)

    def remove(self, storage: Storage, path: str) -> None:
        (self.folder / path).unlink()


def folders(root: Path) -> list[str]:
    return [folder.path for folder in LocalStorage(str(root)).walk()]


def test_subfolders_do_not_follow_links_out(tmp_path):
    """Links to the inside are followed, and so is a link to the subfolder itself."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "in").write_text("")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "out").write_text("")
    (tmp_path / "a" / "file").symlink_to(tmp_path / "b" / "out")
    (tmp_path / "a" / "folder").symlink_to(tmp_path / "b")
    (tmp_path / "a" / "own").symlink_to("in")
    (tmp_path / "other").symlink_to("a")
    storage = LocalStorage(str(tmp_path))

    lookups = [("a", "own"), ("other", "in"), ("", "a/file"), ("a", "file"), ("a", "folder/out"), ("other", "file")]
    found = []
    for folder, path in lookups:
        try:
            found.append(storage.subfolder(folder).stat(path).size)
        except OutsideRoot:
            found.append(None)
    assert found == [0, 0, 0, None, None, None]


def test_linked_folders_are_listed(tmp_path):
    """As separate folders, whether the target is inside the tree or not."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "logs" / "a").mkdir(parents=True)
    (tmp_path / "logs" / "b").symlink_to(tmp_path / "logs" / "a")
    (tmp_path / "logs" / "c").symlink_to(tmp_path / "outside")
    assert folders(tmp_path / "logs") == ["", "a", "b", "c"]


def test_loops_of_links_end(tmp_path):
    """Links to a parent folder are skipped; mutual links are followed once each."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "b").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "a").symlink_to(tmp_path / "a")
    assert folders(tmp_path) == ["", "a", "a/b", "b", "b/a"]


def test_cross_linked_folders_are_limited(tmp_path):
    """Each is listed at most MAX_VISITS times."""
    names = "abcdefghij"
    for name in names:
        (tmp_path / name).mkdir()
    for name in names:
        for other in names:
            if other != name:
                (tmp_path / name / other).symlink_to(tmp_path / other)
    assert len(folders(tmp_path)) <= 1 + len(names) * (MAX_VISITS + 1)


def test_broken_links_are_reported(tmp_path):
    """Their neighbours are listed."""
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "here").write_bytes(b"x")
    errors = []
    (folder,) = LocalStorage(str(tmp_path)).walk(on_error=lambda path, error: errors.append((path, type(error))))
    assert ([info.path for info in folder.files], errors) == (["here"], [("gone", FileNotFoundError)])


def test_folders_with_linked_files_are_marked(tmp_path):
    """So that the loader knows about the second name."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "logs" / "link").symlink_to(tmp_path / "real")
    (folder,) = LocalStorage(str(tmp_path / "logs")).walk()
    assert ([info.size for info in folder.files], folder.linked) == ([1], True)


def test_names_that_are_not_utf8_can_be_read(tmp_path):
    """They are displayed with escapes."""
    os.makedirs(os.path.join(os.fsencode(tmp_path), b"bad\xff"))
    with open(os.path.join(os.fsencode(tmp_path), b"bad\xff", b"f"), "wb") as file:
        file.write(b"x")
    storage = LocalStorage(str(tmp_path))
    paths = [info.path for folder in storage.walk() for info in folder.files]
    assert [(storage.read(path, 0, 1), printable(path)) for path in paths] == [(b"x", "bad\\xff/f")]


def test_pipes_are_not_files(tmp_path):
    """They are neither listed nor opened."""
    os.mkfifo(tmp_path / "pipe")
    storage = LocalStorage(str(tmp_path))
    (folder,) = storage.walk()
    assert (folder.files, folder.seen) == ([], 1)
    with pytest.raises(OSError, match="not a regular file"):
        storage.open_fd("pipe")


def test_open_fd_returns_a_descriptor(tmp_path):
    """Of the file itself."""
    (tmp_path / "f").write_bytes(b"hello")
    fd = LocalStorage(str(tmp_path)).open_fd("f")
    try:
        assert os.pread(fd, 3, 1) == b"ell"
    finally:
        os.close(fd)


def test_the_home_folder_is_expanded():
    """`~` at the start of a path."""
    assert LocalStorage("~/runs").url == str(Path.home() / "runs")
