"""Suggestions for a logdir without runs."""

from lightboard.ingest import suggestions
from lightboard.ingest.suggestions import suggest_folders
from lightboard.series.catalog import NearbyFolder


def make_files(root, *paths):
    for path in paths:
        file = root / "work" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    return root / "work"


def test_siblings_of_a_missing_folder_are_suggested(tmp_path):
    """For a typing error such as `run` for `runs`."""
    work = make_files(tmp_path, "runs/a/tfevents.1", "runs/b/c/tfevents.1", "src/main.py")
    assert suggest_folders(str(work / "run")) == [NearbyFolder(str(work / "runs"), 2)]


def test_a_parent_that_is_a_run_is_suggested(tmp_path):
    """The logdir was given one level too deep."""
    work = make_files(tmp_path, "exp/tfevents.1", "exp/checkpoints/x.bin")
    assert suggest_folders(str(work / "exp" / "checkpoints")) == [NearbyFolder(str(work / "exp"), 1)]


def test_the_nearest_level_wins(tmp_path):
    """Higher levels are not suggested if a nearer one has runs."""
    work = make_files(tmp_path, "far/tfevents.1", "exp/near/tfevents.1", "exp/empty/x")
    assert suggest_folders(str(work / "exp" / "empty")) == [NearbyFolder(str(work / "exp" / "near"), 1)]


def test_hidden_folders_and_links_are_not_searched(tmp_path, monkeypatch):
    """Nor is node_modules."""
    monkeypatch.setattr(suggestions, "MAX_LEVELS", 1)
    work = make_files(tmp_path, ".cache/tfevents.1", "node_modules/x/tfevents.1", "logs/x")
    (work / "link").symlink_to(work / ".cache")
    assert suggest_folders(str(work / "logs")) == []


def test_the_search_is_limited(tmp_path, monkeypatch):
    """Large neighbourhoods are searched in part."""
    work = make_files(tmp_path, *(f"runs/{index}/tfevents.1" for index in range(20)), "logs/x")
    monkeypatch.setattr(suggestions, "MAX_FOLDERS", 11)
    assert suggest_folders(str(work / "logs")) == [NearbyFolder(str(work / "runs"), 10)]


def test_the_root_of_the_file_system_is_not_searched():
    """For a logdir directly below `/`."""
    assert suggest_folders("/no-such-logdir") == []
