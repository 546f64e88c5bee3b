"""Live updates with real folders, threads and watches. Tests wait for conditions, with a deadline."""

import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from random import Random

import pytest

from lightboard.ingest import rescan_scheduler, watch
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.ingest.reader import Reader
from lightboard.ingest.rescan_scheduler import RescanScheduler
from lightboard.ingest.watch import Coverage, PublicNotify, Watch, remote_kind
from lightboard.series.catalog import Catalog
from lightboard.testing import event_files as ef
from lightboard.testing.fakes import points_of

DEADLINE_SECS = 20.0


def until(what):
    """Wait until `what()` is true."""
    deadline = time.monotonic() + DEADLINE_SECS
    while not what():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.002)
    return True


@contextmanager
def live(folder, *, watching=True, reload_secs=3600.0, armed=True):
    catalog = Catalog()
    loader = Loader(catalog, sources(str(folder)), LoaderOptions(reload_secs, watching))
    loader.start()
    try:
        until(lambda: not catalog.loading)
        if watching and armed:
            until(lambda: catalog.live == "watch")
        yield catalog
    finally:
        loader.stop()


def values(catalog, run, tag="x"):
    runs = {one.name: one for one in catalog.runs()}
    tags = runs[run].tags() if run in runs else {}
    return [value for _, value in points_of(tags[tag].parts)] if tag in tags else []


def point(step):
    return ef.scalar_record("x", step, float(step), 100.0 + step)


def test_configs_are_served_live(tmp_path):
    """Created and rewritten, without a scan."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        for size in (1, 2):
            (tmp_path / "a" / "projector_config.pbtxt").write_text("x" * size)
            until(lambda size=size: [asset.info.size for asset in catalog.assets()] == [size])


def test_appended_points_are_served(tmp_path):
    """Repeatedly, without a scan."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        for step in range(1, 6):
            ef.append_events(tmp_path / "a" / "tfevents.1", [point(step)])
            until(lambda step=step: values(catalog, "a") == [float(one) for one in range(step + 1)])


def test_several_files_of_a_run_are_live(tmp_path):
    """An older file may grow while a newer one does."""
    for name in ("tfevents.1", "tfevents.2"):
        ef.write_events(tmp_path / "a" / name, [point(0)])
    with live(tmp_path) as catalog:
        ef.append_events(tmp_path / "a" / "tfevents.2", [point(2)])
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == [0.0, 1.0, 0.0, 2.0])


def test_new_runs_are_served_live(tmp_path):
    """In nested new folders, and later appends as well."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        ef.write_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(0)])
        until(lambda: values(catalog, "b/c/d") == [0.0])
        ef.append_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "b/c/d") == [0.0, 1.0])


def test_folders_moved_into_the_logdir_appear(tmp_path):
    """And can be renamed there."""
    logs, aside = tmp_path / "logs", tmp_path / "aside"
    ef.write_events(logs / "a" / "tfevents.1", [point(0)])
    ef.write_events(aside / "b" / "tfevents.1", [point(7)])
    with live(logs) as catalog:
        os.rename(aside / "b", logs / "b")
        until(lambda: values(catalog, "b") == [7.0])
        os.rename(logs / "b", logs / "c")
        until(lambda: [run.name for run in catalog.runs()] == ["a", "c"])


def test_deleted_runs_disappear(tmp_path):
    """The folder is removed with its content."""
    for run in "ab":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        shutil.rmtree(tmp_path / "a")
        until(lambda: [run.name for run in catalog.runs()] == ["b"])


def test_files_replaced_on_disk_are_read_again(tmp_path):
    """Written beside and renamed over, as rsync does."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        ef.write_events(tmp_path / "a" / ".hidden", [point(5), point(6)])
        os.replace(tmp_path / "a" / ".hidden", tmp_path / "a" / "tfevents.1")
        until(lambda: values(catalog, "a") == [5.0, 6.0])


