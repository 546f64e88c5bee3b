"""Which folders are runs, by TensorBoard's rules; what --logdir and --logdir_spec mean."""

import os

import pytest

from lightboard.errors import UsageError
from lightboard.ingest.logdir import Source, parse_spec, scan, sources
from lightboard.storage.local import LocalStorage
from lightboard.storage.memory import MemoryStorage

EVENTS = "events.out.tfevents.1700000000.host"


def runs(source):
    return {found.run: [info.path for info in found.files] for found in scan(source) if found.is_run}


def runs_of(*paths):
    return runs(Source("", MemoryStorage(dict.fromkeys(paths, b""))))


def test_every_folder_with_an_event_file_is_a_run_at_any_depth():
    """Depth does not matter, nor does a folder on the way that holds none."""
    assert runs_of("a/b/c/d/e/tfevents", "a/tfevents") == {"a": ["a/tfevents"], "a/b/c/d/e": ["a/b/c/d/e/tfevents"]}


def test_logdir_itself_is_named_by_a_dot():
    """Event files at the top are the run "."."""
    assert runs_of("x.tfevents.1") == {".": ["x.tfevents.1"]}


def test_name_decides_and_nothing_else():
    """ "tfevents" anywhere in the base name makes an event file; in the folder's name it does not."""
    assert runs_of("a/my-tfevents-copy.txt", "b/events.log", "tfevents/x") == {"a": ["a/my-tfevents-copy.txt"]}


def test_profilers_marker_makes_a_run_that_is_not_read():
    """`*.profile-empty` says that there is a run, and holds nothing."""
    assert runs_of(f"a/{EVENTS}.profile-empty") == {"a": []}


def test_files_of_a_run_come_in_name_order():
    """That is the order in which their points count."""
    assert runs_of("a/tfevents.3", "a/tfevents.10", "a/tfevents.2") == {
        "a": ["a/tfevents.10", "a/tfevents.2", "a/tfevents.3"]
    }


def test_linked_folder_is_a_run_of_its_own(tmp_path):
    """A link to a run is a second run; a loop is not followed."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / EVENTS).write_bytes(b"")
    (tmp_path / "latest").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert sorted(runs(Source("", LocalStorage(str(tmp_path))))) == ["a", "latest"]


def test_odd_names_are_runs(tmp_path):
    """Other alphabets, spaces, quotes, line ends, and bytes that are no text at all."""
    names = ["実験 №7", "تجربة", "🚀", 'it\'s "x"', "two\nlines", " ", "#?&%20", "x" * 200]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / EVENTS).write_bytes(b"")
    odd = os.fsencode(tmp_path) + b"/\xff\xfe"
    os.mkdir(odd)
    open(odd + b"/tfevents", "wb").close()
    assert sorted(runs(Source("", LocalStorage(str(tmp_path))))) == sorted([*names, "\\xff\\xfe"])


def test_all_files_are_counted():
    """How many files lie there, events or not: what an empty page tells."""
    storage = MemoryStorage({"a/tfevents": b"", "a/model.bin": b"", "b/x": b"", "c": b""})
    assert sum(found.seen for found in scan(Source("", storage))) == 4


def test_prefix_comes_before_the_path():
    """A named source's runs are `name/path`, and `name/.` for its top."""
    storage = MemoryStorage({"tfevents": b"", "a/b/tfevents": b""})
    assert sorted(runs(Source("mine", storage))) == ["mine/.", "mine/a/b"]


def test_source_may_begin_inside_a_storage():
    """Names are relative to the source's top, not to the storage's."""
    storage = MemoryStorage({"logs/tfevents": b"", "logs/a/tfevents": b"", "other/tfevents": b""})
    assert sorted(runs(Source("", storage, "logs"))) == [".", "a"]


@pytest.mark.parametrize(
    ("spec", "pairs"),
    [
        ("/a", [("", "/a")]),
        ("a", [("", "a")]),
        ("x:/a", [("x", "/a")]),
        ("x:/a,y:b", [("x", "/a"), ("y", "b")]),
        ("x:/a:b", [("x", "/a:b")]),
        ("/a:b", [("", "/a:b")]),
        ("s3://bucket/x", [("", "s3://bucket/x")]),
        ("x:s3://bucket/y", [("x", "s3://bucket/y")]),
        ("C:\\logs", [("", "C:\\logs")]),
        ("x:C:\\logs", [("x", "C:\\logs")]),
        ("x:a,,y:b,", [("x", "a"), ("y", "b")]),
    ],
)
def test_spec_is_split_at_the_first_colon(spec, pairs):
    """Unless the part begins like a path, an address or a drive."""
    assert parse_spec(spec) == pairs


@pytest.mark.parametrize("spec", ["x:", ",", "x:a,y:"])
def test_spec_without_a_path_is_refused(spec):
    """A name alone names nothing."""
    with pytest.raises(UsageError) as caught:
        parse_spec(spec)
    assert caught.value.hint == "write name:path,name:path"


def test_sources_of_a_logdir_and_of_a_spec(tmp_path):
    """One source without a prefix, or one for each part."""
    assert [(s.prefix, s.storage.url) for s in sources(str(tmp_path))] == [("", str(tmp_path))]
    spec = sources(logdir_spec=f"a:{tmp_path},{tmp_path}/b")
    assert [(s.prefix, s.storage.url) for s in spec] == [("a", str(tmp_path)), ("", f"{tmp_path}/b")]


@pytest.mark.parametrize(("logdir", "spec"), [("", ""), ("a", "b:c")])
def test_logdir_or_spec_but_not_both(logdir, spec):
    """One of the two must be given."""
    with pytest.raises(UsageError):
        sources(logdir, spec)


def test_file_in_place_of_a_folder_is_refused(tmp_path):
    """The hint names the folder that holds it."""
    path = tmp_path / EVENTS
    path.write_bytes(b"")
    with pytest.raises(UsageError) as caught:
        sources(str(path))
    assert caught.value.hint.endswith(str(tmp_path))
