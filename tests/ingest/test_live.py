"""A real folder, real threads, the real watch: what is written is served. Waits are deadlines, never pauses."""

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


def test_a_config_beside_events_is_noticed(tmp_path):
    """Without a listing, and again when it is written anew."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        for size in (1, 2):
            (tmp_path / "a" / "projector_config.pbtxt").write_text("x" * size)
            until(lambda size=size: [asset.info.size for asset in catalog.assets()] == [size])


def test_appended_points_are_served(tmp_path):
    """Again and again, without a listing."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        for step in range(1, 6):
            ef.append_events(tmp_path / "a" / "tfevents.1", [point(step)])
            until(lambda step=step: values(catalog, "a") == [float(one) for one in range(step + 1)])


def test_several_files_of_a_run_are_live(tmp_path):
    """The older file of a run is not abandoned when a newer one grows."""
    for name in ("tfevents.1", "tfevents.2"):
        ef.write_events(tmp_path / "a" / name, [point(0)])
    with live(tmp_path) as catalog:
        ef.append_events(tmp_path / "a" / "tfevents.2", [point(2)])
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == [0.0, 1.0, 0.0, 2.0])


def test_new_run_appears_while_watching(tmp_path):
    """A new folder, deep, with a file in it, and then more."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        ef.write_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(0)])
        until(lambda: values(catalog, "b/c/d") == [0.0])
        ef.append_events(tmp_path / "b" / "c" / "d" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "b/c/d") == [0.0, 1.0])


def test_folder_moved_into_the_logdir_appears(tmp_path):
    """A finished run that is moved in whole."""
    logs, aside = tmp_path / "logs", tmp_path / "aside"
    ef.write_events(logs / "a" / "tfevents.1", [point(0)])
    ef.write_events(aside / "b" / "tfevents.1", [point(7)])
    with live(logs) as catalog:
        os.rename(aside / "b", logs / "b")
        until(lambda: values(catalog, "b") == [7.0])
        os.rename(logs / "b", logs / "c")
        until(lambda: [run.name for run in catalog.runs()] == ["a", "c"])


def test_deleted_run_disappears(tmp_path):
    """The folder is removed with all in it."""
    for run in "ab":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        shutil.rmtree(tmp_path / "a")
        until(lambda: [run.name for run in catalog.runs()] == ["b"])


def test_replaced_file_is_read_anew(tmp_path):
    """Written beside and moved over, as rsync does."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path) as catalog:
        ef.write_events(tmp_path / "a" / ".hidden", [point(5), point(6)])
        os.replace(tmp_path / "a" / ".hidden", tmp_path / "a" / "tfevents.1")
        until(lambda: values(catalog, "a") == [5.0, 6.0])


def test_truncated_and_rewritten_file(tmp_path):
    """Emptied in place and written anew."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0), point(1)])
    with live(tmp_path) as catalog:
        ef.write_events(tmp_path / "a" / "tfevents.1", [point(8)])
        until(lambda: values(catalog, "a") == [8.0])


def test_logdir_that_appears_later(tmp_path):
    """Not there at the start, made later, deleted, made once more: always followed."""
    logs = tmp_path / "later"
    with live(logs, reload_secs=0.05, armed=False) as catalog:
        for round_ in range(2):
            ef.write_events(logs / "a" / "tfevents.1", [point(round_)])
            until(lambda round_=round_: values(catalog, "a") == [float(round_)])
            until(lambda: catalog.live == "watch")
            shutil.rmtree(logs)
            until(lambda: catalog.runs() == [])


def test_link_to_a_run_is_live_under_both_names(tmp_path):
    """One file, two runs: the system tells of one name only."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    (tmp_path / "latest").symlink_to(tmp_path / "a")
    with live(tmp_path) as catalog:
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == values(catalog, "latest") == [0.0, 1.0])
        ef.write_events(tmp_path / "a" / "tfevents.2", [point(2)])
        until(lambda: values(catalog, "a") == values(catalog, "latest") == [0.0, 1.0, 2.0])


def test_link_made_while_watching_is_followed(tmp_path):
    """A folder elsewhere that is linked in later is watched too."""
    logs, elsewhere = tmp_path / "logs", tmp_path / "elsewhere"
    ef.write_events(logs / "a" / "tfevents.1", [point(0)])
    ef.write_events(elsewhere / "tfevents.1", [point(0)])
    with live(logs) as catalog:
        (logs / "b").symlink_to(elsewhere)
        until(lambda: values(catalog, "b") == [0.0])
        ef.append_events(elsewhere / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "b") == [0.0, 1.0])


