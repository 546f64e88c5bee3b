"""Tests that all storages must pass. Subclass `StorageTests`, and define how to create a storage and change its files.

They cover everything that other packages rely on. Capabilities of a single storage are tested elsewhere.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from lightboard.storage.base import Folder, ObjectInfo, Storage

_FILES = {
    "top.txt": b"top",
    "a/one.bin": b"0123456789",
    "a/two.bin": b"",
    "a/b/three.bin": b"three",
    "c/实验 №7/четыре.bin": b"four",
}
_ODD_NAMES = ("50%", "a%20b", "a+b", "a b", "#1?x=*", "训练 №7", "q'\"<&>", "~[x]{y}")


class StorageTests(ABC):
    """Subclasses implement `make`, `grow`, `replace` and `remove` for the storage under test.

    `grows_in_place` is False for storages whose files can only grow by being replaced.
    """

    grows_in_place = True

    @abstractmethod
    def make(self, files: dict[str, bytes]) -> Storage:
        """A storage with exactly these files."""

    @abstractmethod
    def grow(self, storage: Storage, path: str, data: bytes) -> None:
        """Append to a file."""

    @abstractmethod
    def replace(self, storage: Storage, path: str, data: bytes) -> None:
        """Replace a file by another one of the same name."""

    @abstractmethod
    def remove(self, storage: Storage, path: str) -> None:
        """Delete a file."""

    def test_walk_lists_every_folder_parents_first(self) -> None:
        """The root comes first, then each folder after its parent, ordered by name."""
        folders = [folder.path for folder in self.make(_FILES).walk()]
        assert folders == ["", "a", "a/b", "c", "c/实验 №7"]

    def test_walk_lists_files_sorted_with_sizes(self) -> None:
        """The files of a folder are sorted by name, with their relative paths and sizes."""
        (folder,) = self.make(_FILES).walk("a", deep=False)
        assert [(info.path, info.size) for info in folder.files] == [("a/one.bin", 10), ("a/two.bin", 0)]

    def test_walk_below_a_folder(self) -> None:
        """A walk may begin at any folder."""
        assert [folder.path for folder in self.make(_FILES).walk("a")] == ["a", "a/b"]

    def test_shallow_walk_names_the_folders_below(self) -> None:
        """With deep=False only the folder itself is listed, with the names of its subfolders."""
        listing = list(self.make(_FILES).walk("", deep=False))
        assert [(folder.path, folder.folders) for folder in listing] == [("", ["a", "c"])]

    def test_walk_counts_unselected_files(self) -> None:
        """Files that are not selected are counted, but not listed."""
        listing = self.make(_FILES).walk(select=lambda name: name.startswith("t"))
        assert [(folder.path, [f.path for f in folder.files], folder.seen) for folder in listing] == [
            ("", ["top.txt"], 1),
            ("a", ["a/two.bin"], 2),
            ("a/b", ["a/b/three.bin"], 1),
            ("c", [], 0),
            ("c/实验 №7", [], 1),
        ]

    def test_walk_of_nothing_reports_it(self) -> None:
        """A missing root is reported as not found, and the walk is empty."""
        errors: list[tuple[str, type[OSError]]] = []
        listing = self.make(_FILES).walk("no/such", on_error=lambda path, error: errors.append((path, type(error))))
        assert (list(listing), errors) == ([], [("no/such", FileNotFoundError)])

    def test_stat_agrees_with_walk(self) -> None:
        """`stat` returns the same as the listing."""
        storage = self.make(_FILES)
        assert [storage.stat(info.path) for info in self._all(storage)] == self._all(storage)

    def test_stat_of_nothing_is_not_found(self) -> None:
        """A missing file raises FileNotFoundError."""
        assert self._error(lambda: self.make(_FILES).stat("a/none")) is FileNotFoundError

    def test_read_of_nothing_is_not_found(self) -> None:
        """Reading a missing file raises FileNotFoundError."""
        assert self._error(lambda: self.make(_FILES).read("a/none", 0, 1)) is FileNotFoundError

    def test_read_returns_a_range(self) -> None:
        """For a range inside the file, exactly those bytes are returned."""
        assert self.make(_FILES).read("a/one.bin", 3, 4) == b"3456"

    def test_read_stops_at_the_end(self) -> None:
        """A range beyond the end of the file is truncated, or empty."""
        storage = self.make(_FILES)
        assert (storage.read("a/one.bin", 8, 10), storage.read("a/one.bin", 20, 5)) == (b"89", b"")

    def test_growth_keeps_identity(self) -> None:
        """A file that grows keeps its identity, unless it is replaced, and its new bytes can be read."""
        storage = self.make(_FILES)
        before = storage.stat("a/one.bin")
        self.grow(storage, "a/one.bin", b"ab")
        after = storage.stat("a/one.bin")
        same = after.identity == before.identity
        assert (same, after.size, storage.read("a/one.bin", 8, 9)) == (self.grows_in_place, 12, b"89ab")

    def test_replacement_changes_identity(self) -> None:
        """Another file with the same name has another identity."""
        storage = self.make(_FILES)
        before = storage.stat("a/one.bin")
        self.replace(storage, "a/one.bin", b"9876543210")
        assert storage.stat("a/one.bin").identity != before.identity

    def test_removal_is_noticed(self) -> None:
        """A removed file is no longer listed, and `stat` does not find it."""
        storage = self.make(_FILES)
        self.remove(storage, "a/one.bin")
        assert "a/one.bin" not in [info.path for info in self._all(storage)]
        assert self._error(lambda: storage.stat("a/one.bin")) is FileNotFoundError

    def test_a_subfolder_is_a_storage(self) -> None:
        """With the same files, whose paths are relative to the subfolder."""
        storage = self.make(_FILES)
        inner = storage.subfolder("a")
        listed = [(folder.path, [info.path for info in folder.files], folder.folders) for folder in inner.walk()]
        assert listed == [("", ["one.bin", "two.bin"], ["b"]), ("b", ["b/three.bin"], [])]
        assert inner.subfolder("b").read("three.bin", 1, 3) == b"hre"
        assert inner.stat("one.bin")[:3] == ("one.bin", *storage.stat("a/one.bin")[1:3])
        assert inner.locate("one.bin") == storage.locate("a/one.bin")

    def test_nothing_leads_out_of_a_subfolder(self) -> None:
        """Neither to its siblings nor to its parents."""
        inner = self.make(_FILES).subfolder("a/b")
        errors = [self._error(lambda path=path: inner.read(path, 0, 1)) for path in ("../one.bin", "../../top.txt")]  # type: ignore[misc]  # a lambda's default
        assert [issubclass(error or str, FileNotFoundError) for error in errors] == [True, True]

    def test_files_with_the_same_bytes_have_different_identities(self) -> None:
        """The identity does not depend on the content."""
        storage = self.make({"a": b"same", "b": b"same"})
        assert storage.stat("a").identity != storage.stat("b").identity

    def test_names_are_taken_literally(self) -> None:
        """Names contain no escapes, patterns or delimiters."""
        files = {f"{name}/{name}": name.encode() for name in _ODD_NAMES}
        storage = self.make(files)
        contents = {info.path: storage.read(info.path, 0, info.size) for info in self._all(storage)}
        assert (contents, [storage.stat(path).size for path in files]) == (
            files,
            [len(data) for data in files.values()],
        )

    def test_invalid_paths_are_not_found(self) -> None:
        """A path that cannot be encoded, or contains `..`, is an error like a missing file."""
        storage = self.make(_FILES)
        errors = [self._error(lambda path=path: storage.read(path, 0, 1)) for path in ("a/\udcff", "a/none/../none")]  # type: ignore[misc]  # a lambda's default
        assert errors == [FileNotFoundError, FileNotFoundError]

    def test_locate_names_the_file(self) -> None:
        """The location in messages ends with the path."""
        assert self.make(_FILES).locate("a/one.bin").endswith("a/one.bin")

    @staticmethod
    def _all(storage: Storage) -> list[ObjectInfo]:
        folders: list[Folder] = list(storage.walk())
        return [info for folder in folders for info in folder.files]

    @staticmethod
    def _error(action: Callable[[], object]) -> type[BaseException] | None:
        try:
            action()
        except OSError as error:
            return type(error)
        return None
