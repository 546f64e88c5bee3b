"""Files below some folders and nothing else: the suite, links that may be followed, and every way out we know of."""

import os
import pathlib
import tempfile

import pytest

from lightboard.errors import LeadsOutside
from lightboard.storage import openat2
from lightboard.storage.base import Folder, Storage, printable
from lightboard.storage.confined import MAX_LINKS, ConfinedStorage
from lightboard.storage.files import MAX_VISITS
from lightboard.testing.storage import StorageTests


@pytest.fixture(params=["at once", "step by step"], autouse=True)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds with openat2 and without it."""
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
        # Written beside it first: an inode freed by deleting could come back at once.
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            file.write(data)
        os.replace(file.name, self.folder / path)

    def remove(self, storage: Storage, path: str) -> None:
        (self.folder / path).unlink()


class Ground:
    """Two folders that may be shown, `one` and `two`, one that may not, `out`, each with a file that says its name."""

    def __init__(self, top: pathlib.Path) -> None:
        self.top = top
        self.one, self.two, self.out = (top / name for name in ("one", "two", "out"))
        for folder in (self.one, self.two, self.out):
            (folder / "a" / "b").mkdir(parents=True)
            for place in (folder, folder / "a", folder / "a" / "b"):
                (place / "f").write_text(folder.name)

    def storage(self, below: str = "one", refused: tuple[str, ...] = ()) -> ConfinedStorage:
        """Over a folder."""
        return ConfinedStorage(str(self.top / below), [str(self.one), str(self.two)], refused)

    def read(self, path: str, below: str = "one") -> str:
        """What the file says."""
        return self.storage(below).read(path, 0, 100).decode()


@pytest.fixture
def ground(tmp_path: pathlib.Path) -> Ground:
    """Fresh for each test."""
    return Ground(tmp_path)


def paths(storage: Storage) -> list[str]:
    """Every folder and file of a walk."""
    return sorted(path for folder in storage.walk() for path in (folder.path, *(info.path for info in folder.files)))


def listed(storage: Storage) -> Folder:
    """The top."""
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
def test_a_link_to_what_may_be_shown_is_followed(ground: Ground, name: str) -> None:
    """Within a root and into another one, however the way there is written; as a folder and as a file."""
    target, found = TARGETS[name]
    target = target.format(one=ground.one, two=ground.two, out=ground.out)
    (ground.one / "folder").symlink_to(target)
    (ground.one / "file").symlink_to(f"{target}/f")
    storage = ground.storage()

    top = listed(storage)
    assert [ground.read(path) for path in ("folder/f", "file")] == [found, found]
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
def test_a_link_out_is_skipped_and_counted(ground: Ground, name: str) -> None:
    """Whatever its text says, and whether or not something is there."""
    ground.one.with_name("one-not").mkdir()
    (ground.one.with_name("one-not") / "f").write_text("out")
    (ground.one / "link").symlink_to(OUTWARD[name].format(one=ground.one, two=ground.two, out=ground.out))
    errors: list[str] = []
    storage = ground.storage()

    (top, *_) = storage.walk(on_error=lambda path, _: errors.append(path))
    assert (top.skipped, top.links, errors) == (1, [], [])
    assert paths(storage) == paths(ConfinedStorage(str(ground.two)))
    for path in ("link", "link/f", "link/a/f"):
        for look in (storage.stat, storage.open_fd):
            with pytest.raises(LeadsOutside):
                look(path)


def test_a_link_to_a_link_out_is_a_link_out(ground: Ground) -> None:
    """Even if both lie in roots."""
    (ground.two / "link").symlink_to(ground.out)
    (ground.one / "link").symlink_to(ground.two / "link")
    with pytest.raises(LeadsOutside):
        ground.read("link/f")


@pytest.mark.parametrize("path", ["../out/f", "a/../../out/f", "/etc/passwd", "a/b/../../../../out/f", ".."])
def test_a_path_does_not_climb_out(ground: Ground, path: str) -> None:
    """Whoever made it up."""
    with pytest.raises(OSError, match=r"No such|leads out"):
        ground.read(path)


def test_a_path_may_climb_within(ground: Ground) -> None:
    """As in any file system, where the kernel would lead as well."""
    (ground.one / "deep").symlink_to("a/b")
    (ground.one / "a" / "here").write_text("above b")
    assert ground.read("deep/../here") == "above b"


@pytest.mark.parametrize("path", ["a\0b", "a/\ud800"])
def test_what_no_name_can_be_is_not_found(ground: Ground, path: str) -> None:
    """Rather than something that begins alike."""
    with pytest.raises(FileNotFoundError):
        ground.read(path)


def test_a_circle_of_links_ends(ground: Ground) -> None:
    """With the error that the kernel has for it."""
    (ground.one / "x").symlink_to("y")
    (ground.one / "y").symlink_to("x")
    for number in range(MAX_LINKS + 1):
        (ground.one / f"l{number}").symlink_to(f"l{number + 1}")
    (ground.one / f"l{MAX_LINKS + 1}").symlink_to("f")
    errors: dict[str, OSError] = {}
    list(ground.storage().walk(on_error=errors.__setitem__))

    assert (set(errors), ground.read("l2")) == ({"x", "y", "l0", "l1"}, "one")


def test_links_that_cross_do_not_multiply_without_end(tmp_path: pathlib.Path) -> None:
    """Folders that all link to each other are listed a bounded number of times, and one above itself not at all."""
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


# A folder as a storage of its own


def test_who_stays_below_a_folder_sees_less(ground: Ground) -> None:
    """A link to another folder of the same root leads out of it, and so does one that comes in its place."""
    (ground.one / "a" / "up").symlink_to("../f")
    (ground.one / "a" / "other").symlink_to(ground.two)
    (ground.one / "a" / "own").symlink_to("../a/b/f")
    (ground.one / "link").symlink_to("a")
    storage = ground.storage()
    for inner in (storage.below("a"), storage.below("link")):
        assert [inner.read(path, 0, 9) for path in ("f", "own")] == [b"one", b"one"]
        assert next(inner.walk()).skipped == 2
        for path in ("up", "other/f", "../f"):
            with pytest.raises(LeadsOutside):
                inner.open_fd(path)

    inner = storage.below("a")
    (ground.one / "a").rename(ground.one / "kept")
    (ground.one / "a").symlink_to(ground.two)
    with pytest.raises(LeadsOutside):
        inner.open_fd("f")


# What is refused


def test_a_refused_folder_is_known_by_what_it_is(ground: Ground) -> None:
    """Not by its name: neither moved, nor by a link, nor as the top of a source is it shown."""
    secret = ground.one / "a"
    storage = ground.storage(refused=(str(secret),))
    (ground.two / "link").symlink_to(secret)
    assert paths(storage) == ["", "f"]

    secret.rename(ground.one / "moved")
    assert paths(storage) == ["", "f"]
    for look in (lambda: storage.read("moved/b/f", 0, 1), lambda: storage.open_fd("moved/f")):
        with pytest.raises(LeadsOutside):
            look()
    inner = ConfinedStorage(str(ground.one / "moved" / "b"), [str(ground.one)], [str(ground.one / "moved")])
    with pytest.raises(LeadsOutside):
        inner.read("f", 0, 1)


def test_a_refused_folder_is_refused_after_it_was_known(ground: Ground) -> None:
    """What was seen on the way before does not count."""
    hidden = ground.one / "hidden"
    storage = ground.storage(refused=(str(hidden),))
    assert storage.read("a/b/f", 0, 3) == b"one"

    (ground.one / "a").rename(hidden)
    list(storage.walk())
    hidden.rename(ground.one / "a")
    with pytest.raises(LeadsOutside):
        storage.read("a/b/f", 0, 3)


def test_a_refused_file_is_known_by_what_it_is(ground: Ground) -> None:
    """Under any name, by a link of either kind; files beside it are shown."""
    secret = ground.one / "a" / "f"
    storage = ground.storage(refused=(str(secret),))
    os.link(secret, ground.one / "hard")
    secret.rename(ground.one / "a" / "moved")
    (ground.one / "soft").symlink_to("a/moved")

    for path in ("hard", "soft", "a/moved", "a/b/../moved"):
        for look in (storage.stat, storage.open_fd):
            with pytest.raises(LeadsOutside):
                look(path)
    assert paths(storage) == ["", "a", "a/b", "a/b/f", "f"]


def test_a_refused_file_that_comes_later_is_refused(ground: Ground) -> None:
    """At once, before a listing has seen what it is; by whatever way."""
    later = ground.one / "a" / "later"
    storage = ground.storage(refused=(str(later),))
    (ground.one / "link").symlink_to(later)
    later.write_text("secret")

    for path in ("a/later", "link", "a/b/../later"):
        with pytest.raises(LeadsOutside):
            storage.read(path, 0, 6)


def test_a_root_in_a_refused_folder_is_a_root(ground: Ground) -> None:
    """As the storage of a project is in the folder of the hub; nothing beside it is."""
    hub = ground.one / "hub"
    (hub / "storage").mkdir(parents=True)
    (hub / "storage" / "f").write_text("own")
    (hub / "key").write_text("key")
    (ground.two / "full").symlink_to(hub / "storage")
    (ground.two / "up").symlink_to("../one/hub/storage")
    (ground.two / "key").symlink_to(hub / "key")
    roots = [str(ground.one), str(ground.two), str(hub / "storage")]
    storage = ConfinedStorage(str(ground.two), roots, [str(hub)])

    assert [storage.read(f"{name}/f", 0, 9) for name in ("full", "up")] == [b"own", b"own"]
    assert ConfinedStorage(str(hub / "storage"), roots, [str(hub)]).read("f", 0, 9) == b"own"
    for path in ("key", "up/../key", "full/../key"):
        with pytest.raises(LeadsOutside):
            storage.read(path, 0, 9)


def test_what_the_kernel_tells_of_processes_is_no_file(tmp_path: pathlib.Path) -> None:
    """Even where everything may be shown."""
    (tmp_path / "environ").symlink_to("/proc/self/environ")
    with pytest.raises(LeadsOutside):
        ConfinedStorage(str(tmp_path), ["/"]).read("environ", 0, 1)


# What is put in another's place


def test_a_folder_that_becomes_a_link_out_is_gone(ground: Ground) -> None:
    """At once, and it is back when it is."""
    storage = ground.storage()
    assert storage.read("a/b/f", 0, 9) == b"one"
    (ground.one / "a").rename(ground.one / "kept")
    (ground.one / "a").symlink_to(ground.out / "a")

    for look in (storage.stat, storage.open_fd):
        with pytest.raises(LeadsOutside):
            look("a/b/f")
    assert "a/f" not in paths(storage)
    (ground.one / "a").unlink()
    (ground.one / "kept").rename(ground.one / "a")
    assert storage.read("a/b/f", 0, 9) == b"one"


def test_the_top_of_a_source_that_becomes_a_link_out_is_gone(ground: Ground) -> None:
    """And says so."""
    storage = ground.storage("one/a")
    assert "b/f" in paths(storage)
    (ground.one / "a").rename(ground.one / "kept")
    (ground.one / "a").symlink_to(ground.out / "a")

    errors: dict[str, OSError] = {}
    assert list(storage.walk(on_error=errors.__setitem__)) == []
    assert isinstance(errors[""], LeadsOutside)


def test_a_root_that_becomes_a_link_is_gone(ground: Ground) -> None:
    """Only an administrator says what a root is; one that is made anew is the root again."""
    storage = ground.storage()
    assert "f" in paths(storage)
    ground.one.rename(ground.top / "kept")
    ground.one.symlink_to(ground.out)
    assert [path for path in paths(storage) if storage.read(path, 0, 9) != b"one"] == []
    errors: dict[str, OSError] = {}
    list(ground.storage().walk(on_error=errors.__setitem__))
    assert isinstance(errors[""], FileNotFoundError)

    ground.one.unlink()
    ground.one.mkdir()
    (ground.one / "new").write_text("new")
    assert paths(storage) == ["", "new"]


def test_a_root_may_come_later(tmp_path: pathlib.Path) -> None:
    """As a logdir may."""
    storage = ConfinedStorage(str(tmp_path / "later" / "runs"), [str(tmp_path / "later")])
    assert paths(storage) == []
    (tmp_path / "later" / "runs" / "a").mkdir(parents=True)
    assert paths(storage) == ["", "a"]


# As any storage of this machine


def test_a_folder_whose_names_are_hidden_is_passed_through(ground: Ground) -> None:
    """As with `--x`: what lies below is known by its name alone."""
    if os.geteuid() == 0:
        pytest.skip("nothing is hidden from root")
    (ground.one / "a").chmod(0o100)
    assert ground.read("f", "one/a/b") == "one"


def test_a_broken_link_is_reported(tmp_path: pathlib.Path) -> None:
    """A link to nothing is named, and its neighbours are listed."""
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "here").write_bytes(b"x")
    errors = []
    storage = ConfinedStorage(str(tmp_path))
    (folder,) = storage.walk(on_error=lambda path, error: errors.append((path, type(error))))
    assert ([info.path for info in folder.files], errors) == (["here"], [("gone", FileNotFoundError)])


def test_a_pipe_is_no_file(tmp_path: pathlib.Path) -> None:
    """One with a promising name is neither listed nor waited for, nor is one behind a link."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    storage = ConfinedStorage(str(tmp_path))
    (folder,) = storage.walk()
    assert (folder.files, folder.seen) == ([], 2)
    for path in ("pipe", "link", ""):
        with pytest.raises(OSError, match="not a regular file"):
            storage.open_fd(path)


def test_a_name_that_is_not_text_can_be_read(tmp_path: pathlib.Path) -> None:
    """Bytes that are not UTF-8 survive in a path, and are shown as escapes."""
    os.makedirs(os.path.join(os.fsencode(tmp_path), b"bad\xff"))
    with open(os.path.join(os.fsencode(tmp_path), b"bad\xff", b"f"), "wb") as file:
        file.write(b"x")
    storage = ConfinedStorage(str(tmp_path))
    found = [info.path for folder in storage.walk() for info in folder.files]
    assert [(storage.read(path, 0, 1), printable(path)) for path in found] == [(b"x", "bad\\xff/f")]


def test_no_descriptor_is_left_open(ground: Ground) -> None:
    """But one for each root."""
    (ground.one / "link").symlink_to(ground.two)
    (ground.one / "away").symlink_to(ground.out)
    storage = ground.storage()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        for path in [*paths(storage), "away/f", "none/f", "f/f", "link/none", "../out/f"]:
            try:
                storage.read(path, 0, 1)
            except OSError:
                continue
    assert len(os.listdir("/proc/self/fd")) <= before + 2
