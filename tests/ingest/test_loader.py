"""Loading event files into a catalog, scan by scan."""

import shutil

import pytest

from lightboard.errors import RunNotFound
from lightboard.ingest import reader
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source, sources
from lightboard.series.catalog import Catalog, Changes, NearbyFolder
from lightboard.storage.memory import MemoryStorage
from lightboard.testing import event_files as ef
from lightboard.testing.fakes import FakeClock, MemoryBoard, event_file, points_of


def steps(count, first=0):
    return [(step, float(step)) for step in range(first, first + count)]


def test_all_runs_are_loaded():
    """With all points of all tags."""
    board = MemoryBoard(
        {
            "a/tfevents.1": event_file("x", steps(3)),
            "b/c/tfevents.1": event_file("x", steps(4)) + event_file("y", steps(2)),
        }
    )
    loaded = {
        (run.name, name): points_of(tag.parts) for run in board.catalog.runs() for name, tag in run.tags().items()
    }
    assert loaded == {("a", "x"): steps(3), ("b/c", "x"): steps(4), ("b/c", "y"): steps(2)}


def test_progress_counts_bytes_and_files():
    """Other files are counted as well."""
    data = event_file("x", steps(3))
    board = MemoryBoard({"a/tfevents.1": data, "b/tfevents.1": data, "b/model.bin": b"12345"})
    progress = board.catalog.progress
    assert progress[:6] == (2 * len(data), 2 * len(data), 2, 2, False, 3)
    assert progress.last_scan > 0


def test_files_of_a_run_are_joined_in_name_order():
    """All of them may grow."""
    board = MemoryBoard({"r/tfevents.2": event_file("x", steps(2, 10)), "r/tfevents.1": event_file("x", steps(2))})
    board.storage.append("r/tfevents.1", event_file("x", steps(1, 2), version=False))
    board.storage.append("r/tfevents.2", event_file("x", steps(1, 12), version=False))
    board.refresh()
    assert board.points("r", "x") == [*steps(3), *steps(3, 10)]


def test_first_slots_follow_start_time_and_name():
    """Runs without events come last."""
    board = MemoryBoard(
        {
            "run_10/tfevents": event_file("x", steps(1), start=100.0),
            "run_9/tfevents": event_file("x", steps(1), start=100.0),
            "zero/tfevents": event_file("x", steps(1), start=50.0),
            "empty/tfevents": b"",
            "a/tfevents.profile-empty": b"",
        }
    )
    assert board.names() == ["zero", "run_9", "run_10", "a", "empty"]


def test_later_runs_take_the_next_slot():
    """However early they started: colours of other runs do not change."""
    board = MemoryBoard({"a/tfevents": event_file("x", steps(1), start=100.0)})
    board.storage.write("b/tfevents", event_file("x", steps(1), start=1.0))
    board.refresh()
    assert [(run.name, run.slot) for run in board.catalog.runs()] == [("a", 0), ("b", 1)]


def test_new_files_join_their_run():
    """A second writer in the same folder."""
    board = MemoryBoard({"r/tfevents.1": event_file("x", steps(2))})
    board.storage.write("r/tfevents.2", event_file("x", steps(2, 5)) + event_file("y", steps(1)))
    board.refresh()
    assert (board.points("r", "x"), board.points("r", "y")) == ([*steps(2), *steps(2, 5)], steps(1))


def test_deleted_files_lose_their_points():
    """Other files of the run stay."""
    board = MemoryBoard({"r/tfevents.1": event_file("x", steps(2)), "r/tfevents.2": event_file("x", steps(2, 5))})
    board.storage.remove("r/tfevents.1")
    board.refresh()
    assert board.points("r", "x") == steps(2, 5)


def test_recreated_runs_keep_their_slot():
    """A run of the same name gets it back."""
    data = event_file("x", steps(2))
    board = MemoryBoard({"a/tfevents": data, "b/tfevents": data})
    board.storage.remove("a")
    board.refresh()
    gone = board.names()
    board.storage.write("c/tfevents", data)
    board.storage.write("a/tfevents", event_file("x", steps(1, 7)))
    board.refresh()
    assert (gone, board.names(), board.points("a", "x")) == (["b"], ["a", "b", "c"], steps(1, 7))


