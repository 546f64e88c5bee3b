"""The fake storage passes the suite and plays a file's life."""

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


def test_denied_file_cannot_be_read_until_allowed():
    """A denied file raises PermissionError and comes back whole."""
    storage = MemoryStorage({"f": b"x"})
    storage.deny("f")
    with pytest.raises(PermissionError):
        storage.read("f", 0, 1)
    storage.allow("f")
    assert storage.read("f", 0, 1) == b"x"


def test_denied_folder_is_reported_and_the_walk_goes_on():
    """One folder that cannot be listed does not hide its neighbours."""
    storage = MemoryStorage({"a/f": b"", "b/f": b""})
    storage.deny("a")
    errors = []
    folders = [f.path for f in storage.walk(on_error=lambda path, error: errors.append((path, type(error))))]
    assert (folders, errors) == (["", "b"], [("a", PermissionError)])


def test_linked_folder_is_listed_under_both_names():
    """A link is another name for the folder's files."""
    storage = MemoryStorage({"a/f": b"x"})
    storage.link("b", "a")
    assert [info.path for folder in storage.walk() for info in folder.files] == ["a/f", "b/f"]
    assert storage.read("b/f", 0, 1) == b"x"


def test_link_to_a_folder_above_is_not_followed():
    """A loop ends where it would begin again."""
    storage = MemoryStorage({"a/f": b"x"})
    storage.link("a/again", "a")
    assert [folder.path for folder in storage.walk()] == ["", "a"]


def test_script_plays_one_step_at_a_time():
    """A file grows, shrinks and vanishes as the script says."""
    storage = MemoryStorage({"f": b"abc"})
    storage.script(lambda: storage.append("f", b"d"), lambda: storage.truncate("f", 1), lambda: storage.remove("f"))
    seen = []
    while storage.advance():
        seen.append([info.size for folder in storage.walk() for info in folder.files])
    assert seen == [[4], [1], []]


def test_file_can_change_between_two_reads():
    """The hook runs before each read and may change the file."""
    storage = MemoryStorage({"f": b"abcd"})
    storage.before_read = lambda path, offset: storage.truncate("f", 2) if offset else None
    assert (storage.read("f", 0, 4), storage.read("f", 1, 4)) == (b"abcd", b"b")
