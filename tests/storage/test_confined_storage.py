"""Storages confined to roots: the storage suite, allowed links, and every known way to escape."""

import os
import pathlib
import tempfile

import pytest

from lightboard.errors import OutsideRoot
from lightboard.storage import openat2
from lightboard.storage.base import Folder, Storage, printable
from lightboard.storage.confined import MAX_LINKS, ConfinedStorage
from lightboard.storage.files import MAX_VISITS
from lightboard.testing.storage import StorageTests


@pytest.fixture(params=["at once", "step by step"], autouse=True)
def _resolution(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests run with openat2 and without it."""
    if request.param == "step by step":
        monkeypatch.setattr(openat2, "is_available", lambda: False)
    elif not openat2.is_available():
        pytest.skip("this kernel has no openat2")


class TestConfinedStorage(StorageTests):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: pathlib.Path) -> None:
        self.folder = tmp_path

    def make(self, files: dict[str, bytes]) -> Storage:
        for path, data in files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return ConfinedStorage(str(self.folder))

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


class RootFolders:
    """Two roots, `one` and `two`, and `out`, which is none. Files contain the name of their top folder."""

    def __init__(self, top: pathlib.Path) -> None:
        self.top = top
        self.one, self.two, self.out = (top / name for name in ("one", "two", "out"))
        for folder in (self.one, self.two, self.out):
            (folder / "a" / "b").mkdir(parents=True)
            for place in (folder, folder / "a", folder / "a" / "b"):
                (place / "f").write_text(folder.name)

    def storage(self, below: str = "one", refused: tuple[str, ...] = ()) -> ConfinedStorage:
        """A storage over a folder, within both roots."""
        return ConfinedStorage(str(self.top / below), [str(self.one), str(self.two)], refused)

    def read(self, path: str, below: str = "one") -> str:
        """The content of a file."""
        return self.storage(below).read(path, 0, 100).decode()


@pytest.fixture
def folders(tmp_path: pathlib.Path) -> RootFolders:
    """New folders for each test."""
    return RootFolders(tmp_path)


def paths(storage: Storage) -> list[str]:
    """All folders and files."""
    return sorted(path for folder in storage.walk() for path in (folder.path, *(info.path for info in folder.files)))


def list_top(storage: Storage) -> Folder:
    """The top folder."""
    return next(storage.walk(deep=False))


TARGETS = {
    "beside": ("a/b", "one"),
    "up and down": ("a/../a/b", "one"),
    "itself, in full": ("{one}/a/b", "one"),
    "another root, in full": ("{two}/a/b", "two"),
    "another root, by climbing": ("../two/a/b", "two"),
    "another root, the long way": ("{out}/../two/a/b", "two"),
    "a root, through what does not matter": ("../out/a/../../two/a/b", "two"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_links_within_the_roots_are_followed(folders: RootFolders, name: str) -> None:
    """However the target is written, to folders and to files."""
    target, found = TARGETS[name]
    target = target.format(one=folders.one, two=folders.two, out=folders.out)
    (folders.one / "folder").symlink_to(target)
    (folders.one / "file").symlink_to(f"{target}/f")
    storage = folders.storage()

    top = list_top(storage)
    assert [folders.read(path) for path in ("folder/f", "file")] == [found, found]
    assert ("folder" in top.links, top.linked, top.skipped) == (True, True, 0)
    assert {"folder/f", "file"} < set(paths(storage))
    assert storage.stat("file").size == 3


OUTWARD = {
    "in full": "{out}/a",
    "by climbing": "../out/a",
    "by climbing further": "../../../../../../../../../..{out}/a",
    "through a root": "{two}/../out/a",
    "the top of everything": "/",
    "the kernel's other name of it": "/proc/self/root{out}/a",
    "a folder that begins alike": "{one}-not",
    "the folder above": "..",
    "nothing": "{out}/nothing",
}


@pytest.mark.parametrize("name", OUTWARD)
def test_links_out_of_the_roots_are_skipped(folders: RootFolders, name: str) -> None:
    """And counted, whether or not the target exists."""
    folders.one.with_name("one-not").mkdir()
    (folders.one.with_name("one-not") / "f").write_text("out")
    (folders.one / "link").symlink_to(OUTWARD[name].format(one=folders.one, two=folders.two, out=folders.out))
    errors: list[str] = []
    storage = folders.storage()

    (top, *_) = storage.walk(on_error=lambda path, _: errors.append(path))
    assert (top.skipped, top.links, errors) == (1, [], [])
    assert paths(storage) == paths(ConfinedStorage(str(folders.two)))
    for path in ("link", "link/f", "link/a/f"):
        for look in (storage.stat, storage.open_fd):
            with pytest.raises(OutsideRoot):
                look(path)


def test_chains_of_links_may_not_leave_the_roots(folders: RootFolders) -> None:
    """Even if each link lies in a root."""
    (folders.two / "link").symlink_to(folders.out)
    (folders.one / "link").symlink_to(folders.two / "link")
    with pytest.raises(OutsideRoot):
        folders.read("link/f")


@pytest.mark.parametrize("path", ["../out/f", "a/../../out/f", "/etc/passwd", "a/b/../../../../out/f", ".."])
def test_paths_may_not_leave_the_roots(folders: RootFolders, path: str) -> None:
    """With dots, or absolute."""
    with pytest.raises(OSError, match=r"No such|leads out"):
        folders.read(path)


def test_paths_may_contain_dots_within_a_root(folders: RootFolders) -> None:
    """They resolve as in the kernel, after links."""
    (folders.one / "deep").symlink_to("a/b")
    (folders.one / "a" / "here").write_text("above b")
    assert folders.read("deep/../here") == "above b"


@pytest.mark.parametrize("path", ["a\0b", "a/\ud800"])
def test_invalid_names_are_not_found(folders: RootFolders, path: str) -> None:
    """A null byte must not cut the name."""
    with pytest.raises(FileNotFoundError):
        folders.read(path)


def test_loops_of_links_are_errors(folders: RootFolders) -> None:
    """The kernel's own, and for chains that are too long as well."""
    (folders.one / "x").symlink_to("y")
    (folders.one / "y").symlink_to("x")
    for number in range(MAX_LINKS + 1):
        (folders.one / f"l{number}").symlink_to(f"l{number + 1}")
    (folders.one / f"l{MAX_LINKS + 1}").symlink_to("f")
    errors: dict[str, OSError] = {}
    list(folders.storage().walk(on_error=errors.__setitem__))

    assert (set(errors), folders.read("l2")) == ({"x", "y", "l0", "l1"}, "one")


def test_cross_linked_folders_are_listed_a_limited_number_of_times(tmp_path: pathlib.Path) -> None:
    """Links to a parent folder are not followed at all."""
    names = "abcdefgh"
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "self").symlink_to("../..")
        (tmp_path / name / "up").symlink_to("..")
    for name in names:
        for other in names:
            if other != name:
                (tmp_path / name / other).symlink_to(tmp_path / other)
    folders = [folder.path for folder in ConfinedStorage(str(tmp_path)).walk()]
    assert len(folders) <= 1 + len(names) * (MAX_VISITS + 1)


