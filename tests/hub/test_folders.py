"""Folder listings for browsing: contents, order and cost."""

import itertools
import os
import pathlib
from functools import partial

import pytest

from lightboard.errors import OutsideRoot
from lightboard.hub.folders import LIMITS, FolderInfo, FolderPage, FolderReader, FolderTree, Limits
from lightboard.hub.resources.sources import SourceKind, can_name, clean_relative, parse_uri

EVENTS = "events.out.tfevents.1"
CHANGED = 1_000_000.0


class Ground:
    """A root that may be shown, another one, a folder that may not, and the hub's own below the root."""

    def __init__(self, top: pathlib.Path) -> None:
        self.top = top
        self.root, self.other, self.outside = (top / name for name in ("root", "other", "outside"))
        self.home = self.root / "hub"
        for folder in (self.root, self.other, self.outside):
            folder.mkdir()

    def folder(self, path: str, *files: str, at: float = CHANGED) -> pathlib.Path:
        """A folder below the root with files in it, changed at a time."""
        made = self.root / path
        made.mkdir(parents=True, exist_ok=True)
        for name in files:
            (made / name).touch()
            os.utime(made / name, (at, at))
        os.utime(made, (at, at))
        return made

    def tree(self, folder: str = "", *, sealed: bool = False) -> FolderTree:
        """What is browsed."""
        roots = (str(self.root), str(self.other))
        return FolderTree(folder or str(self.root), roots, (str(self.home),), sealed, str(self.root))

    def page(self, path: str = "", limits: Limits = LIMITS, **how: object) -> FolderPage:
        """One page of it."""
        return FolderReader(self.tree(), limits).page(path, **how)  # type: ignore[arg-type]

    def names(self, path: str = "", **how: object) -> list[str]:
        """What it shows."""
        return [folder.name for folder in self.page(path, **how).folders]


@pytest.fixture
def ground(tmp_path: pathlib.Path) -> Ground:
    """Fresh for each test."""
    return Ground(tmp_path)


def test_folders_report_event_files(ground: Ground) -> None:
    """In them or one level below; files are not listed."""
    ground.folder("deep/a/b", EVENTS)
    ground.folder("empty")
    ground.folder("group/run", EVENTS)
    ground.folder("run", EVENTS, "model.pt")
    (ground.root / "notes.txt").touch()
    for name in ("deep", "group"):
        ground.folder(name)

    assert ground.page() == FolderPage(
        folders=[
            FolderInfo("deep", False, CHANGED),
            FolderInfo("empty", False, CHANGED),
            FolderInfo("group", True, CHANGED),
            FolderInfo("run", True, CHANGED),
        ],
        total=4,
        logs=False,
        links_skipped=0,
        names_skipped=0,
        complete=True,
    )


def test_the_modification_time_includes_event_files(ground: Ground) -> None:
    """They grow without changing their folder."""
    run = ground.folder("run", EVENTS)
    os.utime(run / EVENTS, (CHANGED + 60, CHANGED + 60))

    assert ground.page().folders == [FolderInfo("run", True, CHANGED + 60)]


def test_event_files_in_the_folder_itself_are_reported(ground: Ground) -> None:
    """With any prefix; links count if their target may be shown."""
    ground.folder("run", EVENTS)
    ground.folder("linked")
    ground.folder("led out")
    (ground.outside / EVENTS).touch()
    (ground.root / "linked" / EVENTS).symlink_to(ground.root / "run" / EVENTS)
    (ground.root / "led out" / EVENTS).symlink_to(ground.outside / EVENTS)

    assert [ground.page(path, prefix="z").logs for path in ("run", "linked", "led out", "")] == [
        True,
        True,
        False,
        False,
    ]


def test_pages_are_sorted_case_insensitively(ground: Ground) -> None:
    """With the total count."""
    for name in ("b", "C", "a", "D", "e"):
        ground.folder(name)

    pages = [ground.page(first=first, size=2) for first in (0, 2, 4, 6)]

    assert [[folder.name for folder in page.folders] for page in pages] == [["a", "b"], ["C", "D"], ["e"], []]
    assert {page.total for page in pages} == {5}


def test_a_prefix_filters_names(ground: Ground) -> None:
    """Case-insensitively, in any script."""
    for name in ("Run-1", "run-2", "other", "Übung"):
        ground.folder(name)

    assert (ground.names(prefix="rUn"), ground.names(prefix="üB"), ground.names(prefix="un")) == (
        ["Run-1", "run-2"],
        ["Übung"],
        [],
    )


def test_links_may_lead_into_roots(ground: Ground) -> None:
    """Others are counted; links to files, to nothing and cycles are ignored."""
    (ground.other / "shared" / "run").mkdir(parents=True)
    (ground.other / "shared" / "run" / EVENTS).touch()
    (ground.root / "file").touch()
    for name, target in (
        ("other root", ground.other / "shared"),
        ("outside", ground.outside),
        ("etc", "/etc"),
        ("climbs", "../../.."),
        ("file link", "file"),
        ("nothing", "none"),
        ("circle", "circle"),
    ):
        (ground.root / name).symlink_to(target)

    page = ground.page()

    assert [(folder.name, folder.logs) for folder in page.folders] == [("other root", True)]
    assert (page.total, page.links_skipped) == (1, 3)