def test_a_missing_logdir_has_no_runs():
    """And no errors. It may appear and be deleted again."""
    storage = MemoryStorage({"logs/a/tfevents": event_file("x", steps(2))})
    catalog = Catalog()
    loader = Loader(catalog, [Source("", storage, "later")], LoaderOptions(threads=0))
    loader.load()
    before = (catalog.runs(), catalog.unreadable)
    storage.write("later/a/tfevents", event_file("x", steps(3)))
    loader.refresh()
    appeared = [run.name for run in catalog.runs()]
    storage.remove("later")
    loader.refresh()
    assert (before, appeared, catalog.runs()) == (([], {}), ["a"], [])


def test_unreadable_folders_keep_their_runs():
    """They are reported, and other folders are still updated."""
    board = MemoryBoard({"a/b/tfevents": event_file("x", steps(2)), "c/tfevents": event_file("x", steps(2))})
    board.storage.deny("a")
    board.storage.append("c/tfevents", event_file("x", steps(1, 2), version=False))
    board.refresh()
    assert (board.names(), board.points("c", "x"), board.catalog.unreadable) == (
        ["a/b", "c"],
        steps(3),
        {board.storage.locate("a"): "Permission denied"},
    )
    board.storage.allow("a")
    board.refresh()
    assert board.catalog.unreadable == {}


def test_runs_with_unreadable_files_are_listed():
    """Without points, and with the reason until the file can be read."""
    storage = MemoryStorage({"a/tfevents": event_file("x", steps(2))})
    storage.deny("a/tfevents")
    catalog = Catalog()
    loader = Loader(catalog, [Source("", storage)], LoaderOptions(threads=0))
    loader.load()
    before = ([run.name for run in catalog.runs()], catalog.points, catalog.unreadable)
    storage.allow("a/tfevents")
    loader.refresh()
    assert before == (["a"], 0, {storage.locate("a/tfevents"): "Permission denied"})
    assert (catalog.points, catalog.unreadable) == (2, {})


def test_replaced_files_change_the_tags():
    """Parts that a reader holds stay valid."""
    board = MemoryBoard({"r/tfevents": event_file("old", steps(2))})
    old = board.catalog.run("r").parts("old")
    board.storage.replace("r/tfevents", event_file("new", steps(3)))
    board.refresh()
    assert (list(board.catalog.run("r").tags()), board.points("r", "new"), points_of(old)) == (
        ["new"],
        steps(3),
        steps(2),
    )


def test_generations_say_what_changed():
    """New points: the run. A new tag: the structure as well. Nothing: no run."""
    board = MemoryBoard({"a/tfevents": event_file("x", steps(1)), "b/tfevents": event_file("x", steps(1))})
    b = board.catalog.run("b").id

    def since(change):
        generation = board.catalog.generation
        change()
        board.refresh()
        return board.catalog.changes_since(generation)[1:]

    assert since(lambda: None) == ((), False, False)
    assert since(lambda: board.storage.append("b/tfevents", ef.scalar_record("x", 1, 1.0))) == ((b,), False, False)
    assert since(lambda: board.storage.append("b/tfevents", ef.scalar_record("y", 1, 1.0))) == ((b,), True, False)
    assert since(lambda: board.storage.remove("b")) == ((), True, False)


def test_runs_are_visible_while_large_files_load(monkeypatch):
    """As soon as the start of each file has been read."""
    monkeypatch.setattr(reader, "SMALL_BYTES", 100)
    monkeypatch.setattr(reader, "HEAD_BYTES", 100)
    monkeypatch.setattr(reader, "CHUNK_BYTES", 1000)
    storage = MemoryStorage({f"{name}/tfevents": event_file("x", steps(200)) for name in "abc"})
    catalog = Catalog()
    inner = reader.Reader(catalog, [Source("", storage)], threads=0)
    inner.registry.release()
    seen = []
    catalog.subscribe(lambda _: seen.append((len(catalog.runs()), catalog.points)))
    monkeypatch.setattr("lightboard.ingest.publisher.GAP_SECS", 0.0)
    inner.scan_all()
    inner.wait()
    counts = [points for runs, points in seen if runs == 3]
    assert (counts[0] < 300, counts == sorted(counts), counts[-1], len(counts) > 3) == (True, True, 600, True)


