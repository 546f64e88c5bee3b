"""The fake storage: the storage suite, and scripted changes of files."""

import pytest

from lightboard.storage.base import Storage
from lightboard.storage.memory import MemoryStorage
from lightboard.testing.storage import StorageTests


class TestMemoryStorage(StorageTests):
    def make(self, files: dict[str, bytes]) -> Storage:
        return MemoryStorage(files)

    def grow(self, storage: Storage, path: str, data: bytes) -> None:
        assert isinstance(storage, MemoryStorage)
        storage.append(path, data)

    def replace(self, storage: Storage, path: str, data: bytes) -> None:
        assert isinstance(storage, MemoryStorage)
        storage.replace(path, data)

    def remove(self, storage: Storage, path: str) -> None:
        assert isinstance(storage, MemoryStorage)
        storage.remove(path)


def test_denied_files_cannot_be_read_until_allowed():
    """Their content does not change."""
    storage = MemoryStorage({"f": b"x"})
    storage.deny("f")
    with pytest.raises(PermissionError):
        storage.read("f", 0, 1)
    storage.allow("f")
    assert storage.read("f", 0, 1) == b"x"


def test_denied_folders_do_not_stop_a_walk():
    """They are reported; their neighbours are listed."""
    storage = MemoryStorage({"a/f": b"", "b/f": b""})
    storage.deny("a")
    errors = []
    folders = [f.path for f in storage.walk(on_error=lambda path, error: errors.append((path, type(error))))]
    assert (folders, errors) == (["", "b"], [("a", PermissionError)])


def test_links_list_a_folder_under_both_names():
    """And files can be read through them."""
    storage = MemoryStorage({"a/f": b"x"})
    storage.link("b", "a")
    assert [info.path for folder in storage.walk() for info in folder.files] == ["a/f", "b/f"]
    assert storage.read("b/f", 0, 1) == b"x"


def test_links_to_parent_folders_are_not_followed():
    """They would loop."""
    storage = MemoryStorage({"a/f": b"x"})
    storage.link("a/again", "a")
    assert [folder.path for folder in storage.walk()] == ["", "a"]


def test_scripts_advance_step_by_step():
    """A file grows, shrinks and is deleted."""
    storage = MemoryStorage({"f": b"abc"})
    storage.script(lambda: storage.append("f", b"d"), lambda: storage.truncate("f", 1), lambda: storage.remove("f"))
    seen = []
    while storage.advance():
        seen.append([info.size for folder in storage.walk() for info in folder.files])
    assert seen == [[4], [1], []]


def test_files_may_change_between_reads():
    """`before_read` is called before each read."""
    storage = MemoryStorage({"f": b"abcd"})
    storage.before_read = lambda path, offset: storage.truncate("f", 2) if offset else None
    assert (storage.read("f", 0, 4), storage.read("f", 1, 4)) == (b"abcd", b"b")