def test_confined_trees_ignore_links_into_roots(ground: Ground) -> None:
    """Although they lead into a root."""
    ground.folder("storage/run", EVENTS)
    ground.folder("beside")
    (ground.root / "storage" / "out").symlink_to(ground.root / "beside")
    (ground.root / "storage" / "in").symlink_to("run")
    reader = FolderReader(ground.tree(str(ground.root / "storage"), sealed=True))

    page = reader.page("")

    assert ([folder.name for folder in page.folders], page.links_skipped) == (["in", "run"], 1)
    with pytest.raises(OutsideRoot):
        reader.page("out")


def test_linked_folders_outside_are_not_browsed(ground: Ground) -> None:
    """Nor anything below them."""
    (ground.outside / "secret").mkdir()
    (ground.root / "link").symlink_to(ground.outside)

    for path in ("link", "link/secret"):
        with pytest.raises(OutsideRoot):
            ground.page(path)


def test_the_data_directory_is_not_listed(ground: Ground) -> None:
    """It is recognized by identity, not by name."""
    ground.folder("hub/storage")
    ground.folder("runs")
    (ground.root / "alias").symlink_to("hub")
    shown, total = ground.names(), ground.page().total
    with pytest.raises(OutsideRoot):
        ground.page("hub")
    reader = FolderReader(ground.tree())

    ground.home.rename(ground.root / "renamed")

    assert (shown, total, [folder.name for folder in reader.page("").folders]) == (["runs"], 1, ["runs"])


def test_unusable_names_are_counted(ground: Ground) -> None:
    """Not UTF-8, or ambiguous as a source."""
    (ground.root / "run").mkdir()
    os.mkdir(os.fsencode(ground.root) + b"/\xff\xfe")
    for name in ("trailing ", "a:b", "back\\slash", "研究"):
        (ground.root / name).mkdir()

    path, storage = (ground.page(can_name=partial(can_name, kind)) for kind in (SourceKind.PATH, SourceKind.STORAGE))

    assert ([folder.name for folder in path.folders], path.names_skipped) == (
        ["a:b", "back\\slash", "run", "研究"],
        2,
    )
    assert ([folder.name for folder in storage.folders], storage.names_skipped) == (["run", "研究"], 4)


@pytest.mark.parametrize(
    ("name", "by_path", "by_storage"),
    [
        ("run", True, True),
        ("研究", True, True),
        ("a b", True, True),
        ("a%20b", True, True),
        ("...", True, True),
        ("a:b", True, False),
        ("a:ro", True, False),
        ("a\\b", True, False),
        ("a ", False, False),
        ("\n", False, False),
        ("\udcff", False, False),
    ],
)
def test_listed_names_are_parsed_back(name: str, by_path: bool, by_storage: bool) -> None:
    """In folders, storages and datasets."""
    assert (can_name(SourceKind.PATH, name), can_name(SourceKind.STORAGE, name)) == (by_path, by_storage)
    if by_path:
        assert parse_uri(f"/data/{name}") == (SourceKind.PATH, "", f"/data/{name}")
    if by_storage:
        assert parse_uri(f"storage:{name}") == (SourceKind.STORAGE, "", name)
        assert clean_relative(f"above/{name}") == f"above/{name}"


def test_unreadable_folders_are_listed_without_details(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows what it holds."""
    ground.folder("closed", EVENTS)
    ground.folder("open", EVENTS)
    reader = FolderReader(ground.tree())
    open_folder = reader._storage.open_folder

    def refuse(path: str) -> int:
        if path == "closed":
            raise PermissionError(13, "Permission denied")
        return open_folder(path)

    monkeypatch.setattr(reader._storage, "open_folder", refuse)

    assert reader.page("").folders == [FolderInfo("closed", None, None), FolderInfo("open", True, CHANGED)]


def test_the_number_of_entries_is_bounded(ground: Ground) -> None:
    """The page says that there are more."""
    for number in range(12):
        ground.folder(f"run{number}")

    page = ground.page(limits=Limits(entries=10))

    assert (page.total, page.complete) == (10, False)


def test_the_number_of_followed_links_is_bounded(ground: Ground) -> None:
    """In name order; a prefix reaches the others."""
    ground.folder("target")
    for number in range(10):
        (ground.root / f"link{number}").symlink_to("target")

    page = ground.page(limits=Limits(links=3))
    rest = ground.page(limits=Limits(links=3), prefix="link9")

    assert ([folder.name for folder in page.folders], page.complete) == (["link0", "link1", "link2", "target"], False)
    assert ([folder.name for folder in rest.folders], rest.complete) == (["link9"], True)


def test_only_folders_on_the_page_are_opened(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder itself, those shown, and a few below each."""
    for number in range(50):
        ground.folder(f"{number:02}/a")
        ground.folder(f"{number:02}/b")
    reader = FolderReader(ground.tree())
    opened: list[str] = []
    open_folder = reader._storage.open_folder

    def note(path: str) -> int:
        opened.append(path)
        return open_folder(path)

    monkeypatch.setattr(reader._storage, "open_folder", note)

    reader.page("", first=10, size=2)

    assert sorted(opened) == ["", "10", "10/a", "10/b", "11", "11/a", "11/b"]


def test_after_the_time_limit_only_names_are_shown(ground: Ground) -> None:
    """What they hold is then not known."""
    for name in ("a", "b", "c"):
        ground.folder(name, EVENTS)
    clock = itertools.chain([0.0, 0.0], itertools.repeat(9.0))

    page = FolderReader(ground.tree(), clock=lambda: next(clock)).page("")

    assert page.folders == [FolderInfo("a", True, CHANGED), FolderInfo("b", None, None), FolderInfo("c", None, None)]