def test_rewritten_files_are_read_again(tmp_path):
    """Truncated in place, then written."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0), point(1)])
    with live(tmp_path) as catalog:
        ef.write_events(tmp_path / "a" / "tfevents.1", [point(8)])
        until(lambda: values(catalog, "a") == [8.0])


def test_a_logdir_may_appear_later(tmp_path):
    """And may be deleted and created again."""
    logs = tmp_path / "later"
    with live(logs, reload_secs=0.05, armed=False) as catalog:
        for round_ in range(2):
            ef.write_events(logs / "a" / "tfevents.1", [point(round_)])
            until(lambda round_=round_: values(catalog, "a") == [float(round_)])
            until(lambda: catalog.live == "watch")
            shutil.rmtree(logs)
            until(lambda: catalog.runs() == [])


def test_linked_runs_are_live_under_both_names(tmp_path):
    """The system reports changes under one name only."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    (tmp_path / "latest").symlink_to(tmp_path / "a")
    with live(tmp_path) as catalog:
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == values(catalog, "latest") == [0.0, 1.0])
        ef.write_events(tmp_path / "a" / "tfevents.2", [point(2)])
        until(lambda: values(catalog, "a") == values(catalog, "latest") == [0.0, 1.0, 2.0])


def test_links_created_later_are_followed(tmp_path):
    """Their target is watched as well."""
    logs, elsewhere = tmp_path / "logs", tmp_path / "elsewhere"
    ef.write_events(logs / "a" / "tfevents.1", [point(0)])
    ef.write_events(elsewhere / "tfevents.1", [point(0)])
    with live(logs) as catalog:
        (logs / "b").symlink_to(elsewhere)
        until(lambda: values(catalog, "b") == [0.0])
        ef.append_events(elsewhere / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "b") == [0.0, 1.0])


def test_unwatched_files_are_polled(tmp_path):
    """Without a watch, scans notice growth, new runs and deletions."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path, watching=False, reload_secs=0.02) as catalog:
        assert (catalog.live, catalog.live_reason) == ("poll", "watching is switched off")
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == [0.0, 1.0])
        ef.write_events(tmp_path / "b" / "tfevents.1", [point(0)])
        until(lambda: values(catalog, "b") == [0.0])
        shutil.rmtree(tmp_path / "a")
        until(lambda: [run.name for run in catalog.runs()] == ["b"])


def test_undecodable_names_fall_back_to_polling(tmp_path):
    """watchfiles fails on names that are not UTF-8; the reason says so."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path, reload_secs=0.05) as catalog:
        os.mkdir(os.fsencode(tmp_path) + b"/\xff")
        until(lambda: catalog.live == "poll")
        assert "decode" in catalog.live_reason
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == [0.0, 1.0])


def test_loading_once_watches_nothing(tmp_path):
    """A reload interval of 0 reads the files once."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path, watching=False, reload_secs=0) as catalog:
        assert (values(catalog, "a"), catalog.live) == ([0.0], "once")


def test_stop_ends_all_threads(tmp_path):
    """Those of the loader and of the watch."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    before = set(threading.enumerate())
    with live(tmp_path):
        pass
    until(lambda: set(threading.enumerate()) <= before)


def test_a_failing_watch_has_a_reason(tmp_path, monkeypatch):
    """As soon as `ensure` returns."""
    watcher = Watch(lambda changes: None)
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert (watcher.ensure([str(tmp_path)]), watcher.alive, "watchfiles" in watcher.reason) == (False, False, True)


def test_a_watch_is_stopped_while_it_starts(tmp_path, monkeypatch):
    """By another thread, such as that of a request that deletes a board."""
    watcher = Watch(lambda paths: None)

    class StoppedFirst(threading.Thread):
        def start(self):
            watcher.stop()
            super().start()

    monkeypatch.setattr(watch.threading, "Thread", StoppedFirst)
    watcher.ensure([str(tmp_path)])
    watcher.stop()

    assert not watcher.alive


def test_missing_folders_are_not_watched(tmp_path):
    """That is not a failure."""
    watcher = Watch(lambda changes: None)
    assert (watcher.ensure([str(tmp_path / "no")]), watcher.alive, watcher.reason) == (False, False, "")


class FakeWatch:
    """A fake watch: `deaf` folders are unwatched, and tests can break it."""

    def __init__(self, changed, ended):
        self.changed, self.ended = changed, ended
        self.deaf, self.tried = set(), []
        self.reason = self.note = ""
        self.alive = False

    def ensure(self, folders, *, extra=(), anew=False):
        if (self.alive or self.reason) and not anew:
            return False
        self.tried.append((*folders, *extra))
        self.alive = True
        return True

    def stop(self):
        self.alive = False

    def unwatched(self, folders):
        folders = list(folders)
        missing = [path for path in folders if os.path.basename(path) in self.deaf]
        return Coverage(len(folders) - len(missing), len(folders)), missing