def test_unwatched_files_are_polled(tmp_path):
    """Without a watch, listings notice what grows, comes and goes."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path, watching=False, reload_secs=0.02) as catalog:
        assert (catalog.live, catalog.live_reason) == ("poll", "watching is switched off")
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == [0.0, 1.0])
        ef.write_events(tmp_path / "b" / "tfevents.1", [point(0)])
        until(lambda: values(catalog, "b") == [0.0])
        shutil.rmtree(tmp_path / "a")
        until(lambda: [run.name for run in catalog.runs()] == ["b"])


def test_name_that_is_no_text_leaves_polling(tmp_path):
    """The watch cannot tell such a name: it gives up with a reason, and the file is followed all the same."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path, reload_secs=0.05) as catalog:
        os.mkdir(os.fsencode(tmp_path) + b"/\xff")
        until(lambda: catalog.live == "poll")
        assert "decode" in catalog.live_reason
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "a") == [0.0, 1.0])


def test_loading_once_watches_nothing(tmp_path):
    """With a reload interval of 0 the files are read and left alone."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    with live(tmp_path, watching=False, reload_secs=0) as catalog:
        assert (values(catalog, "a"), catalog.live) == ([0.0], "once")


def test_stop_ends_all_threads(tmp_path):
    """Nothing of the loader goes on."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    before = set(threading.enumerate())
    with live(tmp_path):
        pass
    until(lambda: set(threading.enumerate()) <= before)


def test_watch_that_cannot_be_set_up_says_why(tmp_path, monkeypatch):
    """The reason is there as soon as `ensure` returns."""
    heard = Watch(lambda changes: None)
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert (heard.ensure([str(tmp_path)]), heard.alive, "watchfiles" in heard.reason) == (False, False, True)


def test_folders_that_are_not_there_are_not_watched(tmp_path):
    """Nothing to watch is no failure."""
    heard = Watch(lambda changes: None)
    assert (heard.ensure([str(tmp_path / "no")]), heard.alive, heard.reason) == (False, False, "")


class PartWatch:
    """Watches nothing but says so of the folders in `deaf` only; breaks when told to."""

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
def kept_by(watcher, folder, *, reload_secs):
    """A catalog kept up by a fake in place of the watch."""
    catalog = Catalog()
    reader = Reader(catalog, sources(str(folder)), threads=1)

    def make(changed, ended):
        watcher.__init__(changed, ended)
        return watcher

    scheduler = RescanScheduler(reader, reload_secs=reload_secs, watch=True, watcher=make)
    scheduler.start()
    try:
        yield catalog, scheduler
    finally:
        scheduler.stop()
        reader.stop()


def test_folders_that_are_not_watched_are_polled_and_counted(tmp_path):
    """The watch is alive and hears of some folders only: that is no reason to trust it."""
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    heard = PartWatch(None, None)
    with kept_by(heard, tmp_path, reload_secs=0.02) as (catalog, scheduler):
        until(lambda: scheduler.live == "watch")
        heard.deaf = {"b", "c"}
        until(lambda: scheduler.live == "poll")
        assert scheduler.reason.startswith("only 2 of 4 folders are watched")
        ef.append_events(tmp_path / "b" / "tfevents.1", [point(1)])
        until(lambda: values(catalog, "b") == [0.0, 1.0])


def test_broken_watch_is_noticed_at_once(tmp_path):
    """What it would have told is looked for at once, however far away the next listing was."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    heard = PartWatch(None, None)
    with kept_by(heard, tmp_path, reload_secs=3600.0) as (catalog, scheduler):
        until(lambda: scheduler.live == "watch")
        ef.append_events(tmp_path / "a" / "tfevents.1", [point(1)])
        heard.alive, heard.reason = False, "it broke"
        heard.ended()
        until(lambda: values(catalog, "a") == [0.0, 1.0])
        assert (scheduler.live, scheduler.reason) == ("poll", "it broke")


def test_news_that_a_crowd_of_changes_pushed_out_are_looked_for(tmp_path, monkeypatch):
    """The system's queue of changes has an end, and the watch does not tell that it was reached."""
    monkeypatch.setattr(rescan_scheduler, "burst_size", lambda: 2)
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    heard = PartWatch(None, None)
    with kept_by(heard, tmp_path, reload_secs=3600.0) as (catalog, scheduler):
        until(lambda: scheduler.live == "watch")
        for run in "abc":
            ef.append_events(tmp_path / run / "tfevents.1", [point(1)])
        heard.changed({(False, str(tmp_path / run / "tfevents.1")) for run in "ab"})
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


