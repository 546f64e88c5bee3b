"""Where runs are, for somebody whose logdir has none."""

from lightboard.ingest import suggestions
from lightboard.ingest.suggestions import suggest_folders
from lightboard.series.catalog import Nearby


def make(root, *paths):
    for path in paths:
        file = root / "work" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    return root / "work"


def test_sibling_of_a_folder_that_is_not_there(tmp_path):
    """A slip of the pen: `run` for `runs`."""
    work = make(tmp_path, "runs/a/tfevents.1", "runs/b/c/tfevents.1", "src/main.py")
    assert suggest_folders(str(work / "run")) == [Nearby(str(work / "runs"), 2)]


def test_folder_above_that_is_a_run(tmp_path):
    """The logdir was given one level too deep."""
    work = make(tmp_path, "exp/tfevents.1", "exp/checkpoints/x.bin")
    assert suggest_folders(str(work / "exp" / "checkpoints")) == [Nearby(str(work / "exp"), 1)]


def test_nearest_level_wins(tmp_path):
    """What lies higher up is not told while something lies nearer."""
    work = make(tmp_path, "far/tfevents.1", "exp/near/tfevents.1", "exp/empty/x")
    assert suggest_folders(str(work / "exp" / "empty")) == [Nearby(str(work / "exp" / "near"), 1)]


def test_hidden_folders_and_links_are_not_searched(tmp_path, monkeypatch):
    """Nobody means `.cache`."""
    monkeypatch.setattr(suggestions, "MAX_LEVELS", 1)
    work = make(tmp_path, ".cache/tfevents.1", "node_modules/x/tfevents.1", "logs/x")
    (work / "link").symlink_to(work / ".cache")
    assert suggest_folders(str(work / "logs")) == []


def test_search_ends_after_so_many_folders(tmp_path, monkeypatch):
    """A large neighbourhood is searched in part."""
    work = make(tmp_path, *(f"runs/{index}/tfevents.1" for index in range(20)), "logs/x")
    monkeypatch.setattr(suggestions, "MAX_FOLDERS", 11)
    assert suggest_folders(str(work / "logs")) == [Nearby(str(work / "runs"), 10)]


def test_top_of_the_file_system_is_no_neighbourhood():
    """A logdir directly below `/` has none."""
    assert suggest_folders("/no-such-logdir") == []