# Subfolders


def test_subfolders_are_confined_to_themselves(folders: RootFolders) -> None:
    """Links to other folders of the root lead out, also if one replaces the folder."""
    (folders.one / "a" / "up").symlink_to("../f")
    (folders.one / "a" / "other").symlink_to(folders.two)
    (folders.one / "a" / "own").symlink_to("../a/b/f")
    (folders.one / "link").symlink_to("a")
    storage = folders.storage()
    for inner in (storage.subfolder("a"), storage.subfolder("link")):
        assert [inner.read(path, 0, 9) for path in ("f", "own")] == [b"one", b"one"]
        assert next(inner.walk()).skipped == 2
        for path in ("up", "other/f", "../f"):
            with pytest.raises(OutsideRoot):
                inner.open_fd(path)

    inner = storage.subfolder("a")
    (folders.one / "a").rename(folders.one / "kept")
    (folders.one / "a").symlink_to(folders.two)
    with pytest.raises(OutsideRoot):
        inner.open_fd("f")


# Refused folders and files


def test_refused_folders_are_identified_by_inode(folders: RootFolders) -> None:
    """They are not shown after a rename, through a link, or as a source."""
    secret = folders.one / "a"
    storage = folders.storage(refused=(str(secret),))
    (folders.two / "link").symlink_to(secret)
    assert paths(storage) == ["", "f"]

    secret.rename(folders.one / "moved")
    assert paths(storage) == ["", "f"]
    for look in (lambda: storage.read("moved/b/f", 0, 1), lambda: storage.open_fd("moved/f")):
        with pytest.raises(OutsideRoot):
            look()
    inner = ConfinedStorage(str(folders.one / "moved" / "b"), [str(folders.one)], [str(folders.one / "moved")])
    with pytest.raises(OutsideRoot):
        inner.read("f", 0, 1)


