"""Including and excluding runs of a source."""

import pytest

from lightboard.ingest.logdir import Source, scan
from lightboard.ingest.run_filter import RunFilter
from lightboard.storage.memory import MemoryStorage
from lightboard.testing.fakes import MemoryBoard, event_file

NAMES = [".", "seed1/train", "seed1/eval", "seed2/train", "lr=0.1,wd=2"]


@pytest.mark.parametrize(
    ("include", "exclude", "taken"),
    [
        ("", "", NAMES),
        ("seed1*", "", ["seed1/train", "seed1/eval"]),
        ("*/train", "seed2*", ["seed1/train"]),
        ("", "seed?/*", [".", "lr=0.1,wd=2"]),
        ("lr=0.1,wd=2; .", "", [".", "lr=0.1,wd=2"]),
        ("[.s]*", "*eval;;", [".", "seed1/train", "seed2/train"]),
        ("; ;", "", NAMES),
        ("SEED1*", "", []),
        ("seed1", "", []),
        ("*a" * 30 + "b", "", []),
    ],
)
def test_patterns_match_whole_names(include, exclude, taken):
    """Globs, whose * matches slashes; several are separated by semicolons."""
    assert [name for name in NAMES if RunFilter(include, exclude).matches(name)] == taken


def test_excluded_runs_are_not_read():
    """Prefixes are not part of the name. Their folders are still listed."""
    storage = MemoryStorage({"a/tfevents.1": b"", "b/tfevents.1": b"", "b/plugins/x/projector_config.pbtxt": b""})
    found = list(scan(Source("p", storage, run_filter=RunFilter("a"))))
    assert [(one.path, one.run, one.is_run, len(one.files), one.assets) for one in found] == [
        ("", "p/.", False, 0, []),
        ("a", "p/a", True, 1, []),
        ("b", "p/b", False, 0, []),
        ("b/plugins", "p/b/plugins", False, 0, []),
        ("b/plugins/x", "p/b/plugins/x", False, 0, []),
    ]


def test_later_runs_are_filtered():
    """A run excluded by the first scan is not added by later ones."""
    board = MemoryBoard({"a/tfevents.1": event_file("x", [(0, 1.0)])}, run_filter=RunFilter(exclude="b*"))
    board.storage.write("b/tfevents.1", event_file("x", [(0, 1.0)]))
    board.storage.write("c/tfevents.1", event_file("x", [(0, 1.0)]))
    board.refresh()
    assert board.names() == ["a", "c"]
