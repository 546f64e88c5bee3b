"""Event files into a catalog: what comes, goes and changes, looked at step by step."""

import shutil

import pytest

from lightboard.errors import RunNotFound
from lightboard.ingest import reader
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source, sources
from lightboard.series.catalog import Catalog, Changes, Nearby
from lightboard.storage.memory import MemoryStorage
from lightboard.testing import event_files as ef
from lightboard.testing.fakes import FakeClock, MemoryBoard, event_file, points_of


def steps(count, first=0):
    return [(step, float(step)) for step in range(first, first + count)]


def test_every_run_is_loaded_whole():
    """All points of all tags of all runs."""
    board = MemoryBoard(
        {
            "a/tfevents.1": event_file("x", steps(3)),
            "b/c/tfevents.1": event_file("x", steps(4)) + event_file("y", steps(2)),
        }
    )
    held = {(run.name, name): points_of(tag.parts) for run in board.catalog.runs() for name, tag in run.tags().items()}
    assert held == {("a", "x"): steps(3), ("b/c", "x"): steps(4), ("b/c", "y"): steps(2)}


def test_progress_after_loading():
    """Bytes and files are counted, other files too."""
    data = event_file("x", steps(3))
    board = MemoryBoard({"a/tfevents.1": data, "b/tfevents.1": data, "b/model.bin": b"12345"})
    progress = board.catalog.progress
    assert progress[:6] == (2 * len(data), 2 * len(data), 2, 2, False, 3)
    assert progress.last_scan > 0


def test_files_of_a_run_join_in_name_order():
    """A run's series is the parts of its files, one file after the other, all of them live."""
    board = MemoryBoard({"r/tfevents.2": event_file("x", steps(2, 10)), "r/tfevents.1": event_file("x", steps(2))})
    board.storage.append("r/tfevents.1", event_file("x", steps(1, 2), version=False))
    board.storage.append("r/tfevents.2", event_file("x", steps(1, 12), version=False))
    board.look()
    assert board.points("r", "x") == [*steps(3), *steps(3, 10)]


def test_first_slots_go_by_start_then_by_natural_name():
    """Runs found at once are ordered by their first event; runs without one come last."""
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


def test_later_run_takes_the_next_slot():
    """However early it started, the colours of the others stay."""
    board = MemoryBoard({"a/tfevents": event_file("x", steps(1), start=100.0)})
    board.storage.write("b/tfevents", event_file("x", steps(1), start=1.0))
    board.look()
    assert [(run.name, run.slot) for run in board.catalog.runs()] == [("a", 0), ("b", 1)]


def test_new_file_joins_its_run():
    """A second writer in the same folder, under way."""
    board = MemoryBoard({"r/tfevents.1": event_file("x", steps(2))})
    board.storage.write("r/tfevents.2", event_file("x", steps(2, 5)) + event_file("y", steps(1)))
    board.look()
    assert (board.points("r", "x"), board.points("r", "y")) == ([*steps(2), *steps(2, 5)], steps(1))


def test_deleted_file_takes_its_points():
    """The rest of the run stays."""
    board = MemoryBoard({"r/tfevents.1": event_file("x", steps(2)), "r/tfevents.2": event_file("x", steps(2, 5))})
    board.storage.remove("r/tfevents.1")
    board.look()
    assert board.points("r", "x") == steps(2, 5)


def test_deleted_run_disappears_and_comes_back_to_its_slot():
    """A folder that is deleted is no run; made again under its name it has its old place."""
    data = event_file("x", steps(2))
    board = MemoryBoard({"a/tfevents": data, "b/tfevents": data})
    board.storage.remove("a")
    board.look()
    gone = board.names()
    board.storage.write("c/tfevents", data)
    board.storage.write("a/tfevents", event_file("x", steps(1, 7)))
    board.look()
    assert (gone, board.names(), board.points("a", "x")) == (["b"], ["a", "b", "c"], steps(1, 7))


def test_logdir_that_vanishes_and_appears():
    """Nothing there: no runs and no error; there again: runs."""
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


def test_unreadable_folder_is_named_and_keeps_its_runs():
    """What cannot be looked at is not gone; its neighbours go on."""
    board = MemoryBoard({"a/b/tfevents": event_file("x", steps(2)), "c/tfevents": event_file("x", steps(2))})
    board.storage.deny("a")
    board.storage.append("c/tfevents", event_file("x", steps(1, 2), version=False))
    board.look()
    assert (board.names(), board.points("c", "x"), board.catalog.unreadable) == (
        ["a/b", "c"],
        steps(3),
        {board.storage.locate("a"): "Permission denied"},
    )
    board.storage.allow("a")
    board.look()
    assert board.catalog.unreadable == {}


