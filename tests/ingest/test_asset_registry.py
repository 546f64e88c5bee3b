"""Files beside events that tell of data of their own: found wherever they lie, followed as they change."""

from lightboard.query.tags import count_tags
from lightboard.testing.fakes import MemoryBoard, event_file

CONFIG = "projector_config.pbtxt"
PLUGIN = "plugins/org_tensorflow_tensorboard_projector"


def listed_assets(board):
    return [(asset.run, asset.info.path, asset.info.size) for asset in board.catalog.assets()]


def test_a_config_belongs_to_the_run_of_its_folder():
    """Beside events, at the top without any, or in the run's folder of plugins."""
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


def test_a_config_alone_makes_no_run():
    """TensorBoard lists no run without events."""
    assert MemoryBoard({f"a/{CONFIG}": b""}).names() == []


def test_configs_are_counted_as_a_kind():
    """So that the page of embeddings can be offered."""
    board = MemoryBoard({f"a/{CONFIG}": b"", "a/events.tfevents.1": event_file("x", [(0, 1.0)])})
    assert count_tags(board.catalog) == {"projector": 1, "scalars": 1}


def test_what_becomes_of_a_config_is_seen():
    """Come, grown, gone, each a change of structure of its own."""
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
        board.look()
        seen.append((listed_assets(board), board.catalog.changes_since(before).structure))

    path = f"a/{CONFIG}"
    assert seen == [([("a", path, 1)], True), ([("a", path, 2)], True), ([("a", path, 2)], False), ([], True)]


def test_a_folder_that_goes_takes_its_config_along():
    """Also one that holds nothing else."""
    board = MemoryBoard({f"a/b/{CONFIG}": b"1", "c/events.tfevents.1": event_file("x", [(0, 1.0)])})
    board.storage.remove("a")
    board.look()
    assert listed_assets(board) == []


def test_a_folder_out_of_reach_keeps_its_config():
    """It may well be there."""
    board = MemoryBoard({f"a/{CONFIG}": b"1", "c/events.tfevents.1": event_file("x", [(0, 1.0)])})
    board.storage.deny("a")
    board.look()
    assert listed_assets(board) == [("a", f"a/{CONFIG}", 1)]
