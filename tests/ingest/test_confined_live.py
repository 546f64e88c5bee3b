"""Sources that may not be left, live: what is written is served, and nothing outside is so much as watched."""

import os
import pathlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from lightboard.ingest import inotify
from lightboard.ingest.inotify import ADDED, DELETED, MODIFIED, FolderNotify
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.ingest.watch import Watch, watched_inodes
from lightboard.series.catalog import Catalog
from lightboard.storage.confined import ConfinedStorage
from lightboard.testing import event_files as ef
from lightboard.testing.fakes import points_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such sources are polled")

DEADLINE_SECS = 60.0


@contextmanager
def live(folder: pathlib.Path) -> Iterator[Catalog]:
    """A board that looks by itself only once an hour, so that what it shows soon it has heard of."""
    catalog = Catalog()
    loader = Loader(catalog, sources(str(folder), follow_links=False), LoaderOptions(3600.0, watch=True))
    loader.start()
    try:
        until(catalog, lambda: catalog.live == "watch")
        yield catalog
    finally:
        loader.stop()


def until(catalog: Catalog, what: Callable[[], bool]) -> None:
    """Wait until `what()` is true: each change is looked at, and some come without one."""
    changed, deadline = threading.Event(), time.monotonic() + DEADLINE_SECS
    unsubscribe = catalog.subscribe(lambda _: changed.set())
    try:
        while not what():
            assert time.monotonic() < deadline, "not in time"
            changed.wait(0.02)
            changed.clear()
    finally:
        unsubscribe()


def shows(catalog: Catalog, run: str, *steps: int) -> Callable[[], bool]:
    """Whether a run has just these steps."""

    def look() -> bool:
        tags = next((one.tags() for one in catalog.runs() if one.name == run), {})
        return [step for step, _ in points_of(tags["x"].parts)] == list(steps) if "x" in tags else False

    return look


def point(step: int) -> bytes:
    return ef.scalar_record("x", step, float(step), 100.0 + step)


def test_what_is_written_is_served(tmp_path: pathlib.Path) -> None:
    """To a file that is known, to a new run in new folders, and to that one again."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(catalog, shows(catalog, "a", 0, 1))
        ef.write_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(0)])
        until(catalog, shows(catalog, "b/c/d", 0))
        ef.append_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(1)])
        until(catalog, shows(catalog, "b/c/d", 0, 1))


def test_runs_that_move_or_go_are_followed(tmp_path: pathlib.Path) -> None:
    """In, about, and out."""
    ef.write_events(tmp_path / "logs" / "a" / "tfevents.1", [point(0)])
    ef.write_events(tmp_path / "aside" / "b" / "tfevents.1", [point(7)])
    with live(tmp_path / "logs") as catalog:
        (tmp_path / "aside" / "b").rename(tmp_path / "logs" / "b")
        until(catalog, shows(catalog, "b", 7))
        (tmp_path / "logs" / "b").rename(tmp_path / "logs" / "c")
        until(catalog, lambda: [run.name for run in catalog.runs()] == ["a", "c"])
        (tmp_path / "logs" / "c").rename(tmp_path / "aside" / "b")
        until(catalog, lambda: [run.name for run in catalog.runs()] == ["a"])


def test_nothing_outside_is_watched(tmp_path: pathlib.Path) -> None:
    """Neither behind a link, nor in what took the place of a folder between its listing and its watch."""
    for name in ("logs/a/b", "logs/c", "out/b"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "logs" / "link").symlink_to(tmp_path / "out")
    storage = ConfinedStorage(str(tmp_path / "logs"))
    listed = [os.path.join(storage.folder, folder.path).rstrip("/") for folder in storage.walk()]
    (tmp_path / "logs" / "a").rename(tmp_path / "kept")
    (tmp_path / "logs" / "a").symlink_to(tmp_path / "out")
    below = len(storage.folder) + 1

    heard = Watch(lambda changes: None, open_folder=lambda path: storage.open_folder(path[below:]))
    try:
        assert heard.ensure([*listed, str(tmp_path / "logs" / "link")])
        assert heard._descriptor is not None
        watched = watched_inodes(heard._descriptor)
        coverage, missing = heard.unwatched(listed)
    finally:
        heard.stop()
    assert watched == {os.stat(tmp_path / name).st_ino for name in ("logs", "logs/c")}
    assert (coverage, missing) == ((2, 4), [str(tmp_path / "logs" / "a"), str(tmp_path / "logs" / "a" / "b")])


def test_changes_are_told_by_kind_and_path(tmp_path: pathlib.Path) -> None:
    """Under each name that a folder was given; a full queue means that anything may have changed."""
    names = [str(tmp_path), f"{tmp_path}/."]
    notify = FolderNotify(names, lambda path: os.open(path, os.O_RDONLY))
    told = []
    for change in (
        lambda: (tmp_path / "f").touch(),
        lambda: (tmp_path / "f").write_text("x"),
        lambda: (tmp_path / "f").unlink(),
    ):
        change()
        answer = notify.watch(0, 0, 5000, threading.Event())
        assert not isinstance(answer, str)
        told.append({kind for kind, path in answer if path in [f"{name}/f" for name in names]})
        assert {path for _, path in answer} == {f"{name}/f" for name in names}

    assert [ADDED in told[0], told[1], told[2]] == [True, {MODIFIED}, {DELETED}]
    stop = threading.Event()
    assert notify.watch(0, 0, 0, stop) == "timeout"
    stop.set()
    assert notify.watch(0, 0, 5000, stop) == "stop"


def test_elsewhere_it_says_that_it_cannot(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """So that all is polled."""
    monkeypatch.setattr(inotify.sys, "platform", "darwin")
    heard = Watch(lambda changes: None, open_folder=lambda path: os.open(path, os.O_RDONLY))
    assert not heard.ensure([str(tmp_path)])
    assert "only Linux" in heard.reason