@contextmanager
def scheduled_catalog(watcher, folder, *, reload_secs):
    """A catalog and its scheduler, which uses a fake watch."""
    catalog = Catalog()
    reader = Reader(catalog, sources(str(folder)), threads=1)

    def make_watch(changed, ended):
        watcher.__init__(changed, ended)
        return watcher

    scheduler = RescanScheduler(reader, reload_secs=reload_secs, watch=True, watcher=make_watch)
    scheduler.start()
    try:
        yield catalog, scheduler
    finally:
        scheduler.stop()
        reader.stop()


def test_folders_without_a_watch_are_polled(tmp_path):
    """The watch is alive but covers some folders only, and the status says how many."""
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    watcher = FakeWatch(None, None)
    with scheduled_catalog(watcher, tmp_path, reload_secs=0.02) as (catalog, scheduler):
        until(lambda: scheduler.live == "watch")
        watcher.deaf = {"b", "c"}
        until(lambda: scheduler.live == "poll")
        assert scheduler.reason.startswith("only 2 of 4 folders are watched")
        ef.append_events(tmp_path / "b" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "b") == [0.0, 1.0])


def test_a_broken_watch_triggers_a_scan(tmp_path):
    """At once, though the next scan was an hour away."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    watcher = FakeWatch(None, None)
    with scheduled_catalog(watcher, tmp_path, reload_secs=3600.0) as (catalog, scheduler):
        until(lambda: scheduler.live == "watch")
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        watcher.alive, watcher.reason = False, "it broke"
        watcher.ended()
        until(lambda: values(catalog, "a") == [0.0, 1.0])
        assert (scheduler.live, scheduler.reason) == ("poll", "it broke")


class SlowWatch(FakeWatch):
    """Starts to watch only after somebody has stopped it."""

    def __init__(self, changed, ended):
        super().__init__(changed, ended)
        self.starting, self.stopped = threading.Event(), threading.Event()

    def ensure(self, folders, *, extra=(), anew=False):
        self.starting.set()
        self.stopped.wait(DEADLINE_SECS)
        return super().ensure(folders, extra=extra, anew=anew)

    def stop(self):
        super().stop()
        self.stopped.set()


def test_a_watch_that_was_starting_ends_with_its_scheduler(tmp_path):
    """A user may have 128 of them."""
    watcher = SlowWatch(None, None)
    with scheduled_catalog(watcher, tmp_path, reload_secs=3600.0):
        assert watcher.starting.wait(DEADLINE_SECS)

    assert (watcher.tried != [], watcher.alive) == (True, False)


def test_bursts_of_changes_trigger_a_scan(tmp_path, monkeypatch):
    """The system's queue is limited, and the watch does not report an overflow."""
    monkeypatch.setattr(rescan_scheduler, "burst_size", lambda: 2)
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    watcher = FakeWatch(None, None)
    with scheduled_catalog(watcher, tmp_path, reload_secs=3600.0) as (catalog, scheduler):
        until(lambda: scheduler.live == "watch")
        for run in "abc":
            ef.append_events(tmp_path / run / "tfevents.1", [point(1)])
        watcher.changed({(False, str(tmp_path / run / "tfevents.1")) for run in "ab"})
        until(lambda: [values(catalog, run) for run in "abc"] == [[0.0, 1.0]] * 3)
        assert scheduler.live == "watch"


EXHAUSTED = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import re
from ingest.test_live import *
Path("/proc/sys/user/max_inotify_watches").write_text("3")
folder = Path({folder!r})
with live(folder, reload_secs=0.05, armed=False) as catalog:
    until(lambda: re.match("only [0-3] of 7 folders are watched", catalog.live_reason))
    assert catalog.live == "poll"
    for run in range(6):
        ef.append_events(folder / str(run) / "tfevents.1", [point(1)])
    until(lambda: all(values(catalog, str(run)) == [0.0, 1.0] for run in range(6)))
    Path("/proc/sys/user/max_inotify_watches").write_text("100")
    until(lambda: catalog.live == "watch")
