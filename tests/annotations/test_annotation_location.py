"""Which file belongs to which logs."""

import pytest

from lightboard.annotations.location import board_file, logdir_of


@pytest.mark.parametrize(
    ("folders", "name"),
    [
        ([("", "/home/me/runs")], "runs"),
        ([("", "/data/каша сегодня/")], "каша_сегодня"),
        ([("", "s3://bucket/my:logs?")], "my_logs"),
        ([("", "/")], "board"),
        ([("", "/x/" + "n" * 300)], "n" * 40),
        ([("old", "/a"), ("new", "/b")], "new+old"),
    ],
)
def test_the_name_says_which_logs(folders: list[tuple[str, str]], name: str) -> None:
    """With a few characters that tell folders of one name apart."""
    folder, _, file = board_file("/home", folders).rpartition("/")
    readable, _, digest = file.rpartition("-")

    assert (folder, readable, len(digest)) == ("/home/boards", name, len("0123456789.json"))


def test_equal_names_elsewhere_are_other_files() -> None:
    """`runs` of one project is not `runs` of another."""
    assert board_file("h", [("", "/a/runs")]) != board_file("h", [("", "/b/runs")])


def test_the_order_of_folders_does_not_count() -> None:
    """The same folders under the same names are the same board."""
    folders = [("a", "/x"), ("b", "/y")]

    assert board_file("h", folders) == board_file("h", folders[::-1])
    assert logdir_of(folders[::-1]) == "a:/x,b:/y"
