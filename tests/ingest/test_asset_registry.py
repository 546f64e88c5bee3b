"""Files beside events, such as projector configs: found at any depth and followed as they change."""

from lightboard.query.tags import count_tags
from lightboard.testing.fakes import MemoryBoard, event_file

CONFIG = "projector_config.pbtxt"
PLUGIN = "plugins/org_tensorflow_tensorboard_projector"


def listed_assets(board):
    return [(asset.run, asset.info.path, asset.info.size) for asset in board.catalog.assets()]


def test_configs_belong_to_the_run_of_their_folder():
    """Beside events, at the top without any, or in the run's plugin folder."""
    board = MemoryBoard(
        {
            CONFIG: b"1",
            "a/events.tfevents.1": event_file("x", [(0, 1.0)]),
            f"a/{CONFIG}": b"12",
            f"b/c/{PLUGIN}/{CONFIG}": b"123",
            f"{PLUGIN}/{CONFIG}": b"1234",
        }
    )

    assert listed_assets(board) == [
        ("a", f"a/{CONFIG}", 2),
        ("b/c", f"b/c/{PLUGIN}/{CONFIG}", 3),
        (".", f"{PLUGIN}/{CONFIG}", 4),
        (".", CONFIG, 1),
    ]


def test_configs_alone_make_no_run():
    """Like TensorBoard, which lists no run without events."""
    assert MemoryBoard({f"a/{CONFIG}": b""}).names() == []


def test_configs_are_counted_as_a_kind():
    """The page offers embeddings if there are any."""
    board = MemoryBoard({f"a/{CONFIG}": b"", "a/events.tfevents.1": event_file("x", [(0, 1.0)])})
    assert count_tags(board.catalog, [], []) == {"projector": 1, "scalars": 1}


def test_changed_configs_are_structural_changes():
    """Created, grown, deleted; a scan without changes is none."""
    board = MemoryBoard({"a/events.tfevents.1": event_file("x", [(0, 1.0)])})
    seen = []
    for change in (
        lambda: board.storage.write(f"a/{CONFIG}", b"1"),
        lambda: board.storage.append(f"a/{CONFIG}", b"2"),
        lambda: None,
        lambda: board.storage.remove(f"a/{CONFIG}"),
    ):
        before = board.catalog.generation
        change()
        board.refresh()
        seen.append((listed_assets(board), board.catalog.changes_since(before).structure))

    path = f"a/{CONFIG}"
    assert seen == [([("a", path, 1)], True), ([("a", path, 2)], True), ([("a", path, 2)], False), ([], True)]


def test_deleted_folders_lose_their_configs():
    """Also folders that hold nothing else."""
    board = MemoryBoard({f"a/b/{CONFIG}": b"1", "c/events.tfevents.1": event_file("x", [(0, 1.0)])})
    board.storage.remove("a")
    board.refresh()
    assert listed_assets(board) == []


def test_unreadable_folders_keep_their_configs():
    """The file may still be there."""
    board = MemoryBoard({f"a/{CONFIG}": b"1", "c/events.tfevents.1": event_file("x", [(0, 1.0)])})
    board.storage.deny("a")
    board.refresh()
    assert listed_assets(board) == [("a", f"a/{CONFIG}", 1)]