"""


def can_limit_watches():
    """Whether this machine allows a lower inotify limit in a user namespace."""
    setting = "echo 3 > /proc/sys/user/max_inotify_watches"
    try:
        return subprocess.run(["unshare", "-r", "sh", "-c", setting], capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not can_limit_watches(), reason="needs user namespaces")
def test_exhausted_inotify_watches_are_noticed(tmp_path):
    """The real limit, lowered for one process. Unwatched folders are polled until the limit is raised."""
    for run in range(6):
        ef.write_events(tmp_path / str(run) / "tfevents.1", [point(0)])
    script = EXHAUSTED.format(tests=os.path.dirname(os.path.dirname(__file__)), folder=str(tmp_path))
    completed = subprocess.run(["unshare", "-r", sys.executable, "-c", script], capture_output=True, text=True)
    assert (completed.returncode, completed.stderr) == (0, "")


def test_deleted_unreadable_links_are_published(tmp_path):
    """Without a scan."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    link = tmp_path / "a" / "tfevents.2"
    link.symlink_to(link.name)  # leads to itself
    with live(tmp_path) as catalog:
        before = (catalog.generation, list(catalog.unreadable))
        link.unlink()
        until(lambda: catalog.generation > before[0])
        assert (before[1], catalog.unreadable) == ([str(link)], {})


def test_deleted_folders_are_never_unreadable(tmp_path):
    """Nor is anything below them."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    ef.write_events(tmp_path / "b" / "c" / "tfevents.1", [point(0)])
    unreadable = []
    with live(tmp_path) as catalog:
        shutil.rmtree(tmp_path / "b")

        def is_dropped():
            unreadable.extend(catalog.unreadable)
            return [run.name for run in catalog.runs()] == ["a"]

        until(is_dropped)
        unreadable.extend(catalog.unreadable)
        assert unreadable == []


DENIED = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from ingest.test_live import *
folder = Path({folder!r})
with live(folder, armed=False) as catalog:
    until(lambda: len(catalog.unreadable) == 1)
    (folder / "b").chmod(0o700)
    until(lambda: values(catalog, "b") == [0.0] and catalog.unreadable == {{}})
    ef.append_events(folder / "b" / "tfevents.1", [point(1)])
    ef.append_events(folder / "c" / "tfevents.1", [point(1)])
    until(lambda: values(catalog, "b") == values(catalog, "c") == [0.0, 1.0])
"""


def unprivileged_command():
    """A command prefix that drops root's privileges; None if there is none."""
    if os.geteuid() != 0:
        return []
    without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    return without if shutil.which("setpriv") and subprocess.run([*without, "true"]).returncode == 0 else None


@pytest.mark.skipif(unprivileged_command() is None, reason="needs setpriv")
def test_permissions_granted_later_are_noticed(tmp_path):
    """The folder is retried, and so is the watch that failed on it."""
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    (tmp_path / "b").chmod(0)
    script = DENIED.format(tests=os.path.dirname(os.path.dirname(__file__)), folder=str(tmp_path))
    completed = subprocess.run([*unprivileged_command(), sys.executable, "-c", script], capture_output=True, text=True)
    (tmp_path / "b").chmod(0o700)
    assert (completed.returncode, completed.stderr) == (0, "")


BESIDE = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from ingest.test_live import *
folder = Path({folder!r})
with live(folder) as catalog:
    (folder / "b").chmod(0o700)
    until(lambda: values(catalog, "b") == [0.0] and catalog.unreadable == {{}})
    for run in "abc":
        ef.append_events(folder / run / "tfevents.1", [point(1)])
    until(lambda: [values(catalog, run) for run in "abc"] == [[0.0, 1.0]] * 3)
