"""Files of this machine: the suite, links, loops, odd names, pipes."""

import os
import tempfile
from pathlib import Path

import pytest

from lightboard.errors import LeadsOutside
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
        # Written beside it first: an inode freed by deleting could come back at once.
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(data)
        os.replace(file.name, self.folder / path)

    def remove(self, storage: Storage, path: str) -> None:
        (self.folder / path).unlink()


def folders(root: Path) -> list[str]:
    return [folder.path for folder in LocalStorage(str(root)).walk()]


def test_a_link_out_of_a_folder_is_none_to_who_stays_below_it(tmp_path):
    """Nor is anything behind one; a link to the inside is, and one to the folder itself."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "in").write_text("")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "out").write_text("")
    (tmp_path / "a" / "file").symlink_to(tmp_path / "b" / "out")
    (tmp_path / "a" / "folder").symlink_to(tmp_path / "b")
    (tmp_path / "a" / "own").symlink_to("in")
    (tmp_path / "other").symlink_to("a")
    storage = LocalStorage(str(tmp_path))

    asked = [("a", "own"), ("other", "in"), ("", "a/file"), ("a", "file"), ("a", "folder/out"), ("other", "file")]
    found = []
    for folder, path in asked:
        try:
            found.append(storage.below(folder).stat(path).size)
        except LeadsOutside:
            found.append(None)
    assert found == [0, 0, 0, None, None, None]


def test_linked_folder_is_followed(tmp_path):
    """A link to a folder is a folder of its own, inside the tree or out of it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "logs" / "a").mkdir(parents=True)
    (tmp_path / "logs" / "b").symlink_to(tmp_path / "logs" / "a")
    (tmp_path / "logs" / "c").symlink_to(tmp_path / "outside")
    assert folders(tmp_path / "logs") == ["", "a", "b", "c"]


def test_loop_of_links_ends(tmp_path):
    """A link to a folder above itself is left out; two folders that link to each other are each seen through once."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "b").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "a").symlink_to(tmp_path / "a")
    assert folders(tmp_path) == ["", "a", "a/b", "b", "b/a"]


def test_crossing_links_do_not_multiply_without_end(tmp_path):
    """Folders that all link to each other are listed a bounded number of times."""
    names = "abcdefghij"
    for name in names:
        (tmp_path / name).mkdir()
    for name in names:
        for other in names:
            if other != name:
                (tmp_path / name / other).symlink_to(tmp_path / other)
    assert len(folders(tmp_path)) <= 1 + len(names) * (MAX_VISITS + 1)


def test_broken_link_is_reported(tmp_path):
    """A link to nothing is named, and its neighbours are listed."""
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "here").write_bytes(b"x")
    errors = []
    (folder,) = LocalStorage(str(tmp_path)).walk(on_error=lambda path, error: errors.append((path, type(error))))
    assert ([info.path for info in folder.files], errors) == (["here"], [("gone", FileNotFoundError)])


def test_linked_file_is_marked(tmp_path):
    """A folder says that one of its chosen files is a link."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "logs" / "link").symlink_to(tmp_path / "real")
    (folder,) = LocalStorage(str(tmp_path / "logs")).walk()
    assert ([info.size for info in folder.files], folder.linked) == ([1], True)


def test_name_that_is_not_text_can_be_read(tmp_path):
    """Bytes that are not UTF-8 survive in a path, and are shown as escapes."""
    os.makedirs(os.path.join(os.fsencode(tmp_path), b"bad\xff"))
    with open(os.path.join(os.fsencode(tmp_path), b"bad\xff", b"f"), "wb") as file:
        file.write(b"x")
    storage = LocalStorage(str(tmp_path))
    paths = [info.path for folder in storage.walk() for info in folder.files]
    assert [(storage.read(path, 0, 1), printable(path)) for path in paths] == [(b"x", "bad\\xff/f")]


def test_pipe_is_no_file(tmp_path):
    """A pipe with a promising name is neither listed nor waited for."""
    os.mkfifo(tmp_path / "pipe")
    storage = LocalStorage(str(tmp_path))
    (folder,) = storage.walk()
    assert (folder.files, folder.seen) == ([], 1)
    with pytest.raises(OSError, match="not a regular file"):
        storage.open_fd("pipe")


def test_descriptor_reads_the_file(tmp_path):
    """Local files give a descriptor."""
    (tmp_path / "f").write_bytes(b"hello")
    fd = LocalStorage(str(tmp_path)).open_fd("f")
    try:
        assert os.pread(fd, 3, 1) == b"ell"
    finally:
        os.close(fd)


def test_home_is_expanded():
    """`~` is the home folder."""
    assert LocalStorage("~/runs").url == str(Path.home() / "runs")