def test_folders_are_refused_after_they_were_read(folders: RootFolders) -> None:
    """Results of earlier lookups do not count."""
    hidden = folders.one / "hidden"
    storage = folders.storage(refused=(str(hidden),))
    assert storage.read("a/b/f", 0, 3) == b"one"

    (folders.one / "a").rename(hidden)
    list(storage.walk())
    hidden.rename(folders.one / "a")
    with pytest.raises(OutsideRoot):
        storage.read("a/b/f", 0, 3)


def test_refused_files_are_identified_by_inode(folders: RootFolders) -> None:
    """Under any name and through both kinds of links. Files beside them are shown."""
    secret = folders.one / "a" / "f"
    storage = folders.storage(refused=(str(secret),))
    os.link(secret, folders.one / "hard")
    secret.rename(folders.one / "a" / "moved")
    (folders.one / "soft").symlink_to("a/moved")

    for path in ("hard", "soft", "a/moved", "a/b/../moved"):
        for look in (storage.stat, storage.open_fd):
            with pytest.raises(OutsideRoot):
                look(path)
    assert paths(storage) == ["", "a", "a/b", "a/b/f", "f"]


def test_refused_files_may_be_created_later(folders: RootFolders) -> None:
    """They are refused before any listing has seen them."""
    later = folders.one / "a" / "later"
    storage = folders.storage(refused=(str(later),))
    (folders.one / "link").symlink_to(later)
    later.write_text("secret")

    for path in ("a/later", "link", "a/b/../later"):
        with pytest.raises(OutsideRoot):
            storage.read(path, 0, 6)


def test_roots_in_refused_folders_are_readable(folders: RootFolders) -> None:
    """As the storage of a project in the hub's folder; nothing beside it is."""
    hub = folders.one / "hub"
    (hub / "storage").mkdir(parents=True)
    (hub / "storage" / "f").write_text("own")
    (hub / "key").write_text("key")
    (folders.two / "full").symlink_to(hub / "storage")
    (folders.two / "up").symlink_to("../one/hub/storage")
    (folders.two / "key").symlink_to(hub / "key")
    roots = [str(folders.one), str(folders.two), str(hub / "storage")]
    storage = ConfinedStorage(str(folders.two), roots, [str(hub)])

    assert [storage.read(f"{name}/f", 0, 9) for name in ("full", "up")] == [b"own", b"own"]
    assert ConfinedStorage(str(hub / "storage"), roots, [str(hub)]).read("f", 0, 9) == b"own"
    for path in ("key", "up/../key", "full/../key"):
        with pytest.raises(OutsideRoot):
            storage.read(path, 0, 9)


def test_procfs_is_never_read(tmp_path: pathlib.Path) -> None:
    """Even if `/` is a root."""
    (tmp_path / "environ").symlink_to("/proc/self/environ")
    with pytest.raises(OutsideRoot):
        ConfinedStorage(str(tmp_path), ["/"]).read("environ", 0, 1)


# Folders replaced by links


def test_folders_replaced_by_links_are_not_read(folders: RootFolders) -> None:
    """Until the folder is back."""
    storage = folders.storage()
    assert storage.read("a/b/f", 0, 9) == b"one"
    (folders.one / "a").rename(folders.one / "kept")
    (folders.one / "a").symlink_to(folders.out / "a")

    for look in (storage.stat, storage.open_fd):
        with pytest.raises(OutsideRoot):
            look("a/b/f")
    assert "a/f" not in paths(storage)
    (folders.one / "a").unlink()
    (folders.one / "kept").rename(folders.one / "a")
    assert storage.read("a/b/f", 0, 9) == b"one"