def may_limit_watches():
    """Whether this machine lets us set a limit of our own, in a user namespace."""
    setting = "echo 3 > /proc/sys/user/max_inotify_watches"
    try:
        return subprocess.run(["unshare", "-r", "sh", "-c", setting], capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not may_limit_watches(), reason="needs user namespaces")
def test_exhausted_inotify_watches_are_noticed(tmp_path):
    """The real limit, lowered for one process: folders without a watch are served, and watched once they can be."""
    for run in range(6):
        ef.write_events(tmp_path / str(run) / "tfevents.1", [point(0)])
    script = EXHAUSTED.format(tests=os.path.dirname(os.path.dirname(__file__)), folder=str(tmp_path))
    done = subprocess.run(["unshare", "-r", sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


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


def powerless():
    """How to run a command that permissions hold for; None where there is no way."""
    if os.geteuid() != 0:
        return []
    without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    return without if shutil.which("setpriv") and subprocess.run([*without, "true"]).returncode == 0 else None


@pytest.mark.skipif(powerless() is None, reason="needs setpriv")
def test_permission_given_later_is_noticed(tmp_path):
    """Though listings are an hour apart: the folder is tried again, and so is the watch, which had stopped there."""
    for run in "abc":
        ef.write_events(tmp_path / run / "tfevents.1", [point(0)])
    (tmp_path / "b").chmod(0)
    script = DENIED.format(tests=os.path.dirname(os.path.dirname(__file__)), folder=str(tmp_path))
    done = subprocess.run([*powerless(), sys.executable, "-c", script], capture_output=True, text=True)
    (tmp_path / "b").chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")


def test_folders_that_are_really_watched_are_counted(tmp_path):
    """By what the system says of the descriptor, not by what was asked for."""
    for name in "abc":
        (tmp_path / "logs" / name).mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    heard = Watch(lambda changes: None)
    try:
        assert heard.ensure([str(tmp_path / "logs")])
        folders = [str(tmp_path / "logs"), *(str(tmp_path / "logs" / name) for name in "abcd")]
        elsewhere = str(tmp_path / "elsewhere")
        assert heard.unwatched(folders) == (Coverage(4, 4), [])
        if sys.platform == "linux":
            assert heard.unwatched([*folders, elsewhere]) == (Coverage(4, 5), [elsewhere])
            assert heard.ensure([str(tmp_path / "logs")], extra=[elsewhere], anew=True)
            assert heard.unwatched([*folders, elsewhere]) == (Coverage(5, 5), [])
    finally:
        heard.stop()


def test_public_names_of_watchfiles_do_where_private_ones_are_gone(tmp_path, monkeypatch):
    """The same changes are heard, and what is missing is said."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [point(0)])
    monkeypatch.setitem(sys.modules, "watchfiles._rust_notify", None)
    with live(tmp_path) as catalog:
        assert catalog.live_reason.endswith(f"a little later; pip install '{watch.KNOWN}' brings the one that it knows")
        for step in (1, 2):
            ef.append_events(tmp_path / "a" / "tfevents.1", [point(step)])
            until(lambda step=step: values(catalog, "a") == [float(one) for one in range(step + 1)])


def test_private_names_of_watchfiles_are_those_we_know(tmp_path):
    """With the versions that are allowed the fallback is not needed."""
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
def test_network_file_systems_are_known(tmp_path, path, kind):
    """The deepest mount that holds the path decides."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    assert remote_kind(path, str(mounts)) == kind


def test_watching_thread_sleeps_deeper_the_longer_nothing_happens():
    """Soon after a change it looks often, later seldom."""
    pauses = [ms for _, ms in watch.STEPS]
    assert pauses == sorted(pauses)


def churn(path, seed):
    """A hundred things that happen to one file, as fast as they can."""
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


def test_churning_files_end_up_as_a_fresh_start_sees_them(tmp_path):
    """Files that grow, are cut, replaced and deleted while they are read and while readers ask for everything."""

    def served(catalog):
        return {run.name: (values(catalog, run.name), run.damage()) for run in catalog.runs()}

    with live(tmp_path, armed=False, reload_secs=0.5) as catalog:
        writers = [threading.Thread(target=churn, args=(tmp_path / f"r{k}" / "tfevents.1", k)) for k in range(4)]
        for writer in writers:
            writer.start()
        while any(writer.is_alive() for writer in writers):
            served(catalog)
        fresh = Catalog()
        Loader(fresh, sources(str(tmp_path)), LoaderOptions(threads=0)).load()
        until(lambda: served(catalog) == served(fresh))