def test_the_start_of_each_file_is_read_first(monkeypatch):
    """Then small files, then large ones by the bytes that are left."""
    monkeypatch.setattr(reader, "SMALL_BYTES", 500)
    monkeypatch.setattr(reader, "HEAD_BYTES", 300)
    monkeypatch.setattr(reader, "CHUNK_BYTES", 10_000)
    files = {"big": 100, "huge": 200, "tiny": 2}
    board = MemoryBoard({f"{name}/tfevents": event_file("x", steps(count)) for name, count in files.items()})
    order = [path.partition("/")[0] for path, offset, length in board.storage.reads if length > 1024 or length == 300]
    assert order == ["huge", "big", "tiny", "huge", "big"]


def test_runs_carry_the_prefix_of_their_source():
    """`prefix/.` for the top folder."""
    one = MemoryStorage({"tfevents": event_file("x", steps(1)), "a/tfevents": event_file("x", steps(1))})
    two = MemoryStorage({"a/tfevents": event_file("x", steps(2))})
    catalog = Catalog()
    Loader(catalog, [Source("one", one), Source("two", two)], LoaderOptions(threads=0)).load()
    assert [run.name for run in catalog.runs()] == ["one/.", "one/a", "two/a"]


def test_sources_with_equal_names_share_a_run():
    """No file is lost if two unnamed sources contain the same path."""
    one = MemoryStorage({"a/tfevents.1": event_file("x", steps(1))})
    two = MemoryStorage({"a/tfevents.2": event_file("x", steps(1, 1))})
    catalog = Catalog()
    loader = Loader(catalog, [Source("", one), Source("", two)], LoaderOptions(threads=0))
    loader.load()
    both = points_of(catalog.run("a").parts("x"))
    one.remove("a")
    loader.refresh()
    assert (both, points_of(catalog.run("a").parts("x"))) == (steps(2), steps(1, 1))


def test_a_thousand_runs_are_loaded(tmp_path):
    """With real threads and files."""
    for index in range(1000):
        ef.write_events(
            tmp_path / f"g{index % 10}" / f"run_{index}" / "events.out.tfevents.1",
            [ef.scalar_record("x", 1, float(index), 5.0)],
        )
    catalog = Catalog()
    loader = Loader(catalog, sources(str(tmp_path)))
    loader.load()
    values = sorted(points_of(run.parts("x"))[0][1] for run in catalog.runs())
    loader.stop()
    assert (values, catalog.loading) == ([float(index) for index in range(1000)], False)


def test_broken_links_to_event_files_are_reported(tmp_path):
    """With the system's message."""
    (tmp_path / "tfevents.1").symlink_to(tmp_path / "nowhere")
    catalog = Catalog()
    Loader(catalog, sources(str(tmp_path)), LoaderOptions(threads=0)).load()
    assert catalog.unreadable == {str(tmp_path / "tfevents.1"): "No such file or directory"}