"""


@pytest.mark.skipif(unprivileged_command() is None, reason="needs setpriv")
def test_folders_beside_an_unreadable_one_are_watched(tmp_path):
    """The watch that ended at it is tried again, long before the next listing."""
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    (tmp_path / "b").chmod(0)
    script = BESIDE.format(tests=os.path.dirname(os.path.dirname(__file__)), folder=str(tmp_path))
    completed = subprocess.run([*unprivileged_command(), sys.executable, "-c", script], capture_output=True, text=True)
    (tmp_path / "b").chmod(0o700)
    assert (completed.returncode, completed.stderr) == (0, "")


def test_coverage_counts_actual_watches(tmp_path):
    """Read from the descriptor, not from the requested folders."""
    for name in "abc":
        (tmp_path / "logs" / name).mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    watcher = Watch(lambda changes: None)
    try:
        assert watcher.ensure([str(tmp_path / "logs")])
        folders = [str(tmp_path / "logs"), *(str(tmp_path / "logs" / name) for name in "abcd")]
        elsewhere = str(tmp_path / "elsewhere")
        assert watcher.unwatched(folders) == (Coverage(4, 4), [])
        if sys.platform == "linux":
            assert watcher.unwatched([*folders, elsewhere]) == (Coverage(4, 5), [elsewhere])
            assert watcher.ensure([str(tmp_path / "logs")], extra=[elsewhere], anew=True)
            assert watcher.unwatched([*folders, elsewhere]) == (Coverage(5, 5), [])
    finally:
        watcher.stop()


def test_the_public_api_of_watchfiles_is_the_fallback(tmp_path, monkeypatch):
    """Changes are still served; a note names the supported versions."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    monkeypatch.setitem(sys.modules, "watchfiles._rust_notify", None)
    with live(tmp_path) as catalog:
        assert catalog.live_reason.endswith(
            f"a little later; pip install '{watch.KNOWN_VERSIONS}' installs a supported version"
        )
        for step in (1, 2):
            ef.append_events(tmp_path / "a" / "tfevents.1", [point(step)])
            until(lambda step=step: values(catalog, "a") == [float(one) for one in range(step + 1)])


def test_the_private_api_of_watchfiles_is_as_expected(tmp_path):
    """With supported versions the fallback is not used."""
    notify, _, note = watch.open_notify([str(tmp_path)])
    assert (note, isinstance(notify, PublicNotify)) == ("", False), (
        "find what this version of watchfiles calls RustNotify, use it in ingest/watch.py and raise KNOWN there"
    )


MOUNTS = """\
21 1 8:1 / / rw - ext4 /dev/a rw
22 21 0:5 / /home rw - nfs4 server:/home rw
23 22 8:2 / /home/fast rw shared:1 - xfs /dev/b rw
24 21 0:6 / /with\\040space rw - fuse.sshfs x rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/srv", ""), ("/home/me", "nfs4"), ("/home/fast/x", ""), ("/with space/x", "fuse.sshfs"), ("/homes", "")],
)
def test_network_file_systems_are_recognised(tmp_path, path, kind):
    """By the deepest mount that contains the path."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    assert remote_kind(path, str(mounts)) == kind


def test_watch_polls_slow_down_when_idle():
    """Frequent after a change, then less and less."""
    pauses = [ms for _, ms in watch.POLL_STEPS]
    assert pauses == sorted(pauses)


def churn(path, seed):
    """Change one file a hundred times, as fast as possible."""
    random = Random(seed)
    ef.write_events(path, [])
    for step in range(100):
        what = random.random()
        if what < 0.8:
            ef.append_events(path, [point(step)])
        elif what < 0.85:
            ef.append_events(path, [bytes(random.randrange(1, 500))])
        elif what < 0.9:
            os.truncate(path, random.randrange(path.stat().st_size + 1))
        elif what < 0.95:
            ef.write_events(path.with_name("aside"), [point(one) for one in range(seed + step)])
            os.replace(path.with_name("aside"), path)
        else:
            shutil.rmtree(path.parent)
            ef.write_events(path, [point(-step)])


def test_busy_files_end_like_a_fresh_start(tmp_path):
    """Files grow, are cut, replaced and deleted while they are read."""

    def snapshot(catalog):
        return {run.name: (values(catalog, run.name), run.damage()) for run in catalog.runs()}

    with live(tmp_path, armed=False, reload_secs=0.5) as catalog:
        writers = [threading.Thread(target=churn, args=(tmp_path / f"r{k}" / "tfevents.1", k)) for k in range(4)]
        for writer in writers:
            writer.start()
        while any(writer.is_alive() for writer in writers):
            snapshot(catalog)
        fresh = Catalog()
        Loader(fresh, sources(str(tmp_path)), LoaderOptions(threads=0)).load()
        until(lambda: snapshot(catalog) == snapshot(fresh))
