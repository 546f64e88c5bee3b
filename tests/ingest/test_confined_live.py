"""Live updates of confined sources: changes are served, and nothing outside is watched."""

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
    """A live board that polls only once an hour, so prompt updates come from the watch."""
    catalog = Catalog()
    loader = Loader(catalog, sources(str(folder), follow_links=False), LoaderOptions(3600.0, watch=True))
    loader.start()
    try:
        until(catalog, lambda: catalog.live == "watch")
        yield catalog
    finally:
        loader.stop()


def until(catalog: Catalog, what: Callable[[], bool]) -> None:
    """Wait until `what()` is true, checking after each change and every 20 ms."""
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
    """A predicate: whether the run has exactly these steps."""

    def has_steps() -> bool:
        tags = next((one.tags() for one in catalog.runs() if one.name == run), {})
        return [step for step, _ in points_of(tags["x"].parts)] == list(steps) if "x" in tags else False

    return has_steps


def point(step: int) -> bytes:
    return ef.scalar_record("x", step, float(step), 100.0 + step)


def test_confined_writes_are_served(tmp_path: pathlib.Path) -> None:
    """To a known file, to a new run in new folders, and to that run again."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(catalog, shows(catalog, "a", 0, 1))
        ef.write_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(0)])
        until(catalog, shows(catalog, "b/c/d", 0))
        ef.append_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(1)])
        until(catalog, shows(catalog, "b/c/d", 0, 1))


def test_moved_runs_are_followed(tmp_path: pathlib.Path) -> None:
    """Into the logdir, within it, and out of it."""
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
    """Neither behind a link, nor where a link replaced a folder between its listing and its watch."""
    for name in ("logs/a/b", "logs/c", "out/b"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "logs" / "link").symlink_to(tmp_path / "out")
    storage = ConfinedStorage(str(tmp_path / "logs"))
    listed = [os.path.join(storage.folder, folder.path).rstrip("/") for folder in storage.walk()]
    (tmp_path / "logs" / "a").rename(tmp_path / "kept")
    (tmp_path / "logs" / "a").symlink_to(tmp_path / "out")
    below = len(storage.folder) + 1

    watch = Watch(lambda changes: None, open_folder=lambda path: storage.open_folder(path[below:]))
    try:
        assert watch.ensure([*listed, str(tmp_path / "logs" / "link")])
        assert watch._descriptor is not None
        watched = watched_inodes(watch._descriptor)
        coverage, missing = watch.unwatched(listed)
    finally:
        watch.stop()
    assert watched == {os.stat(tmp_path / name).st_ino for name in ("logs", "logs/c")}
    assert (coverage, missing) == ((2, 4), [str(tmp_path / "logs" / "a"), str(tmp_path / "logs" / "a" / "b")])


def test_changes_have_a_kind_and_a_path(tmp_path: pathlib.Path) -> None:
    """Under each name of the folder. Without changes there is a timeout, or a stop."""
    names = [str(tmp_path), f"{tmp_path}/."]
    notify = FolderNotify(names, lambda path: os.open(path, os.O_RDONLY))
    kinds = []
    for change in (
        lambda: (tmp_path / "f").touch(),
        lambda: (tmp_path / "f").write_text("x"),
        lambda: (tmp_path / "f").unlink(),
    ):
        change()
        answer = notify.watch(0, 0, 5000, threading.Event())
        assert not isinstance(answer, str)
        kinds.append({kind for kind, path in answer if path in [f"{name}/f" for name in names]})
        assert {path for _, path in answer} == {f"{name}/f" for name in names}

    assert [ADDED in kinds[0], kinds[1], kinds[2]] == [True, {MODIFIED}, {DELETED}]
    stop = threading.Event()
    assert notify.watch(0, 0, 0, stop) == "timeout"
    stop.set()
    assert notify.watch(0, 0, 5000, stop) == "stop"


def test_the_watch_needs_linux(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """On other systems confined sources are polled, with this reason."""
    monkeypatch.setattr(inotify.sys, "platform", "darwin")
    watch = Watch(lambda changes: None, open_folder=lambda path: os.open(path, os.O_RDONLY))
    assert not watch.ensure([str(tmp_path)])
    assert "only Linux" in watch.reason