def test_the_logdir_is_never_written(tmp_path):
    """Modification times stay the same as well."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [ef.scalar_record("x", 1, 1.0)])

    def state():
        return sorted((str(path), path.stat().st_mtime_ns) for path in [tmp_path, *tmp_path.rglob("*")])

    before = state()
    loader = Loader(Catalog(), sources(str(tmp_path)), LoaderOptions(threads=0))
    loader.load()
    loader.refresh()
    assert state() == before


@pytest.mark.parametrize("replaced", ["logs", "logs/a"])
def test_folders_replaced_by_files_lose_their_runs(tmp_path, replaced):
    """If the logdir itself is replaced, that is reported."""
    ef.write_events(tmp_path / "logs" / "a" / "tfevents.1", [ef.scalar_record("x", 0, 1.0)])
    catalog = Catalog()
    loader = Loader(catalog, sources(str(tmp_path / "logs")), LoaderOptions(threads=0))
    loader.load()
    shutil.rmtree(tmp_path / replaced)
    (tmp_path / replaced).write_text("a file")
    loader.refresh()

    named = {str(tmp_path / "logs"): "Not a directory"} if replaced == "logs" else {}
    assert (catalog.runs(), catalog.unreadable) == ([], named)


def test_empty_logdirs_suggest_nearby_folders(tmp_path):
    """Of the nearest level, most runs first."""
    for path in ("exp/good/a", "exp/good/b", "exp/other"):
        ef.write_events(tmp_path / "work" / path / "tfevents.1", [])
    (tmp_path / "work" / "exp" / "empty").mkdir()
    catalog = Catalog()
    Loader(catalog, sources(str(tmp_path / "work" / "exp" / "empty")), LoaderOptions(threads=0)).load()
    assert catalog.nearby_folders() == [
        NearbyFolder(str(tmp_path / "work" / "exp" / "good"), 2),
        NearbyFolder(str(tmp_path / "work" / "exp" / "other"), 1),
    ]


def test_deleted_runs_are_not_found():
    """Right after the scan."""
    board = MemoryBoard({"a/tfevents": b""})
    board.storage.remove("a")
    board.refresh()
    with pytest.raises(RunNotFound):
        board.catalog.run("a")


def test_scans_without_changes_change_no_run():
    """Only the generation advances."""
    board = MemoryBoard({"a/tfevents": event_file("x", steps(1))})
    generation = board.catalog.generation
    board.refresh()
    assert board.catalog.changes_since(generation) == Changes(generation + 1, (), False, False)


def test_slow_listings_do_not_delay_runs():
    """After a time limit, runs are shown while the listing continues."""
    storage = MemoryStorage({f"{name}/tfevents": event_file("x", steps(1)) for name in "abc"})
    catalog, clock = Catalog(), FakeClock()
    inner = reader.Reader(catalog, [Source("", storage)], threads=1, clock=clock)
    inner.release_at = clock.now
    inner.scan_all()
    assert (inner.wait(60), inner.release_at) == (True, None)
    inner.publish()
    inner.stop()
    assert sorted(run.name for run in catalog.runs()) == ["a", "b", "c"]


def test_unlistable_sources_are_reported():
    """By number and error. Each change is a new generation, even without runs."""
    storage = MemoryStorage({"there/tfevents": event_file("x", steps(2))})
    catalog = Catalog()
    loader = Loader(catalog, [Source("a", storage, "there"), Source("b", storage, "later")], LoaderOptions(threads=0))
    lost = []

    def refresh():
        loader.refresh()
        lost.append({number: type(error) for number, error in loader.lost_sources().items()})

    refresh()
    storage.deny("there")
    refresh()
    before = catalog.generation
    storage.allow("there")
    storage.write("later/notes.txt", b"")
    refresh()
    assert lost == [{1: FileNotFoundError}, {0: PermissionError, 1: FileNotFoundError}, {}]
    assert catalog.generation > before


def is_aliased(board):
    return board.loader._reader.registry.has_aliases


def test_reused_inodes_are_not_links():
    """A new file may get the inode of a deleted one."""
    board = MemoryBoard({"a/tfevents.1": event_file("x", steps(2))})
    number = board.storage._files["a/tfevents.1"].identity
    board.storage.remove("a")
    board.storage.write("b/tfevents.1", event_file("x", steps(2)))
    board.storage._files["b/tfevents.1"].identity = number
    board.refresh()
    assert (board.names(), is_aliased(board)) == (["b"], False)


def test_files_with_two_names_are_aliased():
    """Until one of the names is deleted."""
    board = MemoryBoard({"a/tfevents.1": event_file("x", steps(2))})
    board.storage.link("b", "a")
    board.refresh()
    both = is_aliased(board)
    board.storage.remove("b")
    board.refresh()
    assert (board.names(), both, is_aliased(board)) == (["a"], True, False)
