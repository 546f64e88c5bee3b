"""Which folders are runs, by TensorBoard's rules; the syntax of --logdir and --logdir_spec."""

import os

import pytest

from lightboard.errors import UsageError
from lightboard.ingest.logdir import Source, is_asset, parse_spec, scan, sources
from lightboard.storage.local import LocalStorage
from lightboard.storage.memory import MemoryStorage

EVENTS = "events.out.tfevents.1700000000.host"


def runs(source):
    return {found.run: [info.path for info in found.files] for found in scan(source) if found.is_run}


def runs_of(*paths):
    return runs(Source("", MemoryStorage(dict.fromkeys(paths, b""))))


def test_folders_with_event_files_are_runs():
    """At any depth; folders in between need none."""
    assert runs_of("a/b/c/d/e/tfevents", "a/tfevents") == {"a": ["a/tfevents"], "a/b/c/d/e": ["a/b/c/d/e/tfevents"]}


def test_the_run_of_the_logdir_itself_is_a_dot():
    """For event files at the top."""
    assert runs_of("x.tfevents.1") == {".": ["x.tfevents.1"]}


def test_only_the_base_name_marks_event_files():
    """It contains "tfevents"; the name of a folder does not count."""
    assert runs_of("a/my-tfevents-copy.txt", "b/events.log", "tfevents/x") == {"a": ["a/my-tfevents-copy.txt"]}


def test_profiler_markers_make_empty_runs():
    """`*.profile-empty` is never read."""
    assert runs_of(f"a/{EVENTS}.profile-empty") == {"a": []}


def test_files_of_a_run_are_listed_in_name_order():
    """Plain string order, which is the order of their points."""
    assert runs_of("a/tfevents.3", "a/tfevents.10", "a/tfevents.2") == {
        "a": ["a/tfevents.10", "a/tfevents.2", "a/tfevents.3"]
    }


def test_linked_folders_are_separate_runs(tmp_path):
    """Loops are not followed."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / EVENTS).write_bytes(b"")
    (tmp_path / "latest").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert sorted(runs(Source("", LocalStorage(str(tmp_path))))) == ["a", "latest"]


def test_run_names_may_be_any_bytes(tmp_path):
    """Other scripts, quotes, newlines; bytes that are not UTF-8 are escaped."""
    names = ["実験 №7", "تجربة", "🚀", 'it\'s "x"', "two\nlines", " ", "#?&%20", "x" * 200]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / EVENTS).write_bytes(b"")
    odd = os.fsencode(tmp_path) + b"/\xff\xfe"
    os.mkdir(odd)
    open(odd + b"/tfevents", "wb").close()
    assert sorted(runs(Source("", LocalStorage(str(tmp_path))))) == sorted([*names, "\\xff\\xfe"])


def test_all_files_are_counted():
    """Also those without events; empty pages show the number."""
    storage = MemoryStorage({"a/tfevents": b"", "a/model.bin": b"", "b/x": b"", "c": b""})
    assert sum(found.seen for found in scan(Source("", storage))) == 4


def test_prefixes_precede_paths():
    """`name/path`, and `name/.` for the top."""
    storage = MemoryStorage({"tfevents": b"", "a/b/tfevents": b""})
    assert sorted(runs(Source("mine", storage))) == ["mine/.", "mine/a/b"]


def test_sources_may_start_inside_a_storage():
    """Run names are relative to the source."""
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
def test_specs_are_split_at_the_first_colon(spec, pairs):
    """Unless the part starts like a path, a URL or a drive."""
    assert parse_spec(spec) == pairs


@pytest.mark.parametrize("spec", ["x:", ",", "x:a,y:"])
def test_specs_without_a_path_are_refused(spec):
    """The hint shows the syntax."""
    with pytest.raises(UsageError) as caught:
        parse_spec(spec)
    assert caught.value.hint == "write name:path,name:path"


def test_logdirs_and_specs_become_sources(tmp_path):
    """One without a prefix, or one for each part."""
    assert [(s.prefix, s.storage.url) for s in sources(str(tmp_path))] == [("", str(tmp_path))]
    spec = sources(logdir_spec=f"a:{tmp_path},{tmp_path}/b")
    assert [(s.prefix, s.storage.url) for s in spec] == [("a", str(tmp_path)), ("", f"{tmp_path}/b")]


@pytest.mark.parametrize(("logdir", "spec"), [("", ""), ("a", "b:c")])
def test_exactly_one_of_logdir_and_spec_is_required(logdir, spec):
    """Neither and both are usage errors."""
    with pytest.raises(UsageError):
        sources(logdir, spec)


def test_a_file_is_no_logdir(tmp_path):
    """The hint names its folder."""
    path = tmp_path / EVENTS
    path.write_bytes(b"")
    with pytest.raises(UsageError) as caught:
        sources(str(path))
    assert caught.value.hint.endswith(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("projector_config.pbtxt", True),
        ("Model.ONNX", True),
        ("graph.pbtxt", True),
        ("host.xplane.pb", True),
        ("host.XPLANE.pb", False),
        ("w.1795776000000000000.PT.Trace.JSON.gz", True),
        ("perfetto_trace.json.gz", True),
        ("rank0_memory_snapshot.pickle", True),
        ("memory.prof", True),
        ("optimizer.pickle", False),
        ("calls.prof", False),
        ("config.json", False),
        ("weights.json.gz", False),
        ("events.out.tfevents.1.host", False),
    ],
)
def test_assets_are_told_by_their_names(name: str, expected: bool) -> None:
    assert is_asset(name) is expected