def test_unreadable_file_is_named_until_it_can_be_read():
    """A run whose only file cannot be read is a run, empty, with a reason."""
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


def test_replaced_file_changes_the_tags():
    """Readers that hold the old parts keep them; whoever asks anew gets the new ones."""
    board = MemoryBoard({"r/tfevents": event_file("old", steps(2))})
    old = board.catalog.run("r").parts("old")
    board.storage.replace("r/tfevents", event_file("new", steps(3)))
    board.look()
    assert (list(board.catalog.run("r").tags()), board.points("r", "new"), points_of(old)) == (
        ["new"],
        steps(3),
        steps(2),
    )


def test_generation_tells_what_changed():
    """More points: that run. A new tag: structure too. Nothing: no run."""
    board = MemoryBoard({"a/tfevents": event_file("x", steps(1)), "b/tfevents": event_file("x", steps(1))})
    b = board.catalog.run("b").id

    def since(change):
        generation = board.catalog.generation
        change()
        board.look()
        return board.catalog.changes_since(generation)[1:]

    assert since(lambda: None) == ((), False, False)
    assert since(lambda: board.storage.append("b/tfevents", ef.scalar_record("x", 1, 1.0))) == ((b,), False, False)
    assert since(lambda: board.storage.append("b/tfevents", ef.scalar_record("y", 1, 1.0))) == ((b,), True, False)
    assert since(lambda: board.storage.remove("b")) == ((), True, False)


def test_runs_are_visible_before_everything_is_read(monkeypatch):
    """Once every file was looked at all runs are there, while the rest of the large ones is still being read."""
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


def test_files_are_read_beginnings_first_then_by_what_is_left(monkeypatch):
    """The first bytes of every large file, all of the small ones, then the file with most left."""
    monkeypatch.setattr(reader, "SMALL_BYTES", 500)
    monkeypatch.setattr(reader, "HEAD_BYTES", 300)
    monkeypatch.setattr(reader, "CHUNK_BYTES", 10_000)
    files = {"big": 100, "huge": 200, "tiny": 2}
    board = MemoryBoard({f"{name}/tfevents": event_file("x", steps(count)) for name, count in files.items()})
    order = [path.partition("/")[0] for path, offset, length in board.storage.reads if length > 1024 or length == 300]
    assert order == ["huge", "big", "tiny", "huge", "big"]


def test_two_sources_with_prefixes():
    """Each source's runs carry its name."""
    one = MemoryStorage({"tfevents": event_file("x", steps(1)), "a/tfevents": event_file("x", steps(1))})
    two = MemoryStorage({"a/tfevents": event_file("x", steps(2))})
    catalog = Catalog()
    Loader(catalog, [Source("one", one), Source("two", two)], LoaderOptions(threads=0)).load()
    assert [run.name for run in catalog.runs()] == ["one/.", "one/a", "two/a"]


def test_sources_that_give_one_name_share_the_run():
    """No file is lost when two unnamed sources hold the same path."""
    one = MemoryStorage({"a/tfevents.1": event_file("x", steps(1))})
    two = MemoryStorage({"a/tfevents.2": event_file("x", steps(1, 1))})
    catalog = Catalog()
    loader = Loader(catalog, [Source("", one), Source("", two)], LoaderOptions(threads=0))
    loader.load()
    both = points_of(catalog.run("a").parts("x"))
    one.remove("a")
    loader.refresh()
    assert (both, points_of(catalog.run("a").parts("x"))) == (steps(2), steps(1, 1))


def test_thousand_runs_are_found_and_loaded(tmp_path):
    """With real threads and real files."""
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


def test_broken_link_to_an_event_file_is_named(tmp_path):
    """A link that leads nowhere is said to, not passed over."""
    (tmp_path / "tfevents.1").symlink_to(tmp_path / "nowhere")
    catalog = Catalog()
    Loader(catalog, sources(str(tmp_path)), LoaderOptions(threads=0)).load()
    assert catalog.unreadable == {str(tmp_path / "tfevents.1"): "No such file or directory"}


def test_nothing_is_written_into_the_logdir(tmp_path):
    """After loading the folder is what it was, times included."""
    ef.write_events(tmp_path / "a" / "tfevents.1", [ef.scalar_record("x", 1, 1.0)])

    def state():
        return sorted((str(path), path.stat().st_mtime_ns) for path in [tmp_path, *tmp_path.rglob("*")])

    before = state()
    loader = Loader(Catalog(), sources(str(tmp_path)), LoaderOptions(threads=0))
    loader.load()
    loader.refresh()
    assert state() == before