def test_sources_replaced_by_links_are_errors(folders: RootFolders) -> None:
    """The walk reports the top as outside of the roots."""
    storage = folders.storage("one/a")
    assert "b/f" in paths(storage)
    (folders.one / "a").rename(folders.one / "kept")
    (folders.one / "a").symlink_to(folders.out / "a")

    errors: dict[str, OSError] = {}
    assert list(storage.walk(on_error=errors.__setitem__)) == []
    assert isinstance(errors[""], OutsideRoot)


def test_roots_replaced_by_links_are_gone(folders: RootFolders) -> None:
    """Only administrators define roots. A new folder of that name is the root again."""
    storage = folders.storage()
    assert "f" in paths(storage)
    folders.one.rename(folders.top / "kept")
    folders.one.symlink_to(folders.out)
    assert [path for path in paths(storage) if storage.read(path, 0, 9) != b"one"] == []
    errors: dict[str, OSError] = {}
    list(folders.storage().walk(on_error=errors.__setitem__))
    assert isinstance(errors[""], FileNotFoundError)

    folders.one.unlink()
    folders.one.mkdir()
    (folders.one / "new").write_text("new")
    assert paths(storage) == ["", "new"]


def test_roots_may_appear_later(tmp_path: pathlib.Path) -> None:
    """As a logdir may."""
    storage = ConfinedStorage(str(tmp_path / "later" / "runs"), [str(tmp_path / "later")])
    assert paths(storage) == []
    (tmp_path / "later" / "runs" / "a").mkdir(parents=True)
    assert paths(storage) == ["", "a"]


# Behaviour shared with local storages


def test_unlistable_folders_can_be_traversed(folders: RootFolders) -> None:
    """With mode `--x`, paths below can be opened by name."""
    if os.geteuid() == 0:
        pytest.skip("nothing is hidden from root")
    (folders.one / "a").chmod(0o100)
    assert folders.read("f", "one/a/b") == "one"


def test_broken_links_in_roots_are_reported(tmp_path: pathlib.Path) -> None:
    """Their neighbours are listed."""
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "here").write_bytes(b"x")
    errors = []
    storage = ConfinedStorage(str(tmp_path))
    (folder,) = storage.walk(on_error=lambda path, error: errors.append((path, type(error))))
    assert ([info.path for info in folder.files], errors) == (["here"], [("gone", FileNotFoundError)])


def test_pipes_in_roots_are_not_files(tmp_path: pathlib.Path) -> None:
    """They are neither listed nor opened, and neither are links to them."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    storage = ConfinedStorage(str(tmp_path))
    (folder,) = storage.walk()
    assert (folder.files, folder.seen) == ([], 2)
    for path in ("pipe", "link", ""):
        with pytest.raises(OSError, match="not a regular file"):
            storage.open_fd(path)


def test_names_that_are_not_utf8_in_roots_can_be_read(tmp_path: pathlib.Path) -> None:
    """They are displayed with escapes."""
    os.makedirs(os.path.join(os.fsencode(tmp_path), b"bad\xff"))
    with open(os.path.join(os.fsencode(tmp_path), b"bad\xff", b"f"), "wb") as file:
        file.write(b"x")
    storage = ConfinedStorage(str(tmp_path))
    found = [info.path for folder in storage.walk() for info in folder.files]
    assert [(storage.read(path, 0, 1), printable(path)) for path in found] == [(b"x", "bad\\xff/f")]


def test_no_descriptors_are_leaked(folders: RootFolders) -> None:
    """Only one for each root stays open."""
    (folders.one / "link").symlink_to(folders.two)
    (folders.one / "away").symlink_to(folders.out)
    storage = folders.storage()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        for path in [*paths(storage), "away/f", "none/f", "f/f", "link/none", "../out/f"]:
            try:
                storage.read(path, 0, 1)
            except OSError:
                continue
    assert len(os.listdir("/proc/self/fd")) <= before + 2