@pytest.mark.parametrize("replaced", ["logs", "logs/a"])
def test_folder_replaced_by_a_file_takes_its_runs(tmp_path, replaced):
    """A file cannot hold runs: they are gone, not out of reach; where it is the logdir itself, that is named."""
    ef.write_events(tmp_path / "logs" / "a" / "tfevents.1", [ef.scalar_record("x", 0, 1.0)])
    catalog = Catalog()
    loader = Loader(catalog, sources(str(tmp_path / "logs")), LoaderOptions(threads=0))
    loader.load()
    shutil.rmtree(tmp_path / replaced)
    (tmp_path / replaced).write_text("a file")
    loader.refresh()

    named = {str(tmp_path / "logs"): "Not a directory"} if replaced == "logs" else {}
    assert (catalog.runs(), catalog.unreadable) == ([], named)


def test_empty_logdir_knows_its_neighbours(tmp_path):
    """Where runs are near, the nearest level is told, most runs first."""
    for path in ("exp/good/a", "exp/good/b", "exp/other"):
        ef.write_events(tmp_path / "work" / path / "tfevents.1", [])
    (tmp_path / "work" / "exp" / "empty").mkdir()
    catalog = Catalog()
    Loader(catalog, sources(str(tmp_path / "work" / "exp" / "empty")), LoaderOptions(threads=0)).load()
    assert catalog.nearest() == [
        Nearby(str(tmp_path / "work" / "exp" / "good"), 2),
        Nearby(str(tmp_path / "work" / "exp" / "other"), 1),
    ]


def test_run_that_vanished_is_not_found():
    """The catalog forgets it at once."""
    board = MemoryBoard({"a/tfevents": b""})
    board.storage.remove("a")
    board.look()
    with pytest.raises(RunNotFound):
        board.catalog.run("a")


def test_changes_of_a_board_at_rest():
    """Looking again without news changes no run."""
    board = MemoryBoard({"a/tfevents": event_file("x", steps(1))})
    generation = board.catalog.generation
    board.look()
    assert board.catalog.changes_since(generation) == Changes(generation + 1, (), False, False)


def test_slow_listing_does_not_hold_runs_back():
    """Past the time set for it, runs are shown while the listing goes on."""
    storage = MemoryStorage({f"{name}/tfevents": event_file("x", steps(1)) for name in "abc"})
    catalog, clock = Catalog(), FakeClock()
    inner = reader.Reader(catalog, [Source("", storage)], threads=1, clock=clock)
    inner.release_at = clock.now
    inner.scan_all()
    assert (inner.wait(60), inner.release_at) == (True, None)
    inner.publish()
    inner.stop()
    assert sorted(run.name for run in catalog.runs()) == ["a", "b", "c"]


def test_source_that_cannot_be_listed_is_told_until_it_can():
    """By its number and the reason; each change of that is a new generation, also where there were no runs."""
    storage = MemoryStorage({"there/tfevents": event_file("x", steps(2))})
    catalog = Catalog()
    loader = Loader(catalog, [Source("a", storage, "there"), Source("b", storage, "later")], LoaderOptions(threads=0))
    told = []

    def look():
        loader.refresh()
        told.append({number: type(error) for number, error in loader.lost_sources().items()})

    look()
    storage.deny("there")
    look()
    before = catalog.generation
    storage.allow("there")
    storage.write("later/notes.txt", b"")
    look()
    assert told == [{1: FileNotFoundError}, {0: PermissionError, 1: FileNotFoundError}, {}]
    assert catalog.generation > before


def is_aliased(board):
    return board.loader._reader.registry.has_aliases


def test_number_of_a_deleted_file_may_come_again():
    """Systems give the numbers of deleted files to new ones: that is no link, and costs no full listings."""
    board = MemoryBoard({"a/tfevents.1": event_file("x", steps(2))})
    number = board.storage._files["a/tfevents.1"].identity
    board.storage.remove("a")
    board.storage.write("b/tfevents.1", event_file("x", steps(2)))
    board.storage._files["b/tfevents.1"].identity = number
    board.look()
    assert (board.names(), is_aliased(board)) == (["b"], False)


def test_file_under_two_names_is_aliased_as_long_as_both_are_there():
    """Links are gone when they are deleted."""
    board = MemoryBoard({"a/tfevents.1": event_file("x", steps(2))})
    board.storage.link("b", "a")
    board.look()
    both = is_aliased(board)
    board.storage.remove("b")
    board.look()
    assert (board.names(), both, is_aliased(board)) == (["a"], True, False)
